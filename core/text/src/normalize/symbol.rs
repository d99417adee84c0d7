//! Letters that are names of something: a Greek one on its own.

use super::recognizer::MatchContext;
use super::semiotic::SemioticClass;

/// A letter that no word goes on from and that has a name as a symbol.
pub(crate) fn find_letter(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let letter = cursor.eat_char(|c| !c.is_ascii())?;
    let words = context.lexicon().symbol(letter)?;
    let ends = !cursor.rest().starts_with(|c: char| c.is_alphabetic() && !c.is_ascii());
    ends.then_some((cursor.at(), SemioticClass::Phrase { words, ends_sentence: false }))
}
