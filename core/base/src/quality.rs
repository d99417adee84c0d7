//! How much computation speech takes, and how good it is.

use crate::string_conversions;

/// Which networks compute the speech. A text has two: the prosody makes durations, melody and loudness of it, and the decoder makes
/// sound of those. Each is there large and small.
///
/// A bundle need not have all of them, nor each for every voice and language. What a request names is never replaced by another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quality {
    /// The first of those below that the bundle has for the voice and the language; the default.
    #[default]
    Auto,
    /// The large prosody and the large decoder: the reference.
    Full,
    /// The large prosody and the small decoder: with the timings and the melody of [`Full`](Self::Full), at a fraction of its cost.
    Fast,
    /// The small prosody and the small decoder: for phones, browsers, boards and long texts.
    Light,
}

impl Quality {
    /// Every value.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Full, Self::Fast, Self::Light];

    /// Those that [`Auto`](Self::Auto) chooses from, in its order.
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
