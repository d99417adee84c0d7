//! When the first sound of a stream comes.

use speech_base::string_conversions;

/// When the first sound of a [`Stream`](crate::Stream) comes.
///
/// It is for streams alone: [`Engine::synthesize`](crate::Engine::synthesize) refuses [`Low`](Self::Low).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Latency {
    /// A sentence is given when all of it is computed; the default. The samples are those of
    /// [`Engine::synthesize`](crate::Engine::synthesize).
    #[default]
    Standard,
    /// The first half second of a long first sentence is given before the rest is computed.
    ///
    /// With [`Quality::Fast`](crate::Quality::Fast) and [`Quality::Light`](crate::Quality::Light) the samples are the same. With
    /// [`Quality::Full`](crate::Quality::Full) it is computed with average statistics of the voice, so its samples differ (the
    /// difference is some 25 dB below the speech), and it fades into the rest; a first sentence that is too short for that, such as
    /// a single word, is computed with less of the silence around it, which takes a sixth less time and sounds a little different,
    /// too.
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
