//! Readings that are given in a list: interjections, and words whose accent tells them from others.

use std::collections::HashMap;
use std::sync::LazyLock;

/// `word`, a tab, then its phonemes.
static TABLE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../data/readings.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect()
});

/// The reading of a listed word, in any case; letters that an interjection repeats count twice at most.
pub(super) fn look_up(word: &str) -> Option<&'static str> {
    if let Some(reading) = TABLE.get(word) {
        return Some(reading);
    }
    let small = word.to_lowercase();
    TABLE.get(small.as_str()).or_else(|| TABLE.get(drawn_out(&small)?.as_str())).copied()
}

/// A word without the third and later letters of a run: "hmmmm" as "hmm"; `None` if it has no such run.
pub(super) fn drawn_out(word: &str) -> Option<String> {
    let short = with_runs_of(2, word);
    (short.len() < word.len()).then_some(short)
}

/// A word with each letter once: "noo" as "no".
pub(super) fn undoubled(word: &str) -> String {
    with_runs_of(1, word)
}

fn with_runs_of(most: usize, word: &str) -> String {
    let mut short = String::new();
    let mut run = ('\0', 0);
    for c in word.chars() {
        run = if c == run.0 { (c, run.1 + 1) } else { (c, 1) };
        if run.1 <= most {
            short.push(c);
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary;

    #[test]
    fn interjections_and_accents() {
        for (word, expected) in [
            ("hmm", Some("hˈəm")),
            ("Hmmmm", Some("hˈəm")),
            ("SHHHH", Some("ʃː")),
            ("résumé", Some("ɹˈɛzəmˌA")),
            ("resume", None),
        ] {
            assert_eq!(look_up(word), expected, "{word}");
        }
    }

    #[test]
    fn the_list_holds_words_in_the_vocabulary() {
        let known = |reading: &str| {
            !reading.is_empty() && reading.chars().all(|symbol| vocabulary::id(symbol).is_some())
        };
        let wrong: Vec<_> = TABLE.iter().filter(|(_, reading)| !known(reading)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
