//! Normalizes English: US conventions, and Indian ones where the notation indicates them.

mod emoji;
pub(super) mod lexicon;
mod ordinal;
#[cfg(test)]
mod tests;

use speech_base::language::Language;

use crate::normalize::choice::proposals;
use crate::normalize::locale::Locale;
use crate::normalize::recognizer::{
    ANY, DIGIT, INSIDE, LETTER, NUMBER, Recognizer, SYMBOL, found, recognizers,
};
use crate::normalize::say::OwnWords;
use crate::normalize::semiotic::SemioticClass;
use crate::normalize::verbalized::Verbalization;
use crate::normalize::{
    abbreviation, address, alphanumeric, coordinate, date, electronic, formula, fraction,
    identifier, kitchen, length, markdown as markup, masked, math as operators, measure,
    money as amounts, number, plural as plural_numbers, postal, range, roman, shapes, symbol,
    telephone, time_of_day, year,
};
use crate::pronunciation::IpaNotation;
use crate::scripts::LATIN;

pub(crate) static LOCALE: Locale = Locale {
    language: Language::EnUs,
    ipa: &IpaNotation {
        language: Language::EnUs,
        replacements: include_str!("../data/ipa.tsv"),
        dotted_symbol: None,
    },
    script: &LATIN,
    is_word: |word| super::phonemize::grade(word) == 2,
    romanized: None,
    recognizers: RECOGNIZERS,
    tables: &lexicon::TABLES,
    own_words: OwnWords { value: own_words, emoji: emoji::without_face, ..OwnWords::NONE },
};

/// Recognizers in order of priority. Composite forms with digits precede their parts: first
/// electronic addresses, telephone numbers, codes and postal codes, then dates, and plain numbers
/// last.
const RECOGNIZERS: &[Recognizer] = recognizers! {
    Certain ANY => formula::find, abbreviation::find_entry, markup::find_in;
    Certain SYMBOL => symbol::find_negation;
    Certain ANY => |at| found(coordinate::find(at.before, at.rest), SemioticClass::Coordinate);
    Certain DIGIT => masked::find_last_digits, time_of_day::find_lap,
        time_of_day::find_padded_range, time_of_day::find_lettered;
    Certain ANY => shapes::find;
    Certain DIGIT => date::find_expiry, measure::find_age, fraction::find_named;
    Certain LETTER.or(DIGIT) => masked::find_groups;
    Certain LETTER => identifier::find_document;
    Certain ANY => |at| found(electronic::find(at.before, at.rest), SemioticClass::Electronic);
    Certain LETTER => address::find_state;
    Certain ANY => year::find_period;
    Certain LETTER => date::find_in_words, date::find_month_in_row, date::find_weekday_letters,
        date::find_later_weekday_letters;
    Certain DIGIT => date::find_slashed_range;
    Contested DIGIT => date::find_in_digits, fraction::find_other;
    Certain NUMBER =>
        |at| found(telephone::find(at.before, at.rest, at.locales()), SemioticClass::Telephone);
    Certain DIGIT => range::find_offer, address::find_divided_house, address::find_numbered_street,
        operators::find_dimension, range::find_proportion;
    Certain LETTER => range::find_roman;
    Contested LETTER.or(NUMBER) => range::find;
    Certain LETTER.or(NUMBER) => year::find;
    Certain LETTER.or(DIGIT) =>
        |at| found(postal::find(at.before, at.rest, at.locales()), SemioticClass::Postal);
    Contested LETTER => address::find_compass;
    Certain LETTER => address::find_street, operators::find_cross;
    Certain LETTER.or(SYMBOL) => amounts::find_leading;
    Certain LETTER => masked::find_crossed;
    Certain LETTER.or(DIGIT) => abbreviation::find;
    Certain LETTER.or(SYMBOL) => measure::find_unit_alone;
    Contested DIGIT => time_of_day::find, address::find_house;
    Certain DIGIT => plural_numbers::find;
    Certain NUMBER => operators::find_scientific;
    Contested NUMBER => amounts::find_trailing;
    Certain NUMBER => kitchen::find;
    Certain LETTER => kitchen::find_letter;
    Certain NUMBER => length::find;
    Contested NUMBER => measure::find, fraction::find;
    Certain DIGIT => ordinal::find;
    Contested LETTER.or(DIGIT) =>
        |at| found(alphanumeric::find(at.before, at.rest, at.locales()), SemioticClass::Alphanumeric);
    Certain LETTER =>
        |at| found(roman::find(at.before, at.rest, at.locales()), SemioticClass::Roman);
    Contested DIGIT => year::find_bare;
    Certain SYMBOL => operators::find_stars, operators::find, operators::find_per;
    Certain LETTER => symbol::find_letter;
    Contested NUMBER.or(INSIDE) => number::find;
    // Proposals only contest matches of the recognizers above.
    Proposal DIGIT => proposals::out_of, proposals::day_and_month, proposals::over,
        proposals::wickets, proposals::odds, proposals::sequence, proposals::digits,
        proposals::pairs, proposals::year, proposals::cardinal, proposals::code, proposals::minutes,
        proposals::short_time;
    Proposal NUMBER => proposals::before_dash;
    Proposal DIGIT => proposals::score, proposals::proportion;
};

/// `problem #s 3-21`
fn own_words(value: &SemioticClass, source: &str, out: &mut Verbalization) -> bool {
    let is_plural_sign = matches!(value, SemioticClass::Electronic(_)) && source == "#s";
    if is_plural_sign {
        out.words(["numbers"], 0..source.len());
    }
    is_plural_sign
}
