//! The latency of a stream's first audio.

use speech_base::string_conversions;

/// The latency of a [`Stream`](crate::Stream)'s first audio.
///
/// Only for streams: [`Engine::synthesize`](crate::Engine::synthesize) rejects [`Low`](Self::Low).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Latency {
    /// A sentence is returned when all of it is computed; the default. The samples equal those of
    /// [`Engine::synthesize`](crate::Engine::synthesize).
    #[default]
    Standard,
    /// The first half second of a long first sentence is returned before the rest is computed.
    ///
    /// With [`Quality::Fast`](crate::Quality::Fast) and [`Quality::Light`](crate::Quality::Light)
    /// the samples are the same. With [`Quality::Full`](crate::Quality::Full) the early audio is
    /// computed with the voice's average statistics, so its samples differ (by some 25 dB below the
    /// speech), and it is cross-faded into the rest. A first sentence too short for that, such as a
    /// single word, is computed with less of the silence around it: this takes a sixth less time,
    /// and also sounds slightly different.
    Low,
}

impl Latency {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Low];

    /// The name that requests use: `standard` or `low`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Low => "low",
        }
    }
}

string_conversions!(Latency, "latency");
