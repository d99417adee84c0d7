//! Who can speak, and in which languages.

use serde::Serialize;

use crate::request::Language;
use crate::{MAX_CHARACTERS, SAMPLE_RATE};

/// One of the five voices. Each speaks every [`Language`].
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
    pub const fn id(self) -> &'static str {
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

    /// The voice with this identifier, compared exactly.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|voice| voice.id() == id)
    }
}

/// The voices listing of the contract.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VoiceListing {
    /// The languages, as BCP 47 tags.
    pub languages: Vec<&'static str>,
    /// The voices, each with an `id` for requests and a `name` for people.
    pub voices: Vec<VoiceEntry>,
    /// The voice of a request that names none.
    pub default_voice: &'static str,
    /// Samples a second of all audio, in hertz.
    pub sample_rate: u32,
    /// The longest text of one request, in characters.
    pub max_characters: usize,
}

/// One voice of a [`VoiceListing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VoiceEntry {
    /// The identifier that requests name.
    pub id: &'static str,
    /// The name to show to people.
    pub name: &'static str,
}

impl VoiceListing {
    /// The listing as the contract's JSON.
    ///
    /// ```
    /// let json = speech_core::voices().to_json();
    /// assert!(json.contains(r#""default_voice":"aria","sample_rate":22050,"max_characters":1000"#));
    /// ```
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a listing always serialises")
    }
}

/// Who can speak, in which languages, and the limits that hold for all.
pub fn voices() -> VoiceListing {
    VoiceListing {
        languages: Language::ALL.iter().map(|language| language.tag()).collect(),
        voices: Voice::ALL
            .iter()
            .map(|voice| VoiceEntry { id: voice.id(), name: voice.name() })
            .collect(),
        default_voice: Voice::default().id(),
        sample_rate: SAMPLE_RATE,
        max_characters: MAX_CHARACTERS,
    }
}
