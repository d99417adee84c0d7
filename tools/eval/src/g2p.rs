//! The error rates of pronunciations for words outside the lexicon.

use std::fmt;

use speech_text::languages::en_us;

/// Words with their pronunciations, separated by spaces.
const WORDS: &str = include_str!("../../../research/g2p/heldout.tsv");
const NAMES: &str = include_str!("../../../research/g2p/heldout_names.tsv");

/// The errors on words of which the model saw neither the word nor its stem in training.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    words: usize,
    wrong_words: usize,
    segments: Count,
    stressed: Count,
}

/// The number of inserted, deleted or substituted symbols, and the number of symbols.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    errors: usize,
    symbols: usize,
}

impl Count {
    fn add(&mut self, got: &[char], expected: &[char]) {
        self.errors += distance(got, expected);
        self.symbols += expected.len();
    }

    fn rate(self) -> f64 {
        self.errors as f64 / self.symbols as f64
    }
}

impl Errors {
    /// Errors per phoneme of the reference, without stress marks: 0 or more.
    pub fn phoneme_error_rate(&self) -> f64 {
        self.segments.rate()
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {} words: phoneme error rate {:.2}%, with stress marks {:.2}%, words with an error {:.1}%",
            self.words,
            100.0 * self.segments.rate(),
            100.0 * self.stressed.rate(),
            100.0 * self.wrong_words as f64 / self.words as f64
        )
    }
}

/// Scores the model alone on the held-out words; of several pronunciations the nearest counts.
pub fn score_words() -> Errors {
    score(WORDS)
}

/// Scores the model alone on the held-out names.
pub fn score_names() -> Errors {
    score(NAMES)
}

fn score(table: &str) -> Errors {
    let mut errors = Errors::default();
    for (word, readings) in table.lines().filter_map(|line| line.split_once('\t')) {
        let got: Vec<char> = en_us::phonemize::oov::read(word).chars().collect();
        let got_segments = segments(&got);
        let references = readings.split(' ').map(|reference| reference.chars().collect::<Vec<_>>());
        let nearest = references
            .min_by_key(|reference| distance(&got_segments, &segments(reference)))
            .expect("a split has a part");
        errors.words += 1;
        errors.wrong_words += usize::from(got_segments != segments(&nearest));
        errors.segments.add(&got_segments, &segments(&nearest));
        errors.stressed.add(&got, &nearest);
    }
    errors
}

fn segments(symbols: &[char]) -> Vec<char> {
    symbols.iter().copied().filter(|c| !matches!(c, 'ˈ' | 'ˌ')).collect()
}

/// The Levenshtein distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| {
            distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!((d("", ""), d("abc", ""), d("kitten", "sitting"), d("ab", "ba")), (0, 3, 3, 2));
    }
}
