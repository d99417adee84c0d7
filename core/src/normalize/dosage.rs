//! How often a medicine is taken: `q6h`, `q4-6h`.

use super::boundaries;
use super::recognizer::MatchContext;
use super::semiotic::SemioticClass;

/// The letter for "every" before a number of hours, days or weeks; the number is found after it.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    const UNITS: &str = "h hr hrs d min wk";
    let number =
        context.rest.strip_prefix(['q', 'Q']).filter(|_| boundaries::opens(context.before))?;
    let digits = boundaries::run(number, |c| c.is_ascii_digit() || matches!(c, '-' | '–'));
    let unit = &number[digits..];
    let unit = &unit[..boundaries::run(unit, |c| c.is_ascii_alphabetic())];
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    let phrase = SemioticClass::Phrase { words: "every", ends_sentence: false };
    (is_number && boundaries::lists(UNITS, unit)).then_some((1, phrase))
}
