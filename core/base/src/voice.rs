//! The voices.

use crate::string_conversions;

/// One of the five voices. Each speaks every [`Language`](crate::Language).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Voice {
    /// A woman's voice; the default.
    #[default]
    Aria,
    /// A man's voice.
    Jason,
    /// A man's voice.
    John,
    /// A man's voice.
    Leo,
    /// A woman's voice.
    Sofia,
}

impl Voice {
    /// Every voice, in the order of the listing.
    pub const ALL: [Self; 5] = [Self::Aria, Self::Jason, Self::John, Self::Leo, Self::Sofia];

    /// The identifier that requests name, such as `aria`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Aria => "aria",
            Self::Jason => "jason",
            Self::John => "john",
            Self::Leo => "leo",
            Self::Sofia => "sofia",
        }
    }

    /// The name to show to people, such as `Aria`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aria => "Aria",
            Self::Jason => "Jason",
            Self::John => "John",
            Self::Leo => "Leo",
            Self::Sofia => "Sofia",
        }
    }
}

string_conversions!(Voice, "voice");
