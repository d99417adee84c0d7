//! The list of voices, languages and limits.

use serde::Serialize;
use speech_base::language::Language;
use speech_base::limits::MAX_CHARACTERS;
use speech_base::voice::Voice;

use crate::format::SAMPLE_RATE;

/// The voices, the languages, and the limits of a request.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VoiceListing {
    /// The languages.
    pub languages: Vec<Language>,
    /// The voices, each with an `id` for requests and a `name` for people.
    pub voices: Vec<VoiceEntry>,
    /// The voice of a request that names none.
    pub default_voice: Voice,
    /// The default sample rate, in hertz.
    pub sample_rate: u32,
    /// The longest text of one request, in characters.
    pub max_characters: usize,
}

/// One voice of a [`VoiceListing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VoiceEntry {
    /// The voice, serialized as its identifier.
    pub id: Voice,
    /// The display name.
    pub name: &'static str,
}

impl VoiceListing {
    /// The list as JSON, for a service's response.
    ///
    /// ```
    /// let json = speech_core::voices().to_json();
    /// assert!(json.contains(r#""default_voice":"aria","sample_rate":22050,"max_characters":1000"#));
    /// ```
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a listing always serializes")
    }
}

/// The voices, the languages, and the limits of a request.
pub fn voices() -> VoiceListing {
    VoiceListing {
        languages: Language::ALL.into(),
        voices: Voice::ALL.map(|voice| VoiceEntry { id: voice, name: voice.name() }).into(),
        default_voice: Voice::default(),
        sample_rate: SAMPLE_RATE,
        max_characters: MAX_CHARACTERS,
    }
}
