//! The phoneme symbols of Kokoro-82M v1.0 and their token ids.
//!
//! The 114 symbols are IPA, Misaki's capitals for diphthongs (`A` = eɪ, `I` = aɪ, `O` = oʊ, `W` =
//! aʊ, `Y` = ɔɪ), stress marks and punctuation. A voice bundle contains its vocabulary, and loading
//! compares the two.

use std::collections::BTreeMap;

use speech_base::fork::LazyLock;

/// Symbols and token ids. Id 0 is the pad at both ends of an utterance.
static IDS: LazyLock<BTreeMap<char, u16>> = LazyLock::new(|| {
    let rows = include_str!("vocabulary.tsv").lines().filter_map(|row| row.split_once('\t'));
    let ids = rows.map(|(symbol, id)| (symbol.parse(), id.parse()));
    ids.map(|(symbol, id)| (symbol.expect("a character"), id.expect("a number"))).collect()
});

/// The token id of a symbol, or `None` if the model has no such symbol.
pub(crate) fn id(symbol: char) -> Option<u16> {
    IDS.get(&symbol).copied()
}

/// Every symbol with its id.
pub fn symbols() -> &'static BTreeMap<char, u16> {
    &IDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_ids_are_distinct() {
        let ids: std::collections::BTreeSet<_> = symbols().values().collect();
        assert_eq!((symbols().len(), ids.len()), (114, 114));
        assert!(!ids.contains(&0));
    }
}
