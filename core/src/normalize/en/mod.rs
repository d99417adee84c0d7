//! English, read as in the United States, and as in India where the writing shows it.

mod coordinate;
mod dates;
mod electronic;
mod emoji;
mod lexicon;
mod markdown;
mod math;
mod money;
mod numbers;
mod piece;
mod postal;
mod quantities;
mod roman;
mod serial;
mod symbols;
mod telephone;

use super::locale::Locale;
use super::number::{self, Number};
use super::recognise::{Begins, Recogniser};
use super::said::Saying;
use super::semiotic::{Joint, Range, Semiotic};
use super::{
    abbreviation, address, clock, date, fraction, math as operators, measure, money as amounts,
    ordinal, range, symbol, year,
};

/// English in Latin letters.
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
    Recogniser { begins: LETTER, find: address::find_state },
    Recogniser { begins: LETTER.or(DIGIT).or(SYMBOL), find: year::find_period },
    Recogniser { begins: LETTER, find: date::find_in_words },
    Recogniser { begins: DIGIT, find: date::find_in_digits },
    Recogniser { begins: DIGIT, find: fraction::find_other },
    Recogniser { begins: NUMBER, find: finder!(telephone, Telephone) },
    Recogniser { begins: DIGIT, find: address::find_divided_house },
    Recogniser { begins: DIGIT, find: operators::find_dimension },
    Recogniser { begins: LETTER.or(NUMBER), find: range::find },
    Recogniser { begins: DIGIT, find: range::find_proportion },
    Recogniser { begins: LETTER.or(NUMBER), find: year::find },
    Recogniser { begins: LETTER.or(DIGIT), find: finder!(postal, Postal) },
    Recogniser { begins: LETTER, find: address::find_compass },
    Recogniser { begins: LETTER, find: address::find_street },
    Recogniser { begins: LETTER, find: operators::find_cross },
    Recogniser { begins: LETTER.or(SYMBOL), find: amounts::find_leading },
    Recogniser { begins: LETTER, find: abbreviation::find },
    Recogniser { begins: LETTER.or(SYMBOL), find: measure::find_unit_alone },
    Recogniser { begins: DIGIT, find: clock::find },
    Recogniser { begins: DIGIT, find: ordinal::find_plural },
    Recogniser { begins: NUMBER, find: operators::find_scientific },
    Recogniser { begins: NUMBER, find: amounts::find_trailing },
    Recogniser { begins: NUMBER, find: measure::find_length },
    Recogniser { begins: NUMBER, find: measure::find },
    Recogniser { begins: NUMBER, find: fraction::find },
    Recogniser { begins: DIGIT, find: ordinal::find },
    Recogniser { begins: DIGIT, find: address::find_house },
    Recogniser { begins: LETTER.or(DIGIT), find: finder!(serial, Serial) },
    Recogniser { begins: LETTER, find: finder!(roman, Roman) },
    Recogniser { begins: DIGIT, find: year::find_bare },
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
        Semiotic::Electronic(address) => electronic::say(address, out),
        Semiotic::Telephone(number) => telephone::say(number, out),
        Semiotic::Postal(code) => postal::say(code, out),
        Semiotic::Serial(code) => serial::say(code, out),
        Semiotic::Roman(numeral) => roman::say(numeral, out),
        Semiotic::Range(range) => say_range(range, source, out),
        Semiotic::State { name, digits, gap } => {
            say_words(name, 0..2, out);
            out.words(numbers::digits(digits), *gap..source.len());
        }
        Semiotic::Phrase { words, ends_sentence } => {
            say_words(words, whole, out);
            if *ends_sentence {
                out.mark('.', source.len() - 1..source.len());
            }
        }
        Semiotic::Year(year) => dates::say_year(year, whole, out),
        Semiotic::Date(date) => dates::say_date(date, whole, out),
        Semiotic::Period(period) => dates::say_period(period, whole, out),
        Semiotic::Clock(clock) => dates::say_clock(clock, whole, out),
        Semiotic::Moment(date, clock) => {
            let time = source.rfind(['T', ' ']).map_or(0, |i| i + 1);
            let time = source.find('T').map_or(time, |i| i + 1).min(source.len());
            dates::say_date(date, 0..time.saturating_sub(1).max(1), out);
            dates::say_clock(clock, time..source.len(), out);
        }
        Semiotic::Money(money) => say_words(&money::words(money).join(" "), whole, out),
        Semiotic::Measure(measure) => {
            say_words(&quantities::measure(measure).join(" "), whole, out)
        }
        Semiotic::Pause => out.mark(',', whole),
        Semiotic::Operator(operator) => say_words(math::operator(*operator), whole, out),
        other => out.words(words(other), whole),
    }
}

/// The words of values that are only words.
fn words(value: &Semiotic) -> Vec<String> {
    match value {
        Semiotic::Number(number) => owned(quantities::number(number)),
        Semiotic::Pairs(digits) => owned(numbers::house(digits)),
        Semiotic::Ordinal { number, suffix } => quantities::ordinal(number, suffix.as_deref()),
        Semiotic::Plural(number) => {
            let words = quantities::number(number);
            // `100s`: hundreds, not one hundreds.
            let skipped = usize::from(words.len() == 2 && words[0] == "one");
            numbers::with_last(words[skipped..].to_vec(), numbers::plural_word)
        }
        Semiotic::People(number) => {
            let with_ending = |word: &str| format!("{}ers", word.trim_end_matches('e'));
            numbers::with_last(quantities::number(number), with_ending)
        }
        Semiotic::Duration(duration) => dates::duration(duration),
        Semiotic::Fraction(fraction) => quantities::fraction(fraction),
        Semiotic::Score { got, of } => joined(got, &["out", "of"], of),
        Semiotic::Ratio(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| owned(quantities::number(part))).collect();
            parts.join(&"to".to_owned())
        }
        Semiotic::Over { upper, lower } => {
            let mut words = owned(numbers::house(&upper.integer));
            words.push("over".into());
            words.extend(owned(numbers::house(&lower.integer)));
            words
        }
        Semiotic::Sequence(numbers) => {
            numbers.iter().flat_map(|number| owned(quantities::number(number))).collect()
        }
        Semiotic::Length(length) => quantities::length(length),
        Semiotic::Scientific { mantissa, exponent } => math::scientific(mantissa, exponent),
        Semiotic::Power(exponent) => math::power(exponent),
        _ => Vec::new(),
    }
}

fn say_range(range: &Range, source: &str, out: &mut Saying) {
    say(&range.low, &source[..range.low_length], out);
    let joint = match range.joint {
        Joint::To | Joint::Ratio => "to",
        Joint::By => "by",
        Joint::For => "for",
        Joint::Row => "",
    };
    say_words(joint, range.low_length..range.high_start, out);
    let mut high = Saying::default();
    say(&range.high, &source[range.high_start..], &mut high);
    for mut said in high.0 {
        said.span = said.span.start + range.high_start..said.span.end + range.high_start;
        out.0.push(said);
    }
}

/// Words with spaces between; capitals with no small letter, `US`, are spelled.
fn say_words(words: &str, span: std::ops::Range<usize>, out: &mut Saying) {
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        if word.len() <= 4 && word.bytes().all(|c| c.is_ascii_uppercase()) {
            out.spelled(word, span.clone());
        } else {
            out.words([word], span.clone());
        }
    }
}

fn joined(left: &Number, between: &[&str], right: &Number) -> Vec<String> {
    let mut words = owned(quantities::number(left));
    words.extend(between.iter().map(|word| (*word).to_owned()));
    words.extend(owned(quantities::number(right)));
    words
}

fn owned<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(String::from).collect()
}
