//! The configuration file: a name and a value per line, as in other modules.

use std::path::{Path, PathBuf};

use speech_core::{Quality, Voice};

/// A kind of voice, which a client may request instead of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VoiceType {
    /// The server's default.
    #[default]
    Male1,
    /// A second man.
    Male2,
    /// A third man.
    Male3,
    /// A woman.
    Female1,
    /// A second woman.
    Female2,
    /// A third woman.
    Female3,
    /// A boy.
    ChildMale,
    /// A girl.
    ChildFemale,
}

impl VoiceType {
    /// Every kind, and its name in the configuration and the protocol.
    const NAMES: [(Self, &'static str); 8] = [
        (Self::Male1, "male1"),
        (Self::Male2, "male2"),
        (Self::Male3, "male3"),
        (Self::Female1, "female1"),
        (Self::Female2, "female2"),
        (Self::Female3, "female3"),
        (Self::ChildMale, "child_male"),
        (Self::ChildFemale, "child_female"),
    ];

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.into_iter();
        names.find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(kind, _)| kind)
    }

    /// The pitch shift in semitones that makes the voice a child's: no voice is a child's.
    pub(crate) fn shift(self) -> f64 {
        if matches!(self, Self::ChildMale | Self::ChildFemale) { 4.0 } else { 0.0 }
    }
}

/// The values in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The voice bundle; by default the library searches for it.
    pub bundle: Option<PathBuf>,
    /// The threads that compute one sentence.
    pub threads: Option<usize>,
    /// The quality, where the bundle has it for the voice; otherwise the best available.
    pub quality: Quality,
    /// Whether the names of letters, digits and punctuation are computed in advance.
    pub prepare: bool,
    /// The folder of the sound icon files.
    pub sound_icons: Option<PathBuf>,
    /// The log level, 0 to 5.
    pub log_level: u8,
    voices: [Voice; 8],
}

impl Default for Config {
    fn default() -> Self {
        let (aria, sofia) = (Voice::ARIA, Voice::SOFIA);
        let voices = [Voice::JOHN, Voice::LEO, Voice::JASON, aria, sofia, aria, Voice::LEO, sofia];
        Self {
            bundle: None,
            threads: None,
            quality: Quality::Light,
            prepare: true,
            sound_icons: Some(PathBuf::from("/usr/share/sounds/sound-icons")),
            log_level: 3,
            voices,
        }
    }
}

impl Config {
    /// Reads a file. Unreadable parts are logged, and keep their defaults: a screen reader without
    /// a voice is worse.
    pub fn read(path: &Path) -> Self {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let (config, problems) = Self::parse(&text);
                for problem in problems {
                    log::warn!("{}: {problem}", path.display());
                }
                config
            }
            Err(error) => {
                log::warn!("{}: {error}: everything stays at its default", path.display());
                Self::default()
            }
        }
    }

    /// Parses the text of a file; returns the configuration and a message for each line that is not
    /// understood.
    pub fn parse(text: &str) -> (Self, Vec<String>) {
        let mut config = Self::default();
        let mut problems = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let value = value.trim();
            let quoted = value.strip_prefix('"').and_then(|value| value.split_once('"'));
            if config.set(name, quoted.map_or(value, |(value, _)| value)).is_none() {
                problems.push(format!("line {}: {name} is unknown or has no such value", i + 1));
            }
        }
        (config, problems)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name.to_ascii_lowercase().as_str() {
            "bundle" => self.bundle = Some(PathBuf::from(value)).filter(|_| !value.is_empty()),
            "threads" => self.threads = Some(value.parse().ok().filter(|threads| *threads > 0)?),
            "quality" => self.quality = value.parse().ok()?,
            "prepare" => self.prepare = flag(value)?,
            "soundicons" => {
                self.sound_icons = Some(PathBuf::from(value)).filter(|_| !value.is_empty());
            }
            "loglevel" => self.log_level = value.parse().ok().filter(|level| *level <= 5)?,
            "debug" => {
                if flag(value)? {
                    self.log_level = 5;
                }
            }
            name => {
                let kind = VoiceType::named(name.strip_prefix("voice_")?)?;
                self.voices[kind as usize] = value.parse().ok()?;
            }
        }
        Some(())
    }

    /// The voice for a kind of voice.
    pub fn voice(&self, kind: VoiceType) -> Voice {
        self.voices[kind as usize]
    }
}

fn flag(value: &str) -> Option<bool> {
    match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}
