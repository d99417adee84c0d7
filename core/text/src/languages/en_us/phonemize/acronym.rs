//! Words in capitals: acronyms read as words, initialisms that are spelled, and plain words in capitals.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::lexicon_lookup::Context;
use super::stress::Emphasis;
use super::{fixed_readings, inflection, lexicon, lexicon_lookup};
use crate::languages::en_us::phonemize::oov;

/// `word`, a tab, then its phonemes or `spelled`.
static TABLE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../data/acronyms.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect()
});

/// The phonemes of an acronym, with or without a plural or possessive ending; `None` for other words, and for those
/// that are left to the lexicon.
pub(super) fn read(word: &str, context: Context<'_>, is_all_capitals: bool) -> Option<String> {
    if let Some(reading) = listed(word) {
        let is_word = is_all_capitals && lexicon::exact(&word.to_ascii_lowercase()).is_some();
        return if is_word { read_in_lower_case(word, context) } else { Some(reading) };
    }
    if let Some(stem) = without_s(word) {
        let reading = listed(stem).or_else(|| {
            let is_known = is_word_in_capitals(stem) || lexicon::exact(stem).is_some();
            (is_capitals(stem) && !is_known).then(|| by_shape(stem))
        });
        return reading.map(inflection::with_s);
    }
    // "GOOOO" is a word drawn out.
    let is_drawn_out = word.len() > 3 && fixed_readings::without_lengthening(word).is_some();
    if !is_capitals(word) || is_drawn_out {
        return None;
    }
    if is_all_capitals && let Some(reading) = read_in_lower_case(word, context) {
        return Some(reading);
    }
    let is_known = lexicon::exact(word).is_some() || is_word_in_capitals(word);
    (!is_known).then(|| by_shape(word))
}

fn listed(word: &str) -> Option<String> {
    let reading = *TABLE.get(word)?;
    Some(if reading == "spelled" { oov::spell(word) } else { reading.into() })
}

/// Whether the list has the word.
pub(super) fn is_listed(word: &str) -> bool {
    TABLE.contains_key(word)
}

/// Whether a word is known, written so or in small letters: not one that is drawn out, "goood".
pub(super) fn is_word(word: &str) -> bool {
    is_listed(word) || is_word_in_capitals(word)
}

/// The acronym of a plural or a possessive: "CDs", "NGO's", and "PCS'" of a text in capitals.
fn without_s(word: &str) -> Option<&str> {
    ["'s", "'S", "s'", "s"].into_iter().find_map(|ending| word.strip_suffix(ending))
}

fn is_capitals(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether the lexicon has the word in lower case, inflected or not.
fn is_word_in_capitals(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_known = |stem: &str| stem.len() > 2 && lexicon::exact(stem).is_some();
    lexicon::entry(&lower).is_some_and(|entry| entry.is_gold || lower.len() > 4)
        || inflection::stem_of_s(&lower, is_known).is_some()
        || inflection::stem_of_ed(&lower, is_known).is_some()
        || inflection::stem_of_ing(&lower, is_known).is_some()
}

/// The phonemes of a word of a sentence that is all in capitals, read as if it were in lower case.
fn read_in_lower_case(word: &str, context: Context<'_>) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    lexicon_lookup::read(&lower, Context { emphasis: Emphasis::Plain, ..context })
}

/// Read as a word if it has the shape of one, else spelled.
fn by_shape(word: &str) -> String {
    if has_word_shape(word) { oov::read(&word.to_ascii_lowercase()) } else { oov::spell(word) }
}

/// Consonant clusters that may begin a syllable.
const ONSETS: [&str; 38] = [
    "BL", "BR", "CH", "CL", "CR", "DR", "FL", "FR", "GL", "GR", "KH", "KL", "KR", "PH", "PL", "PR",
    "QU", "SC", "SH", "SK", "SL", "SM", "SN", "SP", "ST", "STR", "SW", "TH", "TR", "TW", "WH",
    "BH", "DH", "GH", "JH", "VR", "SV", "SHR",
];

/// Consonant clusters that may end a word.
const CODAS: [&str; 28] = [
    "CH", "CK", "CT", "FT", "LD", "LL", "LT", "MP", "NC", "ND", "NG", "NK", "NS", "NT", "NTH",
    "PS", "PT", "RD", "RK", "RM", "RN", "RS", "RT", "SH", "SK", "SS", "ST", "TH",
];

/// Whether letters have the syllable structure of a word: "SEBI", "NABARD", "UNICEF"; not "CBSE", "IEEE" or "AIIMS".
fn has_word_shape(word: &str) -> bool {
    let is_vowel = |c: char| "AEIOU".contains(c) || c == 'Y';
    let vowels = word.chars().filter(|c| is_vowel(*c)).count();
    if word.len() < 4 || vowels < 2 || word.starts_with('Y') || word.ends_with(['J', 'Q', 'V', 'U'])
    {
        return false;
    }
    let runs: Vec<&str> = word.split(is_vowel).collect();
    let double_vowels =
        word.as_bytes().windows(2).filter(|pair| pair.iter().all(|b| is_vowel(char::from(*b))));
    if double_vowels.count() > 0 {
        return false;
    }
    let last = runs.len() - 1;
    runs.iter().enumerate().all(|(i, run)| match run.len() {
        0 | 1 => true,
        _ if i == 0 => ONSETS.contains(run),
        _ if i == last => CODAS.contains(run),
        2 => !run.contains(['H', 'J', 'Q', 'W', 'X', 'Z']) || ONSETS.contains(run),
        _ => ONSETS.contains(&&run[1..]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary;

    #[test]
    fn words_and_initialisms() {
        let words = ["SEBI", "NABARD", "UNICEF", "NITI", "TERI"];
        let spelled = ["CBSE", "IEEE", "AIIMS", "DRDO", "HDMI", "IRCTC", "GST", "XYZZY", "ABU"];
        let wrong: Vec<_> = words
            .into_iter()
            .filter(|word| !has_word_shape(word))
            .chain(spelled.into_iter().filter(|word| has_word_shape(word)))
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn the_table_holds_words_in_the_vocabulary() {
        let wrong: Vec<_> = TABLE
            .iter()
            .filter(|(word, reading)| {
                let in_vocabulary = reading.chars().all(|symbol| vocabulary::id(symbol).is_some());
                !word.bytes().all(|b| b.is_ascii_alphabetic())
                    || **reading != "spelled" && (!in_vocabulary || !reading.contains('ˈ'))
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        let lines = include_str!("../data/acronyms.tsv").lines();
        assert_eq!(lines.filter(|line| !line.starts_with('#')).count(), TABLE.len());
    }
}
