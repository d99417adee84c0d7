//! Recognizes letters that are names, standalone Greek letters, and the negation sign in code.

use super::prelude::*;

/// A letter at a word boundary that has a name as a symbol.
pub(crate) fn find_letter(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let letter = cursor.eat_char(|c| !c.is_ascii())?;
    let words = context.lexicon().symbol(letter)?;
    let ends = !cursor.rest().starts_with(|c: char| c.is_alphabetic() && !c.is_ascii());
    ends.then_some((cursor.at(), SemioticClass::phrase(words)))
}

/// The negation sign before an operand in code: `if (!found)`, `a && !b`.
pub(crate) fn find_negation(context: &MatchContext<'_>) -> Found {
    let operand = context.rest.strip_prefix('!')?;
    let before = context.before.trim_end();
    let outside = before.trim_end_matches('(');
    let is_condition = WordClass::BeforeCondition.has(last_word(outside)) || context.is_code();
    let follows = before.ends_with("&&")
        || before.ends_with("||")
        || is_condition && (outside.len() < before.len() || before.ends_with('`'));
    let is_operand = operand.starts_with(|c: char| c.is_ascii_alphabetic() || "_(".contains(c));
    let words = context.lexicon().symbol('¬')?;
    (follows && is_operand).then_some((1, SemioticClass::phrase(words)))
}
