//! Streaming encoders.

mod flac;
mod opus;
mod wav;

use speech_core::{Chunk, Diagnostic, Error, ErrorKind};
pub(crate) use speech_encode::OPUS_RATES;

pub(crate) use self::flac::Flac;
pub(crate) use self::opus::Opus;
pub(crate) use self::wav::{Pcm, Wav};
use crate::delivery::Delivery;

/// The default sample rate of OpenAI's routes, in hertz: that of the model.
pub(crate) const RATE: u32 = 24_000;

/// Encodes samples.
pub(crate) trait Encoder: Send {
    /// Adds samples, and returns the bytes that are complete.
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error>;

    /// Returns the rest.
    fn finish(&mut self) -> Result<Vec<u8>, Error>;
}

/// Audio, encoded as it comes.
pub(crate) struct Encoded(pub(crate) Box<dyn Encoder>);

impl Delivery for Encoded {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        self.0.push(chunk.samples()).map(Some)
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        self.0.finish().map(Some)
    }
}

/// The error of an encoder. Its input always has one rate, so the fault is ours.
fn failed(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, format!("the sound cannot be encoded: {error}"))
}
