//! Writes audio files.

use std::io::{self, Seek, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use speech_core::{Chunk, Encoding, wav_header};
use speech_encode::FlacFile;

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
    Flac(Box<FlacFile<W>>),
}

impl<W: Write + Seek> Writer<W> {
    pub(crate) fn new(
        container: Container,
        mut out: W,
        sample_rate: u32,
        encoding: Encoding,
    ) -> io::Result<Self> {
        Ok(match container {
            Container::Flac => Self::Flac(Box::new(FlacFile::new(out, sample_rate, &[])?)),
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
