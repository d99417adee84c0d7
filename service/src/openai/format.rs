//! The formats of OpenAI's route.

use speech_core::{Encoding, Error, SAMPLE_RATES};

use super::encode::{self, Encoder, Flac, Opus, Pcm, Wav};
use super::ffmpeg::Codec;

/// A format of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Mp3,
    Opus,
    Aac,
    Flac,
    Wav,
    Pcm,
}

impl Format {
    pub(crate) const ALL: [Self; 6] =
        [Self::Mp3, Self::Opus, Self::Aac, Self::Flac, Self::Wav, Self::Pcm];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::Opus => "opus",
            Self::Aac => "aac",
            Self::Flac => "flac",
            Self::Wav => "wav",
            Self::Pcm => "pcm",
        }
    }

    pub(crate) fn content_type(self, encoding: Encoding) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::Opus => "audio/opus",
            Self::Aac => "audio/aac",
            Self::Flac => "audio/flac",
            Self::Wav => "audio/wav",
            Self::Pcm if encoding == Encoding::Pcm16 => "audio/pcm",
            Self::Pcm => speech_core::Format::Pcm.content_type(encoding),
        }
    }

    /// The sample rates of the format, in hertz.
    pub(crate) fn sample_rates(self) -> &'static [u32] {
        if self == Self::Opus { &encode::OPUS_RATES } else { &SAMPLE_RATES }
    }

    /// The codec of ffmpeg for the format, if ffmpeg encodes it.
    pub(crate) fn codec(self) -> Option<Codec> {
        match self {
            Self::Mp3 => Some(Codec::Mp3),
            Self::Aac => Some(Codec::Aac),
            Self::Opus | Self::Flac | Self::Wav | Self::Pcm => None,
        }
    }

    /// The encoder of the format, or the one before ffmpeg.
    pub(crate) fn encoder(
        self,
        sample_rate: u32,
        encoding: Encoding,
    ) -> Result<Box<dyn Encoder>, Error> {
        Ok(match self {
            Self::Mp3 | Self::Aac | Self::Pcm => Box::new(Pcm(encoding)),
            Self::Opus => Box::new(Opus::new(sample_rate)?),
            Self::Flac => Box::new(Flac::new(sample_rate)?),
            Self::Wav => Box::new(Wav::new(sample_rate, encoding)),
        })
    }
}
