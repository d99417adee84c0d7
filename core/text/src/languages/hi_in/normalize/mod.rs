//! Hindi, written in Devanagari and with Latin words in it.

mod abbreviations;
mod address;
mod alphanumeric;
mod beside_date;
mod code_parts;
mod context_words;
mod coordinate;
mod dates;
mod electronic;
mod emoji;
mod english_ordinals;
mod letters;
pub(super) mod lexicon;
mod markdown;
mod math;
mod money;
mod numbers;
mod quantities;
mod recognizers;
mod roman;
mod telephone;
#[cfg(test)]
mod tests;

use std::ops::Range as Span;

use speech_base::language::Language;

use crate::normalize::choice::proposals;
use crate::normalize::locale::Locale;
use crate::normalize::number::Number;
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::semiotic::{Amount, Connector, Quantity, Range, SemioticClass};
use crate::normalize::sentence_language::FunctionWords;
use crate::normalize::verbalized::Verbalization;
use crate::normalize::{
    amount, date, fraction, identifier, length, masked, math as operators, measure,
    money as amounts, number, range, symbol, time_of_day, year,
};
use crate::normalize::{context_recognizer, text_recognizer};
use crate::scripts::DEVANAGARI;

/// Hindi, with its digits of either script.
pub(crate) static LOCALE: Locale = Locale {
    language: Language::HiIn,
    ipa: &super::ipa::NOTATION,
    script: &DEVANAGARI,
    function_words: FunctionWords { native: FUNCTION_WORDS, romanized: ROMANIZED_WORDS },
    is_word: |_| false,
    romanized: Some(super::romanized::find),
    recognizers: RECOGNIZERS,
    lexicon: lexicon::lexicon,
    context_classes: lexicon::context_classes,
    choice_weights: lexicon::choice_weights,
    context_words: context_words::CONTEXT_WORDS,
    verbalize,
    verbalize_emoji: emoji::verbalize,
};

/// Words that hold a Hindi sentence together.
const FUNCTION_WORDS: &str = "
    और का की के को तक तो था थी थे ने पर में या से है हैं ही हूँ हो
";

/// Words that hold a sentence of romanized Hindi together, none of them English.
const ROMANIZED_WORDS: &str = "
    aap aapka aapke aapki aapko abhi agar apna apne apni aur baje bahut bhi gaya gayi hai hain hoga hota hoti hu hua
    hui hum humko hun iska iske iski isko jab jaana jana ka kab kabhi kahan kaise kar karke karna karni karo karta
    ke keliye ki kis kisi kiya ko koi kuch kya kyon kyu lekin liye maine mein mera mere meri mujhe nahi nahin
    par phir raha rahe rahi saath sab sakta sakte sakti tak tera tha thi toh tum tumhara unka unke usko wala
    wale wali waqt woh yahan yeh
";

const DIGIT: Begins = Begins::DIGIT;
const LETTER: Begins = Begins::LETTER;
const SYMBOL: Begins = Begins::SYMBOL;
/// Where a signed or pointed number begins.
const NUMBER: Begins = DIGIT.or(SYMBOL);

/// Where anything may begin.
const ANY: Begins = LETTER.or(NUMBER);

/// Tried in this order. Whole forms that hold digits come before their parts: electronic addresses,
/// telephone numbers, codes and postal codes stand first, then dates, and a bare number last.
const RECOGNIZERS: &[Recognizer] = &[
    Recognizer::certain(SYMBOL, alphanumeric::find_service_code),
    Recognizer::certain(DIGIT, masked::find_last_digits),
    Recognizer::certain(DIGIT, alphanumeric::find_reference),
    Recognizer::certain(DIGIT, alphanumeric::find_product),
    Recognizer::certain(DIGIT, recognizers::range::find_verse),
    Recognizer::certain(DIGIT, recognizers::range::find_in_era),
    Recognizer::certain(DIGIT, recognizers::range::find_equal_ratio),
    Recognizer::certain(DIGIT, recognizers::time_of_day::find_length),
    Recognizer::certain(DIGIT, time_of_day::find_lap),
    Recognizer::certain(DIGIT, time_of_day::find_lettered),
    Recognizer::certain(DIGIT, fraction::find_named),
    Recognizer::certain(DIGIT, fraction::find_declared),
    Recognizer::certain(LETTER.or(DIGIT), masked::find_groups),
    Recognizer::certain(DIGIT, identifier::find_house),
    Recognizer::certain(LETTER, identifier::find_document),
    Recognizer::certain(DIGIT, identifier::find_long),
    Recognizer::certain(DIGIT, identifier::find_spaced),
    Recognizer::certain(LETTER, identifier::find_plate),
    Recognizer::certain(DIGIT, identifier::find_file),
    Recognizer::certain(ANY, text_recognizer!(markdown, Markup)),
    Recognizer::certain(ANY, text_recognizer!(coordinate, Coordinate)),
    Recognizer::certain(DIGIT, recognizers::date::find_dotted),
    Recognizer::certain(DIGIT, recognizers::date::find_two_days),
    Recognizer::certain(ANY, text_recognizer!(electronic, Electronic)),
    Recognizer::certain(LETTER, electronic::find_lead),
    Recognizer::certain(LETTER.or(DIGIT), address::find),
    Recognizer::certain(LETTER, recognizers::year::find_era),
    Recognizer::certain(LETTER.or(NUMBER), recognizers::year::find_period),
    Recognizer::certain(LETTER, date::find_in_words),
    Recognizer::certain(DIGIT, recognizers::name::find),
    Recognizer::certain(DIGIT, recognizers::date::find),
    Recognizer::certain(DIGIT, recognizers::amount::find_part_of_unit),
    Recognizer::certain(DIGIT, recognizers::amount::find_one_on_one),
    Recognizer::certain(DIGIT, recognizers::amount::find_times_a_day),
    Recognizer::certain(DIGIT, recognizers::amount::find_decade),
    Recognizer::certain(DIGIT, recognizers::amount::find_electrical),
    Recognizer::certain(DIGIT, recognizers::amount::find_tour),
    Recognizer::certain(DIGIT, recognizers::amount::find_karat),
    Recognizer::certain(DIGIT, recognizers::amount::find_boundaries),
    Recognizer::certain(DIGIT, recognizers::amount::find_balls),
    Recognizer::certain(DIGIT, date::find_slashed_range),
    Recognizer::contested(DIGIT, date::find_in_digits),
    Recognizer::contested(DIGIT, recognizers::amount::find_quotient),
    Recognizer::certain(NUMBER, context_recognizer!(telephone, Telephone)),
    Recognizer::certain(DIGIT, telephone::find),
    Recognizer::certain(LETTER.or(DIGIT), context_recognizer!(postal, Postal)),
    Recognizer::contested(NUMBER, recognizers::amount::find_half),
    Recognizer::certain(DIGIT, operators::find_dimension),
    Recognizer::certain(DIGIT, recognizers::time_of_day::find_dotted_range),
    Recognizer::certain(DIGIT, recognizers::range::find_open_hours),
    Recognizer::certain(DIGIT, recognizers::range::find_padded),
    Recognizer::contested(LETTER.or(NUMBER), recognizers::range::find),
    Recognizer::certain(DIGIT, range::find_proportion),
    Recognizer::certain(LETTER.or(NUMBER), year::find),
    Recognizer::certain(LETTER.or(SYMBOL), letters::find_course),
    Recognizer::certain(LETTER, operators::find_cross),
    Recognizer::certain(LETTER.or(SYMBOL), amounts::find_leading),
    Recognizer::certain(LETTER.or(SYMBOL), measure::find_unit_alone),
    Recognizer::certain(LETTER, recognizers::slash::find_with),
    Recognizer::certain(LETTER, abbreviations::find),
    Recognizer::contested(DIGIT, recognizers::time_of_day::find),
    Recognizer::certain(DIGIT, recognizers::ordinal::find),
    Recognizer::certain(DIGIT, recognizers::date::find_padded),
    Recognizer::certain(NUMBER, operators::find_scientific),
    Recognizer::contested(NUMBER, amounts::find_trailing),
    Recognizer::certain(DIGIT, recognizers::amount::find_payable),
    Recognizer::certain(DIGIT, recognizers::amount::find_fold),
    Recognizer::certain(NUMBER, length::find),
    Recognizer::contested(NUMBER, measure::find),
    Recognizer::contested(NUMBER, amount::find),
    Recognizer::contested(NUMBER, fraction::find),
    Recognizer::certain(DIGIT, recognizers::amount::find_division),
    Recognizer::certain(LETTER, letters::find_team),
    Recognizer::certain(LETTER, letters::find_function),
    Recognizer::certain(LETTER, letters::find_term),
    Recognizer::certain(LETTER, masked::find_crossed),
    Recognizer::contested(LETTER.or(DIGIT), context_recognizer!(alphanumeric, Alphanumeric)),
    Recognizer::certain(LETTER, roman::find),
    Recognizer::certain(LETTER, letters::find),
    Recognizer::contested(DIGIT, recognizers::year::find),
    Recognizer::certain(SYMBOL, recognizers::range::find_joint),
    Recognizer::certain(SYMBOL, recognizers::slash::find_step),
    Recognizer::certain(SYMBOL, recognizers::slash::find),
    Recognizer::certain(SYMBOL, operators::find_stars),
    Recognizer::certain(SYMBOL, operators::find),
    Recognizer::certain(SYMBOL, operators::find_per),
    Recognizer::certain(LETTER, symbol::find_letter),
    Recognizer::contested(NUMBER.or(Begins::INSIDE), number::find),
    // These only contest what those above find.
    Recognizer::proposal(DIGIT, proposals::out_of),
    Recognizer::proposal(DIGIT, proposals::day_and_month),
    Recognizer::proposal(DIGIT, proposals::divided),
    Recognizer::proposal(DIGIT, proposals::wickets),
    Recognizer::proposal(DIGIT, proposals::sequence),
    Recognizer::proposal(DIGIT, proposals::digits),
    Recognizer::proposal(DIGIT, proposals::pairs),
    Recognizer::proposal(DIGIT, proposals::year),
    Recognizer::proposal(DIGIT, proposals::cardinal),
    Recognizer::proposal(DIGIT, proposals::code),
    Recognizer::proposal(DIGIT, proposals::minutes),
    Recognizer::proposal(DIGIT, proposals::magnitude),
    Recognizer::proposal(DIGIT, proposals::duration),
    Recognizer::proposal(DIGIT, proposals::short_time),
    Recognizer::proposal(NUMBER, proposals::before_dash),
    Recognizer::proposal(DIGIT, proposals::score),
    Recognizer::proposal(DIGIT, proposals::proportion),
];

/// Adds the words of a value; `source` is the text that it was recognized in. Every class is named, so that a new one is
/// not left unsaid.
#[deny(clippy::wildcard_enum_match_arm)]
#[expect(clippy::too_many_lines, reason = "one arm for each semiotic class")]
fn verbalize(value: &SemioticClass, source: &str, out: &mut Verbalization) {
    let whole = 0..source.len();
    match value {
        SemioticClass::Markup(markup) => markdown::verbalize(markup, out),
        SemioticClass::Coordinate(coordinate) => coordinate::verbalize(coordinate, out),
        SemioticClass::Electronic(address) => electronic::verbalize(address, source, out),
        SemioticClass::Telephone(number) => telephone::verbalize(number, out),
        SemioticClass::Postal(code) => code_parts::verbalize(&code.0, code_parts::symbol, out),
        SemioticClass::Alphanumeric(code) => alphanumeric::verbalize(code, out),
        SemioticClass::Roman(numeral) => roman::verbalize(numeral, source, out),
        SemioticClass::Number(number)
        | SemioticClass::Plural(number)
        | SemioticClass::NumberedGroup(number) => {
            verbalize_words(&quantities::number(number), whole, out);
        }
        SemioticClass::DigitPairs(digits) => out.words(numbers::digits(digits), whole),
        SemioticClass::Ordinal { number, suffix } => {
            let suffix = suffix.as_deref().unwrap_or("वां");
            out.words(recognizers::ordinal::words(number, suffix).unwrap_or_default(), whole);
        }
        SemioticClass::Year(year) => verbalize_words(&dates::year(year), whole, out),
        SemioticClass::Date(date) => verbalize_words(&dates::date(date), whole, out),
        SemioticClass::YearPeriod(period) => verbalize_words(&dates::period(period), whole, out),
        SemioticClass::TimeOfDay(time_of_day) => {
            dates::verbalize_time_of_day(time_of_day, whole, out)
        }
        SemioticClass::DateTime(date, time_of_day) => {
            let time = time_of_day::start(source);
            verbalize_words(&dates::date(date), 0..time, out);
            dates::verbalize_time_of_day(time_of_day, time..source.len(), out);
        }
        SemioticClass::Duration(duration) => {
            verbalize_words(&dates::duration(duration), whole, out);
        }
        SemioticClass::Fraction(fraction) => {
            verbalize_words(&quantities::fraction(fraction), whole, out);
        }
        SemioticClass::Score { got, of } => {
            verbalize_words(&quantities::joined(of, &["में", "से"], got), whole, out);
        }
        SemioticClass::Stars { got, of } => {
            verbalize_words(&quantities::joined(of, &["में", "से"], got), whole.clone(), out);
            verbalize_words(&["स्टार"], whole, out);
        }
        SemioticClass::Ratio(parts) => {
            let parts: Vec<_> = parts.iter().map(quantities::number).collect();
            verbalize_words(&parts.join(&"अनुपात"), whole, out);
        }
        SemioticClass::BloodPressure { systolic, diastolic } => {
            verbalize_words(&quantities::joined(systolic, &["बटा"], diastolic), whole, out);
        }
        SemioticClass::Sequence(numbers) => {
            let words: Vec<_> = numbers.iter().flat_map(quantities::number).collect();
            verbalize_words(&words, whole, out);
        }
        SemioticClass::Money(money) => verbalize_words(&money::words(money), whole, out),
        SemioticClass::Measure(measure) => {
            verbalize_words(&quantities::measure(measure, source), whole, out);
        }
        SemioticClass::Length(length) => verbalize_words(&quantities::length(length), whole, out),
        SemioticClass::Range(range) => verbalize_range(range, source, out),
        SemioticClass::Scientific { mantissa, exponent } => {
            verbalize_words(&math::scientific(mantissa, exponent), whole, out);
        }
        SemioticClass::Power(exponent) => out.words(math::power(exponent), whole),
        SemioticClass::Operator(operator) => {
            verbalize_words(&[math::operator(*operator)], whole, out);
        }
        SemioticClass::Pause => out.mark(',', whole),
        SemioticClass::Phrase { words, ends_sentence } => {
            verbalize_words(&[words], whole, out);
            if *ends_sentence {
                let stop = source.chars().next_back().map_or(0, char::len_utf8);
                out.mark('.', source.len() - stop..source.len());
            }
        }
        SemioticClass::State { name, digits, gap } => {
            verbalize_words(&[name], 0..*gap, out);
            out.words(numbers::digits(digits), *gap..source.len());
        }
    }
}

fn verbalize_range(range: &Range, source: &str, out: &mut Verbalization) {
    // "2-3:30 pm": the part of the day is said once, first.
    let mut high_value = range.high.clone();
    if let SemioticClass::TimeOfDay(high) = &mut high_value
        && let Some((part, is_said_once)) = dates::part_of_range(&range.low, high)
    {
        verbalize_words(&[part], 0..range.low_length, out);
        if is_said_once {
            high.half = None;
        }
    }
    match (&range.low, &high_value) {
        (SemioticClass::Number(low), SemioticClass::Measure(high)) => {
            let counted = high.unit.map_or("", |unit| unit.many);
            verbalize_words(
                &low_amount(low, high.amount.as_ref(), counted),
                0..range.low_length,
                out,
            );
        }
        (SemioticClass::Number(low), SemioticClass::Money(high)) => {
            verbalize_words(&low_amount(low, high.amount.as_ref(), ""), 0..range.low_length, out);
        }
        (low, _) => verbalize(low, &source[..range.low_length], out),
    }
    let connector = match range.connector {
        Connector::To => "से",
        Connector::By => "बाई",
        Connector::For => "पर",
        Connector::Ratio => "अनुपात",
        Connector::Juxtaposed => "",
    };
    verbalize_words(&[connector], range.low_length..range.high_start, out);
    let mut high = Verbalization::default();
    verbalize(&high_value, &source[range.high_start..], &mut high);
    out.extend_from(range.high_start, high);
}

/// The lower of two amounts, which is counted as the higher is: `डेढ़ से दो लाख`.
fn low_amount(low: &Number, high: Option<&Amount>, counted: &str) -> Vec<&'static str> {
    let first = high.and_then(|high| high.magnitudes.first()).copied();
    let counted = first.map_or_else(|| counted.to_owned(), |one| quantities::magnitude(one).into());
    let low = Amount { quantity: Quantity::Number(low.clone()), magnitudes: Vec::new() };
    quantities::amount(&low, &counted)
}

/// Words of the tables, several of them with spaces between.
fn verbalize_words(words: &[&str], span: Span<usize>, out: &mut Verbalization) {
    let words = words.iter().flat_map(|words| words.split(' ')).filter(|word| !word.is_empty());
    out.words(words, span);
}
