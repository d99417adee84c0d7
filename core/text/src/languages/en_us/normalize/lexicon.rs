//! English names that the recognizers look up.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use crate::languages::forms::forms;
use crate::normalize::choice::{ContextClasses, Weights};
use crate::normalize::condition::Positions;
use crate::normalize::locale::{
    self, Abbreviations, Lexicon, currencies, entries, rows, symbols, units,
};
use crate::normalize::shapes::shapes;
use crate::words::Words;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let positions = Positions::new(include_str!("../data/positions.tsv"), &[]);
    Lexicon {
        units: units(include_str!("../data/units.tsv"), &positions),
        symbols: symbols(include_str!("../data/symbols.tsv")),
        currencies: currencies(include_str!("../data/currencies.tsv")),
        abbreviations: Abbreviations::new(include_str!("../data/abbreviations.tsv"), &positions),
        entries: entries(include_str!("../data/entries.tsv"), &positions),
        shapes: shapes(include_str!("../data/shapes.tsv"), &positions),
        positions,
        streets: pairs(include_str!("../data/streets.tsv")),
        states: pairs(include_str!("../data/states.tsv")),
        words: Words::new(include_str!("../data/words.tsv")),
        ..forms(include_str!("../data/forms.tsv"))
    }
});

/// Word classes of the choice model, parsed once.
pub(super) fn context_classes() -> &'static ContextClasses {
    static CLASSES: LazyLock<ContextClasses> =
        LazyLock::new(|| locale::context_classes(include_str!("../data/context_classes.tsv")));
    &CLASSES
}

/// Weights of the choice model, parsed once.
pub(super) fn choice_weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse(include_str!("../data/choice.tsv")));
    &WEIGHTS
}

/// The tables of English, parsed once.
pub(in crate::languages::en_us) fn lexicon() -> &'static Lexicon {
    &LEXICON
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
