//! Hindi names that the recognizers look up.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::abbreviations::PROPERTIES;
use crate::languages::forms::forms;
use crate::normalize::choice::{ContextClasses, Weights};
use crate::normalize::condition::Positions;
use crate::normalize::locale::{
    self, Abbreviations, Currencies, Lexicon, Unit, UnitUsage, currencies, entries, symbols, units,
};
use crate::normalize::shapes::shapes;
use crate::words::{WordClass, Words};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let words = Words::new(include_str!("../data/words.tsv"));
    let forms = forms(include_str!("../data/forms.tsv"));
    let positions = Positions::new(include_str!("../data/positions.tsv"), PROPERTIES);
    Lexicon {
        units: all_units(&words, &forms, &positions),
        abbreviations: Abbreviations::new(include_str!("../data/abbreviations.tsv"), &positions),
        entries: entries(include_str!("../data/entries.tsv"), &positions),
        shapes: shapes(include_str!("../data/shapes.tsv"), &positions),
        positions,
        symbols: symbols(include_str!("../data/symbols.tsv")),
        currencies: indian_currencies(),
        day_first: true,
        words,
        ..forms
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

/// The tables of Hindi, parsed once.
pub(in crate::languages::hi_in) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

/// Whether a word, as it is written, is of a class.
pub(super) fn lists(class: WordClass, word: &str) -> bool {
    LEXICON.words.of(word).has(class)
}

pub(super) fn is_month(word: &str) -> bool {
    lists(WordClass::MonthName, word)
}

/// Whether a word abbreviates a month, with a stop or in a date.
pub(super) fn is_short_month(word: &str) -> bool {
    let word = word.replace('\u{93c}', "");
    lists(WordClass::ShortMonth, &word)
}

pub(super) fn is_weekday(word: &str) -> bool {
    LEXICON.weekdays.contains_key(word) && !word.is_ascii()
}

/// Whether halves and quarters of this unit have their own names: `साढ़े तीन लाख`.
pub(super) fn is_halved(word: &str) -> bool {
    lists(WordClass::Halved, word)
}

/// Whether this word counts, so that one and a half and two and a half of it have their own names.
pub(super) fn is_counted(word: &str) -> bool {
    is_halved(word) || lists(WordClass::Counted, word)
}

/// Postpositions, before which nouns are oblique.
pub(super) const POSTPOSITIONS: &[&str] =
    &["का", "की", "के", "में", "से", "तक", "को", "पर", "ने", "वाला", "वाली", "वाले"];

/// The units of the table, and counted nouns that are read as written.
fn all_units(words: &Words, forms: &Lexicon, positions: &Positions) -> HashMap<&'static str, Unit> {
    let mut units = units(include_str!("../data/units.tsv"), positions);
    let counted = words.names(WordClass::Halved).chain(words.names(WordClass::Counted));
    for word in counted.filter(|word| !forms.magnitudes.contains_key(word)) {
        units.insert(
            word,
            Unit { one: word, many: word, usage: UnitUsage::Any, others: Vec::new() },
        );
    }
    units
}

/// Currencies counted in lakh and crore, as all are in Hindi.
fn indian_currencies() -> Currencies {
    let mut currencies = currencies(include_str!("../data/currencies.tsv"));
    for (_, currency) in currencies.values_mut().flatten() {
        currency.is_indian = true;
    }
    currencies
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let lexicon = lexicon();
        assert_eq!(lexicon.months["aug"], 8);
        assert_eq!(lexicon.units["किमी"].many, "किलोमीटर");
        let is_said = |c: char| crate::normalize::cursor::is_letter(c) || c == ' ';
        let units = lexicon.units.values().flat_map(|unit| [unit.one, unit.many]);
        let currencies = lexicon.currencies.values().flatten();
        let currencies = currencies.flat_map(|(_, c)| [c.one, c.many, c.minor_one, c.minor_many]);
        for words in units.chain(currencies) {
            assert!(words.chars().all(is_said) && words.nfc().eq(words.chars()), "{words}");
        }
        for word in lexicon.units.keys().copied().chain(lexicon.words.names(WordClass::MonthName)) {
            assert!(word.nfc().eq(word.chars()), "{word}");
        }
    }
}
