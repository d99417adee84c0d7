//! Phrases: words with a special reading beside each other (Stephen Curry, sine die).
//!
//! `phrases.tsv` specifies its format.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::inflection;
use crate::phonemize::RunToken;

/// Phrases by their first word in lower case, the longest first.
static TABLE: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut table: HashMap<String, Vec<Phrase>> = HashMap::new();
    for (words, readings) in rows() {
        let phrase =
            Phrase { words: words.split(' ').collect(), readings: readings.split(' ').collect() };
        table.entry(phrase.words[0].to_lowercase()).or_default().push(phrase);
    }
    for phrases in table.values_mut() {
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
    }
    table
});

/// Replaces the phonemes of a word with its usual reading.
const AS_ELSEWHERE: &str = "-";

struct Phrase {
    words: Vec<&'static str>,
    readings: Vec<&'static str>,
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../data/phrases.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

impl Phrase {
    /// The possessive ending of the last word, if `tokens` begins with the phrase.
    fn ending<'a>(&self, tokens: &[RunToken<'a>]) -> Option<&'a str> {
        let last = self.words.len() - 1;
        let mut ending = "";
        for (at, word) in self.words.iter().enumerate() {
            let RunToken::Word(mut text) = *tokens.get(at)? else { return None };
            if at == last
                && let Some(stem) = text.strip_suffix("'s")
            {
                (text, ending) = (stem, "'s");
            }
            if *word != text && *word != text.to_lowercase() {
                return None;
            }
        }
        Some(ending)
    }
}

/// The phonemes of each token in a phrase.
pub(super) fn readings(tokens: &[RunToken<'_>]) -> Vec<Option<String>> {
    let mut readings = vec![None; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let RunToken::Word(first) = rest[0] else {
            at += 1;
            continue;
        };
        let phrases = TABLE.get(first.to_lowercase().as_str()).into_iter().flatten();
        let found = phrases.filter_map(|phrase| Some((phrase, phrase.ending(rest)?))).next();
        let Some((phrase, ending)) = found else {
            at += 1;
            continue;
        };
        let last = phrase.words.len() - 1;
        for (i, reading) in phrase.readings.iter().enumerate() {
            if *reading == AS_ELSEWHERE {
                continue;
            }
            let reading = (*reading).to_owned();
            let is_possessive = i == last && !ending.is_empty();
            readings[at + i] =
                Some(if is_possessive { inflection::with_s(reading) } else { reading });
        }
        at += phrase.words.len();
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary;

    #[test]
    fn every_row_reads_each_of_its_words() {
        let fault = |words: &str, readings: &str| {
            let readings: Vec<_> = readings.split(' ').collect();
            let is_known = |reading: &&str| {
                *reading == AS_ELSEWHERE
                    || !reading.is_empty() && reading.chars().all(|c| vocabulary::id(c).is_some())
            };
            words.split(' ').count() < 2
                || words.split(' ').count() != readings.len()
                || !readings.iter().all(is_known)
        };
        let faults: Vec<_> = rows().filter(|(words, readings)| fault(words, readings)).collect();
        assert!(faults.is_empty(), "{faults:?}");

        let disordered: Vec<_> = rows().zip(rows().skip(1)).filter(|(a, b)| a.0 >= b.0).collect();
        assert!(disordered.is_empty(), "{disordered:?}");
    }

    crate::row_tests::rows! {
        phrases_in_their_sentence: |[text]| {
            let tokens: Vec<_> = text.split(' ').map(RunToken::Word).collect();
            let readings = readings(&tokens).into_iter().map(Option::unwrap_or_default);
            readings.collect::<Vec<_>>().join("|")
        };
    }
}
