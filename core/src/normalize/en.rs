//! Numbers and symbols in English.
//!
//! The everyday forms only: cardinals, ordinals, decimals, years, money, percentages and clock times.

use super::number::{self, CARDINAL_LIMIT};
use super::scan::{Number, Scanner};

/// A currency: singular, plural, and the hundredth part likewise.
type Currency = (&'static str, &'static str, &'static str, &'static str);

fn currency(symbol: char) -> Option<Currency> {
    Some(match symbol {
        '$' => ("dollar", "dollars", "cent", "cents"),
        '€' => ("euro", "euros", "cent", "cents"),
        '£' => ("pound", "pounds", "penny", "pence"),
        '₹' => ("rupee", "rupees", "paisa", "paise"),
        '¥' => ("yen", "yen", "sen", "sen"),
        _ => return None,
    })
}

const MAGNITUDES: [&str; 6] = ["hundred", "thousand", "million", "billion", "trillion", "crore"];

/// Says a number that stands alone; what follows it may make it an ordinal, a time or a percentage.
pub(super) fn say_number(scanner: &mut Scanner<'_>, start: usize, number: &Number) {
    let is_plain = number.fraction.is_empty() && !number.negative;
    if is_plain && let Some(words) = ordinal(scanner, number) {
        return scanner.say(start, words);
    }
    if is_plain && let Some(words) = clock_time(scanner, number) {
        return scanner.say(start, words);
    }
    scanner.say(start, read(number));
    let percent = scanner.position();
    if scanner.eat("%") {
        scanner.say(percent, ["percent"]);
    }
}

/// Says a symbol and what belongs to it; `false` if it has no name.
pub(super) fn say_symbol(scanner: &mut Scanner<'_>, symbol: char) -> bool {
    let start = scanner.position();
    scanner.eat(symbol.encode_utf8(&mut [0; 4]));
    if let Some(currency) = currency(symbol) {
        let words = money(scanner, currency);
        scanner.say(start, words);
        return true;
    }
    let name: &[&str] = match symbol {
        '.' => &["dot"],
        '&' => &["and"],
        '@' => &["at"],
        '%' => &["percent"],
        '+' => &["plus"],
        '=' => &["equals"],
        '#' => &["number"],
        '/' => &["slash"],
        '\\' => &["backslash"],
        '<' => &["less", "than"],
        '>' => &["greater", "than"],
        '°' => &["degrees"],
        '×' => &["times"],
        '÷' => &["divided", "by"],
        '±' => &["plus", "or", "minus"],
        '§' => &["section"],
        '¼' => &["one", "quarter"],
        '½' => &["one", "half"],
        '¾' => &["three", "quarters"],
        '²' => &["squared"],
        '³' => &["cubed"],
        _ => return false,
    };
    scanner.say(start, name.iter().copied());
    true
}

/// The words of a number on its own.
fn read(number: &Number) -> Vec<&'static str> {
    let mut words = Vec::new();
    if number.negative {
        words.push("minus");
    }
    words.extend(match number.value() {
        Some(n) if is_year(number, n) => number::english_in_pairs(n),
        _ => integer(number),
    });
    if !number.fraction.is_empty() {
        words.push("point");
        words.extend(digits(&number.fraction));
    }
    words
}

/// The words of the whole part, counted as its commas say.
fn integer(number: &Number) -> Vec<&'static str> {
    match number.value() {
        Some(n) if number.is_indian() => number::indian_english(n),
        Some(n) if n < CARDINAL_LIMIT => number::english(n),
        _ => digits(&number.integer),
    }
}

fn digits(digits: &[u8]) -> Vec<&'static str> {
    digits.iter().map(|digit| number::english_digit(*digit)).collect()
}

/// Four digits without a comma, where English counts in hundreds: 1100 to 1999 and 2010 to 2099.
fn is_year(number: &Number, n: u64) -> bool {
    number.groups.is_empty()
        && number.fraction.is_empty()
        && !number.negative
        && matches!(n, 1100..=1999 | 2010..=2099)
}

fn ordinal(scanner: &mut Scanner<'_>, number: &Number) -> Option<Vec<String>> {
    let n = number.value().filter(|n| *n < CARDINAL_LIMIT)?;
    let suffix = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    if !scanner.rest().starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    scanner.eat_word(|word| word.eq_ignore_ascii_case(suffix).then_some(()))?;
    let mut words: Vec<String> = number::english(n).into_iter().map(String::from).collect();
    let last = words.pop()?;
    words.push(number::english_ordinal(&last));
    Some(words)
}

fn clock_time(scanner: &mut Scanner<'_>, number: &Number) -> Option<Vec<&'static str>> {
    let hour = number.value().filter(|hour| *hour < 24 && number.integer.len() <= 2)?;
    let minutes = scanner.rest().strip_prefix(':')?.as_bytes();
    let &[tens @ b'0'..=b'5', ones @ b'0'..=b'9', ref after @ ..] = minutes else { return None };
    if after.first().is_some_and(|c| c.is_ascii_digit() || *c == b':') {
        return None;
    }
    scanner.eat(":");
    scanner.digits();
    let mut words = number::english(hour);
    match (tens - b'0', ones - b'0') {
        (0, 0) if hour > 12 || hour == 0 => words.push("hundred"),
        (0, 0) => words.push("o'clock"),
        (0, ones) => words.extend(["oh", number::english_digit(ones)]),
        (tens, ones) => words.extend(number::english(u64::from(tens * 10 + ones))),
    }
    Some(words)
}

fn money(scanner: &mut Scanner<'_>, (one, many, cent, cents): Currency) -> Vec<&'static str> {
    if !scanner.rest().starts_with(|c: char| c.is_ascii_digit()) {
        return vec![one];
    }
    let number = scanner.scan_number();
    let magnitude =
        scanner.eat_word(|word| MAGNITUDES.into_iter().find(|m| word.eq_ignore_ascii_case(m)));
    if let Some(magnitude) = magnitude {
        let mut words = read(&number);
        words.extend([magnitude, many]);
        return words;
    }
    let mut words = integer(&number);
    match number.fraction[..] {
        [] | [0, 0] => words.push(if number.value() == Some(1) { one } else { many }),
        [tens, ones] => {
            let small = u64::from(tens * 10 + ones);
            words.push(if number.value() == Some(1) { one } else { many });
            words.push("and");
            words.extend(number::english(small));
            words.push(if small == 1 { cent } else { cents });
        }
        _ => {
            words.push("point");
            words.extend(digits(&number.fraction));
            words.push(many);
        }
    }
    words
}
