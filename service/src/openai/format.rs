//! The formats of OpenAI's route.

use super::encode::{Encoder, Flac, Opus, Pcm, Wav};
use super::ffmpeg::Codec;
use speech_core::Error;

/// How the sound is encoded, at 24 kHz.
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

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::Opus => "audio/opus",
            Self::Aac => "audio/aac",
            Self::Flac => "audio/flac",
            Self::Wav => "audio/wav",
            Self::Pcm => "audio/pcm",
        }
    }

    /// What ffmpeg makes of `pcm`, for the formats that it encodes.
    pub(crate) fn codec(self) -> Option<Codec> {
        match self {
            Self::Mp3 => Some(Codec::Mp3),
            Self::Aac => Some(Codec::Aac),
            Self::Opus | Self::Flac | Self::Wav | Self::Pcm => None,
        }
    }

    /// What encodes it, or what comes before ffmpeg.
    pub(crate) fn encoder(self) -> Result<Box<dyn Encoder>, Error> {
        Ok(match self {
            Self::Mp3 | Self::Aac | Self::Pcm => Box::new(Pcm),
            Self::Opus => Box::new(Opus::new()?),
            Self::Flac => Box::new(Flac::new()?),
            Self::Wav => Box::new(Wav::default()),
        })
    }
}
