//! Converts recognized values, such as dates and amounts, to facts: named parts and flags. Facts
//! select a template of the language, and fill it.

use super::super::semiotic::{Exponent, Length, YearPart, YearPeriod, Zone};
use super::templates::{Facts, Part, Templates};
use crate::named::Named;
use crate::normalize::prelude::*;

pub(super) fn digits(digits: &str) -> Facts<'_> {
    let is_round = digits.parse().is_ok_and(|n: u128| n > 0 && n.is_multiple_of(1000));
    Facts::default()
        .with("digits", Part::Digits(digits))
        .with("length", digits.len() as u128)
        .flag("padded", digits.len() > 1 && digits.starts_with('0'))
        .flag("thousands", is_round)
}

pub(super) fn year(year: &Year) -> Facts<'_> {
    let era = |leads| year.era.as_ref().filter(|era| era.leads == leads).map(|era| era.letters);
    let in_full = year.digits.parse::<u8>().ok().map(|n| 2000 + u128::from(n));
    digits(&year.digits)
        .with_some("era-before", era(true))
        .with_some("era-after", era(false))
        .flag("era", year.era.is_some())
        .flag("decade", year.is_decade)
        .with_some("in-full", in_full)
}

fn year_value<'a>(kind: &'static str, one: Option<&'a Year>) -> Option<Part<'a>> {
    one.map(|one| Part::Value(kind, year(one)))
}

pub(super) fn date(date: &Date) -> Facts<'_> {
    Facts::default()
        .with_some("weekday", date.weekday.map(|n| numbered("weekday-name", n)))
        .with_some("month", date.month.map(|n| numbered("month-name", n)))
        .with_some("day", date.day)
        .with_some("last-day", date.last_day)
        .with_some("year", year_value("year-of-date", date.year.as_ref()))
        .flag("day-first", date.day_first)
        .flag("article", date.has_article)
}

/// A value of a kind that has a name for each number, such as the name of a month.
fn numbered(kind: &'static str, n: u8) -> Part<'static> {
    Part::Value(kind, Facts::default().with("n", n))
}

pub(super) fn period(period: &YearPeriod) -> Facts<'_> {
    let nth = match period.part {
        YearPart::Quarter(n) | YearPart::Half(n) => Some(n),
        YearPart::Whole => None,
    };
    Facts::default()
        .with_some("nth", nth)
        .flag("quarter", matches!(period.part, YearPart::Quarter(_)))
        .with_some("year", year_value("year", period.year.as_ref()))
        .with_some("last-year", year_value("year", period.last_year.as_ref()))
        .flag("fiscal", period.is_fiscal)
        .flag("definite", period.is_definite)
}

pub(super) fn time_of_day(time: &TimeOfDay) -> Facts<'_> {
    let second = time.second.as_ref().filter(|second| !second.is_zero());
    let facts = Facts::default()
        .with("hour", time.hour)
        .with("next-hour", time.hour % 12 + 1)
        .with_some("minute", time.minute)
        .with_some("second", second)
        .flag("military", time.is_military)
        .and(half_of_day(time.half, time.hour));
    match &time.zone {
        Some(Zone::Letters(letters)) => facts.with("zone", letters.as_str()),
        Some(Zone::Offset { behind, hours, minutes }) => facts
            .flag("offset", true)
            .flag("behind", *behind)
            .with("hours", *hours)
            .with_some("minutes", Some(*minutes).filter(|minutes| *minutes > 0)),
        None => facts,
    }
}

/// The half of the day, and the hour within it.
pub(crate) fn half_of_day(half: Option<DayPeriod>, hour: u8) -> Facts<'static> {
    Facts::default()
        .flag("am", half == Some(DayPeriod::Am))
        .flag("pm", half == Some(DayPeriod::Pm))
        .with("hour-of-half", hour % 12)
}

pub(super) fn duration(duration: &Duration) -> Facts<'_> {
    Facts::default()
        .with_some("hours", duration.hours.as_ref().and_then(Number::value))
        .with_some("minutes", duration.minutes)
        .with_some("second", duration.seconds.as_ref())
}

pub(super) fn fraction(fraction: &Fraction) -> Facts<'_> {
    let whole = fraction.whole.as_ref();
    Facts::default()
        .flag("negative", fraction.negative)
        .with_some("whole", whole)
        .with_some("next", whole.and_then(Number::value).map(|n| n.saturating_add(1)))
        .with("numerator", &fraction.numerator)
        .with("denominator", &fraction.denominator)
}

/// The facts of an amount. The flags `halved` and `counted` are properties of the word after the
/// number: the first magnitude, such as a million, or else `counted`, the name of the unit.
pub(super) fn amount<'a>(
    amount: &'a Amount,
    counted: &str,
    templates: &Templates,
    lexicon: &Lexicon,
) -> Facts<'a> {
    let names = amount.magnitudes.iter().map(|one| templates.words_of("magnitude", one.name()));
    let magnitudes: Vec<_> = names.collect();
    let classes = lexicon.words.of(magnitudes.first().map_or(counted, String::as_str));
    let facts = match &amount.quantity {
        Quantity::Number(number) => {
            let value = number.value();
            Facts::default()
                .with("number", number)
                .flag("negative", number.negative)
                .with_some("integer", value)
                .with_some("next", value.map(|n| n.saturating_add(1)))
                .with_some("decimals", number.fraction.as_deref())
        }
        Quantity::Fraction(written) => fraction(written)
            .flag("part", written.whole.is_none())
            .flag("several", written.whole.is_none() && !written.numerator.is_one()),
    };
    let facts = facts
        .flag("amount", true)
        .flag("one", amount.is_one())
        .flag("halved", classes.has(WordClass::Halved))
        .flag("counted", classes.has(WordClass::Counted));
    magnitudes.into_iter().fold(facts, |facts, name| facts.with("magnitude", name))
}

fn per<'a>(facts: Facts<'a>, per: Option<&'static Unit>) -> Facts<'a> {
    facts.with_some("per", per.map(|unit| unit.one))
}

pub(super) fn measure<'a>(
    measure: &'a Measure,
    source: &str,
    templates: &Templates,
    lexicon: &Lexicon,
) -> Facts<'a> {
    let unit = measure.unit;
    let many = unit.map_or("", |unit| unit.many);
    let facts = measure.amount.as_ref().map(|one| amount(one, many, templates, lexicon));
    let facts = facts
        .unwrap_or_default()
        .with_some("unit-one", unit.map(|unit| unit.one))
        .with_some("unit-many", unit.map(|unit| unit.many))
        .flag("in-full", source.contains(many))
        .flag("attributive", measure.is_attributive);
    per(facts, measure.per)
}

pub(super) fn length<'a>(length: &'a Length, inches: Option<Facts<'a>>) -> Facts<'a> {
    inches
        .unwrap_or_default()
        .with_some("feet", length.feet.as_ref())
        .flag("inches", length.inches.is_some())
        .flag("attributive", length.is_attributive)
}

/// An amount of money. `whole` is its number without decimals; `trimmed` is its number without
/// trailing zeros.
pub(super) fn money<'a>(
    money: &'a Money,
    [whole, trimmed]: &'a [Number; 2],
    templates: &Templates,
    lexicon: &Lexicon,
) -> Facts<'a> {
    let currency = money.currency;
    let facts = money.amount.as_ref();
    let facts = facts.map(|one| amount(one, currency.many, templates, lexicon)).unwrap_or_default();
    let facts = facts
        .with("currency-one", currency.one)
        .with("currency-many", currency.many)
        .with("hundredth", currency.minor_one)
        .with("hundredths", currency.minor_many)
        .flag("attributive", money.is_attributive);
    let facts = per(facts, money.per);
    let Some(number) = money.amount.as_ref().and_then(Amount::as_number) else { return facts };
    let Some(cents) = cents(number, !currency.minor_one.is_empty()) else {
        return facts.with("fine", trimmed);
    };
    let has_whole = cents == 0 || whole.value() != Some(0) && !whole.integer.is_empty();
    let is_indian = currency.is_indian && whole.grouping != Grouping::Thousands;
    facts
        .flag("exact", true)
        .flag("indian", is_indian)
        .with_some("whole", has_whole.then_some(whole))
        .with_some("cents", Some(cents).filter(|cents| *cents > 0))
}

/// The hundredths of an amount; `None` if its decimals are finer, or if it has some and the
/// currency has no name for hundredths.
fn cents(number: &Number, has_minor: bool) -> Option<u128> {
    let fraction = number.fraction.as_deref().unwrap_or_default().trim_end_matches('0');
    match fraction.len() {
        0 => Some(0),
        1 if has_minor => fraction.parse::<u128>().ok().map(|tens| tens * 10),
        2 if has_minor => fraction.parse().ok(),
        _ => None,
    }
}

pub(super) fn exponent(exponent: &Exponent) -> Facts<'_> {
    match exponent {
        Exponent::Number(number) => {
            Facts::default().with("number", number).flag("plain", number.is_plain())
        }
        Exponent::Letter(letter) => Facts::default().with("letter", letter.to_string()),
        Exponent::Fraction(written) => fraction(written),
        Exponent::Inverse => Facts::default().flag("inverse", true),
        Exponent::Charge { count, is_negative } => {
            Facts::default().with("charge", *count).flag("negative", *is_negative)
        }
    }
}
