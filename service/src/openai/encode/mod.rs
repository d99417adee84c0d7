//! Encoders that take sound as it comes.

mod flac;
mod opus;
mod wav;

use speech_core::{Chunk, Diagnostic, Error, ErrorKind};
pub(crate) use speech_encode::OPUS_RATES;

pub(crate) use self::flac::Flac;
pub(crate) use self::opus::Opus;
pub(crate) use self::wav::{Pcm, Wav};
use crate::delivery::Delivery;

/// The sample rate of OpenAI's routes, if a request names no other, in hertz: that of the model.
pub(crate) const RATE: u32 = 24_000;

/// Encodes samples.
pub(crate) trait Encoder: Send {
    /// Adds samples, and gives the bytes that are now known.
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error>;

    /// Gives the rest.
    fn finish(&mut self) -> Result<Vec<u8>, Error>;
}

/// Sound, encoded as it comes.
pub(crate) struct Encoded(pub(crate) Box<dyn Encoder>);

impl Delivery for Encoded {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        self.0.push(chunk.samples()).map(Some)
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        self.0.finish().map(Some)
    }
}

/// An encoder that failed: its input is always sound of one rate, so this is our fault.
fn failed(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, format!("the sound cannot be encoded: {error}"))
}
