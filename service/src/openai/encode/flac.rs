//! FLAC, streamed: its header has neither the number of samples nor their MD5.

use speech_core::Error;
use speech_encode::FlacFrames;

use super::{Encoder, failed};

/// Samples of a frame: a twentieth of a second. A player that drops the last frame of a stream then
/// drops silence.
const FRAME: usize = 1152;

/// The fewest samples of a frame (RFC 9639, section 8.2), except the last. A stream does not say
/// which frame is its last, so the last has them too.
const LEAST: usize = 16;

pub(crate) struct Flac {
    frames: FlacFrames,
    begun: bool,
}

impl Flac {
    pub(crate) fn new(rate: u32) -> Result<Self, Error> {
        let frames = FlacFrames::new(rate, FRAME).map_err(failed)?;
        Ok(Self { frames, begun: false })
    }
}

impl Encoder for Flac {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        let mut encoded =
            if self.begun { Vec::new() } else { self.frames.header().map_err(failed)? };
        self.begun = true;
        encoded.extend(self.frames.encode(samples).map_err(failed)?.concat());
        Ok(encoded)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        if self.frames.pending() > 0 {
            let silence = vec![0; LEAST.saturating_sub(self.frames.pending())];
            self.frames.encode(&silence).map_err(failed)?;
        }
        self.frames.finish().map(Option::unwrap_or_default).map_err(failed)
    }
}
