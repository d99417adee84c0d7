//! English words in a Hindi voice, and Hindi words in Latin letters.
//!
//! Words with a listed Devanagari spelling, mainly Indian names, are read by that spelling,
//! including inflected forms. The phonemes of other words are mapped to Indian English.

use super::{english_to_hindi, read, transliteration};
use crate::phonemize::{ForeignWord, is_voiceless, with_s};

/// Hindi suffixes of names, in Latin letters and in Devanagari.
const NAME_SUFFIXES: [(&str, &str); 5] =
    [("ji", "जी"), ("saheb", "साहेब"), ("wala", "वाला"), ("wale", "वाले"), ("wali", "वाली")];

/// The Hindi phonemes of an English word.
pub(super) fn adapt(word: ForeignWord<'_>) -> String {
    if word.is_spelled {
        return english_to_hindi::map_letter_names(word.phonemes);
    }
    transliterated(word.text)
        .unwrap_or_else(|| english_to_hindi::map_phonemes(word.phonemes, word.text))
}

/// The phonemes of a word by its listed Devanagari spelling, if any.
fn transliterated(word: &str) -> Option<String> {
    if let Some(spelling) = transliteration::in_devanagari(word) {
        return Some(read(spelling));
    }
    if let Some((first, rest)) = word.split_once('-') {
        return Some(transliterated(first)? + &transliterated(rest).or_else(|| suffix(rest))?);
    }
    plural(word).or_else(|| verb(word)).or_else(|| {
        NAME_SUFFIXES.iter().find_map(|(latin, devanagari)| {
            let spelling = transliteration::in_devanagari(word.strip_suffix(latin)?)?;
            Some(read(spelling) + &read(devanagari))
        })
    })
}

fn suffix(word: &str) -> Option<String> {
    let (_, devanagari) = NAME_SUFFIXES.iter().find(|(latin, _)| *latin == word)?;
    Some(read(devanagari))
}

/// The phonemes of a plural or possessive.
fn plural(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2)?.trim_end_matches('\'');
    let spelling = transliteration::in_devanagari(stem)
        .or_else(|| transliteration::in_devanagari(stem.strip_suffix('e').filter(takes_es)?))?;
    Some(with_s(&read(spelling)))
}

fn takes_es(stem: &&str) -> bool {
    stem.ends_with(['s', 'x', 'z']) || stem.ends_with("sh") || stem.ends_with("ch")
}

/// The phonemes of a verb in -ing or -ed. Names have no such forms.
fn verb(word: &str) -> Option<String> {
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"))?;
    let spelling =
        transliteration::listed(&format!("{stem}e")).or_else(|| transliteration::listed(stem))?;
    let stem = read(spelling);
    let ending = match stem.trim_end_matches('ʰ').chars().next_back() {
        _ if word.ends_with('g') => "ɪŋɡ",
        Some('ʈ' | 'ɖ') => "ɪɖ",
        last if last.is_some_and(is_voiceless) => "ʈ",
        _ => "ɖ",
    };
    Some(stem + ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_latin_letters_are_read_as_in_their_own() {
        crate::row_tests::holds("names in Latin letters", |[latin, devanagari, ending]| {
            let words: String = devanagari.split(' ').map(read).collect();
            transliterated(latin) == Some(words + ending)
        });
        for word in ["rabies", "Modi-based", "server", "s"] {
            assert_eq!(transliterated(word), None, "{word}");
        }
    }
}
