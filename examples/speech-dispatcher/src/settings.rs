//! The server's settings, and their translation to the library's.

use speech_core::{Language, Latency, Request, Voice};

use crate::config::{Config, VoiceType};
use crate::symbols::Punctuation;

/// The treatment of capital letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capitals {
    /// No treatment.
    #[default]
    None,
    /// Announced in words.
    Spell,
    /// Preceded by a short tone, where characters are spoken alone.
    Icon,
}

/// The settings of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// -100 to 100, as are `pitch` and `volume`.
    pub rate: i32,
    /// 0 is the voice's own pitch.
    pub pitch: i32,
    /// 100 is the voice's own volume.
    pub volume: i32,
    /// The punctuation that is spoken.
    pub punctuation: Punctuation,
    /// Whether texts are spelled.
    pub spelling: bool,
    /// The treatment of capital letters.
    pub capitals: Capitals,
    /// The language.
    pub language: Language,
    /// The voice chosen by name, if any.
    pub voice: Option<Voice>,
    /// The kind of voice, if none was chosen by name.
    pub voice_type: VoiceType,
}

/// An unknown parameter or an invalid value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidParameter;

impl Settings {
    /// The default settings.
    pub fn new() -> Self {
        Self { volume: 100, ..Self::default() }
    }

    /// Sets a parameter of the protocol.
    ///
    /// # Errors
    ///
    /// An unknown parameter or an invalid value; the settings stay unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), InvalidParameter> {
        match name {
            "rate" => self.rate = number(value)?,
            "pitch" => self.pitch = number(value)?,
            "volume" => self.volume = number(value)?,
            // The voices have a fixed pitch range.
            "pitch_range" => drop(number(value)?),
            "punctuation_mode" => {
                self.punctuation = Punctuation::named(value).ok_or(InvalidParameter)?;
            }
            "spelling_mode" => self.spelling = choice(value, &[("on", true), ("off", false)])?,
            "cap_let_recogn" => {
                let choices = [
                    ("none", Capitals::None),
                    ("spell", Capitals::Spell),
                    ("icon", Capitals::Icon),
                ];
                self.capitals = choice(value, &choices)?;
            }
            "language" => self.language = language(value),
            "synthesis_voice" => self.voice = voice(value),
            "voice" => self.voice_type = VoiceType::named(value).unwrap_or_default(),
            _ => return Err(InvalidParameter),
        }
        Ok(())
    }

    /// The voice to speak with.
    pub fn speaker(&self, config: &Config) -> Voice {
        self.voice.unwrap_or_else(|| config.voice(self.voice_type))
    }

    /// A request for a text with these settings.
    pub fn request(&self, text: &str, config: &Config) -> Request {
        let shift = if self.voice.is_none() { self.voice_type.shift() } else { 0.0 };
        Request::new(text)
            .language(self.language)
            .voice(self.speaker(config))
            .rate(rate(self.rate))
            .pitch((pitch(self.pitch) + shift).clamp(-6.0, 6.0))
            .volume(volume(self.volume))
            .latency(Latency::Low)
            .read_emoji(true)
            // Text on a screen is read literally.
            .read_pauses(false)
    }
}

/// The rate factor: 0.5 at -100, 1 at 0, 2 at 100, and logarithmic in between.
pub fn rate(value: i32) -> f64 {
    (f64::from(value) / 100.0).exp2()
}

/// The pitch in semitones: -6 at -100, 6 at 100.
pub fn pitch(value: i32) -> f64 {
    f64::from(value) * 0.06
}

/// The volume in decibels: the voice's own at 100, half the amplitude at 0, hardly audible at -100.
pub fn volume(value: i32) -> f64 {
    let amplitude = f64::from(value + 100) / 200.0;
    (20.0 * amplitude.log10()).clamp(-40.0, 0.0)
}

fn number(value: &str) -> Result<i32, InvalidParameter> {
    let number: i32 = value.trim().parse().map_err(|_| InvalidParameter)?;
    Ok(number.clamp(-100, 100))
}

fn choice<T: Copy>(value: &str, choices: &[(&str, T)]) -> Result<T, InvalidParameter> {
    let found = choices.iter().find(|(name, _)| *name == value);
    found.map(|(_, choice)| *choice).ok_or(InvalidParameter)
}

/// Hindi for its tags, English for all others, so that something is always spoken.
pub fn language(tag: &str) -> Language {
    let primary = tag.split(['-', '_', '.']).next().unwrap_or_default();
    if primary.eq_ignore_ascii_case("hi") { Language::HiIn } else { Language::EnUs }
}

/// The voice with a name, in any case.
fn voice(name: &str) -> Option<Voice> {
    Voice::ALL.into_iter().find(|voice| voice.as_str().eq_ignore_ascii_case(name))
}
