//! English, read as in the United States, and as in India where the writing shows it.

mod alphanumeric;
mod chat;
mod code_parts;
mod code_span;
mod commands;
mod context_words;
mod coordinate;
mod dates;
mod electronic;
mod emoji;
mod lettered;
pub(super) mod lexicon;
mod markdown;
mod math;
mod money;
mod numbers;
mod ordinal;
mod postal;
mod quantities;
mod roman;
mod telephone;

use speech_base::language::Language;

use crate::normalize::choice::proposals;
use crate::normalize::locale::Locale;
use crate::normalize::number::{self, Number};
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::semiotic::{Connector, Range, SemioticClass};
use crate::normalize::sentence_language::FunctionWords;
use crate::normalize::verbalized::Verbalization;
use crate::normalize::{
    abbreviation, address, date, dosage, fraction, identifier, kitchen, length, masked,
    math as operators, measure, money as amounts, plural as plural_numbers, range, symbol,
    time_of_day, year,
};
use crate::normalize::{context_recognizer, text_recognizer};
use crate::scripts::LATIN;

/// English in Latin letters.
pub(crate) static LOCALE: Locale = Locale {
    language: Language::EnUs,
    ipa: &super::ipa::NOTATION,
    script: &LATIN,
    function_words: FunctionWords { native: FUNCTION_WORDS, romanized: "" },
    is_word: |word| super::phonemize::grade(word) == 2,
    romanized: None,
    recognizers: RECOGNIZERS,
    lexicon: lexicon::lexicon,
    context_classes: lexicon::context_classes,
    choice_weights: lexicon::choice_weights,
    context_words: context_words::CONTEXT_WORDS,
    verbalize,
    verbalize_emoji: emoji::verbalize,
};

/// Words that hold an English sentence together.
const FUNCTION_WORDS: &str = "
    a about after all also an and any are as at be been before but by can could did does for from get had has have
    he her him his how i if in into is it its just like must my no not now of off on one or our out over please
    shall she should than thank thanks that the their them then there these they this those through to until up
    was we were what when where which who why will with would you your
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
    Recognizer::certain(SYMBOL, code_span::find),
    Recognizer::certain(ANY, text_recognizer!(markdown, Markup)),
    Recognizer::certain(ANY, text_recognizer!(coordinate, Coordinate)),
    Recognizer::certain(DIGIT, masked::find_last_digits),
    Recognizer::certain(DIGIT, time_of_day::find_lap),
    Recognizer::certain(DIGIT, time_of_day::find_padded_range),
    Recognizer::certain(DIGIT, time_of_day::find_lettered),
    Recognizer::certain(DIGIT, lettered::find_runway),
    Recognizer::certain(DIGIT, lettered::find_broadcast),
    Recognizer::certain(DIGIT, lettered::find_standard),
    Recognizer::certain(DIGIT, lettered::find_plan),
    Recognizer::certain(LETTER, lettered::find_magnitude),
    Recognizer::certain(LETTER, lettered::find_visual_studio),
    Recognizer::certain(LETTER, lettered::find_flight_level),
    Recognizer::certain(LETTER, lettered::find_county_road),
    Recognizer::certain(LETTER, commands::find_advisory),
    Recognizer::certain(LETTER, lettered::find_mode),
    Recognizer::certain(LETTER, lettered::find_rule_of_court),
    Recognizer::certain(LETTER, lettered::find_countdown),
    Recognizer::certain(SYMBOL, commands::find_command),
    Recognizer::certain(SYMBOL, commands::find_path_separator),
    Recognizer::certain(SYMBOL, commands::find_cells),
    Recognizer::certain(SYMBOL, commands::find_decrement),
    Recognizer::certain(SYMBOL, commands::find_parent_folder),
    Recognizer::certain(DIGIT, lettered::find_container),
    Recognizer::certain(DIGIT, lettered::find_zulu_range),
    Recognizer::certain(DIGIT, lettered::find_zones),
    Recognizer::certain(DIGIT, lettered::find_tour),
    Recognizer::certain(DIGIT, lettered::find_meter),
    Recognizer::certain(DIGIT, date::find_expiry),
    Recognizer::certain(DIGIT, measure::find_age),
    Recognizer::certain(DIGIT, operators::find_radicand),
    Recognizer::certain(DIGIT, fraction::find_named),
    Recognizer::certain(DIGIT, fraction::find_declared),
    Recognizer::certain(LETTER.or(DIGIT), masked::find_groups),
    Recognizer::certain(DIGIT, identifier::find_house),
    Recognizer::certain(LETTER, identifier::find_document),
    Recognizer::certain(DIGIT, identifier::find),
    Recognizer::certain(DIGIT, identifier::find_padded),
    Recognizer::certain(DIGIT, identifier::find_spaced),
    Recognizer::certain(DIGIT, identifier::find_preprint),
    Recognizer::certain(DIGIT, identifier::find_numbered),
    Recognizer::certain(LETTER, identifier::find_plate),
    Recognizer::certain(LETTER, dosage::find),
    Recognizer::certain(LETTER, dosage::find_count),
    Recognizer::certain(LETTER, operators::find_logarithm),
    Recognizer::certain(LETTER, operators::find_limit),
    Recognizer::certain(ANY, text_recognizer!(electronic, Electronic)),
    Recognizer::certain(LETTER, address::find_state),
    Recognizer::certain(LETTER.or(DIGIT).or(SYMBOL), year::find_period),
    Recognizer::certain(LETTER, date::find_in_words),
    Recognizer::certain(LETTER, date::find_month_in_row),
    Recognizer::certain(LETTER, date::find_weekday_letters),
    Recognizer::certain(LETTER, date::find_later_weekday_letters),
    Recognizer::certain(DIGIT, date::find_slashed_range),
    Recognizer::contested(DIGIT, date::find_in_digits),
    Recognizer::contested(DIGIT, fraction::find_other),
    Recognizer::certain(NUMBER, context_recognizer!(telephone, Telephone)),
    Recognizer::certain(DIGIT, range::find_offer),
    Recognizer::certain(DIGIT, address::find_divided_house),
    Recognizer::certain(DIGIT, address::find_numbered_street),
    Recognizer::certain(SYMBOL, number::find_average),
    Recognizer::certain(DIGIT, chat::find_digit),
    Recognizer::certain(DIGIT, operators::find_dimension),
    Recognizer::certain(DIGIT, range::find_proportion),
    Recognizer::certain(LETTER, range::find_roman),
    Recognizer::certain(LETTER, range::find_lettered),
    Recognizer::contested(LETTER.or(NUMBER), range::find),
    Recognizer::certain(LETTER.or(NUMBER), year::find),
    Recognizer::certain(LETTER.or(DIGIT), context_recognizer!(postal, Postal)),
    Recognizer::contested(LETTER, address::find_compass),
    Recognizer::certain(LETTER, address::find_street),
    Recognizer::certain(LETTER, operators::find_cross),
    Recognizer::certain(LETTER.or(SYMBOL), amounts::find_leading),
    Recognizer::certain(LETTER, masked::find_crossed),
    Recognizer::certain(LETTER.or(DIGIT), abbreviation::find),
    Recognizer::certain(LETTER.or(SYMBOL), measure::find_unit_alone),
    Recognizer::contested(DIGIT, time_of_day::find),
    Recognizer::certain(DIGIT, address::find_room),
    Recognizer::contested(DIGIT, address::find_house),
    Recognizer::certain(DIGIT, plural_numbers::find),
    Recognizer::certain(NUMBER, operators::find_scientific),
    Recognizer::contested(NUMBER, amounts::find_trailing),
    Recognizer::certain(NUMBER, kitchen::find),
    Recognizer::certain(LETTER, kitchen::find_letter),
    Recognizer::certain(NUMBER, length::find),
    Recognizer::contested(NUMBER, measure::find),
    Recognizer::contested(NUMBER, fraction::find),
    Recognizer::certain(DIGIT, ordinal::find),
    Recognizer::contested(LETTER.or(DIGIT), context_recognizer!(alphanumeric, Alphanumeric)),
    Recognizer::certain(LETTER, context_recognizer!(roman, Roman)),
    Recognizer::contested(DIGIT, year::find_bare),
    Recognizer::certain(SYMBOL, operators::find_stars),
    Recognizer::certain(SYMBOL, range::find_joint),
    Recognizer::certain(SYMBOL, operators::find),
    Recognizer::certain(SYMBOL, operators::find_per),
    Recognizer::certain(LETTER, symbol::find_letter),
    Recognizer::contested(NUMBER.or(Begins::INSIDE), number::find),
    // These only contest what those above find.
    Recognizer::proposal(DIGIT, proposals::out_of),
    Recognizer::proposal(DIGIT, proposals::day_and_month),
    Recognizer::proposal(DIGIT, proposals::over),
    Recognizer::proposal(DIGIT, proposals::wickets),
    Recognizer::proposal(DIGIT, proposals::odds),
    Recognizer::proposal(DIGIT, proposals::sequence),
    Recognizer::proposal(DIGIT, proposals::digits),
    Recognizer::proposal(DIGIT, proposals::pairs),
    Recognizer::proposal(DIGIT, proposals::year),
    Recognizer::proposal(DIGIT, proposals::cardinal),
    Recognizer::proposal(DIGIT, proposals::code),
    Recognizer::proposal(DIGIT, proposals::minutes),
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
        SemioticClass::Electronic(address) => electronic::verbalize(address, out),
        SemioticClass::Telephone(number) => telephone::verbalize(number, out),
        SemioticClass::Postal(code) => postal::verbalize(code, out),
        SemioticClass::Alphanumeric(code) => alphanumeric::verbalize(code, out),
        SemioticClass::Roman(numeral) => roman::verbalize(numeral, out),
        SemioticClass::Number(number) => out.words(quantities::number(number), whole),
        SemioticClass::DigitPairs(digits) => out.words(numbers::house(digits), whole),
        SemioticClass::Ordinal { number, suffix } => {
            out.words(quantities::ordinal(number, suffix.as_deref()), whole);
        }
        SemioticClass::Plural(number) => out.words(plural(number), whole),
        SemioticClass::NumberedGroup(number) => {
            let with_ending = |word: &str| format!("{}ers", word.trim_end_matches('e'));
            out.words(numbers::with_last(quantities::number(number), with_ending), whole);
        }
        SemioticClass::Year(year) => dates::verbalize_year(year, whole, out),
        SemioticClass::Date(date) => dates::verbalize_date(date, whole, out),
        SemioticClass::YearPeriod(period) => dates::verbalize_period(period, whole, out),
        SemioticClass::TimeOfDay(time_of_day) => {
            dates::verbalize_time_of_day(time_of_day, whole, out)
        }
        SemioticClass::DateTime(date, time_of_day) => {
            let time = time_of_day::start(source);
            dates::verbalize_date(date, 0..time, out);
            dates::verbalize_time_of_day(time_of_day, time..source.len(), out);
        }
        SemioticClass::Duration(duration) => out.words(dates::duration(duration), whole),
        SemioticClass::Fraction(fraction) => out.words(quantities::fraction(fraction), whole),
        SemioticClass::Score { got, of } => {
            out.words(quantities::number(got), whole.clone());
            out.words(["out", "of"], whole.clone());
            out.words(quantities::number(of), whole);
        }
        SemioticClass::Stars { got, of } => {
            out.words(joined(got, &["out", "of"], of), whole.clone());
            out.words(["stars"], whole);
        }
        SemioticClass::Ratio(parts) => {
            let parts: Vec<_> = parts.iter().map(quantities::number).collect();
            out.words(parts.join(&"to"), whole);
        }
        SemioticClass::BloodPressure { systolic, diastolic } => {
            out.words(numbers::house(&systolic.integer), whole.clone());
            out.words(["over"], whole.clone());
            out.words(numbers::house(&diastolic.integer), whole);
        }
        SemioticClass::Sequence(numbers) => {
            out.words(numbers.iter().flat_map(quantities::number), whole);
        }
        SemioticClass::Money(money) => verbalize_words(&money::words(money).join(" "), whole, out),
        SemioticClass::Measure(measure) => {
            verbalize_words(&quantities::measure(measure).join(" "), whole, out);
        }
        SemioticClass::Length(length) => out.words(quantities::length(length), whole),
        SemioticClass::Range(range) => verbalize_range(range, source, out),
        SemioticClass::Scientific { mantissa, exponent } => {
            out.words(math::scientific(mantissa, exponent), whole);
        }
        SemioticClass::Power(exponent) => out.words(math::power(exponent), whole),
        SemioticClass::Operator(operator) => verbalize_words(math::operator(*operator), whole, out),
        SemioticClass::Pause => out.mark(',', whole),
        SemioticClass::Phrase { words, ends_sentence } => {
            verbalize_words(words, whole, out);
            if *ends_sentence {
                out.mark('.', source.len() - 1..source.len());
            }
        }
        SemioticClass::State { name, digits, gap } => {
            verbalize_words(name, 0..2, out);
            out.words(numbers::digits(digits), *gap..source.len());
        }
    }
}

/// `747s`: seven forty sevens; `100s`: hundreds, not one hundreds.
fn plural(number: &Number) -> Vec<String> {
    let is_name = number.is_plain() && number.integer.len() == 3 && !number.integer.ends_with("00");
    let words = if is_name { numbers::house(&number.integer) } else { quantities::number(number) };
    let skipped = usize::from(words.len() == 2 && words[0] == "one");
    numbers::with_last(words[skipped..].to_vec(), numbers::plural_word)
}

fn verbalize_range(range: &Range, source: &str, out: &mut Verbalization) {
    verbalize(&range.low, &source[..range.low_length], out);
    let connector = match range.connector {
        Connector::To | Connector::Ratio => "to",
        Connector::By => "by",
        Connector::For => "for",
        Connector::Juxtaposed => "",
    };
    verbalize_words(connector, range.low_length..range.high_start, out);
    let mut high = Verbalization::default();
    verbalize(&range.high, &source[range.high_start..], &mut high);
    out.extend_from(range.high_start, high);
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
