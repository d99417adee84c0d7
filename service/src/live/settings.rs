//! The settings of a live session: the voice and the audio format.

use std::str::FromStr;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use speech_core::{Encoding, Error, Language, Latency, Quality, Request, SAMPLE_RATE, Voice};
use url::form_urlencoded;

use super::message::{invalid, parse};
use crate::keys::{self, Account};
use crate::service::Service;

/// The allowed values of `ahead`, in seconds.
const AHEAD: std::ops::RangeInclusive<f64> = 1.0..=300.0;

/// The longest frame and the longest message of sound, in milliseconds.
const LONGEST: u32 = 1000;

/// The settings of future turns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) voice: Voice,
    pub(super) language: Language,
    pub(super) latency: Latency,
    quality: Quality,
    rate: f64,
    pitch: f64,
    volume: f64,
    read_emoji: bool,
    read_romanized_hindi: bool,
    read_pauses: bool,
    ssml: bool,
    /// A request that contains only the pronunciations.
    pronounced: Request,
    lexicons: Vec<String>,
    pub(super) events: Events,
    pub(super) ahead: f64,
    pub(super) sound: Sound,
}

/// The reported events of a piece of audio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Events {
    pub(super) words: bool,
    pub(super) sentences: bool,
    pub(super) phonemes: bool,
    pub(super) visemes: bool,
}

/// The audio format of a session, fixed for its whole duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sound {
    pub(super) encoding: Encoding,
    pub(super) sample_rate: u32,
    /// Without it a frame is one sample.
    frame_ms: Option<u32>,
    message_ms: u32,
    /// Whether audio is sent as Base64 in JSON messages.
    pub(super) as_json: bool,
}

/// The settings in a message or a query. The others stay unchanged.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Changes {
    /// The turn that ends if they are wrong; without one, the session ends.
    pub(super) turn: Option<String>,
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
    pronunciations: Option<Box<RawValue>>,
    lexicons: Option<Vec<String>>,
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

/// The parameters of a query, and how their values are parsed.
const PARAMETERS: [(&str, Kind); 17] = [
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
    ("lexicons", Kind::List),
    ("events", Kind::List),
    ("ahead", Kind::Json),
    ("encoding", Kind::Text),
    ("sample_rate", Kind::Json),
    ("frame_ms", Kind::Json),
    ("message_ms", Kind::Json),
];

/// Separate from the table because `as` is a keyword of Rust.
const AS: &str = "as";

/// The parameters that are fields of `audio`.
const OF_SOUND: [&str; 5] = ["encoding", "sample_rate", "frame_ms", "message_ms", AS];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Json,
    /// Comma-separated names.
    List,
}

impl Kind {
    fn value(self, text: &str) -> Value {
        match self {
            Self::Text => text.into(),
            // A value that is not JSON is rejected as one of the wrong type.
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
            quality: Quality::default(),
            rate: 1.0,
            pitch: 0.0,
            volume: 0.0,
            read_emoji: false,
            read_romanized_hindi: true,
            read_pauses: true,
            ssml: false,
            pronounced: Request::new(""),
            lexicons: Vec::new(),
            events: Events { words: true, ..Events::default() },
            ahead: 10.0,
            sound: Sound {
                encoding: Encoding::default(),
                sample_rate: SAMPLE_RATE,
                frame_ms: None,
                message_ms: 100,
                as_json: false,
            },
        }
    }
}

impl Settings {
    /// The engine's request for a turn, and the names of its lexicons for the record.
    ///
    /// # Errors
    ///
    /// `not_found` for an unknown lexicon.
    pub(super) fn request(
        &self,
        service: &Service,
        account: &Account,
    ) -> Result<(Request, Option<String>), Error> {
        let chosen = service.lexicons.choose(account, &self.lexicons)?;
        let request = chosen.add_to(self.pronounced.clone());
        let request = request
            .voice(self.voice)
            .language(self.language)
            .latency(self.latency)
            .quality(self.quality)
            .rate(self.rate)
            .pitch(self.pitch)
            .volume(self.volume)
            .read_emoji(self.read_emoji)
            .read_romanized_hindi(self.read_romanized_hindi)
            .read_pauses(self.read_pauses)
            // The engine rejects SSML, because a live text is not a complete document.
            .ssml(self.ssml)
            .sample_rate(self.sound.sample_rate)
            .encoding(self.sound.encoding);
        Ok((request, chosen.recorded()))
    }

    /// Rejects what the engine would reject.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request), and `invalid_request`.
    pub(super) fn check(&self, service: &Service, account: &Account) -> Result<(), Error> {
        let (request, _) = self.request(service, account)?;
        service.engine_of(account).live(request).map(drop)
    }

    /// Applies the changes of a message.
    ///
    /// # Errors
    ///
    /// `invalid_request`. The settings are then unchanged.
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
        parse_into(&mut self.voice, changes.voice.as_deref())?;
        parse_into(&mut self.language, changes.language.as_deref())?;
        parse_into(&mut self.latency, changes.latency.as_deref())?;
        parse_into(&mut self.quality, changes.quality.as_deref())?;
        set(&mut self.rate, changes.rate);
        set(&mut self.pitch, changes.pitch);
        set(&mut self.volume, changes.volume);
        set(&mut self.read_emoji, changes.read_emoji);
        set(&mut self.read_romanized_hindi, changes.read_romanized_hindi);
        set(&mut self.read_pauses, changes.read_pauses);
        set(&mut self.ssml, changes.ssml);
        set(&mut self.lexicons, changes.lexicons.clone());
        if let Some(pronunciations) = &changes.pronunciations {
            let json = format!("{{\"pronunciations\": {pronunciations}}}");
            self.pronounced = Request::new("").with_pronunciations_of(json.as_bytes())?;
        }
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
            Some(sound) => self.sound.change(sound),
            None => Ok(()),
        }
    }
}

/// Assigns a value if there is one.
fn set<T>(value: &mut T, named: Option<T>) {
    if let Some(named) = named {
        *value = named;
    }
}

/// Assigns a parsed value if there is one.
fn parse_into<T: FromStr<Err = Error>>(value: &mut T, name: Option<&str>) -> Result<(), Error> {
    set(value, name.map(str::parse).transpose()?);
    Ok(())
}

impl Changes {
    /// Whether checking these changes takes long.
    pub(super) fn have_pronunciations(&self) -> bool {
        self.pronunciations.is_some()
    }

    /// Parses the query of an address. Unknown parameters are ignored.
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

    /// Whether any event is reported.
    pub(super) fn any(self) -> bool {
        self != Self::default()
    }
}

impl Sound {
    fn change(&mut self, changes: &SoundChanges) -> Result<(), Error> {
        parse_into(&mut self.encoding, changes.encoding.as_deref())?;
        set(&mut self.sample_rate, changes.sample_rate);
        // The library validates the rate.
        Request::new("a").sample_rate(self.sample_rate).validate()?;
        match changes.r#as.as_deref() {
            None => {}
            Some("binary") => self.as_json = false,
            Some("json") => self.as_json = true,
            Some(_) => return Err(invalid("as must be binary or json")),
        }
        for (name, value) in [("frame_ms", changes.frame_ms), ("message_ms", changes.message_ms)] {
            if value.is_some_and(|ms| !(1..=LONGEST).contains(&ms)) {
                return Err(invalid(format!("{name} must be a whole number from 1 to {LONGEST}")));
            }
        }
        self.frame_ms = changes.frame_ms.or(self.frame_ms);
        if let Some(frame) = self.frame_ms {
            if !(frame * self.sample_rate).is_multiple_of(1000) {
                let rate = self.sample_rate;
                return Err(invalid(format!(
                    "frame_ms is no whole number of samples at {rate} Hz"
                )));
            }
            self.message_ms = self.message_ms.max(frame);
        }
        set(&mut self.message_ms, changes.message_ms);
        if self.frame_ms.is_some_and(|frame| frame > self.message_ms) {
            return Err(invalid("message_ms must be at least frame_ms"));
        }
        Ok(())
    }

    /// The bytes of a frame. Messages contain whole frames.
    pub(super) fn frame_bytes(self) -> usize {
        self.encoding.bytes_per_sample() * self.frame_ms.map_or(1, |ms| self.samples(ms))
    }

    /// The bytes of the longest message.
    pub(super) fn message_bytes(self) -> usize {
        let longest = self.encoding.bytes_per_sample() * self.samples(self.message_ms);
        longest / self.frame_bytes() * self.frame_bytes()
    }

    fn samples(self, milliseconds: u32) -> usize {
        (milliseconds * self.sample_rate / 1000) as usize
    }

    /// The bytes of one sample of silence.
    pub(super) fn silence(self) -> Vec<u8> {
        speech_core::encode(&[0], self.encoding)
    }

    /// The duration of this many bytes, in seconds.
    pub(super) fn seconds(self, bytes: usize) -> f64 {
        self.seconds_of_samples(bytes / self.encoding.bytes_per_sample())
    }

    pub(super) fn seconds_of_samples(self, samples: usize) -> f64 {
        samples as f64 / f64::from(self.sample_rate)
    }
}
