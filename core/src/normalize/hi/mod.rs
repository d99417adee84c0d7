//! Hindi, written in Devanagari and with Latin words in it.

mod abbreviations;
mod address;
mod coordinate;
mod dates;
mod electronic;
mod emoji;
mod forms;
mod letters;
mod lexicon;
mod loan;
mod markdown;
mod math;
mod money;
mod numbers;
mod piece;
mod quantities;
mod roman;
mod serial;
mod signs;
mod symbols;
mod telephone;
#[cfg(test)]
mod texts;

use std::ops::Range as Span;

use super::locale::Locale;
use super::number::Number;
use super::recognise::{Begins, Recogniser};
use super::said::Saying;
use super::semiotic::{Amount, Figure, Joint, Range, Semiotic};
use super::{
    amount, date, fraction, math as operators, measure, money as amounts, number, range, symbol,
    year,
};

/// Hindi, with its digits of either script.
pub(super) static LOCALE: Locale = Locale {
    recognisers: RECOGNISERS,
    lexicon: lexicon::lexicon,
    say,
    say_emoji: emoji::say,
    symbol: symbols::name,
};

const DIGIT: Begins = Begins::DIGIT;
const LETTER: Begins = Begins::LETTER;
const SYMBOL: Begins = Begins::SYMBOL;
/// Where a signed or pointed number begins.
const NUMBER: Begins = DIGIT.or(SYMBOL);

/// Where anything may begin.
const ANY: Begins = LETTER.or(NUMBER);

/// Tried in this order. Whole forms that hold digits come before their parts: electronic addresses,
/// telephone numbers, serial and postal codes stand first, then dates, and a bare number last.
const RECOGNISERS: &[Recogniser] = &[
    Recogniser { begins: ANY, find: finder!(markdown, Markup) },
    Recogniser { begins: NUMBER, find: finder!(coordinate, Coordinate) },
    Recogniser { begins: ANY, find: finder!(electronic, Electronic) },
    Recogniser { begins: LETTER, find: electronic::find_lead },
    Recogniser { begins: LETTER.or(DIGIT), find: address::find },
    Recogniser { begins: LETTER, find: forms::year::find_era },
    Recogniser { begins: LETTER.or(NUMBER), find: year::find_period },
    Recogniser { begins: LETTER, find: date::find_in_words },
    Recogniser { begins: DIGIT, find: forms::name::find },
    Recogniser { begins: DIGIT, find: forms::date::find },
    Recogniser { begins: DIGIT, find: date::find_in_digits },
    Recogniser { begins: DIGIT, find: fraction::find_other },
    Recogniser { begins: NUMBER, find: finder!(telephone, Telephone) },
    Recogniser { begins: DIGIT, find: telephone::find },
    Recogniser { begins: LETTER.or(DIGIT), find: finder!(postal, Postal) },
    Recogniser { begins: NUMBER, find: forms::amount::find_half },
    Recogniser { begins: DIGIT, find: operators::find_dimension },
    Recogniser { begins: DIGIT, find: forms::clock::find_dotted_range },
    Recogniser { begins: DIGIT, find: forms::range::find_padded },
    Recogniser { begins: LETTER.or(NUMBER), find: forms::range::find },
    Recogniser { begins: DIGIT, find: range::find_proportion },
    Recogniser { begins: LETTER.or(NUMBER), find: year::find },
    Recogniser { begins: LETTER, find: operators::find_cross },
    Recogniser { begins: LETTER.or(SYMBOL), find: amounts::find_leading },
    Recogniser { begins: LETTER, find: abbreviations::find },
    Recogniser { begins: LETTER.or(SYMBOL), find: measure::find_unit_alone },
    Recogniser { begins: DIGIT, find: forms::clock::find },
    Recogniser { begins: DIGIT, find: forms::ordinal::find },
    Recogniser { begins: DIGIT, find: forms::date::find_padded },
    Recogniser { begins: NUMBER, find: operators::find_scientific },
    Recogniser { begins: NUMBER, find: amounts::find_trailing },
    Recogniser { begins: DIGIT, find: forms::amount::find_payable },
    Recogniser { begins: DIGIT, find: forms::amount::find_fold },
    Recogniser { begins: NUMBER, find: measure::find_length },
    Recogniser { begins: NUMBER, find: measure::find },
    Recogniser { begins: NUMBER, find: amount::find },
    Recogniser { begins: NUMBER, find: fraction::find },
    Recogniser { begins: DIGIT, find: forms::amount::find_division },
    Recogniser { begins: LETTER, find: letters::find_team },
    Recogniser { begins: LETTER, find: serial::find_masked },
    Recogniser { begins: LETTER.or(DIGIT), find: finder!(serial, Serial) },
    Recogniser { begins: LETTER, find: roman::find },
    Recogniser { begins: LETTER, find: letters::find },
    Recogniser { begins: DIGIT, find: forms::year::find },
    Recogniser { begins: SYMBOL, find: forms::range::find_joint },
    Recogniser { begins: SYMBOL, find: signs::find },
    Recogniser { begins: SYMBOL, find: operators::find },
    Recogniser { begins: SYMBOL, find: operators::find_per },
    Recogniser { begins: LETTER, find: symbol::find_letter },
    Recogniser { begins: NUMBER.or(Begins::INSIDE), find: number::find },
];

/// Says what was recognised.
fn say(value: &Semiotic, source: &str, out: &mut Saying) {
    let whole = 0..source.len();
    match value {
        Semiotic::Markup(markup) => markdown::say(markup, out),
        Semiotic::Coordinate(coordinate) => coordinate::say(coordinate, out),
        Semiotic::Electronic(address) => electronic::say(address, source, out),
        Semiotic::Telephone(number) => telephone::say(number, out),
        Semiotic::Postal(code) => piece::say(&code.0, piece::symbol, out),
        Semiotic::Serial(code) => serial::say(code, out),
        Semiotic::Roman(numeral) => roman::say(numeral, source, out),
        Semiotic::Range(range) => say_range(range, source, out),
        Semiotic::Phrase { words, ends_sentence } => {
            say_words(&[words], whole, out);
            if *ends_sentence {
                let stop = source.chars().next_back().map_or(0, char::len_utf8);
                out.mark('.', source.len() - stop..source.len());
            }
        }
        Semiotic::Clock(clock) => dates::say_clock(clock, whole, out),
        Semiotic::Moment(date, clock) => {
            let time = source.rfind(['T', ' ']).map_or(0, |i| i + 1).min(source.len());
            say_words(&dates::date(date), 0..time.saturating_sub(1).max(1), out);
            dates::say_clock(clock, time..source.len(), out);
        }
        Semiotic::Ordinal { number, suffix } => {
            let suffix = suffix.as_deref().unwrap_or("वां");
            out.words(forms::ordinal::words(number, suffix).unwrap_or_default(), whole);
        }
        Semiotic::Power(exponent) => out.words(math::power(exponent), whole),
        Semiotic::Pause => out.mark(',', whole),
        other => say_words(&words(other), whole, out),
    }
}

/// The words of values that are only words.
fn words(value: &Semiotic) -> Vec<&'static str> {
    match value {
        Semiotic::Number(number) => quantities::number(number),
        Semiotic::Year(year) => dates::year(year),
        Semiotic::Date(date) => dates::date(date),
        Semiotic::Period(period) => dates::period(period),
        Semiotic::Duration(duration) => dates::duration(duration),
        Semiotic::Fraction(fraction) => quantities::fraction(fraction),
        Semiotic::Score { got, of } => quantities::joined(of, &["में", "से"], got),
        Semiotic::Over { upper, lower } => quantities::joined(upper, &["बटा"], lower),
        Semiotic::Ratio(parts) => {
            let parts: Vec<_> = parts.iter().map(quantities::number).collect();
            parts.join(&"अनुपात")
        }
        Semiotic::Sequence(numbers) => numbers.iter().flat_map(quantities::number).collect(),
        Semiotic::Money(money) => money::words(money),
        Semiotic::Measure(measure) => quantities::measure(measure),
        Semiotic::Length(length) => quantities::length(length),
        Semiotic::Scientific { mantissa, exponent } => math::scientific(mantissa, exponent),
        Semiotic::Operator(operator) => vec![math::operator(*operator)],
        _ => Vec::new(),
    }
}

fn say_range(range: &Range, source: &str, out: &mut Saying) {
    match (&range.low, &range.high) {
        (Semiotic::Number(low), Semiotic::Measure(high)) => {
            let counted = high.unit.map_or("", |unit| unit.many);
            say_words(&low_amount(low, high.amount.as_ref(), counted), 0..range.low_length, out);
        }
        (Semiotic::Number(low), Semiotic::Money(high)) => {
            say_words(&low_amount(low, high.amount.as_ref(), ""), 0..range.low_length, out);
        }
        (low, _) => say(low, &source[..range.low_length], out),
    }
    let joint = match range.joint {
        Joint::To => "से",
        Joint::By => "बाई",
        Joint::For => "पर",
        Joint::Ratio => "अनुपात",
        Joint::Row => "",
    };
    say_words(&[joint], range.low_length..range.high_start, out);
    let mut high = Saying::default();
    say(&range.high, &source[range.high_start..], &mut high);
    for mut said in high.0 {
        said.span = said.span.start + range.high_start..said.span.end + range.high_start;
        out.0.push(said);
    }
}

/// The lower of two amounts, which is counted as the higher is: `डेढ़ से दो लाख`.
fn low_amount(low: &Number, high: Option<&Amount>, counted: &str) -> Vec<&'static str> {
    let first = high.and_then(|high| high.magnitudes.first()).copied();
    let counted = first.map_or_else(|| counted.to_owned(), |one| quantities::magnitude(one).into());
    let low = Amount { figure: Figure::Number(low.clone()), magnitudes: Vec::new() };
    quantities::amount(&low, &counted)
}

/// Words of the tables, several of them with spaces between.
fn say_words(words: &[&str], span: Span<usize>, out: &mut Saying) {
    let words = words.iter().flat_map(|words| words.split(' ')).filter(|word| !word.is_empty());
    out.words(words, span);
}
