//! Normalizes Hindi in Devanagari, including Latin words.

mod abbreviations;
mod address;
mod beside_date;
mod code_parts;
mod dates;
mod electronic;
#[cfg(test)]
mod emoji;
mod letters;
pub(super) mod lexicon;
mod recognizers;
mod roman;
mod telephone;

use speech_base::language::Language;

use crate::normalize::choice::proposals;
use crate::normalize::electronic::Kind;
use crate::normalize::prelude::*;
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::say::rule_sets::RuleSets;
use crate::normalize::say::{OwnWords, Templates};
use crate::normalize::sentence_language::FunctionWords;
use crate::normalize::{
    abbreviation, amount, date, formula, fraction, identifier, length, markdown as markup, masked,
    math as operators, measure, money as amounts, number, range, shapes, symbol, time_of_day, year,
};
use crate::normalize::{context_recognizer, text_recognizer};
use crate::scripts::DEVANAGARI;

/// The Hindi locale, with digits of both scripts.
pub(crate) static LOCALE: Locale = Locale {
    language: Language::HiIn,
    ipa: &super::ipa::NOTATION,
    script: &DEVANAGARI,
    function_words: FunctionWords { native: FUNCTION_WORDS, romanized: ROMANIZED_WORDS },
    is_word: |_| false,
    romanized: Some(super::romanized::find),
    recognizers: RECOGNIZERS,
    tables: &lexicon::TABLES,
    own_words: OwnWords {
        value: own_words,
        code_part: code_parts::verbalize_part,
        ..OwnWords::NONE
    },
};

/// Function words that identify Hindi sentences.
const FUNCTION_WORDS: &str = "
    और का की के को तक तो था थी थे ने पर में या से है हैं ही हूँ हो
";

/// Function words that identify romanized Hindi; none is English.
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
/// Start of a number with an optional sign or point.
const NUMBER: Begins = DIGIT.or(SYMBOL);

/// Any start of a token.
const ANY: Begins = LETTER.or(NUMBER);

/// Recognizers in order of priority. Composite forms with digits precede their parts: first
/// electronic addresses, telephone numbers, codes and postal codes, then dates, and plain numbers
/// last.
const RECOGNIZERS: &[Recognizer] = &[
    Recognizer::certain(ANY, formula::find),
    Recognizer::certain(SYMBOL, shapes::find),
    Recognizer::certain(DIGIT, masked::find_last_digits),
    Recognizer::certain(DIGIT, recognizers::range::find_verse),
    Recognizer::certain(DIGIT, recognizers::time_of_day::find_length),
    Recognizer::certain(DIGIT, time_of_day::find_lap),
    Recognizer::certain(DIGIT, time_of_day::find_lettered),
    Recognizer::certain(DIGIT, fraction::find_named),
    Recognizer::certain(LETTER.or(DIGIT), masked::find_groups),
    Recognizer::certain(LETTER, identifier::find_document),
    Recognizer::certain(ANY, markup::find_in),
    Recognizer::certain(SYMBOL, symbol::find_negation),
    Recognizer::certain(ANY, text_recognizer!(coordinate, Coordinate)),
    Recognizer::certain(DIGIT, recognizers::date::find_dotted),
    Recognizer::certain(DIGIT, recognizers::date::find_two_days),
    Recognizer::certain(ANY, text_recognizer!(electronic, Electronic)),
    Recognizer::certain(LETTER.or(DIGIT), address::find),
    Recognizer::certain(LETTER, recognizers::year::find_era),
    Recognizer::certain(LETTER.or(NUMBER), recognizers::year::find_period),
    Recognizer::certain(LETTER, date::find_in_words),
    Recognizer::certain(LETTER.or(DIGIT), shapes::find),
    Recognizer::certain(ANY, abbreviation::find_entry),
    Recognizer::certain(DIGIT, recognizers::date::find),
    Recognizer::certain(DIGIT, recognizers::amount::find_part_of_unit),
    Recognizer::certain(DIGIT, date::find_slashed_range),
    Recognizer::contested(DIGIT, date::find_in_digits),
    Recognizer::contested(DIGIT, recognizers::amount::find_quotient),
    Recognizer::certain(NUMBER, context_recognizer!(telephone, Telephone)),
    Recognizer::certain(DIGIT, telephone::find),
    Recognizer::certain(LETTER.or(DIGIT), context_recognizer!(postal, Postal)),
    Recognizer::contested(NUMBER, recognizers::amount::find_half),
    Recognizer::certain(DIGIT, operators::find_dimension),
    Recognizer::certain(DIGIT, recognizers::time_of_day::find_dotted_range),
    Recognizer::contested(LETTER.or(NUMBER), recognizers::range::find),
    Recognizer::certain(DIGIT, range::find_proportion),
    Recognizer::certain(LETTER.or(NUMBER), year::find),
    Recognizer::certain(LETTER.or(SYMBOL), letters::find_course),
    Recognizer::certain(LETTER, operators::find_cross),
    Recognizer::certain(LETTER.or(SYMBOL), amounts::find_leading),
    Recognizer::certain(LETTER.or(SYMBOL), measure::find_unit_alone),
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
    // Proposals only contest matches of the recognizers above.
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

fn templates() -> &'static Templates {
    &lexicon::TABLES.templates
}

fn numbers() -> &'static RuleSets {
    &templates().numbers
}

/// Verbalizes by Hindi rules: letters by Hindi names, ordinals with agreement, parts of the day.
fn own_words(value: &SemioticClass, source: &str, out: &mut Verbalization) -> bool {
    match value {
        SemioticClass::Electronic(address) if address.kind == Kind::Address => {
            electronic::verbalize(source, out);
        }
        SemioticClass::Alphanumeric(code) => code_parts::verbalize_name(code, out),
        SemioticClass::Roman(numeral) => roman::verbalize(numeral, source, out),
        SemioticClass::Ordinal { number, suffix } => {
            let suffix = suffix.as_deref().unwrap_or("वां");
            let words = recognizers::ordinal::words(number, suffix).unwrap_or_default();
            out.words(words, 0..source.len());
        }
        SemioticClass::Range(range) => return dates::verbalize_range(range, source, out),
        _ => return false,
    }
    true
}
