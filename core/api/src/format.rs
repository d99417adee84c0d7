//! How audio leaves the library.

use speech_base::string_conversions;

/// The version of what the library makes of a request. It is raised when the same request, voice bundle, kernels and precision
/// give other samples than before.
pub const SOUND_VERSION: u32 = 1;

/// Samples a second of speech whose request names no other rate, in hertz.
pub const SAMPLE_RATE: u32 = 22_050;

/// The sample rates that a request may name, in hertz. Speech is computed at 24,000 Hz, and converted to another rate once.
pub const SAMPLE_RATES: [u32; 6] = [8_000, 16_000, SAMPLE_RATE, 24_000, 44_100, 48_000];

/// What a sample is in bytes, and in a RIFF/WAVE file.
///
/// Every encoding is made of the same 16-bit samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// A 16-bit integer, little-endian; the default.
    #[default]
    Pcm16,
    /// A 32-bit float from -1 to 1, little-endian: the integer divided by 32,768.
    Float32,
    /// The nearest of the 8-bit codes of mu-law (ITU-T G.711), as telephones in North America and Japan use it.
    Mulaw,
    /// The nearest of the 8-bit codes of A-law (ITU-T G.711), as telephones elsewhere use it.
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

    /// The bytes of a sample.
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
/// The engine itself does not look at it: [`Engine::synthesize`](crate::Engine::synthesize) gives the whole speech and
/// [`Engine::stream`](crate::Engine::stream) one sentence at a time, whatever the format is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One RIFF/WAVE file once the whole text is spoken; the default.
    #[default]
    Wav,
    /// Raw samples, streamed one sentence at a time: 16-bit little-endian ones, unless the request names another encoding.
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

    /// The media type of the answer: `audio/wav`, and for raw samples `audio/L16` (RFC 2586), `audio/PCMU` or `audio/PCMA`
    /// (RFC 4856); for floats, which have none, `application/octet-stream`.
    ///
    /// The contract's `audio/L16` is little-endian here, as stated there; RFC 2586 has it
    /// big-endian.
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
