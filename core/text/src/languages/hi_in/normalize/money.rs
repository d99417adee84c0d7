//! Money in Hindi.

use super::{numbers, quantities};
use crate::normalize::number::Number;
use crate::normalize::semiotic::{Amount, Money};

/// `पाँच रुपए पचास पैसे प्रति किलोग्राम`.
pub(super) fn words(money: &Money) -> Vec<&'static str> {
    let Some(amount) = &money.amount else { return vec![money.currency.many] };
    let mut words = match amount.as_number() {
        Some(number) => exact(money, number),
        None => rounded(money, amount),
    };
    if let Some(per) = money.per {
        words.extend(["प्रति", per.one]);
    }
    words
}

/// A number with magnitudes, or a fraction: `साढ़े तीन लाख रुपए`.
fn rounded(money: &Money, amount: &Amount) -> Vec<&'static str> {
    let mut words = quantities::amount(amount, money.currency.many);
    words.push(money.currency.many);
    words
}

/// A number of a currency and of its hundredths.
fn exact(money: &Money, number: &Number) -> Vec<&'static str> {
    let currency = money.currency;
    let Some(hundredths) = hundredths(money, number) else {
        let mut words = quantities::number(number);
        words.push(currency.many);
        return words;
    };
    let whole = Number { fraction: None, ..number.clone() };
    let has_whole = hundredths == 0 || whole.value() != Some(0) && !whole.integer.is_empty();
    let mut words = Vec::new();
    if has_whole {
        words.extend(quantities::number(&whole));
        let is_one = whole.is_one() && !money.is_attributive;
        words.push(if is_one { currency.one } else { currency.many });
    } else if whole.negative {
        words.push("माइनस");
    }
    if hundredths > 0 {
        words.extend(numbers::cardinal(hundredths));
        let is_one = hundredths == 1 && !money.is_attributive;
        words.push(if is_one { currency.minor_one } else { currency.minor_many });
    }
    words
}

/// The hundredths of an amount, unless it has finer parts or the currency has no name for them.
fn hundredths(money: &Money, number: &Number) -> Option<u128> {
    let has_minor = !money.currency.minor_one.is_empty();
    let fraction = number.fraction.as_deref().unwrap_or_default().trim_end_matches('0');
    match fraction.len() {
        0 => Some(0),
        1 if has_minor => fraction.parse::<u128>().ok().map(|tens| tens * 10),
        2 if has_minor => fraction.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_lines;

    #[test]
    fn money() {
        assert_lines(&[
            ("₹1, ₹1 में, ₹2", "एक रुपया, एक रुपए में, दो रुपए"),
            ("₹0.50, ₹2.5, ₹1.05", "पचास पैसे, दो रुपए पचास पैसे, एक रुपया पाँच पैसे"),
            ("₹12.345", "बारह दशमलव तीन चार पाँच रुपए"),
            ("-₹5, रु0 500, रु.50/-", "माइनस पाँच रुपए, पाँच सौ रुपए, पचास रुपए"),
            ("₹3.5 लाख करोड़, $5bn", "साढ़े तीन लाख करोड़ रुपए, पाँच बिलियन डॉलर"),
            ("₹60/किलो, ₹20 प्रति kg", "साठ रुपए प्रति किलो, बीस रुपए प्रति किलोग्राम"),
            ("₿0.5", "शून्य दशमलव पाँच बिटकॉइन"),
        ]);
    }
}
