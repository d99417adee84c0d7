//! The sample rates, encodings and delivery formats of audio.

use speech_base::string_conversions;

/// The version of the audio that the library computes. It is raised when the same request, voice
/// bundle, kernels and precision give other samples than before.
pub const SOUND_VERSION: u32 = 1;

/// The default sample rate, in hertz.
pub const SAMPLE_RATE: u32 = 22_050;

/// The sample rates that a request may set, in hertz. Speech is computed at 24,000 Hz, and
/// resampled once to other rates.
pub const SAMPLE_RATES: [u32; 6] = [8_000, 16_000, SAMPLE_RATE, 24_000, 44_100, 48_000];

/// The encoding of samples as bytes, raw or in a RIFF/WAVE file.
///
/// Every encoding is made from the same 16-bit samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// A 16-bit integer, little-endian; the default.
    #[default]
    Pcm16,
    /// A 32-bit float from -1 to 1, little-endian: the integer divided by 32,768.
    Float32,
    /// The nearest 8-bit mu-law code (ITU-T G.711), used by telephones in North America and Japan.
    Mulaw,
    /// The nearest 8-bit A-law code (ITU-T G.711), used by telephones elsewhere.
    Alaw,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 4] = [Self::Pcm16, Self::Float32, Self::Mulaw, Self::Alaw];

    /// The name that requests use: `pcm16`, `float32`, `mulaw` or `alaw`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pcm16 => "pcm16",
            Self::Float32 => "float32",
            Self::Mulaw => "mulaw",
            Self::Alaw => "alaw",
        }
    }

    /// The size of a sample in bytes.
    pub const fn bytes_per_sample(self) -> usize {
        match self {
            Self::Pcm16 => 2,
            Self::Float32 => 4,
            Self::Mulaw | Self::Alaw => 1,
        }
    }
}

string_conversions!(Encoding, "encoding");

/// How a service or a program delivers the audio of a request.
///
/// The engine itself ignores it: [`Engine::synthesize`](crate::Engine::synthesize) returns the
/// whole speech and [`Engine::stream`](crate::Engine::stream) one sentence at a time, whatever the
/// format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One RIFF/WAVE file once the whole text is spoken; the default.
    #[default]
    Wav,
    /// Raw samples, streamed one sentence at a time: 16-bit little-endian, unless the request sets
    /// another encoding.
    Pcm,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Wav, Self::Pcm];

    /// The name that requests use: `wav` or `pcm`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Pcm => "pcm",
        }
    }

    /// The media type of the response: `audio/wav`; for raw samples `audio/L16` (RFC 2586),
    /// `audio/PCMU` or `audio/PCMA` (RFC 4856), or `application/octet-stream` for floats, which
    /// have no type of their own.
    ///
    /// This library's `audio/L16` is little-endian; RFC 2586 defines it as big-endian.
    pub const fn content_type(self, encoding: Encoding) -> &'static str {
        match (self, encoding) {
            (Self::Wav, _) => "audio/wav",
            (Self::Pcm, Encoding::Pcm16) => "audio/L16",
            (Self::Pcm, Encoding::Float32) => "application/octet-stream",
            (Self::Pcm, Encoding::Mulaw) => "audio/PCMU",
            (Self::Pcm, Encoding::Alaw) => "audio/PCMA",
        }
    }
}

string_conversions!(Format, "format");
