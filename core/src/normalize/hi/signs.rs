//! Symbols whose reading the signs beside them decide: a slash between words or numbers, a hash before a number.

use crate::normalize::cursor::is_letter;
use crate::normalize::recognise::Scene;
use crate::normalize::semiotic::Semiotic;

/// A slash between words is only a pause, "पति/पत्नी"; between numbers it has a name; "#1" is number one.
pub(super) fn find(scene: &Scene<'_>) -> Option<(usize, Semiotic)> {
    let after = scene.rest.get(1..)?;
    let is_digit = |c: char| c.is_ascii_digit();
    let phrase = |words| Semiotic::Phrase { words, ends_sentence: false };
    let value = match scene.rest.as_bytes()[0] {
        b'/' if scene.before.ends_with(is_digit) && after.starts_with(is_digit) => phrase("बटा"),
        b'/' if scene.before.ends_with(is_letter) && after.starts_with(char::is_alphanumeric) => {
            Semiotic::Pause
        }
        b'#' if after.starts_with(is_digit) => phrase("नंबर"),
        _ => return None,
    };
    Some((1, value))
}
