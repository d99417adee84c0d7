//! Recognizes years, decades, eras, quarters and fiscal years.

use super::amount::{self, Kind};
use super::measure;
use super::money;
use super::prelude::*;
use super::semiotic::{Era, YearPart, YearPeriod};

/// A year with an explicit form: `1990s`, `'90s`, `340 A.D.`, `AD 340`.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let year = cursor
        .attempt(decade)
        .filter(|decade| {
            decade.digits.len() > 2 || context.rest.contains('\'') || !is_time(context)
        })
        .or_else(|| cursor.attempt(|cursor| year_of_era(context, cursor)))
        .or_else(|| cursor.attempt(|cursor| era_of_year(context, cursor)))
        .or_else(|| cursor.attempt(|cursor| class_year(context, cursor)))?;
    Some((cursor.at(), SemioticClass::Year(year)))
}

/// Whether two digits and an "s" are seconds: `rest 60s between sets`, but `in her 60s`.
fn is_time(context: &MatchContext<'_>) -> bool {
    let is_timed = context.topic_classes().contains(&"duration");
    let word = last_word(context.before);
    let is_age = context
        .locale
        .context_classes_of(word)
        .any(|class| matches!(class, "possessive" | "article" | "year_cue"))
        || context.is(word, WordClass::PartOfDecade)
        || context.before.ends_with(['-', '–']);
    // `retry after 30s`
    let waits = context.is(word, WordClass::BeforeSeconds);
    waits || is_timed && !is_age
}

/// Four digits as a year: in its range, without a comma or counted noun.
pub(crate) fn find_bare(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(4..=4)?;
    let is_early =
        ("1000".."1100").contains(&digits) && context.follows(WordClass::BeforeEarlyYear);
    let in_range = is_early || ("1100".."2100").contains(&digits);
    let ends = cursor.at_word_end() && !is_decimal(&cursor);
    if !in_range || !ends || is_count(context, &cursor) {
        return None;
    }
    Some((4, SemioticClass::Year(Year::of(digits))))
}

fn is_decimal(cursor: &Cursor<'_>) -> bool {
    let mut chars = cursor.rest().chars();
    matches!(chars.next(), Some('.' | ',')) && chars.next().is_some_and(is_digit)
}

/// Whether four digits count the next noun.
fn is_count(context: &MatchContext<'_>, cursor: &Cursor<'_>) -> bool {
    if context.follows(WordClass::BeforeYear) || !cursor.rest().starts_with([' ', '-']) {
        return false;
    }
    let mut ahead = *cursor;
    if !amount::magnitudes(context, &mut ahead, Kind::Count).is_empty() {
        return true;
    }
    let noun = first_word(cursor.rest().trim_start_matches('-'));
    let is_small = noun.starts_with(char::is_lowercase);
    let looks_plural = noun.len() > 3 && noun.ends_with('s') && !noun.ends_with("ss");
    let is_plural = context.is(noun, WordClass::Plural)
        || looks_plural && !context.is(noun, WordClass::NotPlural);
    is_small && is_plural
}

/// Consumes a decade: `1990s`, `1990's`, `'90s`, `80s`.
fn decade(cursor: &mut Cursor<'_>) -> Option<Year> {
    cursor.eat_char(is_apostrophe);
    let digits = cursor.digits(2..=4).filter(|digits| digits.len() != 3)?;
    let is_year = digits.len() == 2 || ("1000".."2100").contains(&digits);
    cursor.eat_char(is_apostrophe);
    cursor.eat("s")?;
    let is_decade = digits.ends_with('0') && !digits.ends_with("000") || digits == "2000";
    (is_year && is_decade && cursor.at_word_end()).then(|| Year {
        digits: digits.into(),
        era: None,
        is_decade: true,
    })
}

fn year_of_era(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Year> {
    let digits = cursor.digits(1..=5)?;
    cursor.spaces();
    let letters = era(context, cursor)?;
    let era = Some(Era { letters, leads: false });
    Some(Year { digits: digits.into(), era, is_decade: false })
}

fn era_of_year(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Year> {
    let letters = era(context, cursor)?;
    cursor.gap()?;
    let digits = cursor.digits(1..=4)?;
    let era = Some(Era { letters, leads: true });
    cursor.at_number_end().then(|| Year { digits: digits.into(), era, is_decade: false })
}

/// Consumes the letters of an era, with optional full stops.
fn era(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<&'static str> {
    cursor.attempt(|cursor| {
        let written = cursor.take_while(|c| c.is_ascii_uppercase() || c == '.')?;
        let letters: String = written.chars().filter(|c| *c != '.').collect();
        let era = context.lexicon().eras.iter().find(|era| **era == letters)?;
        if !cursor.rest().contains(char::is_alphanumeric) && written.ends_with('.') {
            cursor.step_back('.');
        }
        cursor.at_word_end().then_some(*era)
    })
}

/// Consumes the last two digits of a year: `'24`.
fn class_year(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Year> {
    cursor.eat_char(|c| matches!(c, '\'' | '’'))?;
    let digits = cursor.digits(2..=2)?;
    let ends = cursor.at_number_end() && !cursor.rest().starts_with(['\'', '’']);
    let fits = ends && context.before.ends_with(char::is_whitespace);
    fits.then(|| Year::of(digits))
}

/// `Q3 2024`, `2Q22`, `H1 FY25`, `FY 2023-24`.
pub(crate) fn find_period(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let (part, year, is_fiscal) = cursor
        .attempt(period_after_digit)
        .or_else(|| cursor.attempt(period_after_letter))
        .or_else(|| cursor.attempt(fiscal_year))?;
    // `Q3. Which is greater?`: a question.
    let is_question = year.is_none()
        && context.before.trim().is_empty()
        && cursor.rest().starts_with(['.', ')'])
        && (cursor.rest().len() == 1 || cursor.rest()[1..].starts_with(char::is_whitespace));
    if is_question {
        return None;
    }
    let last_year = is_fiscal.then(|| cursor.attempt(last_year)).flatten();
    let is_definite = context.follows(WordClass::BeforePeriod);
    let period = YearPeriod { part, year, last_year, is_fiscal, is_definite };
    Some((cursor.at(), SemioticClass::YearPeriod(period)))
}

/// A part of a year, its year, and whether the year is fiscal.
type Period = (YearPart, Option<Year>, bool);

fn last_year(cursor: &mut Cursor<'_>) -> Option<Year> {
    cursor.eat_char(|c| matches!(c, '-' | '–' | '/'))?;
    let digits = cursor.digits(2..=4).filter(|digits| digits.len() != 3)?;
    cursor.at_number_end().then(|| Year::of(digits))
}

fn part(letter: char, digit: u8) -> Option<YearPart> {
    match (letter, digit) {
        ('Q', 1..=4) => Some(YearPart::Quarter(digit)),
        ('H', 1..=2) => Some(YearPart::Half(digit)),
        _ => None,
    }
}

/// `2Q22`.
fn period_after_digit(cursor: &mut Cursor<'_>) -> Option<Period> {
    let digit = cursor.digits(1..=1)?.parse().ok()?;
    let letter = cursor.eat_char(|c| matches!(c, 'Q' | 'H'))?;
    let part = part(letter, digit)?;
    let year = cursor.attempt(|cursor| {
        cursor.eat(" ");
        period_year(cursor)
    });
    let (year, is_fiscal) = year.unwrap_or_default();
    // `2H^+` is an ion.
    (cursor.at_word_end() && !cursor.rest().starts_with('^')).then_some((part, year, is_fiscal))
}

/// Consumes `Q3 2024`. A half needs its year.
fn period_after_letter(cursor: &mut Cursor<'_>) -> Option<Period> {
    let letter = cursor.eat_char(|c| matches!(c, 'Q' | 'H'))?;
    let part = part(letter, cursor.digits(1..=1)?.parse().ok()?)?;
    let year = cursor.attempt(|cursor| {
        let _ = cursor.eat(",").or_else(|| cursor.eat("-")).or_else(|| cursor.eat("/"));
        cursor.spaces();
        period_year(cursor)
    });
    if year.is_none() && matches!(part, YearPart::Half(_)) || !cursor.at_word_end() {
        return None;
    }
    let (year, is_fiscal) = year.unwrap_or_default();
    Some((part, year, is_fiscal))
}

/// `FY2024`, `FY25`.
fn fiscal_year(cursor: &mut Cursor<'_>) -> Option<Period> {
    let (year, is_fiscal) = period_year(cursor).filter(|(_, is_fiscal)| *is_fiscal)?;
    Some((YearPart::Whole, year, is_fiscal))
}

fn period_year(cursor: &mut Cursor<'_>) -> Option<(Option<Year>, bool)> {
    cursor.attempt(|cursor| {
        let is_fiscal = cursor.eat_class(WordClass::FiscalYear).is_some();
        cursor.spaces();
        cursor.eat_char(is_apostrophe);
        let digits = cursor.digits(2..=4).filter(|digits| digits.len() != 3)?;
        let year = Year::of(digits);
        (cursor.at_number_end() || cursor.rest().starts_with(['-', '/']))
            .then_some((Some(year), is_fiscal))
    })
}

/// Whether a day with an ordinal suffix is here: `5th`.
pub(crate) fn find_ordinal_day(context: &MatchContext<'_>) -> bool {
    let mut cursor = context.cursor();
    let is_day = cursor.digits(1..=2).is_some();
    is_day
        && context.is(first_word(cursor.rest()), WordClass::OrdinalEndings)
        && measure::find(context).is_none()
        && money::find_trailing(context).is_none()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘')
}
