//! The trade-off between computation and audio quality.

use crate::string_conversions;

/// Which networks compute the speech. There are two: the prosody network predicts durations, melody
/// and loudness from the text, and the decoder turns these into audio. Each exists in a large and a
/// small version.
///
/// A bundle may have only some of them, and only for some voices and languages. A quality named in
/// a request is never replaced by another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quality {
    /// The first of the qualities below that the bundle has for the voice and language; the
    /// default.
    #[default]
    Auto,
    /// The large prosody and the large decoder: the reference.
    Full,
    /// The large prosody and the small decoder: the timings and melody of [`Full`](Self::Full) at a
    /// fraction of its cost.
    Fast,
    /// The small prosody and the small decoder: for phones, browsers, boards and long texts.
    Light,
}

impl Quality {
    /// Every value.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Full, Self::Fast, Self::Light];

    /// The qualities that [`Auto`](Self::Auto) chooses from, in order of preference.
    pub const NAMED: [Self; 3] = [Self::Full, Self::Fast, Self::Light];

    /// The name that requests use: `auto`, `full`, `fast` or `light`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Fast => "fast",
            Self::Light => "light",
        }
    }
}

string_conversions!(Quality, "quality");
