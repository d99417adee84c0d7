//! How audio leaves the library.

use speech_base::string_conversions;

/// Samples a second of all audio that leaves the library, in hertz.
pub const SAMPLE_RATE: u32 = 22_050;

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
    /// Raw 16-bit little-endian samples, streamed one sentence at a time.
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

    /// The media type of the answer: `audio/wav` or `audio/L16` (RFC 2586).
    ///
    /// The contract's `audio/L16` is little-endian here, as stated there; RFC 2586 has it
    /// big-endian.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Wav => "audio/wav",
            Self::Pcm => "audio/L16",
        }
    }
}

string_conversions!(Format, "format");
