//! Tokens to sound: the acoustic model.

mod fair_semaphore;
mod kernels;
mod model;
mod network;
mod prosody;
mod select;
mod synthesizer;
#[cfg(test)]
mod tests;
mod vocoder;

pub(crate) use model::{EARLY_PIECES, Model, ModelOptions};
pub(crate) use network::layers::floats;
pub(crate) use network::norms::Averages;
use network::signal::Signal;
pub(crate) use select::BackendOptions;
pub use select::{Backend, KernelSet, Precision};

use std::ops::Range;

use crate::Result;
use crate::cancel::CancelToken;

/// Samples a second of what the model speaks, in hertz.
pub(crate) const MODEL_RATE: u32 = 24_000;

/// Samples of one duration frame: 25 ms.
pub(crate) const FRAME_SAMPLES: usize = 600;

/// The numbers of one style vector: the first half sets the timbre, the second the prosody.
pub(crate) const STYLE_SIZE: usize = 256;

/// What the model made of one utterance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Utterance {
    /// Mono samples at [`MODEL_RATE`], about -1 to 1.
    pub(crate) samples: Vec<f32>,
    /// For each token, in order and without the pads, the range of samples it takes.
    pub(crate) tokens: Vec<Range<usize>>,
}

/// What the vocoder makes sound of: a text's features over time, in frames of 25 ms.
#[derive(Debug)]
struct Features {
    /// Frames of each token, pads included.
    durations: Vec<usize>,
    /// Of the text: 512 numbers a frame.
    text: Signal,
    /// The fundamental frequency in hertz, twice a frame.
    pitch: Vec<f32>,
    /// Twice a frame.
    energy: Vec<f32>,
}

/// How one utterance is to be spoken.
#[derive(Clone, Copy)]
pub(crate) struct SynthesisParameters<'a> {
    /// 256 numbers.
    pub(crate) style: &'a [f32],
    /// The statistics that the voice has on average.
    pub(crate) averages: &'a Averages,
    pub(crate) cancel: &'a CancelToken,
}

/// A piece of the beginning of an utterance, made before the whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EarlyChunk {
    /// Samples before the first of these: silence, and the pieces before.
    pub(crate) offset: usize,
    /// As the utterance will have them in their place.
    pub(crate) samples: Vec<f32>,
    /// As in [`Utterance`].
    pub(crate) tokens: Vec<Range<usize>>,
}

/// A model that speaks tokens. One may serve many threads.
pub(crate) trait AcousticModel: Send + Sync {
    /// Speaks 1 to 510 tokens.
    ///
    /// With `begin`, the first half second of sound is made of the voice's average statistics, given to it in pieces before
    /// the rest is computed, and crossfaded into the rest. An utterance that is not much longer than that is spoken
    /// as it is without.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled; `internal` if the inference fails.
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        begin: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Utterance>;

    /// What it computes with.
    fn backend(&self) -> Backend;
}

impl Features {
    /// Whether all of them belong to one utterance of this many tokens.
    fn fits(&self, tokens: usize) -> bool {
        let frames =
            self.durations.iter().try_fold(0, |sum: usize, frames| sum.checked_add(*frames));
        let finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
        frames.is_some_and(|frames| {
            self.durations.len() == tokens + 2
                && frames > 0
                && self.text.rows() == frames
                && self.pitch.len() == 2 * frames
                && self.energy.len() == 2 * frames
                && [&*self.text.values, &self.pitch, &self.energy].into_iter().all(finite)
        })
    }

    /// The range of samples of each token, without the pads.
    fn tokens(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let ranges = self.durations.iter().map(|frames| {
            let start = at;
            at += frames * FRAME_SAMPLES;
            start..at
        });
        ranges.skip(1).take(self.durations.len().saturating_sub(2)).collect()
    }
}
