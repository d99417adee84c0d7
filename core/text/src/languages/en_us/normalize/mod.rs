//! Normalizes English: US conventions, and Indian ones where the notation indicates them.

mod emoji;
pub(super) mod lexicon;
mod ordinal;
#[cfg(test)]
mod tests;

use speech_base::language::Language;

use crate::normalize::choice::proposals;
use crate::normalize::locale::Locale;
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::say::OwnWords;
use crate::normalize::semiotic::SemioticClass;
use crate::normalize::sentence_language::FunctionWords;
use crate::normalize::verbalized::Verbalization;
use crate::normalize::{
    abbreviation, address, date, formula, fraction, identifier, kitchen, length,
    markdown as markup, masked, math as operators, measure, money as amounts, number,
    plural as plural_numbers, range, shapes, symbol, time_of_day, year,
};
use crate::normalize::{context_recognizer, text_recognizer};
use crate::scripts::LATIN;

pub(crate) static LOCALE: Locale = Locale {
    language: Language::EnUs,
    ipa: &super::ipa::NOTATION,
    script: &LATIN,
    function_words: FunctionWords { native: FUNCTION_WORDS, romanized: "" },
    is_word: |word| super::phonemize::grade(word) == 2,
    romanized: None,
    recognizers: RECOGNIZERS,
    tables: &lexicon::TABLES,
    own_words: OwnWords { value: own_words, emoji: emoji::without_face, ..OwnWords::NONE },
};

/// Function words that identify English sentences.
const FUNCTION_WORDS: &str = "
    a about after all also an and any are as at be been before but by can could did does for from get had has have
    he her him his how i if in into is it its just like must my no not now of off on one or our out over please
    shall she should than thank thanks that the their them then there these they this those through to until up
    was we were what when where which who why will with would you your
";

const DIGIT: Begins = Begins::DIGIT;
const LETTER: Begins = Begins::LETTER;
const SYMBOL: Begins = Begins::SYMBOL;
/// Start of a number with an optional sign or point.
const NUMBER: Begins = DIGIT.or(SYMBOL);

/// Any start of a token.
const ANY: Begins = LETTER.or(NUMBER);

/// Recognizers in order of priority. Composite forms with digits precede their parts: first
/// electronic addresses, telephone numbers, codes and postal codes, then dates, and plain numbers
/// last.
const RECOGNIZERS: &[Recognizer] = &[
    Recognizer::certain(ANY, formula::find),
    Recognizer::certain(ANY, abbreviation::find_entry),
    Recognizer::certain(ANY, markup::find_in),
    Recognizer::certain(SYMBOL, symbol::find_negation),
    Recognizer::certain(ANY, text_recognizer!(coordinate, Coordinate)),
    Recognizer::certain(DIGIT, masked::find_last_digits),
    Recognizer::certain(DIGIT, time_of_day::find_lap),
    Recognizer::certain(DIGIT, time_of_day::find_padded_range),
    Recognizer::certain(DIGIT, time_of_day::find_lettered),
    Recognizer::certain(ANY, shapes::find),
    Recognizer::certain(DIGIT, date::find_expiry),
    Recognizer::certain(DIGIT, measure::find_age),
    Recognizer::certain(DIGIT, fraction::find_named),
    Recognizer::certain(LETTER.or(DIGIT), masked::find_groups),
    Recognizer::certain(LETTER, identifier::find_document),
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
    Recognizer::certain(DIGIT, operators::find_dimension),
    Recognizer::certain(DIGIT, range::find_proportion),
    Recognizer::certain(LETTER, range::find_roman),
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
    Recognizer::certain(SYMBOL, operators::find),
    Recognizer::certain(SYMBOL, operators::find_per),
    Recognizer::certain(LETTER, symbol::find_letter),
    Recognizer::contested(NUMBER.or(Begins::INSIDE), number::find),
    // Proposals only contest matches of the recognizers above.
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

/// `problem #s 3-21`
fn own_words(value: &SemioticClass, source: &str, out: &mut Verbalization) -> bool {
    let is_plural_sign = matches!(value, SemioticClass::Electronic(_)) && source == "#s";
    if is_plural_sign {
        out.words(["numbers"], 0..source.len());
    }
    is_plural_sign
}
