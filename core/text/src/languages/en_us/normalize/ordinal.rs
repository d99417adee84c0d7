//! Recognizes ordinals with English suffixes.

use crate::normalize::prelude::*;

/// `1st`, `9,000,000th`. A wrong suffix, as in `2th`, is spoken after the number.
pub(super) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor).filter(Number::is_whole)?;
    let written = cursor.letters()?;
    let suffix = written.to_ascii_lowercase();
    let fits = context.is(&suffix, WordClass::OrdinalEndings) && cursor.at_word_end();
    let last_two = number.integer.len().saturating_sub(2);
    let right = suffix_of(number.integer[last_two..].parse().ok()?);
    let suffix = (suffix != right).then(|| written.to_owned());
    fits.then(|| (cursor.at(), SemioticClass::Ordinal { number, suffix }))
}

/// The English ordinal suffix of a number from 0 to 99.
fn suffix_of(n: u8) -> &'static str {
    match (n, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}
