//! English, read as in the United States, and as in India where the writing shows it.

mod alphanumeric;
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
mod symbols;
mod telephone;

use crate::normalize::locale::Locale;
use crate::normalize::number::{self, Number};
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::semiotic::{Joint, Range, SemioticClass};
use crate::normalize::text_recognizer;
use crate::normalize::verbalized::Verbalization;
use crate::normalize::{
    abbreviation, address, clock, date, fraction, math as operators, measure, money as amounts,
    ordinal, range, symbol, year,
};
use crate::request::Language;
use crate::scripts::LATIN;

/// English in Latin letters.
pub(crate) static LOCALE: Locale = Locale {
    language: Language::EnUs,
    ipa: &super::ipa::NOTATION,
    script: &LATIN,
    recognizers: RECOGNIZERS,
    lexicon: lexicon::lexicon,
    verbalize,
    verbalize_emoji: emoji::verbalize,
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
const RECOGNIZERS: &[Recognizer] = &[
    Recognizer { begins: ANY, find: text_recognizer!(markdown, Markup) },
    Recognizer { begins: NUMBER, find: text_recognizer!(coordinate, Coordinate) },
    Recognizer { begins: ANY, find: text_recognizer!(electronic, Electronic) },
    Recognizer { begins: LETTER, find: address::find_state },
    Recognizer { begins: LETTER.or(DIGIT).or(SYMBOL), find: year::find_period },
    Recognizer { begins: LETTER, find: date::find_in_words },
    Recognizer { begins: DIGIT, find: date::find_in_digits },
    Recognizer { begins: DIGIT, find: fraction::find_other },
    Recognizer { begins: NUMBER, find: text_recognizer!(telephone, Telephone) },
    Recognizer { begins: DIGIT, find: address::find_divided_house },
    Recognizer { begins: DIGIT, find: operators::find_dimension },
    Recognizer { begins: LETTER.or(NUMBER), find: range::find },
    Recognizer { begins: DIGIT, find: range::find_proportion },
    Recognizer { begins: LETTER.or(NUMBER), find: year::find },
    Recognizer { begins: LETTER.or(DIGIT), find: text_recognizer!(postal, Postal) },
    Recognizer { begins: LETTER, find: address::find_compass },
    Recognizer { begins: LETTER, find: address::find_street },
    Recognizer { begins: LETTER, find: operators::find_cross },
    Recognizer { begins: LETTER.or(SYMBOL), find: amounts::find_leading },
    Recognizer { begins: LETTER, find: abbreviation::find },
    Recognizer { begins: LETTER.or(SYMBOL), find: measure::find_unit_alone },
    Recognizer { begins: DIGIT, find: clock::find },
    Recognizer { begins: DIGIT, find: ordinal::find_plural },
    Recognizer { begins: NUMBER, find: operators::find_scientific },
    Recognizer { begins: NUMBER, find: amounts::find_trailing },
    Recognizer { begins: NUMBER, find: measure::find_length },
    Recognizer { begins: NUMBER, find: measure::find },
    Recognizer { begins: NUMBER, find: fraction::find },
    Recognizer { begins: DIGIT, find: ordinal::find },
    Recognizer { begins: DIGIT, find: address::find_house },
    Recognizer { begins: LETTER.or(DIGIT), find: text_recognizer!(alphanumeric, Alphanumeric) },
    Recognizer { begins: LETTER, find: text_recognizer!(roman, Roman) },
    Recognizer { begins: DIGIT, find: year::find_bare },
    Recognizer { begins: SYMBOL, find: operators::find },
    Recognizer { begins: SYMBOL, find: operators::find_per },
    Recognizer { begins: LETTER, find: symbol::find_letter },
    Recognizer { begins: NUMBER.or(Begins::INSIDE), find: number::find },
];

/// Says what was recognized.
fn verbalize(value: &SemioticClass, source: &str, out: &mut Verbalization) {
    let whole = 0..source.len();
    match value {
        SemioticClass::Markup(markup) => markdown::verbalize(markup, out),
        SemioticClass::Coordinate(coordinate) => coordinate::verbalize(coordinate, out),
        SemioticClass::Electronic(address) => electronic::verbalize(address, out),
        SemioticClass::Telephone(number) => telephone::verbalize(number, out),
        SemioticClass::Postal(code) => postal::verbalize(code, out),
        SemioticClass::Alphanumeric(code) => alphanumeric::verbalize(code, out),
        SemioticClass::Roman(numeral) => roman::verbalize(numeral, out),
        SemioticClass::Range(range) => verbalize_range(range, source, out),
        SemioticClass::State { name, digits, gap } => {
            verbalize_words(name, 0..2, out);
            out.words(numbers::digits(digits), *gap..source.len());
        }
        SemioticClass::Phrase { words, ends_sentence } => {
            verbalize_words(words, whole, out);
            if *ends_sentence {
                out.mark('.', source.len() - 1..source.len());
            }
        }
        SemioticClass::Year(year) => dates::verbalize_year(year, whole, out),
        SemioticClass::Date(date) => dates::verbalize_date(date, whole, out),
        SemioticClass::Period(period) => dates::verbalize_period(period, whole, out),
        SemioticClass::Clock(clock) => dates::verbalize_clock(clock, whole, out),
        SemioticClass::Moment(date, clock) => {
            let time = source.rfind(['T', ' ']).map_or(0, |i| i + 1);
            let time = source.find('T').map_or(time, |i| i + 1).min(source.len());
            dates::verbalize_date(date, 0..time.saturating_sub(1).max(1), out);
            dates::verbalize_clock(clock, time..source.len(), out);
        }
        SemioticClass::Money(money) => verbalize_words(&money::words(money).join(" "), whole, out),
        SemioticClass::Measure(measure) => {
            verbalize_words(&quantities::measure(measure).join(" "), whole, out)
        }
        SemioticClass::Pause => out.mark(',', whole),
        SemioticClass::Operator(operator) => verbalize_words(math::operator(*operator), whole, out),
        other => out.words(words(other), whole),
    }
}

/// The words of values that are only words.
fn words(value: &SemioticClass) -> Vec<String> {
    match value {
        SemioticClass::Number(number) => owned(quantities::number(number)),
        SemioticClass::Pairs(digits) => owned(numbers::house(digits)),
        SemioticClass::Ordinal { number, suffix } => quantities::ordinal(number, suffix.as_deref()),
        SemioticClass::Plural(number) => {
            let words = quantities::number(number);
            // `100s`: hundreds, not one hundreds.
            let skipped = usize::from(words.len() == 2 && words[0] == "one");
            numbers::with_last(words[skipped..].to_vec(), numbers::plural_word)
        }
        SemioticClass::People(number) => {
            let with_ending = |word: &str| format!("{}ers", word.trim_end_matches('e'));
            numbers::with_last(quantities::number(number), with_ending)
        }
        SemioticClass::Duration(duration) => dates::duration(duration),
        SemioticClass::Fraction(fraction) => quantities::fraction(fraction),
        SemioticClass::Score { got, of } => joined(got, &["out", "of"], of),
        SemioticClass::Ratio(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| owned(quantities::number(part))).collect();
            parts.join(&"to".to_owned())
        }
        SemioticClass::Over { upper, lower } => {
            let mut words = owned(numbers::house(&upper.integer));
            words.push("over".into());
            words.extend(owned(numbers::house(&lower.integer)));
            words
        }
        SemioticClass::Sequence(numbers) => {
            numbers.iter().flat_map(|number| owned(quantities::number(number))).collect()
        }
        SemioticClass::Length(length) => quantities::length(length),
        SemioticClass::Scientific { mantissa, exponent } => math::scientific(mantissa, exponent),
        SemioticClass::Power(exponent) => math::power(exponent),
        _ => Vec::new(),
    }
}

fn verbalize_range(range: &Range, source: &str, out: &mut Verbalization) {
    verbalize(&range.low, &source[..range.low_length], out);
    let joint = match range.joint {
        Joint::To | Joint::Ratio => "to",
        Joint::By => "by",
        Joint::For => "for",
        Joint::Row => "",
    };
    verbalize_words(joint, range.low_length..range.high_start, out);
    let mut high = Verbalization::default();
    verbalize(&range.high, &source[range.high_start..], &mut high);
    for mut said in high.0 {
        said.span = said.span.start + range.high_start..said.span.end + range.high_start;
        out.0.push(said);
    }
}

/// Words with spaces between; capitals with no small letter, `US`, are spelled.
fn verbalize_words(words: &str, span: std::ops::Range<usize>, out: &mut Verbalization) {
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
