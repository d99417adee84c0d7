//! Numbers, fractions and measures in English.

use super::{numbers, owned};
use crate::normalize::locale::Unit;
use crate::normalize::number::{Grouping, Number};
use crate::normalize::semiotic::{Amount, Fraction, Length, Magnitude, Measure, Quantity};

/// Digits without commas are no quantity from this many on, but a mark of something.
const LONGEST_PLAIN: usize = 13;

/// The words of a number.
pub(super) fn number(number: &Number) -> Vec<&'static str> {
    let mut words = Vec::new();
    if number.negative {
        words.push("minus");
    }
    words.extend(integer(number));
    if let Some(fraction) = &number.fraction {
        words.push("point");
        words.extend(numbers::digits(fraction));
    }
    words
}

fn integer(number: &Number) -> Vec<&'static str> {
    let is_code = number.is_plain() && number.integer.len() >= LONGEST_PLAIN;
    match number.value() {
        Some(n) if number.grouping == Grouping::Indian => numbers::indian(n),
        Some(n) if n < numbers::LIMIT && !is_code => numbers::cardinal(n),
        _ => numbers::digits(&number.integer).collect(),
    }
}

/// The words of a number of something, however long.
pub(super) fn quantity(written: &Number) -> Vec<&'static str> {
    match written.value() {
        Some(n) if written.is_plain() && n < numbers::LIMIT => numbers::cardinal(n),
        _ => number(written),
    }
}

/// `first`; with letters that do not belong to the number, both are said.
pub(super) fn ordinal(number: &Number, suffix: Option<&str>) -> Vec<String> {
    match (number.value().filter(|n| *n < numbers::LIMIT), suffix) {
        (Some(n), None) => numbers::ordinal(n),
        (Some(n), Some(suffix)) if n < 100 => {
            let mut words = owned(numbers::cardinal(n));
            words.push(suffix.to_uppercase());
            words
        }
        (_, suffix) => {
            let mut words = owned(numbers::digits(&number.integer));
            words.push(suffix.unwrap_or("th").to_uppercase());
            words
        }
    }
}

/// `two and a half`, `three quarters`.
pub(super) fn fraction(fraction: &Fraction) -> Vec<String> {
    let mut words = Vec::new();
    if fraction.negative {
        words.push("minus".into());
    }
    if let Some(whole) = &fraction.whole {
        words.extend(owned(number(whole)));
        words.push("and".into());
        if fraction.numerator.is_one() && fraction.denominator.value() == Some(2) {
            words.extend(["a".into(), "half".into()]);
            return words;
        }
    }
    words.extend(owned(quantity(&fraction.numerator)));
    words.extend(denominator(&fraction.denominator, fraction.numerator.is_one()));
    words
}

fn denominator(denominator: &Number, is_one: bool) -> Vec<String> {
    match (denominator.value(), is_one) {
        (Some(1), true) => vec!["over".into(), "one".into()],
        (Some(2), true) => vec!["half".into()],
        (Some(2), false) => vec!["halves".into()],
        (Some(4), true) => vec!["quarter".into()],
        (Some(4), false) => vec!["quarters".into()],
        (Some(n), true) if n > 0 => numbers::ordinal(n),
        (Some(n), false) if n > 1 => {
            let words = numbers::ordinal(n);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            numbers::with_last(words, numbers::plural_word)
        }
        _ => {
            let mut words = vec!["over".to_owned()];
            words.extend(owned(number(denominator)));
            words
        }
    }
}

/// A number or a fraction, and the magnitudes after it.
pub(super) fn amount(amount: &Amount) -> Vec<String> {
    let mut words = match &amount.quantity {
        Quantity::Number(number) => owned(quantity(number)),
        Quantity::Fraction(written) => fraction(written),
    };
    words.extend(amount.magnitudes.iter().map(|one| magnitude(*one).to_owned()));
    words
}

fn magnitude(magnitude: Magnitude) -> &'static str {
    match magnitude {
        Magnitude::Hundred => "hundred",
        Magnitude::Thousand => "thousand",
        Magnitude::Lakh => "lakh",
        Magnitude::Million => "million",
        Magnitude::Crore => "crore",
        Magnitude::Arab => "arab",
        Magnitude::Billion => "billion",
        Magnitude::Kharab => "kharab",
        Magnitude::Trillion => "trillion",
        Magnitude::Quadrillion => "quadrillion",
    }
}

/// `per kilogram`, but `each`.
pub(super) fn per(unit: &Unit) -> Vec<String> {
    let preposition = (unit.one != "each").then_some("per");
    preposition.into_iter().chain([unit.one]).map(String::from).collect()
}

/// An amount with its unit: `five kilometers per hour`, `three quarters of a teaspoon`.
pub(super) fn measure(measure: &Measure) -> Vec<String> {
    let mut words = measure.amount.as_ref().map(amount).unwrap_or_default();
    let part = measure.amount.as_ref().and_then(part_of_one);
    if part == Some(Part::Several) && measure.unit.is_some() && !measure.is_attributive {
        let article = if takes_an(measure.unit.map_or("", |unit| unit.one)) { "an" } else { "a" };
        words.extend(["of".into(), article.into()]);
    }
    let is_one = measure.is_attributive
        || part.is_some()
        || measure.amount.as_ref().is_some_and(Amount::is_one);
    if let Some(unit) = measure.unit {
        words.push(if is_one { unit.one } else { unit.many }.into());
    }
    if let Some(per) = measure.per {
        words.extend(self::per(per));
    }
    words
}

/// Whether the article before a unit is "an".
fn takes_an(unit: &str) -> bool {
    unit.starts_with(['a', 'e', 'i', 'o']) || unit.starts_with("hour")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    One,
    Several,
}

/// Whether an amount is a fraction below one, and of how many parts.
fn part_of_one(amount: &Amount) -> Option<Part> {
    match &amount.quantity {
        Quantity::Fraction(fraction) if fraction.whole.is_none() => {
            Some(if fraction.numerator.is_one() { Part::One } else { Part::Several })
        }
        _ => None,
    }
}

/// `five feet ten inches`.
pub(super) fn length(length: &Length) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(feet) = &length.feet {
        words.extend(owned(number(feet)));
        words.push(if feet.is_one() || length.is_attributive { "foot" } else { "feet" }.into());
    }
    if let Some(inches) = &length.inches {
        let inches = Amount { quantity: inches.clone(), magnitudes: Vec::new() };
        words.extend(amount(&inches));
        let part = part_of_one(&inches);
        if part == Some(Part::Several) && !length.is_attributive {
            words.extend(["of".into(), "an".into()]);
        }
        let is_one = length.is_attributive || inches.is_one() || part.is_some();
        words.push(if is_one { "inch" } else { "inches" }.into());
    }
    words
}
