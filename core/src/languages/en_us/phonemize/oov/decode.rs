//! From the scores of the labels to the phonemes of a word.

use std::collections::HashSet;

use ndarray::{Array2, ArrayView1};

use super::ngrams::{END, Ngrams, ORDER, START, graphone};

const VOWELS: &str = "AIOWYiuɑæɔəɛɜɪʊʌᵊᵻ";
const PRIMARY_STRESS: char = 'ˈ';

/// The share of the n-grams in the score of a label, beside the network.
const SHARE: f64 = 0.2;
/// Labels that are tried for a letter, how much less likely than certain they may be, and readings that are
/// kept.
const TRIED: usize = 4;
const LEAST: f64 = -7.0;
const BEAM: usize = 8;

/// What a letter may say.
pub(super) struct Labels {
    pub(super) sounds: Vec<&'static str>,
    stressed: Vec<bool>,
    /// The first label with the same sounds.
    canonical: Vec<usize>,
}

/// A beginning of a word, read.
struct Reading {
    score: f64,
    history: [u16; ORDER - 1],
    labels: Vec<usize>,
    stressed: bool,
}

impl Labels {
    pub(super) fn new(sounds: Vec<&'static str>) -> Self {
        let first = |label: &&str| sounds.iter().position(|other| other == label);
        let canonical = sounds.iter().filter_map(first).collect();
        let stressed = sounds.iter().map(|sounds| sounds.contains(PRIMARY_STRESS)).collect();
        Self { sounds, stressed, canonical }
    }

    /// The best reading with one primary stress; if there is none, or without a vowel, the likeliest labels.
    ///
    /// `letters` are those of the word, from 1, and `scores` has a row for each.
    pub(super) fn phonemes(
        &self,
        letters: &[usize],
        scores: &Array2<f32>,
        ngrams: &Ngrams,
    ) -> String {
        let rows = || scores.rows().into_iter();
        let likeliest: Vec<usize> = rows().map(|row| largest(row, |_| true).0).collect();
        let free = self.text(&likeliest);
        if letters.is_empty() || !free.is_empty() && !free.contains(|c| VOWELS.contains(c)) {
            return free;
        }
        match self.search(letters, scores, ngrams) {
            Some(labels) => self.text(&labels),
            None => self.text(&self.with_one_stress(scores)),
        }
    }

    fn search(
        &self,
        letters: &[usize],
        scores: &Array2<f32>,
        ngrams: &Ngrams,
    ) -> Option<Vec<usize>> {
        let start = Reading {
            score: 0.0,
            history: [START; ORDER - 1],
            labels: Vec::new(),
            stressed: false,
        };
        let mut beam = vec![start];
        for (letter, row) in letters.iter().zip(scores.rows()) {
            let tried = likely(row);
            let grown = beam.iter().flat_map(|reading| {
                let fits = |label: usize| !(reading.stressed && self.stressed[label]);
                let tried = tried.iter().filter(move |(label, _)| fits(*label));
                tried.map(|(label, log)| self.grown(reading, *letter, *label, *log, ngrams))
            });
            beam = best(grown.collect());
        }
        let ends = beam.into_iter().filter(|reading| reading.stressed).map(|reading| {
            (reading.score + SHARE * ngrams.log(reading.history, END), reading.labels)
        });
        // Of several as good the first, as in Python.
        ends.reduce(|best, end| if end.0 > best.0 { end } else { best }).map(|(_, labels)| labels)
    }

    fn grown(
        &self,
        reading: &Reading,
        letter: usize,
        label: usize,
        log: f64,
        ngrams: &Ngrams,
    ) -> Reading {
        let last = graphone(letter, self.canonical[label]);
        let [_, second, third] = reading.history;
        let mut labels = reading.labels.clone();
        labels.push(label);
        Reading {
            score: reading.score + log + SHARE * ngrams.log(reading.history, last),
            history: [second, third, last],
            labels,
            stressed: reading.stressed || self.stressed[label],
        }
    }

    /// The likeliest labels with the primary stress where it costs least.
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

/// The readings to go on with: the best of those that go on alike.
fn best(mut readings: Vec<Reading>) -> Vec<Reading> {
    readings.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut seen = HashSet::new();
    readings.retain(|reading| seen.insert((reading.history, reading.stressed)));
    readings.truncate(BEAM);
    readings
}

/// The likeliest labels of a letter, with the logarithms of their chances.
fn likely(row: ArrayView1<f32>) -> Vec<(usize, f64)> {
    let highest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let above = |score: f32| f64::from(score) - f64::from(highest);
    let total: f64 = row.iter().map(|score| above(*score).exp()).sum();
    let mut logs: Vec<_> =
        row.iter().enumerate().map(|(label, score)| (label, above(*score) - total.ln())).collect();
    logs.sort_by(|a, b| b.1.total_cmp(&a.1));
    logs.truncate(TRIED);
    let fits = |(i, (_, log)): &(usize, (usize, f64))| *i == 0 || *log >= LEAST;
    logs.into_iter().enumerate().filter(fits).map(|(_, likely)| likely).collect()
}

/// The label of the largest score among those allowed, and the score.
fn largest(row: ArrayView1<f32>, allowed: impl Fn(usize) -> bool) -> (usize, f32) {
    let scores = row.iter().copied().enumerate().filter(|(label, _)| allowed(*label));
    scores.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are labels with and without stress")
}
