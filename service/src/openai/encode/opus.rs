//! Opus in Ogg (RFC 6716 and RFC 7845).

use opus_pure::{Application, MAX_PACKET_BYTES, OggOpusWriter, OpusEncoder, OpusHead, RateControl};
use speech_core::Error;

use super::{Encoder, failed};

/// The sample rates of the encoder that the library has too, in hertz.
pub(crate) const OPUS_RATES: [u32; 4] = [8_000, 16_000, 24_000, 48_000];

/// Ogg counts time at this rate, in hertz.
const GRANULE_RATE: u32 = 48_000;

const BITS_PER_SECOND: i32 = 48_000;

/// Bytes of a page: five packets or so, so that a listener does not wait for more than a tenth of a second of sound.
const PAGE: usize = 500;

pub(crate) struct Opus {
    rate: u32,
    encoder: OpusEncoder,
    /// None once the stream has ended.
    writer: Option<OggOpusWriter<Vec<u8>>>,
    /// Samples that the encoder is late by, at the rate of Ogg.
    pre_skip: u16,
    pending: Vec<f32>,
    samples: u64,
}

impl Opus {
    /// Of samples at one of [`OPUS_RATES`].
    pub(crate) fn new(rate: u32) -> Result<Self, Error> {
        let mut encoder = OpusEncoder::new(rate as i32, 1, Application::Audio).map_err(failed)?;
        encoder.bitrate_bps = BITS_PER_SECOND;
        encoder.rate_control = RateControl::Vbr;
        let head = OpusHead::for_encoder(&encoder, rate);
        let pre_skip = head.pre_skip;
        let mut writer = OggOpusWriter::new(Vec::new(), head).map_err(failed)?;
        writer.set_page_target(PAGE);
        Ok(Self { rate, encoder, writer: Some(writer), pre_skip, pending: Vec::new(), samples: 0 })
    }

    /// Samples of a packet, which is 20 ms.
    fn frame(&self) -> usize {
        self.rate as usize / 50
    }

    fn packet(&mut self, frame: &[f32]) -> Result<Vec<u8>, Error> {
        let mut packet = vec![0; MAX_PACKET_BYTES];
        let length = self.encoder.encode(frame, frame.len(), &mut packet).map_err(failed)?;
        packet.truncate(length);
        Ok(packet)
    }
}

impl Encoder for Opus {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        self.samples += samples.len() as u64;
        self.pending.extend(samples.iter().map(|sample| f32::from(*sample) / 32_768.0));
        let pending = std::mem::take(&mut self.pending);
        let frames = pending.chunks_exact(self.frame());
        self.pending = frames.remainder().to_vec();
        for frame in frames {
            let packet = self.packet(frame)?;
            if let Some(writer) = &mut self.writer {
                writer.write_packet(&packet).map_err(failed)?;
            }
        }
        let pages = self.writer.as_mut().and_then(OggOpusWriter::get_mut);
        Ok(pages.map(std::mem::take).unwrap_or_default())
    }

    /// The encoder is late: silence brings out the end of the sound. The last packet says where that is, so that a player
    /// ends there.
    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        let Some(mut writer) = self.writer.take() else { return Ok(Vec::new()) };
        let end = self.samples * u64::from(GRANULE_RATE / self.rate) + u64::from(self.pre_skip);
        let frame = self.frame();
        let mut pending = std::mem::take(&mut self.pending);
        loop {
            let rest = pending.split_off(pending.len().min(frame));
            pending.resize(frame, 0.0);
            let packet = self.packet(&pending)?;
            let left = end.saturating_sub(writer.granule().unsigned_abs());
            let whole = frame as u64 * u64::from(GRANULE_RATE / self.rate);
            writer.write_packet_with_duration(&packet, left.min(whole) as u32).map_err(failed)?;
            if left <= whole {
                return writer.finish().map_err(failed);
            }
            pending = rest;
        }
    }
}
