//! Chooses between the readings of a position: `1/4` is a date, a fraction, one out of four, or a
//! score.
//!
//! The first recognizer that matches proposes a reading, and recognizers that contest it propose
//! others. A linear model scores each reading by its context (`features.rs`). Its weights are
//! learned from labeled texts (`research/choice`), as in Sproat et al., "Normalization of
//! non-standard words", Computer Speech & Language 15 (2001). The recognizer order is one of the
//! features.

mod features;
mod kind;
pub(crate) mod proposals;
mod weights;

pub(crate) use self::features::{ContextClass, ContextClasses};
pub(crate) use self::kind::Kind;
pub(crate) use self::weights::Weights;

use self::features::Features;
use super::recognizer::MatchContext;
use super::semiotic::SemioticClass;

/// A possible reading of a position.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) kind: Kind,
    /// The matched length in bytes and the value; `None` for a plain word or symbol.
    pub(crate) value: Option<(usize, SemioticClass)>,
}

impl Candidate {
    pub(crate) fn new(value: Option<(usize, SemioticClass)>) -> Self {
        Self { kind: Kind::of(value.as_ref().map(|(_, value)| value)), value }
    }
}

/// A position with several readings.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its first byte in the caller's text.
    pub start: usize,
    /// The index of the chosen candidate.
    pub taken: usize,
    /// The candidates.
    pub candidates: Vec<Scored>,
}

/// A candidate with its score.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The kind of the reading.
    pub kind: Kind,
    /// The byte after its end in the caller's text.
    pub end: usize,
    /// Its words.
    pub said: String,
    /// A log-linear score. A difference of 1 means odds of e to 1.
    pub score: f32,
    /// Its features; empty unless requested.
    pub features: Vec<String>,
}

/// The scores of the candidates, in the same order.
pub(crate) fn score(context: &MatchContext<'_>, candidates: &[Candidate]) -> Vec<f32> {
    let weights = context.locale.choice_weights();
    let features = Features::new(context);
    let score = |(i, candidate): (usize, &Candidate)| {
        let mut sum = 0.0;
        features.of(candidate, i == 0, |name| sum += weights.get(candidate.kind, name));
        sum
    };
    candidates.iter().enumerate().map(score).collect()
}

/// The names of the features of the candidates, for training.
pub(crate) fn features(context: &MatchContext<'_>, candidates: &[Candidate]) -> Vec<Vec<String>> {
    let features = Features::new(context);
    let of = |(i, candidate): (usize, &Candidate)| {
        let mut names = Vec::new();
        features.of(candidate, i == 0, |name| names.push(name.to_owned()));
        names
    };
    candidates.iter().enumerate().map(of).collect()
}
