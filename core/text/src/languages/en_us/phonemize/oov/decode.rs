//! Beam search: converts label scores for each letter to the phonemes of a word.

use std::collections::HashSet;

use ndarray::{Array2, ArrayView1};

use super::ngrams::{END, Ngrams, ORDER, START, graphone};

const VOWELS: &str = "AIOWYiuɑæɔəɛɜɪʊʌᵊᵻ";
const PRIMARY_STRESS: char = 'ˈ';

/// The weight of the n-gram model in the score of a label.
const NGRAM_WEIGHT: f64 = 0.2;
/// Maximum labels to try for a letter.
const CANDIDATES: usize = 4;
/// Minimum log probability of a candidate after the first.
const MIN_LOG_PROBABILITY: f64 = -7.0;
/// Maximum hypotheses to keep.
const BEAM_WIDTH: usize = 8;

/// The labels of letters: phoneme sequences.
pub(super) struct Labels {
    pub(super) sounds: Vec<&'static str>,
    stressed: Vec<bool>,
    /// For each label, the first label with identical sounds.
    canonical: Vec<usize>,
    ngrams: Ngrams,
}

/// A hypothesis for the labels of a prefix of a word.
struct Hypothesis {
    score: f64,
    history: [u16; ORDER - 1],
    labels: Vec<usize>,
    stressed: bool,
}

impl Labels {
    pub(super) fn new(sounds: Vec<&'static str>, ngrams: Ngrams) -> Self {
        let first = |label: &&str| sounds.iter().position(|other| other == label);
        let canonical = sounds.iter().filter_map(first).collect();
        let stressed = sounds.iter().map(|sounds| sounds.contains(PRIMARY_STRESS)).collect();
        Self { sounds, stressed, canonical, ngrams }
    }

    /// The phonemes of the best hypothesis with exactly one primary stress. If the search finds
    /// none, those of [`Self::with_one_stress`]. If the likeliest labels have sounds but no vowel,
    /// theirs.
    ///
    /// `letters` are letter ids from 1, and `scores` has a row for each.
    pub(super) fn phonemes(&self, letters: &[usize], scores: &Array2<f32>) -> String {
        let rows = || scores.rows().into_iter();
        let likeliest: Vec<usize> = rows().map(|row| largest(row, |_| true).0).collect();
        let unconstrained = self.text(&likeliest);
        if letters.is_empty()
            || !unconstrained.is_empty() && !unconstrained.contains(|c| VOWELS.contains(c))
        {
            return unconstrained;
        }
        match self.search(letters, scores) {
            Some(labels) => self.text(&labels),
            None => self.text(&self.with_one_stress(scores)),
        }
    }

    fn search(&self, letters: &[usize], scores: &Array2<f32>) -> Option<Vec<usize>> {
        let start = Hypothesis {
            score: 0.0,
            history: [START; ORDER - 1],
            labels: Vec::new(),
            stressed: false,
        };
        let mut beam = vec![start];
        for (letter, row) in letters.iter().zip(scores.rows()) {
            let tried = likely(row);
            let extended = beam.iter().flat_map(|reading| {
                let fits = |label: usize| !(reading.stressed && self.stressed[label]);
                let tried = tried.iter().filter(move |(label, _)| fits(*label));
                tried.map(|(label, log)| self.extended(reading, *letter, *label, *log))
            });
            beam = best(extended.collect());
        }
        let ends = beam.into_iter().filter(|reading| reading.stressed).map(|reading| {
            let log = self.ngrams.log(reading.history, END);
            (reading.score + NGRAM_WEIGHT * log, reading.labels)
        });
        // The first of equal scores wins, as in the Python original.
        ends.reduce(|best, end| if end.0 > best.0 { end } else { best }).map(|(_, labels)| labels)
    }

    fn extended(&self, reading: &Hypothesis, letter: usize, label: usize, log: f64) -> Hypothesis {
        let last = graphone(letter, self.canonical[label]);
        let [_, second, third] = reading.history;
        let mut labels = reading.labels.clone();
        labels.push(label);
        Hypothesis {
            score: reading.score + log + NGRAM_WEIGHT * self.ngrams.log(reading.history, last),
            history: [second, third, last],
            labels,
            stressed: reading.stressed || self.stressed[label],
        }
    }

    /// The likeliest labels with exactly one primary stress: it is at the letter where it is best
    /// for the total score.
    fn with_one_stress(&self, scores: &Array2<f32>) -> Vec<usize> {
        let options: Vec<_> = scores
            .rows()
            .into_iter()
            .map(|row| {
                let (plain, low) = largest(row, |label| !self.stressed[label]);
                let (marked, high) = largest(row, |label| self.stressed[label]);
                (plain, marked, high - low)
            })
            .collect();
        let gains = options.iter().enumerate().map(|(at, (_, _, gain))| (at, *gain));
        let place = gains.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at);
        let chosen = options.iter().enumerate();
        chosen
            .map(|(at, (plain, marked, _))| if Some(at) == place { *marked } else { *plain })
            .collect()
    }

    fn text(&self, labels: &[usize]) -> String {
        labels.iter().map(|label| self.sounds[*label]).collect()
    }
}

/// The best hypotheses, one for each history and stress: those with the same continue alike.
fn best(mut hypotheses: Vec<Hypothesis>) -> Vec<Hypothesis> {
    hypotheses.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut seen = HashSet::new();
    hypotheses.retain(|reading| seen.insert((reading.history, reading.stressed)));
    hypotheses.truncate(BEAM_WIDTH);
    hypotheses
}

/// The likeliest labels of a letter, with their log probabilities.
fn likely(row: ArrayView1<f32>) -> Vec<(usize, f64)> {
    let highest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let above = |score: f32| f64::from(score) - f64::from(highest);
    let total: f64 = row.iter().map(|score| above(*score).exp()).sum();
    let mut logs: Vec<_> =
        row.iter().enumerate().map(|(label, score)| (label, above(*score) - total.ln())).collect();
    logs.sort_by(|a, b| b.1.total_cmp(&a.1));
    logs.truncate(CANDIDATES);
    let fits = |(i, (_, log)): &(usize, (usize, f64))| *i == 0 || *log >= MIN_LOG_PROBABILITY;
    logs.into_iter().enumerate().filter(fits).map(|(_, likely)| likely).collect()
}

/// The allowed label with the largest score, and the score.
fn largest(row: ArrayView1<f32>, allowed: impl Fn(usize) -> bool) -> (usize, f32) {
    let scores = row.iter().copied().enumerate().filter(|(label, _)| allowed(*label));
    scores.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are labels with and without stress")
}
