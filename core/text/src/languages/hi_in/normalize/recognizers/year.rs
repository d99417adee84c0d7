//! Recognizes years and eras.

use super::super::lexicon;
use crate::normalize::prelude::*;
use crate::normalize::year;

/// A part of a year. It is letters as an attribute, `TCS का Q2 मुनाफ़ा`, since a तिमाही is feminine,
/// and among English words: `Q4 में 30% growth`.
pub(in super::super) fn find_period(context: &MatchContext<'_>) -> Found {
    const NEAR: usize = 4;
    let is_attribute = matches!(last_word(context.before.trim_end()), "का" | "के");
    let mut words = context.rest.split_whitespace().skip(1).take(NEAR);
    let is_mixed = words.any(|word| word.starts_with(is_lower));
    year::find_period(context).filter(|(length, _)| !is_attribute && !is_mixed || *length > 2)
}

/// Four digits as a year, by their context.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(4..=4).filter(|digits| ("1000".."3000").contains(digits))?;
    let ends = cursor.at_word_end() && cursor.at_number_end();
    let rest = cursor.rest();
    let is_last_century =
        digits.starts_with("19") && !context.is(first_word(rest), WordClass::CountedNotYear);
    let is_year = is_last_century
        && !lexicon::lists(WordClass::NotYearLabel, last_word(context.before))
        || follows(context.before)
        || precedes(rest);
    let year = Year::of(digits);
    (ends && is_year).then_some((4, SemioticClass::Year(year)))
}

fn follows(before: &str) -> bool {
    let before = before.trim_end();
    let led = before.trim_end_matches([',', '-']);
    let word = last_word(led.trim_end_matches([',', '.', '॰']));
    lexicon::lexicon().words.of_any_case(word).has(WordClass::YearLabel)
        || lexicon::is_month(word)
        || led.ends_with(['.', '॰']) && lexicon::is_short_month(word)
        || is_short_date(led, word)
}

/// Whether a date without a stop precedes: `15 अग`.
fn is_short_date(before: &str, word: &str) -> bool {
    let day = before.strip_suffix(word).unwrap_or_default().trim_end_matches([' ', '-']);
    lexicon::is_short_month(word) && day.ends_with(|c: char| c.is_ascii_digit())
}

fn precedes(rest: &str) -> bool {
    let mut cursor = Cursor::new(rest);
    if cursor.gap().is_none() {
        return false;
    }
    let word = cursor.letters().unwrap_or_default();
    let next = first_word(cursor.rest());
    match word {
        "से" => !lexicon::lists(WordClass::Compared, next),
        "के" => !lexicon::lists(WordClass::Estimated, next),
        _ => lexicon::lists(WordClass::AfterYear, word) || lexicon::is_postposition(word),
    }
}

/// An abbreviated era: `ई. पू.`, and `ई.` beside a number.
pub(in super::super) fn find_era(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let before_christ = cursor.attempt(|cursor| {
        cursor.eat("ईसा").or_else(|| cursor.eat("ई."))?;
        cursor.spaces();
        cursor.eat("पू.").or_else(|| cursor.eat("पू॰"))
    });
    let words = match before_christ {
        Some(()) => "ईसा पूर्व",
        None => {
            cursor.eat("ई.").or_else(|| cursor.eat("ई॰"))?;
            is_beside_number(context.before, cursor.rest()).then_some("ईसवी")?
        }
    };
    let ends_sentence = !cursor.rest().contains(char::is_alphanumeric);
    Some((cursor.at(), SemioticClass::Phrase { words, ends_sentence }))
}

fn is_beside_number(before: &str, after: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    before.trim_end().ends_with(is_digit)
        || after.trim_start().starts_with(is_digit)
        || is_one_of(last_word(before), &["सन", "सन्"])
}
