//! How a live session speaks, and how its sound is sent.

use std::str::FromStr;

use serde::Deserialize;
use serde_json::{Map, Value};
use speech_core::{Chunk, Error, Language, Latency, Quality, Request, SAMPLE_RATE, Voice};
use url::form_urlencoded;

use super::message::{invalid, parse};
use crate::keys::{self, Account};
use crate::service::Service;

/// How far ahead of what was played sound may be sent, in seconds.
const AHEAD: std::ops::RangeInclusive<f64> = 1.0..=300.0;

/// The longest frame and the longest message of sound, in milliseconds.
const LONGEST: u32 = 1000;

/// The settings of the turns to come.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) voice: Voice,
    pub(super) language: Language,
    pub(super) latency: Latency,
    /// All that the engine is told, without a text.
    request: Request,
    pub(super) events: Events,
    pub(super) ahead: f64,
    pub(super) sound: Sound,
}

/// What is told of a piece of sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Events {
    pub(super) words: bool,
    pub(super) sentences: bool,
    pub(super) phonemes: bool,
    pub(super) visemes: bool,
}

/// How the sound of a session is sent. It holds as long as the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sound {
    pub(super) encoding: &'static str,
    pub(super) sample_rate: u32,
    /// The samples of a frame: messages have whole frames.
    pub(super) frame: usize,
    /// The samples of the longest message.
    pub(super) message: usize,
    /// Whether it is sent in Base64, in messages of JSON.
    pub(super) as_json: bool,
}

/// Settings that a message or a query names; the others stay.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Changes {
    voice: Option<String>,
    language: Option<String>,
    latency: Option<String>,
    quality: Option<String>,
    rate: Option<f64>,
    pitch: Option<f64>,
    volume: Option<f64>,
    read_emoji: Option<bool>,
    read_romanized_hindi: Option<bool>,
    read_pauses: Option<bool>,
    ssml: Option<bool>,
    events: Option<Vec<String>>,
    ahead: Option<f64>,
    audio: Option<SoundChanges>,
}

#[derive(Debug, Default, Deserialize)]
struct SoundChanges {
    encoding: Option<String>,
    sample_rate: Option<u32>,
    frame_ms: Option<u32>,
    message_ms: Option<u32>,
    r#as: Option<String>,
}

/// The parameters of a query, and how their values are read.
const PARAMETERS: [(&str, Kind); 16] = [
    ("voice", Kind::Text),
    ("language", Kind::Text),
    ("latency", Kind::Text),
    ("quality", Kind::Text),
    ("rate", Kind::Json),
    ("pitch", Kind::Json),
    ("volume", Kind::Json),
    ("read_emoji", Kind::Json),
    ("read_romanized_hindi", Kind::Json),
    ("read_pauses", Kind::Json),
    ("events", Kind::List),
    ("ahead", Kind::Json),
    ("encoding", Kind::Text),
    ("sample_rate", Kind::Json),
    ("frame_ms", Kind::Json),
    ("message_ms", Kind::Json),
];

/// As `encoding`, but named by a word of Rust.
const AS: &str = "as";

/// Those that are fields of `audio`.
const OF_SOUND: [&str; 5] = ["encoding", "sample_rate", "frame_ms", "message_ms", AS];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Json,
    /// Names between commas.
    List,
}

impl Kind {
    fn value(self, text: &str) -> Value {
        match self {
            Self::Text => text.into(),
            // What is none is refused as one of another type.
            Self::Json => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
            Self::List => text.split(',').filter(|name| !name.is_empty()).collect(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            voice: Voice::default(),
            language: Language::default(),
            latency: Latency::Low,
            request: Request::new(""),
            events: Events { words: true, ..Events::default() },
            ahead: 10.0,
            sound: Sound {
                encoding: "pcm16",
                sample_rate: SAMPLE_RATE,
                frame: 1,
                message: 2205,
                as_json: false,
            },
        }
    }
}

impl Settings {
    /// What a turn asks of the engine.
    pub(super) fn request(&self) -> Request {
        let Self { voice, language, latency, .. } = *self;
        self.request.clone().voice(voice).language(language).latency(latency)
    }

    /// Refuses what the engine would.
    pub(super) fn check(&self, service: &Service, account: &Account) -> Result<(), Error> {
        service.engine_of(account).live(self.request()).map(drop)
    }

    /// Takes over what a message names.
    ///
    /// # Errors
    ///
    /// `invalid_request`. Then nothing has changed.
    pub(super) fn change(
        &mut self,
        changes: &Changes,
        may_change_sound: bool,
    ) -> Result<(), Error> {
        let mut changed = self.clone();
        changed.apply(changes, may_change_sound)?;
        *self = changed;
        Ok(())
    }

    fn apply(&mut self, changes: &Changes, may_change_sound: bool) -> Result<(), Error> {
        set(&mut self.voice, &changes.voice)?;
        set(&mut self.language, &changes.language)?;
        set(&mut self.latency, &changes.latency)?;
        let mut request = self.request.clone();
        if let Some(name) = &changes.quality {
            request = request.quality(name.parse::<Quality>()?);
        }
        for (value, set) in [
            (changes.rate, Request::rate as fn(Request, f64) -> Request),
            (changes.pitch, Request::pitch),
            (changes.volume, Request::volume),
        ] {
            request = value.into_iter().fold(request, set);
        }
        for (value, set) in [
            (changes.read_emoji, Request::read_emoji as fn(Request, bool) -> Request),
            (changes.read_romanized_hindi, Request::read_romanized_hindi),
            (changes.read_pauses, Request::read_pauses),
            // The engine says that a live text cannot be SSML.
            (changes.ssml, Request::ssml),
        ] {
            request = value.into_iter().fold(request, set);
        }
        self.request = request;
        if let Some(names) = &changes.events {
            self.events = Events::read(names)?;
        }
        if let Some(ahead) = changes.ahead {
            if !AHEAD.contains(&ahead) {
                return Err(invalid("ahead must be a number from 1 to 300, in seconds"));
            }
            self.ahead = ahead;
        }
        match &changes.audio {
            Some(_) if !may_change_sound => {
                Err(invalid("audio holds for the whole session: it can be set by start alone"))
            }
            Some(sound) => {
                self.sound = Sound::read(sound)?;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Sets what is named.
fn set<T: FromStr<Err = Error>>(value: &mut T, name: &Option<String>) -> Result<(), Error> {
    if let Some(name) = name {
        *value = name.parse()?;
    }
    Ok(())
}

impl Changes {
    /// Those of the query of an address. Parameters that are not known are ignored.
    ///
    /// # Errors
    ///
    /// `invalid_request`.
    pub(super) fn of_query(query: &str) -> Result<Self, Error> {
        let (mut fields, mut sound) = (Map::new(), Map::new());
        for (name, text) in form_urlencoded::parse(query.as_bytes()) {
            if keys::looks_like_a_key(&text) {
                let message = "an API key does not belong into an address, which proxies log: send it as Authorization: Bearer, \
                               or among the subprotocols as key.KEY";
                return Err(invalid(message));
            }
            let known = PARAMETERS.into_iter().chain([(AS, Kind::Text)]);
            let Some((name, kind)) = known.into_iter().find(|(known, _)| *known == name) else {
                continue;
            };
            let fields = if OF_SOUND.contains(&name) { &mut sound } else { &mut fields };
            if fields.insert(name.to_owned(), kind.value(&text)).is_some() {
                return Err(invalid(format!("{name} is given twice")));
            }
        }
        if !sound.is_empty() {
            fields.insert("audio".to_owned(), sound.into());
        }
        parse(&Value::from(fields).to_string())
    }
}

impl Events {
    fn read(names: &[String]) -> Result<Self, Error> {
        let mut events = Self::default();
        for name in names {
            let event = match &**name {
                "words" => &mut events.words,
                "sentences" => &mut events.sentences,
                "phonemes" => &mut events.phonemes,
                "visemes" => &mut events.visemes,
                _ => {
                    return Err(invalid(
                        "events must be of words, sentences, phonemes and visemes",
                    ));
                }
            };
            *event = true;
        }
        Ok(events)
    }

    /// Whether anything is told.
    pub(super) fn any(self) -> bool {
        self != Self::default()
    }
}

impl Sound {
    fn read(changes: &SoundChanges) -> Result<Self, Error> {
        let Self { encoding, sample_rate, .. } = Settings::default().sound;
        if changes.encoding.as_ref().is_some_and(|name| name != encoding) {
            return Err(invalid(format!("encoding must be {encoding}")));
        }
        if changes.sample_rate.is_some_and(|rate| rate != sample_rate) {
            return Err(invalid(format!("sample_rate must be {sample_rate}")));
        }
        let as_json = match changes.r#as.as_deref() {
            None | Some("binary") => false,
            Some("json") => true,
            Some(_) => return Err(invalid("as must be binary or json")),
        };
        let frame = match changes.frame_ms {
            None => 1,
            Some(ms) => {
                let thousandths = thousandths("frame_ms", ms, sample_rate)?;
                if !thousandths.is_multiple_of(1000) {
                    let message =
                        format!("frame_ms is no whole number of samples at {sample_rate} Hz");
                    return Err(invalid(message));
                }
                thousandths / 1000
            }
        };
        let longest = match changes.message_ms {
            None => (sample_rate as usize / 10).max(frame),
            Some(ms) => thousandths("message_ms", ms, sample_rate)? / 1000,
        };
        if longest < frame {
            return Err(invalid("message_ms must be at least frame_ms"));
        }
        Ok(Self { encoding, sample_rate, frame, message: longest / frame * frame, as_json })
    }

    pub(super) fn bytes_per_sample(self) -> usize {
        2
    }

    /// The bytes of a chunk.
    pub(super) fn bytes(self, chunk: &Chunk) -> Vec<u8> {
        chunk.to_pcm()
    }

    /// The bytes of one sample of silence.
    pub(super) fn silence(self) -> Vec<u8> {
        vec![0; self.bytes_per_sample()]
    }
}

/// The thousandths of samples of some milliseconds.
fn thousandths(name: &str, milliseconds: u32, sample_rate: u32) -> Result<usize, Error> {
    if !(1..=LONGEST).contains(&milliseconds) {
        return Err(invalid(format!("{name} must be a whole number from 1 to {LONGEST}")));
    }
    Ok((milliseconds * sample_rate) as usize)
}
