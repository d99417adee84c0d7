//! The choice between the readings of one place: `1/4` is a date, a fraction, one of four or a score.
//!
//! The first recognizer that finds something proposes a reading; those that contest it propose others. Each is scored by a
//! linear model over what stands around it (`features.rs`), whose weights are learned from labelled texts
//! (`research/choice`), as rerankers of semiotic classes are: Sproat et al., "Normalization of non-standard words",
//! Computer Speech & Language 15 (2001). The order of the recognizers is one feature among others.

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

/// A way to read a place.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) kind: Kind,
    /// Bytes that it takes, and their value; `None` for a plain word or symbol.
    pub(crate) value: Option<(usize, SemioticClass)>,
}

impl Candidate {
    pub(crate) fn new(value: Option<(usize, SemioticClass)>) -> Self {
        Self { kind: Kind::of(value.as_ref().map(|(_, value)| value)), value }
    }
}

/// A place that could be read in several ways.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The first byte of it in the caller's text.
    pub start: usize,
    /// The number of the candidate that was taken.
    pub taken: usize,
    /// What could be read there.
    pub candidates: Vec<Scored>,
}

/// A reading that could be taken.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The kind of reading.
    pub kind: Kind,
    /// The byte after it in the caller's text.
    pub end: usize,
    /// The words that it says.
    pub said: String,
    /// The higher, the likelier: a difference of 1 is odds of e to 1.
    pub score: f32,
    /// What was found around it; empty unless asked for.
    pub features: Vec<String>,
}

/// The scores of the candidates, in their order.
pub(crate) fn score(context: &MatchContext<'_>, candidates: &[Candidate]) -> Vec<f32> {
    let weights = context.locale.choice_weights;
    let features = Features::new(context);
    let score = |(i, candidate): (usize, &Candidate)| {
        let mut sum = 0.0;
        features.of(candidate, i == 0, |name| sum += weights().get(candidate.kind, name));
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
