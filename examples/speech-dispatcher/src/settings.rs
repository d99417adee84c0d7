//! How the server wants it said, and what that is for the library.

use speech_core::{Language, Latency, Request, Voice};

use crate::config::{Config, VoiceType};
use crate::symbols::Punctuation;

/// What is done about capital letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capitals {
    /// Nothing.
    #[default]
    None,
    /// They are called so.
    Spell,
    /// A short sound comes before them, where characters are said alone.
    Icon,
}

/// The settings of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// -100 to 100, as `pitch` and `volume` are.
    pub rate: i32,
    /// 0 is that of the voice.
    pub pitch: i32,
    /// 100 is that of the voice.
    pub volume: i32,
    /// Which marks are said.
    pub punctuation: Punctuation,
    /// Whether texts are spelled.
    pub spelling: bool,
    /// What is done about capital letters.
    pub capitals: Capitals,
    /// The language.
    pub language: Language,
    /// The voice of this name, if one was chosen.
    pub voice: Option<Voice>,
    /// The kind of voice, if no name was chosen.
    pub voice_type: VoiceType,
}

/// A parameter that is unknown or has no such value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidParameter;

impl Settings {
    /// Those that hold until the server says otherwise.
    pub fn new() -> Self {
        Self { volume: 100, ..Self::default() }
    }

    /// Sets a parameter of the protocol.
    ///
    /// # Errors
    ///
    /// A parameter that is unknown or has no such value: the settings stay as they are.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), InvalidParameter> {
        match name {
            "rate" => self.rate = number(value)?,
            "pitch" => self.pitch = number(value)?,
            "volume" => self.volume = number(value)?,
            // The voices have one range.
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

    /// Who speaks.
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
            // What is on a screen is read as it stands.
            .read_pauses(false)
    }
}

/// A factor of the voice's own rate: a half at -100, 1 at 0, twice at 100, and even steps for the ear between.
pub fn rate(value: i32) -> f64 {
    (f64::from(value) / 100.0).exp2()
}

/// Semitones: 6 below at -100, 6 above at 100.
pub fn pitch(value: i32) -> f64 {
    f64::from(value) * 0.06
}

/// Decibels: the voice's own at 100, half the amplitude at 0, hardly anything at -100.
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

/// Hindi for its tags, English for all others: something must be said.
pub fn language(tag: &str) -> Language {
    let primary = tag.split(['-', '_', '.']).next().unwrap_or_default();
    if primary.eq_ignore_ascii_case("hi") { Language::HiIn } else { Language::EnUs }
}

/// The voice of a name in letters of any case.
fn voice(name: &str) -> Option<Voice> {
    Voice::ALL.into_iter().find(|voice| voice.as_str().eq_ignore_ascii_case(name))
}
