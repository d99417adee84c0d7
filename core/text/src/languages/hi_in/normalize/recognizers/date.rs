//! Recognizes short dates in digits: `31-06`, `15/08`, `11-2024`.

use super::super::lexicon;
use crate::normalize::prelude::*;

/// A day and month, or a month and year, with a hyphen or slash between.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Found {
    if context.before.ends_with(['-', '/', '.', '–']) {
        return None;
    }
    let mut cursor = context.cursor();
    let date = cursor
        .attempt(|cursor| expiry(context, cursor))
        .or_else(|| cursor.attempt(|cursor| month_and_year(context, cursor)))
        .or_else(|| cursor.attempt(|cursor| day_and_month(context, cursor)))?;
    Some((cursor.at(), SemioticClass::Date(date)))
}

/// Two consecutive days of a month: `11/12 जुलाई`.
pub(in super::super) fn find_two_days(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let first = cursor.digits(1..=2)?;
    cursor.eat("/")?;
    let second = cursor.digits(1..=2)?;
    let length = cursor.at();
    cursor.gap()?;
    let month = first_word(cursor.rest());
    let days: [u8; 2] = [first.parse().ok()?, second.parse().ok()?];
    let fits = days[0] + 1 == days[1]
        && days[1] <= 31
        && (lexicon::is_month(month)
            || context.lexicon().months.contains_key(month.to_lowercase().as_str()))
        && opens(context.before)
        && !context.before.ends_with('/');
    let days = [first, second].map(Number::whole).to_vec();
    fits.then_some((length, SemioticClass::Sequence(days)))
}

/// Day, month and two-digit year with stops, in the context of a date: `दि. 3.5.24`, `3.5.24 को`.
pub(in super::super) fn find_dotted(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let day = cursor.digits(1..=2)?.parse().ok().filter(|day| (1..=31).contains(day))?;
    cursor.eat(".")?;
    let month = cursor.digits(1..=2)?.parse().ok().filter(|month| (1..=12).contains(month))?;
    cursor.eat(".")?;
    let digits = cursor.digits(2..=2)?;
    let ends = cursor.at_number_end() && opens(context.before);
    let led = context.before.trim_end_matches(|c: char| c.is_whitespace() || ".॰:-–".contains(c));
    let is_called = context.is(last_word(led), WordClass::BeforeDate);
    let is_dated = is_one_of(first_word(cursor.rest()), &["को", "तक", "से"]);
    let date = Date { year: Some(Year::of(digits)), ..Date::of_day(day, month, true) };
    (ends && (is_called || is_dated)).then(|| (cursor.at(), SemioticClass::Date(date)))
}

/// The expiry of goods or cards as month and two-digit year: `Exp: 12/25`.
fn expiry(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Date> {
    let month = cursor.digits(2..=2)?.parse().ok().filter(|month| (1..=12).contains(month))?;
    cursor.eat("/")?;
    let digits = cursor.digits(2..=2)?;
    let label = last_word(context.before.trim_end_matches(['.', ':', ' ', '-'])).to_lowercase();
    let fits = cursor.at_number_end() && lexicon::lists(WordClass::ExpiryLabel, &label);
    fits.then(|| Date::of_month(month, Some(Year::of(digits))))
}

/// A month and year, but no document number and year: `FIR No. 12/2023`.
fn month_and_year(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Date> {
    let label = last_word(context.before.trim_end_matches(['.', '॰', '0', ':', ' ']));
    if lexicon::lists(WordClass::DocumentLabel, &label.to_lowercase()) {
        return None;
    }
    let month = cursor.digits(1..=2)?.parse().ok().filter(|month| (1..=12).contains(month))?;
    cursor.eat_char(|c| matches!(c, '-' | '/'))?;
    let digits = cursor.digits(4..=4).filter(|digits| ("1900".."2100").contains(digits))?;
    cursor.at_number_end().then(|| Date::of_month(month, Some(Year::of(digits))))
}

fn day_and_month(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Date> {
    let first = cursor.digits(2..=2)?;
    let mark = cursor.eat_char(|c| matches!(c, '-' | '/'))?;
    let second = cursor.digits(2..=2)?;
    // "05-10 जून" is a range of days.
    let noun = first_word(cursor.rest());
    let counts = is_counted(noun) || lexicon::is_month(noun) || cursor.rest().starts_with('%');
    if !cursor.at_number_end() || counts || context.mentions(WordClass::Game) {
        return None;
    }
    let is_padded = first.starts_with('0') || second.starts_with('0');
    let (first, second) = (first.parse().ok()?, second.parse().ok()?);
    // A range ascends. Two lone numbers that may be a date are one.
    let is_alone = context.before.is_empty() && cursor.rest().is_empty();
    let falls = mark == '-' && (first >= second || is_alone) && closes(cursor.rest());
    let (day, month, day_first) = match (first, second) {
        (1..=31, 1..=12) if is_padded || falls => (first, second, true),
        (1..=12, 13..=31) if is_padded => (second, first, false),
        _ => return None,
    };
    Some(Date::of_day(day, month, day_first))
}

fn is_counted(word: &str) -> bool {
    lexicon::is_counted(word) || is_one_of(word, &["लोग", "लोगों", "बजे", "अंक", "रन"])
}

/// Whether no counted noun follows.
fn closes(rest: &str) -> bool {
    let word = first_word(rest);
    word.is_empty() || lexicon::is_postposition(word)
}

/// A day, hour or amount with a leading zero: `05 मई`, `09 बजे`.
pub(in super::super) fn find_padded(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(2..=2).and_then(|digits| digits.strip_prefix('0'))?;
    let spaced = cursor.gap().is_some();
    let joined = !spaced && cursor.eat("-").is_some();
    let word = cursor.letters()?;
    let is_month = lexicon::is_month(word);
    let fits = (spaced && (is_month || is_counted(word)) || joined && is_month) && digits != "0";
    fits.then(|| (2, SemioticClass::number(digits)))
}
