//! Recognizes the frequency and duration of a medicine: `q6h`, `q4-6h`, `x7d`, `x 5 days`.

use super::prelude::*;

/// The letter for "every" or "times" before a number of hours, days or weeks.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    if let Some(found) = find_times(context) {
        return Some(found);
    }
    let number = context
        .rest
        .strip_prefix("q ")
        .or_else(|| context.rest.strip_prefix(['q', 'Q']))
        .filter(|_| opens(context.before))?;
    let digits = run(number, |c| c.is_ascii_digit() || matches!(c, '-' | '–'));
    let unit = number[digits..].trim_start();
    let unit = &unit[..run(unit, is_latin_letter)];
    let is_number = number.starts_with(is_digit);
    let phrase = SemioticClass::Phrase { words: WordClass::Every.first(), ends_sentence: false };
    (is_number && WordClass::DoseUnit.has_any_case(unit)).then_some((1, phrase))
}

/// A count in a medical text: `CABG x3`, `x1 STAT`.
pub(crate) fn find_count(context: &MatchContext<'_>) -> Found {
    let number = context.rest.strip_prefix('x')?;
    let number = number.strip_prefix(' ').unwrap_or(number);
    let digits = run(number, is_digit);
    let before = context.before.strip_suffix(' ')?;
    let fits = (1..=2).contains(&digits)
        && closes_number(&number[digits..])
        && before.ends_with(char::is_alphabetic)
        && context.topic_classes().contains(&"medical");
    let phrase = SemioticClass::Phrase { words: WordClass::Times.first(), ends_sentence: false };
    fits.then_some((1, phrase))
}

/// A duration: `x 5 days`, `x3wks`.
fn find_times(context: &MatchContext<'_>) -> Found {
    let number = context.rest.strip_prefix('x')?;
    let number = number.strip_prefix(' ').unwrap_or(number);
    let digits = run(number, |c| c.is_ascii_digit() || matches!(c, '-' | '–'));
    let unit = number[digits..].trim_start();
    let unit = &unit[..run(unit, is_latin_letter)];
    let fits = (1..=5).contains(&digits)
        && number.starts_with(is_digit)
        && context.before.ends_with(' ')
        && WordClass::CourseUnit.has(unit);
    let phrase = SemioticClass::Phrase { words: WordClass::Times.first(), ends_sentence: false };
    fits.then_some((1, phrase))
}
