//! The custom lexicon, `data/names.tsv`: English words that Misaki's lexicon lacks or
//! mistranscribes.
//!
//! The header of the file specifies its format, case rule and transcription. Words of Indian
//! languages also have a Devanagari spelling. English and Hindi share the file, so a name sounds
//! the same in both scripts.

use std::collections::HashMap;

use speech_base::fork::LazyLock;
use unicode_normalization::UnicodeNormalization;

const NUKTA: char = '\u{93c}';
const VIRAMA: char = '\u{94d}';

static TEXT: &str = include_str!("data/names.tsv");

/// Entries by lower-case word.
static ENTRIES: LazyLock<HashMap<String, Entry>> =
    LazyLock::new(|| entries().map(|(word, entry)| (word.to_lowercase(), entry)).collect());

/// English phonemes by simplified Devanagari spelling; the shortest of several.
static BY_DEVANAGARI: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut by_devanagari: HashMap<String, &str> = HashMap::new();
    for (_, entry) in entries() {
        let Some(devanagari) = entry.devanagari else { continue };
        let phonemes = by_devanagari.entry(simplified(devanagari)).or_insert(entry.phonemes);
        if entry.phonemes.len() < phonemes.len() {
            *phonemes = entry.phonemes;
        }
    }
    by_devanagari
});

struct Entry {
    phonemes: &'static str,
    /// The Devanagari spelling.
    devanagari: Option<&'static str>,
    /// Whether it matches only capitalized words.
    is_name: bool,
}

/// The words of the file with their entries.
fn entries() -> impl Iterator<Item = (&'static str, Entry)> {
    let rows = TEXT.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        let word = columns.next()?;
        let entry = Entry {
            phonemes: columns.next()?,
            devanagari: columns.next(),
            is_name: is_capitalized(word),
        };
        Some((word, entry))
    })
}

/// The English phonemes of an uninflected word. A capitalized entry matches only capitalized words.
pub(crate) fn look_up(word: &str) -> Option<&'static str> {
    find(word).map(|entry| entry.phonemes)
}

/// The Devanagari spelling of an uninflected word.
pub(crate) fn devanagari(word: &str) -> Option<&'static str> {
    find(word)?.devanagari
}

/// The English phonemes of a Devanagari word, with optional nukta and any usual nasal sign.
pub(crate) fn look_up_devanagari(devanagari: &str) -> Option<&'static str> {
    BY_DEVANAGARI.get(&simplified(devanagari)).copied()
}

fn find(word: &str) -> Option<&'static Entry> {
    let entry = ENTRIES.get(word.to_lowercase().as_str())?;
    (!entry.is_name || is_capitalized(word)).then_some(entry)
}

/// A spelling without nukta, and with anusvara for each nasal before a consonant: हिन्दी as हिंदी.
fn simplified(devanagari: &str) -> String {
    let mut simplified = String::new();
    let mut letters = devanagari.nfd().filter(|letter| *letter != NUKTA).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            'ङ' | 'ञ' | 'ण' | 'न' | 'म' if letters.next_if_eq(&VIRAMA).is_some() => {
                simplified.push('ं')
            }
            'ँ' => simplified.push('ं'),
            _ => simplified.push(letter),
        }
    }
    simplified
}

pub(crate) fn is_capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::row_tests::or_dash;
    use crate::vocabulary;

    const VOWELS: &str = "AIOWYaeiouæɑɔəɛɜɪʊʌᵊᵻ";

    /// The sections of the file, as rows of columns.
    fn sections() -> Vec<Vec<Vec<&'static str>>> {
        let body = TEXT.split("\n## ").skip(1);
        let rows = |section: &'static str| section.lines().skip(1).filter(|line| !line.is_empty());
        body.map(|section| rows(section).map(|row| row.split('\t').collect()).collect()).collect()
    }

    fn rows() -> impl Iterator<Item = Vec<&'static str>> {
        sections().into_iter().flatten()
    }

    /// The fault of an entry's phonemes, if any.
    fn fault(phonemes: &str) -> Option<&'static str> {
        let symbols: Vec<char> = phonemes.chars().collect();
        let is_mark = |c: char| matches!(c, 'ˈ' | 'ˌ');
        let is_vowel = |c: Option<&char>| c.is_some_and(|c| VOWELS.contains(*c));
        let misplaced =
            symbols.iter().enumerate().any(|(i, c)| is_mark(*c) && !is_vowel(symbols.get(i + 1)));
        let plain = |c: &char| is_mark(*c) || (c.is_alphabetic() && vocabulary::id(*c).is_some());
        if !symbols.iter().all(plain) {
            Some("a symbol that is no sound of the vocabulary")
        } else if symbols.iter().filter(|c| **c == 'ˈ').count() != 1 {
            Some("not one main stress")
        } else if misplaced {
            Some("a stress mark that stands before no vowel")
        } else if ["ˈə", "ˈᵊ", "ˈᵻ"].iter().any(|reduced| phonemes.contains(reduced)) {
            Some("a stressed vowel that is reduced")
        } else {
            None
        }
    }

    #[test]
    fn every_transcription_is_valid() {
        let faults: Vec<_> =
            rows().filter_map(|row| fault(row[1]).map(|what| (row[0], row[1], what))).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn every_entry_is_well_formed() {
        let is_word = |word: &str| {
            word.chars().all(|c| c.is_alphabetic() || "'-".contains(c))
                && word.starts_with(char::is_alphabetic)
        };
        let is_devanagari = |c: char| matches!(c, '\u{900}'..='\u{963}' | '\u{970}'..='\u{97f}');
        let well_formed = |row: &[&str]| match row {
            [word, _] => is_word(word),
            [word, _, hindi] => {
                is_word(word) && !hindi.is_empty() && hindi.chars().all(is_devanagari)
            }
            _ => false,
        };
        let faults: Vec<_> = rows().filter(|row| !well_formed(row)).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn entries_are_unique_and_sorted_in_their_section() {
        let mut seen = BTreeSet::new();
        let twice: Vec<_> =
            rows().map(|row| row[0]).filter(|word| !seen.insert(word.to_lowercase())).collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert_eq!(seen.len(), ENTRIES.len());

        let disordered: Vec<_> = sections()
            .iter()
            .flat_map(|section| section.windows(2))
            .filter(|pair| pair[0][0].to_lowercase() >= pair[1][0].to_lowercase())
            .map(|pair| (pair[0][0], pair[1][0]))
            .collect();
        assert!(disordered.is_empty(), "{disordered:?}");
    }

    crate::row_tests::rows! {
        case_of_custom_words: |[word]| look_up(word).is_some();
        custom_words_in_devanagari: |[word]| or_dash(devanagari(word));
        custom_words_of_devanagari: |[spelling, word]| look_up_devanagari(spelling) == look_up(word);
    }
}
