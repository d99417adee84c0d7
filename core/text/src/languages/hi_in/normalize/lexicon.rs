//! Hindi names that the recognizers look up.

use super::abbreviations::PROPERTIES;
use crate::normalize::locale::{Lexicon, Tables, Unit, UnitUsage, tables};
use crate::words::WordClass;

/// The tables of Hindi. Counted nouns are units that are read as written, and all currencies are
/// counted in lakh and crore.
pub(super) static TABLES: Tables = tables!("../data/", PROPERTIES, |mut lexicon| {
    let words = &lexicon.words;
    let counted = words.names(WordClass::Halved).chain(words.names(WordClass::Counted));
    for word in counted.filter(|word| !lexicon.magnitudes.contains_key(word)) {
        let unit = Unit { one: word, many: word, usage: UnitUsage::Any, others: Vec::new() };
        lexicon.units.insert(word, unit);
    }
    for (_, currency) in lexicon.currencies.values_mut().flatten() {
        currency.is_indian = true;
    }
    lexicon
});

pub(in crate::languages::hi_in) fn lexicon() -> &'static Lexicon {
    &TABLES.lexicon
}

/// Whether a word, as it is written, is of a class.
pub(super) fn lists(class: WordClass, word: &str) -> bool {
    TABLES.lexicon.words.of(word).has(class)
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
    TABLES.lexicon.weekdays.contains_key(word) && !word.is_ascii()
}

/// Whether halves and quarters of this unit have their own names: `साढ़े तीन लाख`.
pub(super) fn is_halved(word: &str) -> bool {
    lists(WordClass::Halved, word)
}

/// Whether this word counts, so that one and a half and two and a half of it have their own names.
pub(super) fn is_counted(word: &str) -> bool {
    is_halved(word) || lists(WordClass::Counted, word)
}

pub(super) fn is_postposition(word: &str) -> bool {
    lists(WordClass::Postposition, word)
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
