//! Opus in Ogg, streamed.

use speech_core::Error;
use speech_encode::{OggOpus, OpusPackets};

use super::{Encoder, failed};

/// The sample rates of the encoder that the library supports too, in hertz.
pub(crate) const OPUS_RATES: [u32; 4] = [8_000, 16_000, 24_000, 48_000];

/// Ogg counts time at this rate, in hertz.
const GRANULE_RATE: u32 = 48_000;

const BITS_PER_SECOND: i32 = 48_000;

/// The bytes of a page: about five packets, so a listener waits for at most a tenth of a second of
/// audio.
const PAGE: usize = 500;

pub(crate) struct Opus {
    rate: u32,
    encoder: OpusEncoder,
    /// None after the end of the stream.
    writer: Option<OggOpusWriter<Vec<u8>>>,
    /// The delay of the encoder, in samples at the rate of Ogg.
    pre_skip: u16,
    pending: Vec<f32>,
    samples: u64,
}

impl Opus {
    /// An encoder for samples at one of [`OPUS_RATES`].
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

    /// Silence flushes the delayed end of the audio out of the encoder. The last packet has the
    /// position of the end, where a player stops.
    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        let Some(ogg) = self.ogg.take() else { return Ok(Vec::new()) };
        let packets = self.packets.finish().map_err(failed)?;
        ogg.finish(&packets, self.samples).map_err(failed)
    }
}
