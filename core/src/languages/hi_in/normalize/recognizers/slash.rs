//! Symbols whose reading the signs beside them decide: a slash between words or numbers, a hash before a number.

use crate::normalize::cursor::is_letter;
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::SemioticClass;

/// A slash between words is only a pause, "पति/पत्नी"; between numbers it has a name; "#1" is number one.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let after = context.rest.get(1..)?;
    let is_digit = |c: char| c.is_ascii_digit();
    let phrase = |words| SemioticClass::Phrase { words, ends_sentence: false };
    let value = match context.rest.as_bytes()[0] {
        b'/' if context.before.ends_with(is_digit) && after.starts_with(is_digit) => phrase("बटा"),
        b'/' if context.before.ends_with(is_letter) && after.starts_with(char::is_alphanumeric) => {
            SemioticClass::Pause
        }
        b'#' if after.starts_with(is_digit) => phrase("नंबर"),
        _ => return None,
    };
    Some((1, value))
}
