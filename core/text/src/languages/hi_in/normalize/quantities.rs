//! Numbers, fractions and measures in Hindi.

use super::{lexicon, numbers};
use crate::normalize::number::Number;
use crate::normalize::semiotic::{Amount, Fraction, Length, Magnitude, Measure, Quantity};

/// Digits without commas are no quantity from this many on, but a mark of something; unless they are round.
const LONGEST_PLAIN: usize = 16;

/// The words of a number.
pub(super) fn number(number: &Number) -> Vec<&'static str> {
    let mut words = sign(number.negative);
    words.extend(integer(number));
    if let Some(fraction) = &number.fraction {
        words.push("दशमलव");
        words.extend(numbers::digits(fraction));
    }
    words
}

fn sign(negative: bool) -> Vec<&'static str> {
    if negative { vec!["माइनस"] } else { Vec::new() }
}

fn integer(number: &Number) -> Vec<&'static str> {
    let is_code = number.is_plain()
        && number.integer.len() >= LONGEST_PLAIN
        && !number.integer.ends_with("000000");
    match number.value() {
        Some(n) if n < numbers::LIMIT && !is_code => numbers::cardinal(n),
        None if number.integer.is_empty() => numbers::cardinal(0),
        _ => numbers::digits(&number.integer).collect(),
    }
}

/// Which fractions of one have a name of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Halves {
    None,
    /// One and a half, and two and a half.
    OneAndTwo,
    /// Halves and quarters of any.
    All,
}

impl Halves {
    /// How the thing of this name is counted.
    fn of(counted: &str) -> Self {
        if lexicon::is_halved(counted) {
            Self::All
        } else if lexicon::is_counted(counted) {
            Self::OneAndTwo
        } else {
            Self::None
        }
    }
}

/// `डेढ़`, `सवा दो`, `साढ़े तीन`, `पौने चार`: whole numbers with a quarter, a half or three quarters.
pub(super) fn with_quarters(whole: u128, quarters: u8) -> Option<Vec<&'static str>> {
    let words = match (whole, quarters) {
        (1, 2) => vec!["डेढ़"],
        (2, 2) => vec!["ढाई"],
        (0 | 100.., _) => return None,
        (n, 1) => [vec!["सवा"], numbers::cardinal(n)].concat(),
        (n, 2) => [vec!["साढ़े"], numbers::cardinal(n)].concat(),
        (n, 3) => [vec!["पौने"], numbers::cardinal(n + 1)].concat(),
        _ => return None,
    };
    Some(words)
}

/// The same of something that is counted: one and a quarter of it is `सवा`.
fn counted_quarters(whole: u128, quarters: u8) -> Option<Vec<&'static str>> {
    if (whole, quarters) == (1, 1) {
        Some(vec!["सवा"])
    } else {
        with_quarters(whole, quarters)
    }
}

fn halved(number: &Number, halves: Halves) -> Option<Vec<&'static str>> {
    let quarters = match number.fraction.as_deref()? {
        "5" => 2,
        "50" if halves == Halves::All => 2,
        "25" if halves == Halves::All => 1,
        "75" if halves == Halves::All => 3,
        _ => return None,
    };
    let whole = number.value()?;
    let is_named = halves == Halves::All || halves == Halves::OneAndTwo && whole <= 2;
    let words = counted_quarters(whole, quarters).filter(|_| is_named && !number.negative)?;
    Some(words)
}

/// A number or a fraction of what is `counted`, and the magnitudes after it.
pub(super) fn amount(amount: &Amount, counted: &str) -> Vec<&'static str> {
    let counted = amount.magnitudes.first().map_or(counted, |one| magnitude(*one));
    let mut words = match &amount.quantity {
        Quantity::Number(written) => halved(written, Halves::of(counted))
            .or_else(|| hundreds(written, amount))
            .unwrap_or_else(|| number(written)),
        Quantity::Fraction(fraction) => counted_fraction(fraction),
    };
    words.extend(amount.magnitudes.iter().map(|one| magnitude(*one)));
    words
}

/// `पंद्रह सौ करोड़`: whole hundreds of a magnitude.
fn hundreds(number: &Number, amount: &Amount) -> Option<Vec<&'static str>> {
    let n = number.value().filter(|n| (1100..2000).contains(n) && n.is_multiple_of(100))?;
    let is_hundreds = number.is_whole() && !number.negative && !amount.magnitudes.is_empty();
    is_hundreds.then(|| numbers::in_hundreds(n))
}

/// The name of a magnitude.
pub(super) fn magnitude(magnitude: Magnitude) -> &'static str {
    match magnitude {
        Magnitude::Hundred => "सौ",
        Magnitude::Thousand => "हज़ार",
        Magnitude::Lakh => "लाख",
        Magnitude::Million => "मिलियन",
        Magnitude::Crore => "करोड़",
        Magnitude::Arab => "अरब",
        Magnitude::Billion => "बिलियन",
        Magnitude::Kharab => "खरब",
        Magnitude::Trillion => "ट्रिलियन",
        Magnitude::Quadrillion => "क्वाड्रिलियन",
    }
}

/// `आधा`, `तीन चौथाई`, `साढ़े तीन`, `पाँच बटा सात`.
pub(super) fn fraction(fraction: &Fraction) -> Vec<&'static str> {
    mixed(fraction, with_quarters)
}

/// The same of something that is counted.
fn counted_fraction(fraction: &Fraction) -> Vec<&'static str> {
    mixed(fraction, counted_quarters)
}

fn mixed(
    fraction: &Fraction,
    named: fn(u128, u8) -> Option<Vec<&'static str>>,
) -> Vec<&'static str> {
    let mut words = sign(fraction.negative);
    let quarters = match (fraction.numerator.value(), fraction.denominator.value()) {
        (Some(1), Some(4)) => 1,
        (Some(1), Some(2)) => 2,
        (Some(3), Some(4)) => 3,
        _ => 0,
    };
    match &fraction.whole {
        None => words.extend(proper(fraction)),
        Some(whole) => match whole.value().and_then(|n| named(n, quarters)) {
            Some(named) => words.extend(named),
            None => {
                words.extend(number(whole));
                words.push("और");
                words.extend(proper(fraction));
            }
        },
    }
    words
}

fn proper(fraction: &Fraction) -> Vec<&'static str> {
    match (fraction.numerator.value(), fraction.denominator.value()) {
        (Some(1), Some(2)) => vec!["आधा"],
        (Some(1), Some(3)) => vec!["एक", "तिहाई"],
        (Some(2), Some(3)) => vec!["दो", "तिहाई"],
        (Some(1), Some(4)) => vec!["एक", "चौथाई"],
        (Some(3), Some(4)) => vec!["तीन", "चौथाई"],
        _ => joined(&fraction.numerator, &["बटा"], &fraction.denominator),
    }
}

/// Two numbers with words between.
pub(super) fn joined(left: &Number, between: &[&'static str], right: &Number) -> Vec<&'static str> {
    [number(left), between.to_vec(), number(right)].concat()
}

/// An amount with its unit, as it is written: `पाँच किलोमीटर प्रति घंटा`.
pub(super) fn measure(measure: &Measure, written: &str) -> Vec<&'static str> {
    let counted = measure.unit.map_or("", |unit| unit.many);
    let mut words = measure.amount.as_ref().map(|one| amount(one, counted)).unwrap_or_default();
    if let Some(unit) = measure.unit {
        let is_one = !measure.is_attributive && measure.amount.as_ref().is_none_or(is_below_two);
        let is_half =
            words.iter().any(|word| matches!(*word, "डेढ़" | "ढाई" | "साढ़े" | "सवा" | "पौने"));
        words.push(match (is_one, unit.many) {
            // Lengths of time of so many halves are not said formally, unless they are written so.
            (_, "वर्ष") if is_half && !written.contains("वर्ष") => "साल",
            (true, _) => unit.one,
            (false, many) => many,
        });
    }
    if let Some(per) = measure.per {
        words.extend(["प्रति", per.one]);
    }
    words
}

/// Whether an amount takes the singular: one, or one and a part.
pub(super) fn is_below_two(amount: &Amount) -> bool {
    if !amount.magnitudes.is_empty() {
        return false;
    }
    match &amount.quantity {
        Quantity::Number(number) => number.value() == Some(1) || number.value() == Some(0),
        Quantity::Fraction(fraction) => {
            fraction.whole.as_ref().is_none_or(|whole| whole.value() == Some(1))
        }
    }
}

/// `पाँच फीट दस इंच`.
pub(super) fn length(length: &Length) -> Vec<&'static str> {
    let mut words = Vec::new();
    if let Some(feet) = &length.feet {
        words.extend(number(feet));
        words.push("फीट");
    }
    if let Some(inches) = &length.inches {
        let inches = Amount { quantity: inches.clone(), magnitudes: Vec::new() };
        words.extend(amount(&inches, "इंच"));
        words.push("इंच");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_lines;

    #[test]
    fn numbers_and_measures() {
        assert_lines(&[
            ("1,00,00,000 1,000,000 0001", "एक करोड़ दस लाख शून्य शून्य शून्य एक"),
            (
                "1234567890123456 10000000000000000",
                "एक दो तीन चार पाँच छह सात आठ नौ शून्य एक दो तीन चार पाँच छह दस पद्म",
            ),
            ("-.5", "माइनस शून्य दशमलव पाँच"),
            ("1 hr, 5 hr, 1 hr में", "एक घंटा, पाँच घंटे, एक घंटे में"),
            ("1000 yr, 1.5 yr", "एक हज़ार वर्ष, डेढ़ साल"),
            (
                "20 km², 5 m/s, 60 किमी/घंटा",
                "बीस वर्ग किलोमीटर, पाँच मीटर प्रति सेकंड, साठ किलोमीटर प्रति घंटा",
            ),
            ("कक्षा 5 A, 5 A", "कक्षा पाँच ए, पाँच एम्पियर"),
            ("6'2\"", "छह फीट दो इंच"),
            ("5-10%, 1500 करोड़", "पाँच से दस प्रतिशत, पंद्रह सौ करोड़"),
            ("2^3 + 5^2 = 33", "दो का घन प्लस पाँच का वर्ग बराबर तैंतीस"),
            ("6.02e23", "छह दशमलव शून्य दो गुणा दस की घात तेईस"),
        ]);
    }
}
