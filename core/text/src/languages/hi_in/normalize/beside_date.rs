//! Recognizes abbreviated months and weekdays beside a date.

use super::lexicon;
use crate::normalize::prelude::*;

/// Stops and signs of abbreviations.
const STOPS: [char; 2] = ['.', '॰'];

/// Whether a month is meant: `15 अग. 1947`, `3 जन '24`, `दिसं. 2024`, `जन.-मार्च`. `3 जन` may be
/// three people, and `जन.` a general.
pub(super) fn is_month(written: &str, before: &str, after: &str, stopped: bool) -> bool {
    let (day, year) = (ends_with_day(before), year_follows(after));
    let is_sure = stopped || lexicon::lists(WordClass::SureMonth, written);
    let number_follows = || {
        let number = after.trim_start_matches([' ', ',', '-', '\'', '’', '‘']);
        number.starts_with(is_digit)
    };
    // `जन. से दिस.`
    let to = |text: &str| {
        text.trim_start().strip_prefix("से ").is_some_and(|next| is_month_name(next_part(next)))
    };
    let from = |text: &str| {
        let last = text.trim_end().strip_suffix(" से");
        last.is_some_and(|last| is_month_name(last_part(last.trim_end_matches('.'))))
    };
    let joined = || {
        is_month_name(next_part(after))
            || is_month_name(last_part(before))
            || to(after)
            || from(before)
    };
    year && (day || is_sure) || is_sure && (day || number_follows() || joined())
}

/// Whether a weekday is meant: `सोम., 5 मई`, `5 मई (रवि.)`, `सोम.-शुक्र.`, `सोम., बुध. व शुक्र.`,
/// `रवि. बंद`, `रवि. को`. `रवि. शर्मा` is a name.
pub(super) fn is_weekday(before: &str, after: &str) -> bool {
    let led = before.trim_end();
    let opens = led.is_empty() || led.ends_with(['(', ',', '-', '–', '/', '|', ':', ';']);
    let follows_date = led.ends_with(is_digit) || is_month_name(last_part(before));
    let next = after.trim_start_matches([' ', ',']);
    let number_follows = next.starts_with(is_digit);
    let is_closed = lists("बंद बन्द अवकाश छुट्टी को", first_word(next));
    let joins = |part: &str| lexicon::is_weekday(part);
    let closes =
        next.is_empty() || !next.starts_with(char::is_alphanumeric) || after.starts_with(',');
    let in_range = joins(next_part(after)) || joins(last_part(before));
    let in_list = joins(next_of_list(after)) || joins(last_of_list(before));
    number_follows
        || is_closed
        || in_range
        || in_list
        || (opens || follows_date) && closes && before_or_after_digit(before, after)
}

fn before_or_after_digit(before: &str, after: &str) -> bool {
    before.contains(is_digit) || after.contains(is_digit)
}

/// Whether a number from 1 to 31 precedes, and white space or a hyphen follows it.
fn ends_with_day(before: &str) -> bool {
    let day = before.trim_end_matches([' ', '\u{a0}', '-', '/']);
    let start = day.trim_end_matches(is_digit);
    let is_alone = !start.ends_with(['.', ',', ':', '/', '₹', '$']);
    is_alone && day[start.len()..].parse().is_ok_and(|day: u8| (1..=31).contains(&day))
}

/// Whether a year follows: `2024`, `'24`, `-24`.
fn year_follows(after: &str) -> bool {
    let gap = run(after, |c| matches!(c, ' ' | ',' | '-' | '/'));
    let (gap, year) = after.split_at(gap);
    let short = year.strip_prefix(['\'', '’', '‘']);
    let digits = short.unwrap_or(year);
    let count = run(digits, is_digit);
    let ends = !digits[count..].starts_with(char::is_alphanumeric);
    let fits = match count {
        4 => ("1000".."2200").contains(&&digits[..4]),
        2 => short.is_some() || gap.ends_with(['-', '/']),
        _ => false,
    };
    ends && fits
}

/// The word after a hyphen or "to".
fn next_part(after: &str) -> &str {
    let after = after.trim_start();
    let joined = after.strip_prefix(['-', '–', '—']).or_else(|| after.strip_prefix("से "));
    joined.map_or("", first_word)
}

/// The word before a hyphen or "to", without its stop.
fn last_part(before: &str) -> &str {
    let before = before.trim_end();
    let joined = before.strip_suffix(['-', '–', '—']).or_else(|| before.strip_suffix(" से"));
    joined.map_or("", |before| last_word(before.trim_end().trim_end_matches(STOPS)))
}

/// Separators of list items.
const JOINTS: [&str; 8] = [",", "/", "&", "व ", "और ", "एवं ", "तथा ", "या "];

/// The word after a list separator.
fn next_of_list(after: &str) -> &str {
    let after = after.trim_start();
    JOINTS.iter().find_map(|joint| after.strip_prefix(joint)).map_or("", first_word)
}

/// The word before a list separator, without its stop.
fn last_of_list(before: &str) -> &str {
    let before = before.trim_end();
    let list = JOINTS.iter().find_map(|joint| before.strip_suffix(joint.trim_end()));
    list.map_or("", |list| last_word(list.trim_end().trim_end_matches(STOPS)))
}

/// Whether a word is the name of a month or its abbreviation.
fn is_month_name(word: &str) -> bool {
    lexicon::is_month(word) || lexicon::is_short_month(word)
}
