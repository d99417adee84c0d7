//! FLAC (RFC 9639), streamed: its header lacks the number of samples and their MD5.

use speech_core::Error;
use speech_encode::FlacFrames;

use super::{Encoder, failed};

/// The samples of a frame, a twentieth of a second. If a player drops the last frame of a stream,
/// it drops silence.
const BLOCK: usize = 1152;

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
        // A frame cannot be shorter: this adds at most a millisecond of silence.
        rest.resize(rest.len().max(MIN_BLOCK_SIZE), 0);
        self.frame(&rest)
    }
}
