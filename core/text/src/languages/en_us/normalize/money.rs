//! Money in English.

use super::quantities;
use super::{numbers, owned};
use crate::normalize::number::{Grouping, Number};
use crate::normalize::semiotic::{Amount, Money};

/// From here on an Indian currency counts in lakh.
const LAKH: u128 = 100_000;

/// `five dollars and ten cents per day`.
pub(super) fn words(money: &Money) -> Vec<String> {
    let Some(amount) = &money.amount else { return vec![money.currency.one.into()] };
    let mut words = match amount.as_number() {
        Some(number) => exact(money, number),
        None => rounded(money, amount),
    };
    if let Some(per) = money.per {
        words.extend(super::quantities::per(per));
    }
    words
}

/// A number with magnitudes, or a fraction: `two point five million dollars`.
fn rounded(money: &Money, amount: &Amount) -> Vec<String> {
    let mut words = quantities::amount(amount);
    let name = if money.is_attributive { money.currency.one } else { money.currency.many };
    words.push(name.into());
    words
}

/// A number of a currency and of its hundredths.
fn exact(money: &Money, number: &Number) -> Vec<String> {
    let currency = money.currency;
    let fraction = number.fraction.as_deref().unwrap_or_default().trim_end_matches('0');
    let whole = Number { fraction: None, ..number.clone() };
    let has_minor = !currency.minor_one.is_empty();
    let cents = match fraction.len() {
        0 => Some(0),
        1 if has_minor => fraction.parse::<u128>().ok().map(|tens| tens * 10),
        2 if has_minor => fraction.parse().ok(),
        _ => None,
    };
    let Some(cents) = cents else {
        let number = Number { fraction: Some(fraction.into()), ..number.clone() };
        let mut words = owned(quantities::number(&number));
        words.push(currency.many.into());
        return words;
    };
    let mut words = Vec::new();
    let has_whole = whole.value().is_some_and(|n| n > 0)
        || cents == 0
        || whole.value().is_none() && !whole.integer.is_empty();
    if has_whole {
        words.extend(owned(count(money, &whole)));
        words.push(
            if whole.is_one() || money.is_attributive && cents == 0 {
                currency.one
            } else {
                currency.many
            }
            .into(),
        );
    } else if whole.negative {
        words.push("minus".into());
    }
    if cents > 0 {
        if has_whole {
            words.push("and".into());
        }
        words.extend(owned(numbers::cardinal(cents)));
        words.push(if cents == 1 { currency.minor_one } else { currency.minor_many }.into());
    }
    words
}

fn count(money: &Money, whole: &Number) -> Vec<&'static str> {
    let is_indian = money.currency.is_indian && whole.grouping != Grouping::Thousands;
    match whole.value().filter(|n| is_indian && *n >= LAKH) {
        Some(n) => {
            let sign = whole.negative.then_some("minus");
            sign.into_iter().chain(numbers::indian(n)).collect()
        }
        None => quantities::quantity(whole),
    }
}
