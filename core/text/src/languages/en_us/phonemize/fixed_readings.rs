//! A list of fixed readings: interjections, and words that only an accent tells from others (résumé).

use std::collections::HashMap;

use speech_base::fork::LazyLock;

/// Rows of `readings.tsv`: the word, a tab, and its phonemes.
static TABLE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../data/readings.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect()
});

/// The phonemes of a listed word, in any case. Lengthened interjections match too: "hmmmm".
pub(super) fn look_up(word: &str) -> Option<&'static str> {
    if let Some(reading) = TABLE.get(word) {
        return Some(reading);
    }
    let lower = word.to_lowercase();
    TABLE.get(lower.as_str()).or_else(|| TABLE.get(without_lengthening(&lower)?.as_str())).copied()
}

/// A word with at most two of each repeated letter: "hmmmm" as "hmm"; `None` if it has no more.
pub(super) fn without_lengthening(word: &str) -> Option<String> {
    let short = with_max_run(2, word);
    (short.len() < word.len()).then_some(short)
}

/// A word without repeated letters: "noo" as "no".
pub(super) fn without_repeats(word: &str) -> String {
    with_max_run(1, word)
}

fn with_max_run(max: usize, word: &str) -> String {
    let mut short = String::new();
    let mut run = ('\0', 0);
    for c in word.chars() {
        run = if c == run.0 { (c, run.1 + 1) } else { (c, 1) };
        if run.1 <= max {
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
