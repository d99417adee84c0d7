//! The names of English that the recognizers look for.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use crate::normalize::choice::{ContextClasses, Weights};
use crate::normalize::locale::{
    self, Lexicon, abbreviations, currencies, numbered, positions, rows, symbols, units,
};
use crate::normalize::semiotic::Magnitude;
use crate::words::Words;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon {
    months: numbered(MONTHS),
    weekdays: numbered(WEEKDAYS),
    weekday_letters: WEEKDAY_LETTERS,
    weekday_ranges: &[
        "M-F", "M-Th", "M-Sa", "M-W", "Mo-Fr", "M-S", "T-F", "T-Th", "Tu-F", "Tu-Th", "Tu-Sa",
        "W-F", "Th-F", "Th-Sa", "F-Su", "Sa-Su", "M-Su", "Th-Su", "W-Su", "Tu-Su",
    ],
    units: units(include_str!("../data/units.tsv")),
    symbols: symbols(include_str!("../data/symbols.tsv")),
    currencies: currencies(include_str!("../data/currencies.tsv")),
    magnitudes: MAGNITUDES.iter().copied().collect(),
    magnitude_letters: LETTERS.iter().map(|(letters, m, money)| (*letters, (*m, *money))).collect(),
    abbreviations: abbreviations(include_str!("../data/abbreviations.tsv")),
    positions: positions(include_str!("../data/positions.tsv")),
    streets: pairs(include_str!("../data/streets.tsv")),
    compass: COMPASS.iter().copied().collect(),
    states: pairs(include_str!("../data/states.tsv")),
    zones: ZONES,
    eras: &["AD", "BC", "BCE", "CE"],
    day_first: false,
    property: None,
    words: Words::new(include_str!("../data/words.tsv")),
});

/// Classes of words beside a number, read once.
pub(super) fn context_classes() -> &'static ContextClasses {
    static CLASSES: LazyLock<ContextClasses> =
        LazyLock::new(|| locale::context_classes(include_str!("../data/context_classes.tsv")));
    &CLASSES
}

/// The weights of the choice between readings, read once.
pub(super) fn choice_weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse(include_str!("../data/choice.tsv")));
    &WEIGHTS
}

/// The tables of English, read once.
pub(in crate::languages::en_us) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

/// Names and abbreviations, each row one month.
const MONTHS: &[&[&str]] = &[
    &["january", "jan"],
    &["february", "feb", "febr"],
    &["march", "mar"],
    &["april", "apr"],
    &["may"],
    &["june", "jun"],
    &["july", "jul"],
    &["august", "aug"],
    &["september", "sept", "sep"],
    &["october", "oct"],
    &["november", "nov"],
    &["december", "dec"],
];

/// Names and abbreviations, each row one weekday.
const WEEKDAYS: &[&[&str]] = &[
    &["monday", "mon", "mo"],
    &["tuesday", "tue", "tues", "tu"],
    &["wednesday", "wed", "weds"],
    &["thursday", "thu", "thur", "thurs", "th"],
    &["friday", "fri", "fr"],
    &["saturday", "sat", "sa"],
    &["sunday", "sun", "su"],
];

/// Weekdays by their letters.
const WEEKDAY_LETTERS: &[(&str, u8)] = &[
    ("M", 1),
    ("Mo", 1),
    ("T", 2),
    ("Tu", 2),
    ("W", 3),
    ("We", 3),
    ("Th", 4),
    ("F", 5),
    ("Fr", 5),
    ("S", 6),
    ("Sa", 6),
    ("Su", 7),
];

const COMPASS: &[(&str, &str)] = &[
    ("N", "North"),
    ("S", "South"),
    ("E", "East"),
    ("W", "West"),
    ("NE", "Northeast"),
    ("NW", "Northwest"),
    ("SE", "Southeast"),
    ("SW", "Southwest"),
    ("NB", "Northbound"),
    ("SB", "Southbound"),
    ("EB", "Eastbound"),
    ("WB", "Westbound"),
    ("NNE", "North Northeast"),
    ("ENE", "East Northeast"),
    ("ESE", "East Southeast"),
    ("SSE", "South Southeast"),
    ("SSW", "South Southwest"),
    ("WSW", "West Southwest"),
    ("WNW", "West Northwest"),
    ("NNW", "North Northwest"),
];

const MAGNITUDES: &[(&str, Magnitude)] = &[
    ("hundred", Magnitude::Hundred),
    ("thousand", Magnitude::Thousand),
    ("lakh", Magnitude::Lakh),
    ("lakhs", Magnitude::Lakh),
    ("lac", Magnitude::Lakh),
    ("lacs", Magnitude::Lakh),
    ("million", Magnitude::Million),
    ("crore", Magnitude::Crore),
    ("crores", Magnitude::Crore),
    ("cr", Magnitude::Crore),
    ("mn", Magnitude::Million),
    ("bn", Magnitude::Billion),
    ("billion", Magnitude::Billion),
    ("trillion", Magnitude::Trillion),
    ("quadrillion", Magnitude::Quadrillion),
];

/// Letters, what they stand for, and whether only money is counted so.
const LETTERS: &[(&str, Magnitude, bool)] = &[
    ("k", Magnitude::Thousand, false),
    ("K", Magnitude::Thousand, false),
    ("m", Magnitude::Million, true),
    ("M", Magnitude::Million, false),
    ("mn", Magnitude::Million, false),
    ("Mn", Magnitude::Million, false),
    ("mln", Magnitude::Million, false),
    ("MM", Magnitude::Million, true),
    ("mm", Magnitude::Million, true),
    ("mil", Magnitude::Million, true),
    ("b", Magnitude::Billion, true),
    ("B", Magnitude::Billion, false),
    ("bn", Magnitude::Billion, false),
    ("Bn", Magnitude::Billion, false),
    ("BN", Magnitude::Billion, false),
    ("bil", Magnitude::Billion, true),
    ("t", Magnitude::Trillion, true),
    ("T", Magnitude::Trillion, true),
    ("tn", Magnitude::Trillion, false),
    ("trn", Magnitude::Trillion, false),
    ("L", Magnitude::Lakh, true),
    ("l", Magnitude::Lakh, true),
    ("Lac", Magnitude::Lakh, false),
    ("cr", Magnitude::Crore, false),
    ("Cr", Magnitude::Crore, false),
    ("CR", Magnitude::Crore, false),
];

const ZONES: &[&str] = &[
    "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "AST", "AWST", "BST", "CDT", "CEST", "CET",
    "CST", "CT", "EDT", "EEST", "EET", "EST", "ET", "GMT", "GST", "HKT", "HST", "IST", "JST",
    "KST", "MDT", "MSK", "MST", "MT", "NZDT", "NZST", "PDT", "PKT", "PST", "PT", "SAST", "SGT",
    "UTC", "WAT", "WEST", "WET", "WIB", "Z",
];

fn pairs(table: &'static str) -> HashMap<&'static str, &'static str> {
    rows(table)
        .flat_map(|row| row[0].split('|').map(move |short| (short, row[1])).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let lexicon = lexicon();
        assert_eq!(lexicon.months["sept"], 9);
        assert_eq!(lexicon.units["km"].many, "kilometers");
        assert_eq!(lexicon.states.len(), 65);
        let is_said =
            |words: &str| words.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '\''));
        let readings = lexicon.abbreviations.values().flatten().map(|reading| reading.words);
        let units = lexicon.units.values().flat_map(|unit| [unit.one, unit.many]);
        let currencies = lexicon
            .currencies
            .values()
            .flatten()
            .flat_map(|(_, c)| [c.one, c.many, c.minor_one, c.minor_many]);
        for words in readings.chain(units).chain(currencies) {
            assert!(is_said(words), "{words}");
        }
    }
}
