//! The supported languages.

use crate::string_conversions;

/// A supported language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// American English; the default.
    #[default]
    EnUs,
    /// Hindi.
    HiIn,
    /// An invented language that tests use to show what a third language needs; not in
    /// [`Language::ALL`].
    #[doc(hidden)]
    Toy,
}

impl Language {
    /// Every language, in the order of the voices listing.
    pub const ALL: [Self; 2] = [Self::EnUs, Self::HiIn];

    /// The BCP 47 tag, such as `en-US`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EnUs => "en-US",
            Self::HiIn => "hi-IN",
            Self::Toy => "x-toy",
        }
    }
}

string_conversions!(Language, "language");
