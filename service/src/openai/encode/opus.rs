//! Opus in Ogg, streamed.

use speech_core::Error;
use speech_encode::{OggOpus, OpusPackets};

use super::{Encoder, failed};

const BITS_PER_SECOND: i32 = 48_000;

/// Bytes of a page: five packets or so, so that a listener does not wait for more than a tenth of a
/// second of sound.
const PAGE: usize = 500;

pub(crate) struct Opus {
    packets: OpusPackets,
    /// None once the stream has ended.
    ogg: Option<OggOpus<Vec<u8>>>,
    samples: u64,
}

impl Opus {
    /// Of samples at one of [`OPUS_RATES`](speech_encode::OPUS_RATES).
    pub(crate) fn new(rate: u32) -> Result<Self, Error> {
        let packets = OpusPackets::new(rate, BITS_PER_SECOND).map_err(failed)?;
        let mut ogg = OggOpus::new(Vec::new(), &packets, &[]).map_err(failed)?;
        ogg.set_page_size(PAGE);
        Ok(Self { packets, ogg: Some(ogg), samples: 0 })
    }
}

impl Encoder for Opus {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        let Some(ogg) = &mut self.ogg else { return Ok(Vec::new()) };
        self.samples += samples.len() as u64;
        let packets = self.packets.encode(samples).map_err(failed)?;
        ogg.write(&packets).map_err(failed)?;
        Ok(ogg.get_mut().map(std::mem::take).unwrap_or_default())
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        let Some(ogg) = self.ogg.take() else { return Ok(Vec::new()) };
        let packets = self.packets.finish().map_err(failed)?;
        ogg.finish(&packets, self.samples).map_err(failed)
    }
}
