//! The acoustic model: tokens to sound.
//!
//! `prosody` predicts durations, pitch and energy; `vocoder` makes samples of them. Both are built from the layers in
//! `network`, which run on the set of `speech-kernels` that `select` chooses.

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

/// The tokens that the model can take at once, without those at both ends.
pub const MAX_TOKENS: usize = 510;

/// The sample rate of the model, in hertz.
pub const MODEL_RATE: u32 = 24_000;

/// Samples of one duration frame, the unit of predicted durations: 25 ms.
pub const FRAME_SAMPLES: usize = 600;

/// How many frames earlier a token is heard than its duration has it, as the model learned from the alignment of its recordings: at
/// 1,400 clear edges of sounds in both languages, five voices and three rates 38 to 53 ms in the median (`research/timing`).
pub(crate) const LEAD_FRAMES: usize = 2;

/// The most frames that are computed at once where an utterance can be cut: 16 s. Memory grows with them, by some 10 MB a
/// second.
pub const MAX_FRAMES: usize = 640;

/// The sound of one utterance.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// Mono samples at [`MODEL_RATE`], about -1 to 1.
    pub samples: Vec<f32>,
    /// The range of samples of each token, in order and without the padding tokens.
    pub tokens: Vec<Range<usize>>,
    /// The samples that are those of early chunks, whether these were passed on or not. None where early chunks would be others.
    pub early: Vec<Range<usize>>,
}

/// What a model makes of tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum Spoken {
    /// Its sound.
    Utterance(Utterance),
    /// They would take so many frames, which are more than were allowed.
    TooLong(usize),
}

/// What is computed of an utterance, padding tokens included.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Frames of 25 ms that each token takes.
    pub durations: Vec<usize>,
    /// The fundamental frequency in hertz: two values a frame.
    pub pitch: Vec<f32>,
    /// Two values a frame.
    pub energy: Vec<f32>,
    /// As in [`Utterance`], or none.
    pub samples: Vec<f32>,
}

/// The input of the vocoder: the features of a text over time, in duration frames of 25 ms.
#[derive(Debug)]
struct Features {
    /// Frames of each token, padding tokens included.
    durations: Vec<usize>,
    /// The encoded text, for the vocoder: 512 channels, one time step a frame.
    text: Option<Signal>,
    /// The fundamental frequency in hertz: two values a frame.
    pitch: Vec<f32>,
    /// Two values a frame.
    energy: Vec<f32>,
}

/// How a token is to be said, where that is not as the model predicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenControl {
    /// The speed; 1 is as predicted.
    pub rate: f32,
    /// How much more than others the token bears of a change of speed.
    pub elasticity: f32,
    /// The factor of the pitch.
    pub pitch: f32,
    /// The frames that it takes, whatever is predicted.
    pub frames: Option<usize>,
}

impl Default for TokenControl {
    /// As the model predicts.
    fn default() -> Self {
        Self { rate: 1.0, elasticity: 1.0, pitch: 1.0, frames: None }
    }
}

/// How an utterance is to be spoken.
#[derive(Clone, Copy)]
pub struct SynthesisParameters<'a> {
    /// The networks that compute it, which the model has: any but [`Quality::Auto`].
    pub quality: Quality,
    /// The style of the voice for this number of tokens.
    pub style: Style<'a>,
    /// One for each token; without them, all is as the model predicts.
    pub controls: Option<&'a [TokenControl]>,
    /// The average statistics of the voice, for early chunks of [`Quality::Full`].
    pub averages: &'a AverageStatistics,
    /// The most frames that the utterance may have.
    pub max_frames: usize,
    /// For whom, where others wait for their turn too.
    pub tenant: Tenant,
    /// Stops the computation between two layers.
    pub cancel: &'a CancelToken,
}

/// A chunk of the beginning of an utterance, computed before the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlyChunk {
    /// The position in the utterance: samples of silence and of earlier chunks before this one.
    pub offset: usize,
    /// Equal to the samples that the utterance will have there.
    pub samples: Vec<f32>,
    /// As in [`Utterance`].
    pub tokens: Vec<Range<usize>>,
}

/// A model that turns tokens into sound. One may serve many threads.
pub trait AcousticModel: Send + Sync {
    /// Speaks 1 to 510 tokens, unless they take more frames than the parameters allow.
    ///
    /// With `on_early_chunk`, the first half second of sound is computed first, and passed on in chunks before the rest is computed.
    /// The small decoder gives the same samples as without it. The large one takes the voice's average statistics in place of the
    /// utterance's own for them, and they are cross-faded into the rest; an utterance that is not much longer than that is
    /// computed with less of the silence around it.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled; `internal` if the inference fails, or for a quality that the model lacks.
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Spoken>;

    /// What it computes with.
    fn backend(&self) -> Backend;

    /// Returns the memory to the system that is kept from utterance to utterance.
    fn trim(&self);
}

impl Features {
    /// How many frames there are.
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

    /// The range of samples in which each token is heard, without the padding tokens.
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
