//! Hindi words in an English voice.
//!
//! Names of the custom lexicon have English phonemes. For other words, Hindi phonemes map to those
//! that English voices were trained on. Aspiration is lost, retroflex and dental consonants merge,
//! geminates become single, and a nasal vowel becomes a vowel and a homorganic nasal.
//! `research/voices/table_mixed.md` has measurements of the intelligibility of the symbols.

use crate::languages::custom_lexicon;
use crate::phonemize::ForeignWord;

const NASAL_MARK: char = '\u{303}';
const STRESS: [char; 2] = ['ˈ', 'ˌ'];
const VOWELS: &str = "aeiouɔəɛɪʊʌ";

/// The English phonemes of a Hindi word.
pub(super) fn adapt(word: ForeignWord<'_>) -> String {
    custom_lexicon::look_up_devanagari(word.text)
        .map_or_else(|| map_phonemes(word.phonemes), str::to_owned)
}

/// Converts Hindi phonemes to American English symbols. Stress stays in place.
fn map_phonemes(hindi: &str) -> String {
    let sounds: Vec<char> = hindi.chars().collect();
    let mut out = String::new();
    for (at, sound) in sounds.iter().enumerate() {
        let after = &sounds[at + 1..];
        match symbols(*sound, after) {
            _ if !VOWELS.contains(*sound) && after.first() == Some(sound) => {}
            Some(symbols) => out.push_str(symbols),
            None => out.push(*sound),
        }
    }
    out
}

fn symbols(sound: char, after: &[char]) -> Option<&'static str> {
    Some(match sound {
        'a' => "ɑ",
        'e' => "A",
        'o' => "O",
        'ɛ' if is_long(after) => "æ",
        'ʈ' => "t",
        'ɖ' => "d",
        'ɽ' | 'ɾ' | 'r' => "ɹ",
        'ʋ' => "v",
        'c' => "ʧ",
        'ɟ' => "ʤ",
        'ɳ' | 'ɲ' => "n",
        'ʂ' => "ʃ",
        'q' | 'x' => "k",
        'ɣ' => "ɡ",
        'ʰ' | 'ː' => "",
        NASAL_MARK => nasal(after),
        _ => return None,
    })
}

fn is_long(after: &[char]) -> bool {
    after.iter().find(|sound| **sound != NASAL_MARK) == Some(&'ː')
}

/// The homorganic nasal after a nasal vowel.
fn nasal(after: &[char]) -> &'static str {
    let next = after.iter().find(|sound| **sound != 'ː' && !STRESS.contains(sound));
    match next {
        Some('p' | 'b' | 'm') => "m",
        Some('k' | 'ɡ' | 'q' | 'x' | 'ɣ') => "ŋ",
        _ => "n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary;

    crate::row_tests::rows! { hindi_phonemes_in_english: |[hindi]| map_phonemes(hindi); }

    #[test]
    fn every_symbol_gives_symbols_of_the_vocabulary() {
        for symbol in vocabulary::symbols().keys() {
            let read = map_phonemes(&format!("{symbol}ə"));
            assert!(
                read.chars().all(|symbol| vocabulary::id(symbol).is_some()),
                "{symbol}: {read}"
            );
        }
    }
}
