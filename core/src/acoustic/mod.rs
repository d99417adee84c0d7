//! Tokens to sound: the acoustic model.

mod onnx;
mod weights;

pub(crate) use onnx::{OnnxModel, OnnxOptions};
pub(crate) use weights::floats;

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
    pub(crate) tokens: Vec<std::ops::Range<usize>>,
}

/// A model that speaks tokens. One may serve many threads.
pub(crate) trait AcousticModel: Send + Sync {
    /// Speaks 1 to 510 tokens in a style of 256 numbers.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled; `internal` if the inference fails.
    fn speak(&self, tokens: &[i64], style: &[f32], cancel: &CancelToken) -> Result<Utterance>;
}
