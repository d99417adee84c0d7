//! The model of out-of-vocabulary words: letters in, phonemes out.
//!
//! A small network predicts the phonemes of each letter; `research/g2p` trained it on Misaki's
//! American lexicons. Unpronounceable words are spelled.

mod decode;
mod network;
mod ngrams;
mod spell;
mod weights;

use speech_base::fork::LazyLock;

use network::{Network, Style};
pub(crate) use spell::{has_cluster, is_pronounceable, spell};

static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::read(include_bytes!("../../data/g2p.bin")));

/// Longer words are read in parts: attention takes quadratic time and memory.
const MAX_LETTERS: usize = 32;

/// The phonemes of a word of Latin letters and apostrophes, in Kokoro's symbols; other characters
/// are skipped.
///
/// A word with a vowel gets one primary stress. A capitalized word is read as a name.
pub fn read(word: &str) -> String {
    let letters: Vec<u8> = word
        .trim_start_matches(|c: char| !c.is_ascii_alphabetic())
        .bytes()
        .filter(|byte| byte.is_ascii_alphabetic() || *byte == b'\'')
        .map(|byte| byte.to_ascii_lowercase())
        .collect();
    let has_capital = word.bytes().any(|byte| byte.is_ascii_uppercase());
    let style = if has_capital { Style::Name } else { Style::Word };
    let parts = letters.len().div_ceil(MAX_LETTERS).max(1);
    letters
        .chunks(letters.len().div_ceil(parts).max(1))
        .map(|part| NETWORK.phonemes(part, style))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vocabulary;

    /// The results equal those of the Python original, except for ties with different rounding.
    #[test]
    fn reads_as_it_was_trained() {
        let reference = include_str!("../../../../../../../research/g2p/reference.tsv");
        let different: Vec<_> = reference
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(word, expected)| (word, read(word), expected))
            .filter(|(_, found, expected)| found != expected)
            .collect();
        assert!(different.len() <= 2, "{different:?}");
    }

    #[test]
    fn every_label_and_letter_name_is_in_the_vocabulary() {
        let symbols = NETWORK.labels.sounds.iter().copied().chain(spell::letter_names());
        for symbol in symbols.flat_map(str::chars) {
            assert!(vocabulary::id(symbol).is_some(), "{symbol}");
        }
    }

    #[test]
    fn words_of_any_length() {
        let long = "abcdefghij".repeat(100);
        assert!(read(&long).chars().count() > 300);
        assert_eq!(read(""), "");
        assert_eq!(read("é"), "");
    }

    proptest! {
        #[test]
        fn anything_is_read(word in "\\PC{0,12}|[a-zA-Z']{0,80}") {
            let reading = read(&word);
            prop_assert!(reading.chars().all(|c| vocabulary::id(c).is_some()));
            let has_letter = word.contains(|c: char| c.is_ascii_alphabetic());
            prop_assert_eq!(has_letter, !reading.is_empty());
            is_pronounceable(&word);
            spell(&word);
        }
    }
}
