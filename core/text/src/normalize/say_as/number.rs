//! Parses numbers, fractions, measures and money.

use super::Content;
use crate::normalize::locale::Currency;
use crate::normalize::number::is_minus;
use crate::normalize::prelude::*;

/// A number with optional sign and decimals.
pub(super) fn cardinal(content: Content<'_>) -> Option<SemioticClass> {
    number(content.text).map(SemioticClass::Number)
}

/// A number that is the whole text. Leading zeros are ignored.
fn number(text: &str) -> Option<Number> {
    let mut cursor = Cursor::new(text.strip_prefix('+').unwrap_or(text));
    let mut number = Number::scan_signed(&mut cursor).filter(|_| cursor.rest().is_empty())?;
    let padding = number.integer.len() - number.integer.trim_start_matches('0').len();
    number.integer.drain(..padding.min(number.integer.len().saturating_sub(1)));
    Some(number)
}

/// A whole number with an optional ordinal suffix.
pub(super) fn ordinal(content: Content<'_>) -> Option<SemioticClass> {
    let is_ordinal = |value: &SemioticClass| matches!(value, SemioticClass::Ordinal { .. });
    let plain = || {
        let is_count = |number: &Number| number.is_whole() && !number.negative && !number.is_zero();
        let number = number(content.text).filter(is_count)?;
        Some(SemioticClass::Ordinal { number, suffix: None })
    };
    plain().or_else(|| content.recognized(is_ordinal))
}

/// Digits, with optional white space or grouping marks.
pub(super) fn digits(content: Content<'_>) -> Option<SemioticClass> {
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    while let Some(c) = content.text[at..].chars().next() {
        let rest = &content.text[at..];
        let length = if c.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            code_parts.digits(&rest[..length], at);
            length
        } else {
            let is_mark = |c: char| matches!(c, ' ' | '-' | ',' | '(' | ')');
            let length = rest.find(|c: char| !is_mark(c)).unwrap_or(rest.len());
            if length == 0 {
                return None;
            }
            if at > 0 && length < rest.len() {
                code_parts.push(CodePart::Pause, at..at + length);
            }
            length
        };
        at += length;
    }
    let has_digits = content.text.contains(is_digit);
    has_digits.then_some(SemioticClass::Alphanumeric(code_parts))
}

/// A fraction with an optional whole number: `3/4`, `2 1/2`, `2+1/2`, `2½`.
pub(super) fn fraction(content: Content<'_>) -> Option<SemioticClass> {
    let unsigned = content.text.strip_prefix(is_minus);
    let negative = unsigned.is_some();
    let text = unsigned.unwrap_or(content.text);
    let is_fraction = |value: &SemioticClass| matches!(value, SemioticClass::Fraction(_));
    let (whole, part) = match text.rfind(['+', ' ']) {
        Some(at) => (Some(plain(text[..at].trim_end_matches(['+', ' ']))?), text[at + 1..].trim()),
        None => (None, text),
    };
    let Some((numerator, denominator)) = part.split_once(['/', '⁄']) else {
        let part = Content { text: part, ..content };
        let Some(SemioticClass::Fraction(sign)) = part.recognized(is_fraction) else { return None };
        let whole = whole.or(sign.whole);
        return Some(SemioticClass::Fraction(Fraction { negative, whole, ..sign }));
    };
    let (numerator, denominator) = (plain(numerator)?, plain(denominator)?);
    let fraction = Fraction { negative, whole, numerator, denominator };
    (!fraction.denominator.is_zero()).then_some(SemioticClass::Fraction(fraction))
}

/// A whole number of only digits.
fn plain(text: &str) -> Option<Number> {
    number(text).filter(|number| number.is_plain() && !text.starts_with('+'))
}

/// A number or fraction and its unit, by symbol or name.
pub(super) fn unit(content: Content<'_>) -> Option<SemioticClass> {
    let is_measure = |value: &SemioticClass| match value {
        SemioticClass::Measure(measure) => measure.unit.is_some() || measure.per.is_some(),
        SemioticClass::Length(_) => true,
        _ => false,
    };
    content.recognized(is_measure).or_else(|| {
        let (quantity, name) = quantity_and_name(content)?;
        let is_it = |unit: &&Unit| unit.one == name || unit.many == name;
        let unit = content.lexicon().units.get(name);
        let unit = unit.or_else(|| content.lexicon().units.values().find(is_it))?;
        let amount = Some(Amount { quantity, magnitudes: Vec::new() });
        Some(SemioticClass::measure(amount, Some(unit)))
    })
}

/// An amount and its currency, by symbol or name.
pub(super) fn currency(content: Content<'_>) -> Option<SemioticClass> {
    let is_money = |value: &SemioticClass| matches!(value, SemioticClass::Money(money) if money.amount.is_some());
    content.recognized(is_money).or_else(|| {
        let (quantity, name) = quantity_and_name(content)?;
        let is_it = |currency: &&Currency| currency.one == name || currency.many == name;
        let all = content.lexicon().currencies.values().flatten();
        // Several currencies are called dollars: choose the one whose sign has no letters.
        let mut named: Vec<_> = all.filter(|(_, currency)| is_it(&currency)).collect();
        named.sort_by_key(|(symbol, _)| (symbol.len(), *symbol));
        let (_, currency) = named.first()?;
        let amount = Some(Amount { quantity, magnitudes: Vec::new() });
        Some(SemioticClass::Money(Money { amount, currency, per: None, is_attributive: false }))
    })
}

/// A number or fraction and the word after it.
fn quantity_and_name(content: Content<'_>) -> Option<(Quantity, &str)> {
    let text = content.text;
    let start = text.find(char::is_alphabetic)?;
    let amount = text[..start].trim_end_matches([' ', '-']);
    let quantity = number(amount).map(Quantity::Number).or_else(|| {
        let fraction = fraction(Content { text: amount, ..content })?;
        if let SemioticClass::Fraction(fraction) = fraction {
            Some(Quantity::Fraction(fraction))
        } else {
            None
        }
    })?;
    Some((quantity, &text[start..]))
}
