//! English names that the recognizers look up.

use std::collections::HashMap;

use crate::normalize::locale::{Lexicon, Tables, rows, tables};

/// The tables of English.
pub(super) static TABLES: Tables = tables!("../data/", &[], |lexicon| Lexicon {
    streets: pairs(include_str!("../data/streets.tsv")),
    states: pairs(include_str!("../data/states.tsv")),
    ..lexicon
});

pub(in crate::languages::en_us) fn lexicon() -> &'static Lexicon {
    &TABLES.lexicon
}

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
        let readings = lexicon.abbreviations.rows().map(|reading| reading.words);
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
