//! Opus in Ogg (RFC 6716 and RFC 7845).

use std::io::{self, Write};

use opus_pure::{
    Application, MAX_PACKET_BYTES, OggOpusWriter, OpusEncoder, OpusHead, OpusTags, RateControl,
};

/// The sample rates, in hertz, that both the encoder and the library support.
pub const OPUS_RATES: [u32; 4] = [8_000, 16_000, 24_000, 48_000];

/// The rate of Ogg granule positions, in hertz.
const GRANULE_RATE: u32 = 48_000;

/// The number of packets per second: one has 20 ms.
const PACKETS_PER_SECOND: u32 = 50;

/// The length of a packet in granule positions.
const PACKET: u64 = (GRANULE_RATE / PACKETS_PER_SECOND) as u64;

/// Encodes samples to packets of 20 ms.
pub struct OpusPackets {
    encoder: OpusEncoder,
    sample_rate: u32,
    pending: Vec<f32>,
}

impl OpusPackets {
    /// An encoder with one of [`OPUS_RATES`] and an average bit rate.
    ///
    /// # Errors
    ///
    /// For another sample rate.
    pub fn new(sample_rate: u32, bits_per_second: i32) -> io::Result<Self> {
        let encoder = OpusEncoder::new(sample_rate as i32, 1, Application::Audio);
        let mut encoder = encoder.map_err(io::Error::other)?;
        encoder.bitrate_bps = bits_per_second;
        encoder.rate_control = RateControl::Vbr;
        Ok(Self { encoder, sample_rate, pending: Vec::new() })
    }

    /// The number of samples in a packet.
    pub fn packet_samples(&self) -> usize {
        (self.sample_rate / PACKETS_PER_SECOND) as usize
    }

    /// The head of a stream with these packets. Its `pre_skip` is the delay of the encoder.
    fn head(&self) -> OpusHead {
        OpusHead::for_encoder(&self.encoder, self.sample_rate)
    }

    /// Adds samples. Returns the packets that are complete.
    ///
    /// # Errors
    ///
    /// If the encoder fails.
    pub fn encode(&mut self, samples: &[i16]) -> io::Result<Vec<Vec<u8>>> {
        self.pending.extend(samples.iter().map(|sample| f32::from(*sample) / 32_768.0));
        let pending = std::mem::take(&mut self.pending);
        let packets = pending.chunks_exact(self.packet_samples());
        self.pending = packets.remainder().to_vec();
        packets.map(|packet| self.packet(packet)).collect()
    }

    /// Returns the last packets: the remaining samples, and silence to flush the encoder's delay.
    ///
    /// # Errors
    ///
    /// If the encoder fails.
    pub fn finish(&mut self) -> io::Result<Vec<Vec<u8>>> {
        let factor = (GRANULE_RATE / self.sample_rate) as usize;
        let left = self.pending.len() * factor + usize::from(self.head().pre_skip);
        let packets = left.div_ceil(PACKET as usize);
        let mut pending = std::mem::take(&mut self.pending);
        pending.resize(packets * self.packet_samples(), 0.0);
        pending.chunks_exact(self.packet_samples()).map(|packet| self.packet(packet)).collect()
    }

    fn packet(&mut self, samples: &[f32]) -> io::Result<Vec<u8>> {
        let mut packet = vec![0; MAX_PACKET_BYTES];
        let length = self.encoder.encode(samples, samples.len(), &mut packet);
        packet.truncate(length.map_err(io::Error::other)?);
        packet.shrink_to_fit();
        Ok(packet)
    }
}

/// Writes packets to an Ogg stream.
pub struct OggOpus<W: Write> {
    writer: OggOpusWriter<W>,
    head: OpusHead,
}

impl<W: Write> OggOpus<W> {
    /// Begins a stream of packets from encoders such as this one. Tags are names and values.
    ///
    /// # Errors
    ///
    /// If writing fails, and for an invalid tag.
    pub fn new(out: W, packets: &OpusPackets, tags: &[(String, String)]) -> io::Result<Self> {
        let mut own = OpusTags::new();
        for (name, value) in tags {
            own.push(name, value).map_err(io::Error::other)?;
        }
        let head = packets.head();
        let writer = OggOpusWriter::with_tags(out, head.clone(), own).map_err(io::Error::other)?;
        Ok(Self { writer, head })
    }

    /// Sets the number of bytes after which a page ends. Smaller pages reach a listener sooner.
    pub fn set_page_size(&mut self, bytes: usize) {
        self.writer.set_page_target(bytes);
    }

    /// Writes packets.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&mut self, packets: &[Vec<u8>]) -> io::Result<()> {
        packets.iter().try_for_each(|it| self.writer.write_packet(it)).map_err(io::Error::other)
    }

    /// The underlying writer, which has all complete pages.
    pub fn get_mut(&mut self) -> Option<&mut W> {
        self.writer.get_mut()
    }

    /// Writes the last packets of a stream with this number of samples. Players stop after the last
    /// sample. Returns the underlying writer.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(mut self, packets: &[Vec<u8>], samples: u64) -> io::Result<W> {
        let factor = u64::from(GRANULE_RATE / self.head.input_sample_rate);
        let end = samples * factor + u64::from(self.head.pre_skip);
        for packet in packets {
            let left = end.saturating_sub(self.writer.granule().unsigned_abs());
            let written = self.writer.write_packet_with_duration(packet, left.min(PACKET) as u32);
            written.map_err(io::Error::other)?;
        }
        self.writer.finish().map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;
    use std::io::Cursor;

    use opus_pure::{OggOpusReader, Trim};

    use super::*;

    fn encoded(samples: &[i16], rate: u32, some: usize) -> Vec<u8> {
        let mut packets = OpusPackets::new(rate, 32_000).unwrap();
        let tags = [("TITLE".to_owned(), "A".to_owned())];
        let mut ogg = OggOpus::new(Vec::new(), &packets, &tags).unwrap();
        for some in samples.chunks(some) {
            ogg.write(&packets.encode(some).unwrap()).unwrap();
        }
        ogg.finish(&packets.finish().unwrap(), samples.len() as u64).unwrap()
    }

    fn decoded(file: Vec<u8>, rate: u32) -> Vec<f32> {
        let mut reader = OggOpusReader::new(Cursor::new(file)).unwrap();
        assert_eq!(reader.tags().get("TITLE"), Some("A"));
        let mut trim = Trim::new(reader.head(), rate as i32, 1).unwrap();
        let mut decoder = reader.head().decoder(rate as i32).unwrap();
        let (mut sound, mut buffer) = (Vec::new(), vec![0.0; rate as usize / 50]);
        while let Some(packet) = reader.read_packet().unwrap() {
            let length = decoder.decode(&packet.data, buffer.len(), &mut buffer).unwrap();
            sound.extend(trim.keep(&packet, &buffer[..length]));
        }
        sound
    }

    /// A file has all samples, in their places, for any length and any division.
    #[test]
    fn opus_has_the_length_and_the_sound() {
        for rate in OPUS_RATES {
            let frame = rate as usize / 50;
            for length in [0, 1, frame - 1, frame, frame * 7 + 3, rate as usize] {
                let tone = |at: usize| (at as f32 * 440.0 / rate as f32 * TAU).sin() * 10_000.0;
                let samples: Vec<i16> = (0..length).map(|at| tone(at) as i16).collect();
                let file = encoded(&samples, rate, 1000);
                assert!(file == encoded(&samples, rate, 37), "{length} at {rate}");
                let sound = decoded(file, rate);
                assert_eq!(sound.len(), length, "at {rate}");
                // The encoder needs some packets before it follows the tone.
                let pairs = samples.iter().zip(&sound).skip(frame * 5);
                let noise = pairs.clone().map(|(a, b)| (f32::from(*a) / 32_768.0 - b).powi(2));
                let (noise, power) = (
                    noise.sum::<f32>(),
                    pairs.map(|(a, _)| (f32::from(*a) / 32_768.0).powi(2)).sum::<f32>(),
                );
                assert!(noise <= power / 20.0, "{length} at {rate}: {noise} of {power}");
            }
        }
    }
}
