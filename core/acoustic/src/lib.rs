//! The acoustic model: tokens in, audio samples out.
//!
//! `prosody` predicts durations, pitch and energy; `vocoder` turns them into samples. Both are
//! built from the layers in `network`, which run on the set of `speech-kernels` that `select`
//! chooses.

mod backend;
pub mod bundle;
mod cache;
mod model;
mod network;
mod prosody;
mod select;
mod silence;
mod small;
mod synthesizer;
#[cfg(test)]
mod tests;
mod vocoder;
mod voice_style;

use std::ops::Range;

use speech_base::cancel::CancelToken;
use speech_base::error::Result;
use speech_base::fair_semaphore::Tenant;
use speech_base::quality::Quality;

pub use backend::{Backend, BackendOptions, KernelSet, Precision};
pub use cache::CachedModel;
pub use model::{Model, ModelOptions};
use network::norms::AverageStatistics;
use network::signal::Signal;
pub use voice_style::{Style, VoiceStyle};

/// The most tokens of one utterance, without the padding token at each end.
pub const MAX_TOKENS: usize = 510;

/// The sample rate of the model, in hertz.
pub const MODEL_RATE: u32 = 24_000;

/// Samples of one duration frame, the unit of predicted durations: 25 ms.
pub const FRAME_SAMPLES: usize = 600;

/// The number of frames by which a token is heard earlier than its predicted frames begin. The
/// model learned this lead from the alignment of its recordings: at 1,400 clear phoneme boundaries
/// in both languages, five voices and three rates, the median is 38 to 53 ms (`research/timing`).
pub(crate) const LEAD_FRAMES: usize = 2;

/// The most frames computed at once where an utterance can be cut: 16 s. Memory grows by about 10
/// MB per second of audio.
pub const MAX_FRAMES: usize = 640;

/// The audio of one utterance.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// Mono samples at [`MODEL_RATE`], about -1 to 1.
    pub samples: Vec<f32>,
    /// The range of samples of each token, in order and without the padding tokens.
    pub tokens: Vec<Range<usize>>,
    /// The sample ranges covered by early chunks, whether or not these were passed on. Empty if
    /// early chunks would have other samples.
    pub early: Vec<Range<usize>>,
}

/// The result of a model for some tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum Spoken {
    /// The audio.
    Utterance(Utterance),
    /// The number of frames needed, which is over the limit.
    TooLong(usize),
}

/// The intermediate results of an utterance, padding tokens included.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The duration of each token, in frames of 25 ms.
    pub durations: Vec<usize>,
    /// The fundamental frequency in hertz, two values per frame.
    pub pitch: Vec<f32>,
    /// The energy, two values per frame.
    pub energy: Vec<f32>,
    /// As in [`Utterance`]; empty if not requested.
    pub samples: Vec<f32>,
}

/// The input of the vocoder: the features over time, in duration frames of 25 ms.
#[derive(Debug)]
struct Features {
    /// The frames of each token, padding tokens included.
    durations: Vec<usize>,
    /// The encoded text, for the vocoder: 512 channels, one time step per frame.
    text: Option<Signal>,
    /// The fundamental frequency in hertz, two values per frame.
    pitch: Vec<f32>,
    /// The energy, two values per frame.
    energy: Vec<f32>,
}

/// Adjustments to the predicted prosody of one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenControl {
    /// The rate; 1 leaves the duration as predicted.
    pub rate: f32,
    /// The token's share of a change of rate, relative to other tokens.
    pub elasticity: f32,
    /// The factor of the pitch.
    pub pitch: f32,
    /// A fixed number of frames, in place of the predicted one.
    pub frames: Option<usize>,
}

impl Default for TokenControl {
    /// The prediction unchanged.
    fn default() -> Self {
        Self { rate: 1.0, elasticity: 1.0, pitch: 1.0, frames: None }
    }
}

/// The parameters of one utterance.
#[derive(Clone, Copy)]
pub struct SynthesisParameters<'a> {
    /// The networks to use, which the model must have: any quality except [`Quality::Auto`].
    pub quality: Quality,
    /// The voice's style for this number of tokens.
    pub style: Style<'a>,
    /// One per token; none leaves the prediction unchanged.
    pub controls: Option<&'a [TokenControl]>,
    /// The voice's average statistics, for early chunks of [`Quality::Full`].
    pub averages: &'a AverageStatistics,
    /// The frame limit of the utterance.
    pub max_frames: usize,
    /// The tenant whose turn this uses.
    pub tenant: Tenant,
    /// Stops the computation between two layers.
    pub cancel: &'a CancelToken,
}

/// An early chunk: a part of the beginning of an utterance, computed before the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlyChunk {
    /// The position in the utterance, in samples: the total length of the silence and the chunks
    /// before this one.
    pub offset: usize,
    /// Equal to the utterance's samples at that position, if [`Utterance::early`] is not empty.
    pub samples: Vec<f32>,
    /// The ranges of all tokens of the utterance, counted from its start.
    pub tokens: Vec<Range<usize>>,
}

/// A model that turns tokens into audio. Thread-safe.
pub trait AcousticModel: Send + Sync {
    /// Speaks 1 to 510 tokens, unless they need more frames than the parameters allow.
    ///
    /// With `on_early_chunk`, the first half second of audio is computed first, and passed on in
    /// chunks before the rest is computed. The small decoder gives the same samples either way. The
    /// large decoder computes the early chunks with the voice's average statistics instead of the
    /// utterance's own, and cross-fades them into the rest. An utterance that is not much longer
    /// than half a second is computed at once, with less of the silence around it.
    ///
    /// # Errors
    ///
    /// `cancelled` shortly after the token is cancelled; `internal` if the inference fails, or for
    /// a quality that the model lacks.
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Spoken>;

    /// The kernels and the precision in use.
    fn backend(&self) -> Backend;

    /// Frees the memory kept from utterance to utterance.
    fn trim(&self);
}

impl Features {
    /// The number of frames.
    fn frames(&self) -> usize {
        self.pitch.len() / 2
    }

    /// Whether the lengths fit an utterance of this many tokens, and all values are finite.
    fn fits(&self, tokens: usize) -> bool {
        let frames =
            self.durations.iter().try_fold(0, |sum: usize, frames| sum.checked_add(*frames));
        let text = self.text.as_ref().map_or(&[][..], |text| &text.values);
        frames.is_some_and(|frames| {
            self.durations.len() == tokens + 2
                && frames > 0
                && self.text.as_ref().is_none_or(|text| text.time_steps() == frames)
                && self.pitch.len() == 2 * frames
                && self.energy.len() == 2 * frames
                && [text, &self.pitch, &self.energy].into_iter().flatten().all(|x| x.is_finite())
        })
    }

    /// The sample range in which each token is heard, without the padding tokens.
    fn token_ranges(&self) -> Vec<Range<usize>> {
        let mut frame = 0;
        let heard = |frame: usize| frame.saturating_sub(LEAD_FRAMES) * FRAME_SAMPLES;
        let ranges = self.durations.iter().map(|frames| {
            let start = frame;
            frame += frames;
            heard(start)..heard(frame)
        });
        ranges.skip(1).take(self.durations.len().saturating_sub(2)).collect()
    }
}
