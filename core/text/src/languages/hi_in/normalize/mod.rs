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
use crate::normalize::recognizer::{
    ANY, DIGIT, INSIDE, LETTER, NUMBER, Recognizer, SYMBOL, found, recognizers,
};
use crate::normalize::say::rule_sets::RuleSets;
use crate::normalize::say::{OwnWords, Templates};
use crate::normalize::{
    abbreviation, alphanumeric, amount, coordinate, date, electronic as addresses, formula,
    fraction, identifier, length, markdown as markup, masked, math as operators, measure,
    money as amounts, number, postal, range, shapes, symbol, telephone as telephones, time_of_day,
    year,
};
use crate::pronunciation::IpaNotation;
use crate::scripts::DEVANAGARI;

/// The Hindi locale, with digits of both scripts.
pub(crate) static LOCALE: Locale = Locale {
    language: Language::HiIn,
    ipa: &IpaNotation {
        language: Language::HiIn,
        replacements: include_str!("../data/ipa.tsv"),
        dotted_symbol: Some("r."),
    },
    script: &DEVANAGARI,
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

/// Recognizers in order of priority. Composite forms with digits precede their parts: first
/// electronic addresses, telephone numbers, codes and postal codes, then dates, and plain numbers
/// last.
const RECOGNIZERS: &[Recognizer] = recognizers! {
    Certain ANY => formula::find;
    Certain SYMBOL => shapes::find;
    Certain DIGIT => masked::find_last_digits, recognizers::range::find_verse,
        recognizers::time_of_day::find_length, time_of_day::find_lap, time_of_day::find_lettered,
        fraction::find_named;
    Certain LETTER.or(DIGIT) => masked::find_groups;
    Certain LETTER => identifier::find_document;
    Certain ANY => markup::find_in;
    Certain SYMBOL => symbol::find_negation;
    Certain ANY => |at| found(coordinate::find(at.before, at.rest), SemioticClass::Coordinate);
    Certain DIGIT => recognizers::date::find_dotted, recognizers::date::find_two_days;
    Certain ANY => |at| found(addresses::find(at.before, at.rest), SemioticClass::Electronic);
    Certain LETTER.or(DIGIT) => address::find;
    Certain LETTER => recognizers::year::find_era;
    Certain LETTER.or(NUMBER) => recognizers::year::find_period;
    Certain LETTER => date::find_in_words;
    Certain LETTER.or(DIGIT) => shapes::find;
    Certain ANY => abbreviation::find_entry;
    Certain DIGIT => recognizers::date::find, recognizers::amount::find_part_of_unit,
        date::find_slashed_range;
    Contested DIGIT => date::find_in_digits, recognizers::amount::find_quotient;
    Certain NUMBER =>
        |at| found(telephones::find(at.before, at.rest, at.locales()), SemioticClass::Telephone);
    Certain DIGIT => telephone::find;
    Certain LETTER.or(DIGIT) =>
        |at| found(postal::find(at.before, at.rest, at.locales()), SemioticClass::Postal);
    Contested NUMBER => recognizers::amount::find_half;
    Certain DIGIT => operators::find_dimension, recognizers::time_of_day::find_dotted_range;
    Contested LETTER.or(NUMBER) => recognizers::range::find;
    Certain DIGIT => range::find_proportion;
    Certain LETTER.or(NUMBER) => year::find;
    Certain LETTER.or(SYMBOL) => letters::find_course;
    Certain LETTER => operators::find_cross;
    Certain LETTER.or(SYMBOL) => amounts::find_leading, measure::find_unit_alone;
    Certain LETTER => abbreviations::find;
    Contested DIGIT => recognizers::time_of_day::find;
    Certain DIGIT => recognizers::ordinal::find, recognizers::date::find_padded;
    Certain NUMBER => operators::find_scientific;
    Contested NUMBER => amounts::find_trailing;
    Certain DIGIT => recognizers::amount::find_payable, recognizers::amount::find_fold;
    Certain NUMBER => length::find;
    Contested NUMBER => measure::find, amount::find, fraction::find;
    Certain DIGIT => recognizers::amount::find_division;
    Certain LETTER => masked::find_crossed;
    Contested LETTER.or(DIGIT) =>
        |at| found(alphanumeric::find(at.before, at.rest, at.locales()), SemioticClass::Alphanumeric);
    Certain LETTER => roman::find, letters::find;
    Contested DIGIT => recognizers::year::find;
    Certain SYMBOL => recognizers::range::find_joint, recognizers::slash::find_step,
        recognizers::slash::find, operators::find_stars, operators::find, operators::find_per;
    Certain LETTER => symbol::find_letter;
    Contested NUMBER.or(INSIDE) => number::find;
    // Proposals only contest matches of the recognizers above.
    Proposal DIGIT => proposals::out_of, proposals::day_and_month, proposals::divided,
        proposals::wickets, proposals::sequence, proposals::digits, proposals::pairs,
        proposals::year, proposals::cardinal, proposals::code, proposals::minutes,
        proposals::magnitude, proposals::duration, proposals::short_time;
    Proposal NUMBER => proposals::before_dash;
    Proposal DIGIT => proposals::score, proposals::proportion;
};

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
