//! Number names of English.

use crate::normalize::magnitudes::{NamedPower, by_named_powers};

/// Numbers from here on are read digit by digit: a thousand quintillions.
pub(super) const LIMIT: u128 = 1_000_000_000_000_000_000_000;

const POWERS: &[NamedPower] = &[
    NamedPower { value: 1_000_000_000_000_000_000, name: "quintillion" },
    NamedPower { value: 1_000_000_000_000_000, name: "quadrillion" },
    NamedPower { value: 1_000_000_000_000, name: "trillion" },
    NamedPower { value: 1_000_000_000, name: "billion" },
    NamedPower { value: 1_000_000, name: "million" },
    NamedPower { value: 1000, name: "thousand" },
    NamedPower { value: 100, name: "hundred" },
];

const INDIAN_POWERS: &[NamedPower] = &[
    NamedPower { value: 10_000_000, name: "crore" },
    NamedPower { value: 100_000, name: "lakh" },
    NamedPower { value: 1000, name: "thousand" },
    NamedPower { value: 100, name: "hundred" },
];

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The name of a number: `one million two`.
pub(super) fn cardinal(n: u128) -> Vec<&'static str> {
    by_named_powers(n, POWERS, below_hundred)
}

/// The same in lakh and crore, as India counts.
pub(super) fn indian(n: u128) -> Vec<&'static str> {
    by_named_powers(n, INDIAN_POWERS, below_hundred)
}

/// The name of a digit's value.
pub(super) fn digit(value: u8) -> &'static str {
    SMALL[usize::from(value)]
}

/// Digits one by one.
pub(super) fn digits(digits: &str) -> impl Iterator<Item = &'static str> {
    digits.bytes().filter(u8::is_ascii_digit).map(|digit| SMALL[usize::from(digit - b'0')])
}

/// A year: 1905 as `nineteen oh five`, 2000 as `two thousand`.
pub(super) fn year(n: u128) -> Vec<&'static str> {
    let (high, low) = (n / 100, n % 100);
    let is_counted = high < 10 || high.is_multiple_of(10) && low < 10;
    if is_counted { cardinal(n) } else { in_pairs(n) }
}

/// Three or four digits two by two, as codes and houses are read: 302 as `three oh two`.
pub(super) fn in_pairs(n: u128) -> Vec<&'static str> {
    let (high, low) = (n / 100, n % 100);
    let mut words = cardinal(high);
    match low {
        0 => words.push("hundred"),
        1..=9 => words.extend(["oh", SMALL[low as usize]]),
        _ => words.extend(cardinal(low)),
    }
    words
}

/// The last two digits of a year in a date: `zero five`, `ninety eight`, and `twenty twenty four`, since `twenty four` alone
/// could be anything.
pub(super) fn short_year(written: &str) -> Vec<&'static str> {
    match written.parse() {
        Ok(n @ 10..=39) => year(2000 + n),
        Ok(n) if !written.starts_with('0') => cardinal(n),
        _ => digits(written).collect(),
    }
}

/// A house number: `one twenty three`, `fourteen twenty eight`, from five digits on one by one.
pub(super) fn house(written: &str) -> Vec<&'static str> {
    let Ok(n) = written.parse::<u128>() else { return digits(written).collect() };
    match written.len() {
        ..=2 => cardinal(n),
        3 | 4 if n.is_multiple_of(1000) && n > 0 => cardinal(n),
        3 | 4 if !written.starts_with('0') => in_pairs(n),
        _ => digits(written).collect(),
    }
}

/// The name of a number in the order of counting: `twenty first`.
pub(super) fn ordinal(n: u128) -> Vec<String> {
    with_last(cardinal(n), ordinal_word)
}

/// Words with the last one changed.
pub(super) fn with_last(words: Vec<&str>, change: fn(&str) -> String) -> Vec<String> {
    let mut words: Vec<String> = words.into_iter().map(String::from).collect();
    if let Some(last) = words.last_mut() {
        *last = change(last);
    }
    words
}

/// The plural of a number's last word: `nineties`, `sixes`.
pub(super) fn plural_word(word: &str) -> String {
    if let Some(stem) = word.strip_suffix('y') {
        format!("{stem}ies")
    } else if word.ends_with('x') {
        format!("{word}es")
    } else {
        format!("{word}s")
    }
}

fn ordinal_word(cardinal: &str) -> String {
    match cardinal {
        "one" => "first".into(),
        "two" => "second".into(),
        "three" => "third".into(),
        "five" => "fifth".into(),
        "eight" => "eighth".into(),
        "nine" => "ninth".into(),
        "twelve" => "twelfth".into(),
        _ => match cardinal.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{cardinal}th"),
        },
    }
}

fn below_hundred(n: u128) -> Vec<&'static str> {
    let n = n as usize;
    match n {
        0..20 => vec![SMALL[n]],
        _ if n.is_multiple_of(10) => vec![TENS[n / 10]],
        _ => vec![TENS[n / 10], SMALL[n % 10]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(cardinal(0), ["zero"]);
        assert_eq!(cardinal(1_000_021).join(" "), "one million twenty one");
        assert_eq!(
            indian(12_345_678).join(" "),
            "one crore twenty three lakh forty five thousand six hundred seventy eight"
        );
        assert_eq!(ordinal(20).join(" "), "twentieth");
        assert_eq!(ordinal(112).join(" "), "one hundred twelfth");
        assert_eq!(plural_word("sixty"), "sixties");
    }

    #[test]
    fn years_and_houses() {
        for (n, expected) in [
            (1905, "nineteen oh five"),
            (2000, "two thousand"),
            (2005, "two thousand five"),
            (2012, "twenty twelve"),
            (1900, "nineteen hundred"),
            (340, "three hundred forty"),
        ] {
            assert_eq!(year(n).join(" "), expected);
        }
        for (written, expected) in [
            ("100", "one hundred"),
            ("305", "three oh five"),
            ("1600", "sixteen hundred"),
            ("12345", "one two three four five"),
        ] {
            assert_eq!(house(written).join(" "), expected);
        }
    }
}
