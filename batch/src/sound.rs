//! Writes audio files.

use std::io::{self, Seek, SeekFrom, Write};
use std::str::FromStr;

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, Stream, StreamInfo};
use flacenc::config;
use flacenc::encode_fixed_size_frame;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Fill, FrameBuf};
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use speech_core::{Chunk, Encoding, wav_header};

/// The format of audio files.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Container {
    /// RIFF/WAVE.
    #[default]
    Wav,
    /// FLAC, a lossless format, with 16-bit samples.
    Flac,
}

impl Container {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Flac => "flac",
        }
    }
}

impl FromStr for Container {
    type Err = speech_core::Error;

    fn from_str(name: &str) -> speech_core::Result<Self> {
        [Self::Wav, Self::Flac].into_iter().find(|it| it.extension() == name).ok_or_else(|| {
            speech_core::Error::invalid_request("the format of a batch must be wav or flac")
        })
    }
}

/// Writes an audio file from its start.
pub(crate) enum Writer<W: Write + Seek> {
    Wav { out: W, sample_rate: u32, encoding: Encoding, bytes: u64 },
    Flac(Box<Flac<W>>),
}

impl<W: Write + Seek> Writer<W> {
    pub(crate) fn new(
        container: Container,
        mut out: W,
        sample_rate: u32,
        encoding: Encoding,
    ) -> io::Result<Self> {
        Ok(match container {
            Container::Flac => Self::Flac(Box::new(Flac::new(out, sample_rate, &[])?)),
            Container::Wav => {
                out.write_all(&wav_header(0, sample_rate, encoding))?;
                Self::Wav { out, sample_rate, encoding, bytes: 0 }
            }
        })
    }

    pub(crate) fn write(&mut self, chunk: &Chunk) -> io::Result<()> {
        match self {
            Self::Flac(flac) => flac.write(chunk.samples()),
            Self::Wav { out, bytes, .. } => {
                let samples = chunk.to_bytes();
                *bytes += samples.len() as u64;
                out.write_all(&samples)
            }
        }
    }

    /// Writes remaining data and the lengths. Returns the file.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Flac(flac) => flac.finish(),
            Self::Wav { mut out, sample_rate, encoding, bytes } => {
                if !bytes.is_multiple_of(2) {
                    out.write_all(&[0])?;
                }
                let samples = bytes as usize / encoding.bytes_per_sample();
                out.rewind()?;
                out.write_all(&wav_header(samples, sample_rate, encoding))?;
                Ok(out)
            }
        }
    }
}

/// The number of samples per frame.
const BLOCK: usize = 4096;

/// Writes a FLAC file (RFC 9639) of mono samples from its start.
#[derive(Debug)]
pub struct Flac<W: Write + Seek> {
    out: W,
    config: Verified<config::Encoder>,
    info: StreamInfo,
    has_metadata: bool,
    md5: Md5,
    pending: Vec<i32>,
    frames: usize,
    samples: usize,
    /// The sizes of the smallest and the largest frame in bytes.
    sizes: (usize, usize),
}

impl<W: Write + Seek> Flac<W> {
    /// Begins a file with a sample rate in hertz and metadata blocks. Each block has a type and a
    /// content of less than 2²⁴ bytes.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn new(out: W, sample_rate: u32, metadata: &[(u8, Vec<u8>)]) -> io::Result<Self> {
        let config = config::Encoder::default().into_verified();
        let config = config.map_err(|(_, error)| failed(error))?;
        let mut info = StreamInfo::new(sample_rate as usize, 1, 16).map_err(failed)?;
        info.set_block_sizes(BLOCK, BLOCK).map_err(failed)?;
        let mut flac = Self {
            out,
            config,
            info,
            has_metadata: !metadata.is_empty(),
            md5: Md5::new(),
            pending: Vec::new(),
            frames: 0,
            samples: 0,
            sizes: (usize::MAX, 0),
        };
        flac.write_header()?;
        for (at, (kind, content)) in metadata.iter().enumerate() {
            let is_last = u8::from(at + 1 == metadata.len()) << 7;
            let length = u32::try_from(content.len()).ok().filter(|length| *length < 1 << 24);
            let length = length.ok_or_else(|| io::Error::other("too much metadata"))?;
            flac.out.write_all(&(u32::from(is_last | kind) << 24 | length).to_be_bytes())?;
            flac.out.write_all(content)?;
        }
        Ok(flac)
    }

    fn write_header(&mut self) -> io::Result<()> {
        let mut header = bytes(&Stream::with_stream_info(self.info.clone()))?;
        if self.has_metadata {
            // More blocks follow.
            header[4] &= 0x7f;
        }
        self.out.write_all(&header)
    }

    /// Adds samples.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&mut self, samples: &[i16]) -> io::Result<()> {
        self.samples += samples.len();
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        self.md5.update(&bytes);
        self.pending.extend(samples.iter().map(|sample| i32::from(*sample)));
        let pending = std::mem::take(&mut self.pending);
        let blocks = pending.chunks_exact(BLOCK);
        self.pending = blocks.remainder().to_vec();
        blocks.into_iter().try_for_each(|block| self.write_frame(block))
    }

    fn write_frame(&mut self, samples: &[i32]) -> io::Result<()> {
        let mut block = FrameBuf::with_size(1, BLOCK).map_err(failed)?;
        block.fill_interleaved(samples).map_err(failed)?;
        let frame = encode_fixed_size_frame(&self.config, &block, self.frames, &self.info);
        let frame = bytes(&frame.map_err(failed)?)?;
        self.frames += 1;
        self.sizes = (self.sizes.0.min(frame.len()), self.sizes.1.max(frame.len()));
        self.out.write_all(&frame)
    }

    /// Writes remaining data and the lengths. Returns the underlying writer.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            self.write_frame(&rest)?;
        }
        let (least, most) = self.sizes;
        self.info.set_frame_sizes(least.min(most), most).map_err(failed)?;
        self.info.set_total_samples(self.samples);
        self.info.set_md5_digest(&self.md5.clone().finalize().into());
        self.out.seek(SeekFrom::Start(0))?;
        self.write_header()?;
        Ok(self.out)
    }
}

/// The error of an encoder. It cannot occur, because the input is always valid.
fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

fn bytes(component: &impl BitRepr) -> io::Result<Vec<u8>> {
    let mut sink = ByteSink::new();
    component.write(&mut sink).map_err(failed)?;
    Ok(sink.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Decoding returns the samples for any length. The header has their number and their MD5,
    /// which the decoder verifies.
    #[test]
    fn flac_loses_nothing() {
        for length in [0, 1, 15, 4095, 4096, 4097, 3 * 4096 + 20] {
            let samples: Vec<i16> =
                (0..length).map(|at| ((at * at * 31) % 60_000) as i16).collect();
            let metadata = [(4, b"\0\0\0\0\0\0\0\0".to_vec())];
            let mut flac = Flac::new(Cursor::new(Vec::new()), 24_000, &metadata).unwrap();
            samples.chunks(1000).for_each(|some| flac.write(some).unwrap());
            let file = flac.finish().unwrap().into_inner();
            let mut reader = claxon::FlacReader::new(Cursor::new(file)).unwrap();
            let info = reader.streaminfo();
            assert_eq!((info.sample_rate, info.channels), (24_000, 1));
            assert_eq!(info.samples.unwrap_or_default(), length as u64);
            let mut md5 = Md5::new();
            samples.iter().for_each(|sample| md5.update(sample.to_le_bytes()));
            assert_eq!(info.md5sum, <[u8; 16]>::from(md5.finalize()));
            let read: Vec<_> = reader.samples().map(|it| it.unwrap() as i16).collect();
            assert!(read == samples, "{length}");
        }
    }
}
