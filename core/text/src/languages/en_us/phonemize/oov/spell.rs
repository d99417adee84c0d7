//! Detects unpronounceable words and spells them by letter names.

use std::collections::HashSet;

use speech_base::fork::LazyLock;

use crate::normalize::locale;

/// Consonant clusters that words or names begin or end with, and words without a vowel letter.
static CLUSTERS: LazyLock<HashSet<(&str, &str)>> =
    LazyLock::new(|| locale::lists(include_str!("../../data/clusters.tsv")));

const LETTER_NAMES: &str = "\
    ˈA bˈi sˈi dˈi ˈi ˈɛf ʤˈi ˈAʧ ˈI ʤˈA kˈA ˈɛl ˈɛm ˈɛn ˈO pˈi kjˈu ˈɑɹ ˈɛs tˈi jˈu vˈi dˈʌbᵊlju ˈɛks wˈI zˈi";

pub(super) fn letter_names() -> impl Iterator<Item = &'static str> {
    LETTER_NAMES.split(' ')
}

/// Whether a word has a vowel, and only clusters of words, or also of names if it is capitalized.
pub(crate) fn is_pronounceable(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_ascii_uppercase());
    let letters: String = word.matches(|c: char| c.is_ascii_alphabetic()).collect();
    let letters = letters.to_ascii_lowercase();
    if has_cluster("vowelless", &letters) {
        return true;
    }
    let clusters: Vec<&str> = letters.split(|c| "aeiouy".contains(c)).collect();
    let [first, inner @ .., last] = clusters.as_slice() else { return false };
    is_onset(first, is_name)
        && (is_coda(last) || is_name && has_cluster("name-coda", last))
        && inner.iter().all(|cluster| is_inner(cluster))
}

/// Whether a cluster is of a kind in `clusters.tsv`.
pub(crate) fn has_cluster(kind: &str, letters: &str) -> bool {
    CLUSTERS.contains(&(kind, letters))
}

fn is_onset(cluster: &str, is_name: bool) -> bool {
    // A single consonant beside a vowel is always valid.
    cluster.len() <= 1
        || has_cluster("onset", cluster)
        || is_name && (has_cluster("name-onset", cluster) || has_cluster("onset", &cluster[1..]))
}

fn is_coda(cluster: &str) -> bool {
    cluster.len() <= 1 || has_cluster("coda", cluster)
}

/// Whether consonants between vowels are a coda and an onset, including those of names.
fn is_inner(cluster: &str) -> bool {
    (0..=cluster.len()).any(|at| is_coda(&cluster[..at]) && is_onset(&cluster[at..], true))
}

/// The names of the letters of a word, the last with the primary stress.
pub(crate) fn spell(word: &str) -> String {
    let letters: Vec<usize> = word
        .bytes()
        .filter(u8::is_ascii_alphabetic)
        .map(|letter| usize::from(letter.to_ascii_lowercase() - b'a'))
        .collect();
    let last = letters.len().saturating_sub(1);
    letters
        .into_iter()
        .enumerate()
        .map(|(i, letter)| {
            let name = letter_names().nth(letter).unwrap_or_default();
            if i == last { name.to_owned() } else { name.replace('ˈ', "ˌ") }
        })
        .collect()
}

#[cfg(test)]
crate::row_tests::rows! {
    pronounceable_words: |[word]| is_pronounceable(word);
    letters_by_name: |[word]| spell(word);
}
