//! Numbers with letters directly after them: ordinals and plurals.

use super::cursor::first_word;
use super::number::Number;
use super::recognizer::{MatchContext, is_one_of};
use super::semiotic::SemioticClass;

/// `1st`, `9,000,000th`; with letters that do not belong there, `2th`, both are said.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor).filter(Number::is_whole)?;
    let written = cursor.letters()?;
    let suffix = written.to_ascii_lowercase();
    let fits = ["st", "nd", "rd", "th"].contains(&suffix.as_str()) && cursor.at_word_end();
    let last_two = number.integer.len().saturating_sub(2);
    let right = suffix_of(number.integer[last_two..].parse().ok()?);
    let suffix = (suffix != right).then(|| written.to_owned());
    fits.then(|| (cursor.at(), SemioticClass::Ordinal { number, suffix }))
}

/// The letters that English writes after a number from 0 to 99.
fn suffix_of(n: u8) -> &'static str {
    match (n, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

/// `747s`, `12's`, `49ers`.
pub(crate) fn find_plural(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor).filter(Number::is_whole)?;
    if cursor.eat("ers").is_some() && cursor.at_word_end() {
        return Some((cursor.at(), SemioticClass::NumberedGroup(number)));
    }
    let with_apostrophe = cursor.eat_char(|c| matches!(c, '\'' | '’')).is_some();
    cursor.eat("s")?;
    let counted = context.before.ends_with(['x', 'X'])
        || context.follows(context.cues().before_plural)
        || is_one_of(first_word(cursor.rest()), &[context.cues().of]);
    let is_plural = with_apostrophe
        || counted && (number.integer.len() > 2 || context.before.ends_with(['x', 'X']));
    (is_plural && cursor.at_word_end()).then(|| (cursor.at(), SemioticClass::Plural(number)))
}
