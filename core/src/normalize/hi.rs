//! Numbers and symbols in Hindi.
//!
//! The everyday forms only: cardinals, decimals, money and percentages.

use super::number::{self, CARDINAL_LIMIT};
use super::scan::{Number, Scanner};

/// Says a number, and a percent sign after it.
pub(super) fn say_number(scanner: &mut Scanner<'_>, start: usize, number: &Number) {
    scanner.say(start, read(number));
    let percent = scanner.position();
    if scanner.eat("%") {
        scanner.say(percent, ["प्रतिशत"]);
    }
}

/// Says a symbol and what belongs to it; `false` if it has no name.
pub(super) fn say_symbol(scanner: &mut Scanner<'_>, symbol: char) -> bool {
    let start = scanner.position();
    scanner.eat(symbol.encode_utf8(&mut [0; 4]));
    let name: &[&str] = match symbol {
        '₹' => return say_money(scanner, start, "रुपये"),
        '$' => return say_money(scanner, start, "डॉलर"),
        '€' => return say_money(scanner, start, "यूरो"),
        '£' => return say_money(scanner, start, "पाउंड"),
        '.' => &["डॉट"],
        '&' => &["और"],
        '@' => &["ऐट"],
        '%' => &["प्रतिशत"],
        '+' => &["जमा"],
        '=' => &["बराबर"],
        '#' => &["नंबर"],
        '/' => &["बटा"],
        '×' => &["गुणा"],
        '÷' => &["भाग"],
        '°' => &["डिग्री"],
        '½' => &["आधा"],
        _ => return false,
    };
    scanner.say(start, name.iter().copied());
    true
}

fn say_money(scanner: &mut Scanner<'_>, start: usize, unit: &'static str) -> bool {
    let number = scanner.scan_number();
    let mut words = if number.integer.is_empty() { Vec::new() } else { read(&number) };
    words.push(unit);
    scanner.say(start, words);
    true
}

fn read(number: &Number) -> Vec<&'static str> {
    let mut words = Vec::new();
    if number.negative {
        words.push("ऋण");
    }
    words.extend(match number.value() {
        Some(n) if n < CARDINAL_LIMIT => number::hindi(n),
        _ => digits(&number.integer),
    });
    if !number.fraction.is_empty() {
        words.push("दशमलव");
        words.extend(digits(&number.fraction));
    }
    words
}

fn digits(digits: &[u8]) -> Vec<&'static str> {
    digits.iter().map(|digit| number::hindi_digit(*digit)).collect()
}
