//! Hindi: its numbers, money and symbols.

mod numbers;

use std::sync::LazyLock;

use super::locale::{Currency, Lexicon, Locale, Unit, Usage, by_initial};
use super::number::{self, Number};
use super::recognise::{Begins, Recogniser};
use super::said::Saying;
use super::semiotic::{Amount, Figure, Fraction, Measure, Money, Semiotic};
use super::{measure, money};

/// Hindi as it is written in Devanagari.
pub(super) static LOCALE: Locale = Locale { recognisers: RECOGNISERS, lexicon, say, symbol };

const RECOGNISERS: &[Recogniser] = &[
    Recogniser { begins: Begins::SYMBOL, find: money::find_leading },
    Recogniser { begins: Begins::DIGIT.or(Begins::SYMBOL), find: measure::find },
    Recogniser { begins: Begins::DIGIT.or(Begins::SYMBOL).or(Begins::INSIDE), find: number::find },
];

const CURRENCIES: [(&str, &str); 4] = [("₹", "रुपये"), ("$", "डॉलर"), ("€", "यूरो"), ("£", "पाउंड")];

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let percent =
        Unit { one: "प्रतिशत", many: "प्रतिशत", usage: Usage::Contact };
    Lexicon {
        units: [("%", percent)].into(),
        currencies: by_initial(CURRENCIES.map(|(symbol, name)| (symbol, currency(name)))),
        ..Lexicon::default()
    }
});

fn lexicon() -> &'static Lexicon {
    &LEXICON
}

fn currency(name: &'static str) -> Currency {
    Currency { one: name, many: name, minor_one: "", minor_many: "", is_indian: true }
}

fn say(value: &Semiotic, source: &str, out: &mut Saying) {
    let words = match value {
        Semiotic::Number(number) => read(number),
        Semiotic::Money(Money { amount, currency, .. }) => {
            let mut words = amount.as_ref().map(read_amount).unwrap_or_default();
            words.push(currency.many);
            words
        }
        Semiotic::Measure(Measure { amount, unit, .. }) => {
            let mut words = amount.as_ref().map(read_amount).unwrap_or_default();
            words.extend(unit.map(|unit| unit.many));
            words
        }
        // Nothing else is recognised in Hindi.
        _ => Vec::new(),
    };
    out.words(words, 0..source.len());
}

fn read_amount(amount: &Amount) -> Vec<&'static str> {
    match &amount.figure {
        Figure::Number(number) => read(number),
        Figure::Fraction(Fraction { whole, numerator, denominator, .. }) => {
            let mut words = whole.as_ref().map(read).unwrap_or_default();
            words.extend(read(numerator));
            words.push("बटा");
            words.extend(read(denominator));
            words
        }
    }
}

fn read(number: &Number) -> Vec<&'static str> {
    let mut words = Vec::new();
    if number.negative {
        words.push("ऋण");
    }
    match number.value() {
        Some(n) if n < numbers::LIMIT => words.extend(numbers::cardinal(n)),
        _ => words.extend(numbers::digits(&number.integer)),
    }
    if let Some(fraction) = &number.fraction {
        words.push("दशमलव");
        words.extend(numbers::digits(fraction));
    }
    words
}

fn symbol(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '.' => "डॉट",
        '&' => "और",
        '@' => "ऐट",
        '%' => "प्रतिशत",
        '+' => "जमा",
        '=' => "बराबर",
        '#' => "नंबर",
        '/' => "बटा",
        '×' => "गुणा",
        '÷' => "भाग",
        '°' => "डिग्री",
        '½' => "आधा",
        _ => return None,
    })
}
