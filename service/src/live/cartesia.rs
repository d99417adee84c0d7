//! Cartesia's WebSocket protocol. A context is a turn.
//!
//! <https://docs.cartesia.ai/api-reference/tts/websocket>

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use speech_core::{Error, ErrorKind, SAMPLE_RATE};
use url::form_urlencoded;

use super::dialect::{Dialect, Refused};
use super::message::{MAX_NAME, invalid, is_name, parse};

/// The seconds of sound that may be sent ahead of playback. Some clients give up after ten seconds
/// without sound, so nothing waits for playback.
const AHEAD: u32 = 300;

/// The number of ended contexts whose names are remembered.
const MAX_ENDED: usize = 64;

/// The most text that is kept of the open contexts, in bytes.
const MAX_TEXT: usize = 4 << 20;

const PARTIAL: u32 = 206;
const DONE: u32 = 200;

/// Settings without a counterpart here, each with the value that changes nothing.
const UNSUPPORTED: [(&str, &str); 8] = [
    ("/add_phoneme_timestamps", ""),
    ("/use_normalized_timestamps", ""),
    ("/normalization", "auto"),
    ("/pronunciation_dict_id", ""),
    ("/speed", "normal"),
    ("/generation_config/emotion", "neutral"),
    ("/voice/embedding", ""),
    ("/voice/__experimental_controls", ""),
];

/// The qualities by the models' names. Cartesia's own models, such as `sonic-3`, are `auto`.
const MODELS: [(&str, &str); 3] =
    [("libspeech", "auto"), ("libspeech-fast", "fast"), ("libspeech-light", "light")];

/// The contexts of a socket.
#[derive(Default)]
pub(super) struct Cartesia {
    contexts: HashMap<String, Context>,
    ended: VecDeque<String>,
}

/// An open context.
#[derive(Default)]
struct Context {
    /// The settings of its first message, with the defaults.
    settings: Map<String, Value>,
    /// The text, if the client wants timestamps.
    text: String,
    /// Whether the client has ended the text.
    is_finished: bool,
    /// The end of the text whose words were sent.
    given: usize,
    has_timestamps: bool,
    flushes: u32,
    /// When its last chunk was sent, or when it began.
    sent: Option<Instant>,
}

/// A message of the client. Unknown fields are ignored.
#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    cancel: bool,
    #[serde(default)]
    transcript: String,
    #[serde(rename = "continue")]
    goes_on: Option<bool>,
    flush: Option<bool>,
    add_timestamps: Option<bool>,
    max_buffer_delay_ms: Option<u32>,
    model_id: Option<String>,
    voice: Option<Voice>,
    language: Option<String>,
    locale: Option<String>,
    output_format: Option<Format>,
    generation_config: Option<Delivery>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Voice {
    Name(String),
    Object { id: String },
}

#[derive(Deserialize)]
struct Format {
    container: String,
    encoding: String,
    sample_rate: u32,
}

#[derive(Deserialize)]
struct Delivery {
    speed: Option<f64>,
    volume: Option<f64>,
}

/// A setting: its name in a `settings` message, its name in Cartesia's messages, and its value.
type Setting = (&'static str, &'static str, Value);

impl Request {
    /// The settings that the message names.
    fn settings(&self) -> Result<Vec<Setting>, Error> {
        let mut settings = Vec::new();
        if let Some(model) = &self.model_id {
            let quality = MODELS.into_iter().find(|(name, _)| name == model).map(|(_, it)| it);
            let quality = quality.or(model.starts_with("sonic").then_some("auto"));
            let quality = quality.ok_or_else(|| invalid("unsupported model_id"))?;
            settings.push(("quality", "model_id", json!(quality)));
        }
        if let Some(Voice::Name(id) | Voice::Object { id }) = &self.voice {
            settings.push(("voice", "voice", json!(id)));
        }
        if let Some(language) = self.language.as_ref().or(self.locale.as_ref()) {
            // Cartesia's names may lack the country.
            let ours =
                [("en", "en-US"), ("hi", "hi-IN")].into_iter().find(|(name, _)| name == language);
            let ours = ours.map_or(&**language, |(_, ours)| ours);
            settings.push(("language", "language", json!(ours)));
        }
        if let Some(format) = &self.output_format {
            settings.push(("audio", "output_format", format.audio()?));
        }
        if let Some(speed) = self.generation_config.as_ref().and_then(|it| it.speed) {
            settings.push(("rate", "generation_config.speed", json!(speed)));
        }
        if let Some(volume) = self.generation_config.as_ref().and_then(|it| it.volume) {
            if volume <= 0.0 {
                return Err(invalid("generation_config.volume must be over 0"));
            }
            // Cartesia's is a factor; ours is in decibels.
            let decibels = 20.0 * volume.log10();
            settings.push(("volume", "generation_config.volume", json!(decibels)));
        }
        Ok(settings)
    }
}

impl Format {
    /// The setting `audio`.
    fn audio(&self) -> Result<Value, Error> {
        if self.container != "raw" {
            return Err(invalid("output_format.container must be raw"));
        }
        let encodings = [
            ("pcm_s16le", "pcm16"),
            ("pcm_f32le", "float32"),
            ("pcm_mulaw", "mulaw"),
            ("pcm_alaw", "alaw"),
        ];
        let ours = encodings.into_iter().find(|(name, _)| *name == self.encoding);
        let (_, ours) = ours.ok_or_else(|| {
            let names = "pcm_s16le, pcm_f32le, pcm_mulaw or pcm_alaw";
            invalid(format!("output_format.encoding must be {names}"))
        })?;
        Ok(json!({ "encoding": ours, "sample_rate": self.sample_rate, "as": "json" }))
    }
}

impl Context {
    /// A context with the settings of its first message. What that does not name has its default,
    /// whatever the context before had.
    fn new(settings: Vec<Setting>, has_timestamps: bool) -> Self {
        let audio = json!({ "encoding": "pcm16", "sample_rate": SAMPLE_RATE, "as": "json" });
        let defaults = [
            ("quality", json!("auto")),
            ("voice", json!("aria")),
            ("language", json!("en-US")),
            ("audio", audio),
            ("rate", json!(1.0)),
            ("volume", json!(0.0)),
        ];
        let named = settings.into_iter().map(|(ours, _, value)| (ours, value));
        let settings = defaults.into_iter().chain(named);
        let settings = settings.map(|(name, value)| (name.to_owned(), value)).collect();
        Self { settings, has_timestamps, sent: Some(Instant::now()), ..Self::default() }
    }

    /// Rejects a later message with other settings: those of a context never change.
    fn check(&self, settings: &[Setting]) -> Result<(), Error> {
        let changed = settings.iter().find(|(ours, _, value)| self.settings[*ours] != *value);
        changed.map_or(Ok(()), |(_, theirs, _)| {
            Err(invalid(format!("{theirs} cannot change within a context")))
        })
    }
}

/// Rejects settings that would have no effect.
fn check_supported(message: &Value) -> Result<(), Error> {
    let is_neutral = |value: &Value, neutral: &str| {
        matches!(value, Value::Null | Value::Bool(false)) || *value == *neutral
    };
    let unsupported = UNSUPPORTED.into_iter().find(|(path, neutral)| {
        message.pointer(path).is_some_and(|value| !is_neutral(value, neutral))
    });
    unsupported.map_or(Ok(()), |(path, _)| {
        let name = path[1..].replace('/', ".");
        Err(invalid(format!("{name} is not supported")))
    })
}

/// Moves the key into the header `Authorization`: from the header `X-API-Key`, or from the query,
/// because browsers set no headers. The address loses its query, and so the key.
pub(super) fn take_key(parts: &mut Parts) {
    let address = std::mem::take(&mut parts.uri);
    let mut fields = form_urlencoded::parse(address.query().unwrap_or_default().as_bytes());
    let in_query = fields.find_map(|(name, key)| (name == "api_key").then_some(key));
    let in_header = parts.headers.get("x-api-key").and_then(|key| key.to_str().ok());
    if let Some(key) = in_header.or(in_query.as_deref())
        && let Ok(bearer) = format!("Bearer {key}").parse()
    {
        parts.headers.append(AUTHORIZATION, bearer);
    }
}

impl Dialect for Cartesia {
    fn start(&self) -> Value {
        json!({ "type": "start", "ahead": AHEAD, "audio": { "as": "json" } })
    }

    fn read(&mut self, message: &str) -> Result<Vec<Value>, Refused> {
        let fields: Value = parse(message)?;
        let Some(turn) = fields["context_id"].as_str().filter(|name| is_name(name)) else {
            let rule = format!("context_id must be a string of 1 to {MAX_NAME} characters");
            return Err(invalid(rule).into());
        };
        let read = self.read_of(turn, message, &fields);
        read.map_err(|error| Refused { turn: Some(turn.to_owned()), error })
    }

    fn write(&mut self, event: &Value) -> Vec<Value> {
        let kind = event["type"].as_str().unwrap_or_default();
        match event["turn"].as_str() {
            Some(turn) => self.write_of(turn, kind, event).into_iter().collect(),
            None if kind == "error" => {
                // The session ends. Clients wait for an event of each open context.
                let mut open: Vec<_> = self.contexts.drain().map(|(name, _)| json!(name)).collect();
                if open.is_empty() {
                    open.push(Value::Null);
                }
                open.into_iter().map(|context| error(&event["error"], &context)).collect()
            }
            None => vec![],
        }
    }
}

impl Cartesia {
    /// Reads a message of a context.
    fn read_of(&mut self, turn: &str, message: &str, fields: &Value) -> Result<Vec<Value>, Error> {
        let is_open = self.contexts.contains_key(turn);
        let has_ended = !is_open && self.ended.iter().any(|name| name == turn);
        if !has_ended {
            check_supported(fields)?;
        }
        let request: Request = parse(message)?;
        if request.cancel {
            return Ok(vec![json!({ "type": "interrupt", "turn": turn })]);
        }
        let is_finished = self.contexts.get(turn).is_none_or(|context| context.is_finished);
        if request.transcript.is_empty() && is_finished {
            return Ok(vec![]);
        }
        let goes_on = request.goes_on == Some(true);
        let mut messages = Vec::new();
        // The session ignores or rejects text for a context that has ended.
        if !has_ended {
            let settings = request.settings()?;
            let held: usize = self.contexts.values().map(|context| context.text.len()).sum();
            let context = self.contexts.entry(turn.to_owned()).or_insert_with(|| {
                let context = Context::new(settings.clone(), request.add_timestamps == Some(true));
                let mut message = Value::Object(context.settings.clone());
                message["type"] = json!("settings");
                // If a setting is wrong, the context ends alone.
                message["turn"] = json!(turn);
                messages.push(message);
                context
            });
            context.check(&settings)?;
            context.is_finished |= !goes_on;
            if context.has_timestamps {
                if held + request.transcript.len() > MAX_TEXT {
                    return Err(invalid(format!("open contexts have over {MAX_TEXT} bytes")));
                }
                context.text += &request.transcript;
            }
        }
        // A client without buffering has cut the text into sentences.
        let flush =
            request.flush == Some(true) || request.max_buffer_delay_ms == Some(0) && goes_on;
        messages.push(json!({
            "type": "text", "turn": turn, "text": request.transcript,
            "flush": flush, "finish": !goes_on,
        }));
        Ok(messages)
    }

    /// The message for an event of a context.
    fn write_of(&mut self, turn: &str, kind: &str, event: &Value) -> Option<Value> {
        let mut message = match kind {
            "error" => {
                self.contexts.remove(turn);
                self.remember(turn);
                return Some(error(&event["error"], &json!(turn)));
            }
            "finished" | "interrupted" => {
                // A context that was done may be interrupted while it is played.
                self.contexts.remove(turn)?;
                self.remember(turn);
                json!({ "type": "done", "done": true, "status_code": DONE })
            }
            _ => self.contexts.get_mut(turn)?.write(kind, event)?,
        };
        message["context_id"] = json!(turn);
        Some(message)
    }

    fn remember(&mut self, turn: &str) {
        self.ended.truncate(MAX_ENDED - 1);
        self.ended.push_front(turn.to_owned());
    }
}

impl Context {
    /// The message for an event before the end of the context.
    fn write(&mut self, kind: &str, event: &Value) -> Option<Value> {
        Some(match kind {
            "words" if self.has_timestamps => self.timestamps(event),
            "audio" => {
                let now = Instant::now();
                let since = now - self.sent.replace(now).unwrap_or(now);
                json!({
                    "type": "chunk", "done": false, "status_code": PARTIAL,
                    "step_time": since.as_secs_f64() * 1e3, "data": event["audio"],
                })
            }
            "flushed" => {
                self.flushes += 1;
                json!({
                    "type": "flush_done", "done": false, "flush_done": true,
                    "flush_id": self.flushes, "status_code": PARTIAL,
                })
            }
            _ => return None,
        })
    }

    /// The words of an event as the text has them, with the punctuation around them.
    fn timestamps(&mut self, event: &Value) -> Value {
        let number = |value: &Value| {
            value.as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or_default()
        };
        let spans = event["words"].as_array().into_iter().flatten();
        let spans: Vec<_> = spans
            .map(|word| (word, number(&word["bytes"][0]), number(&word["bytes"][1])))
            .collect();
        let (mut words, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (word, _, end)) in spans.iter().enumerate() {
            let next = spans.get(place + 1).map_or(self.text.len(), |(_, start, _)| *start);
            let after = self.text.get(*end..next).unwrap_or_default();
            // Characters after a word, up to a space, belong to the word.
            let end = end + after.find(char::is_whitespace).unwrap_or(after.len());
            words.push(self.text.get(self.given..end).unwrap_or_default().trim());
            starts.push(&word["start"]);
            ends.push(&word["end"]);
            self.given = end;
        }
        json!({
            "type": "timestamps", "done": false, "status_code": PARTIAL,
            "word_timestamps": { "words": words, "start": starts, "end": ends },
        })
    }
}

/// An error event. It is not `done`: LiveKit takes `done` for the end of a text that was spoken.
fn error(error: &Value, context: &Value) -> Value {
    let kind = ErrorKind::ALL.into_iter().find(|kind| error["type"] == kind.as_str());
    let status = kind.and_then(ErrorKind::http_status).unwrap_or(500);
    json!({
        "type": "error", "context_id": context, "done": false, "status_code": status,
        "error_code": error["type"], "title": error["type"], "message": error["message"],
        "request_id": error["request_id"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str, goes_on: bool) -> String {
        let format = json!({"container": "raw", "encoding": "pcm_mulaw", "sample_rate": 8000});
        json!({
            "context_id": "c", "model_id": "sonic-3", "transcript": text, "continue": goes_on,
            "voice": {"mode": "id", "id": "leo"}, "language": "hi", "output_format": format,
            "add_timestamps": true, "generation_config": {"speed": 1.5, "volume": 0.5},
        })
        .to_string()
    }

    #[test]
    fn a_context_is_a_turn() {
        let mut cartesia = Cartesia::default();
        assert_eq!(
            cartesia.start(),
            json!({"type": "start", "ahead": 300, "audio": {"as": "json"}})
        );
        let audio = json!({"encoding": "mulaw", "sample_rate": 8000, "as": "json"});
        let settings = json!({
            "type": "settings", "turn": "c", "quality": "auto", "voice": "leo",
            "language": "hi-IN", "audio": audio, "rate": 1.5, "volume": 20.0 * 0.5_f64.log10(),
        });
        let text = |text, finish| json!({"type": "text", "turn": "c", "text": text, "flush": false, "finish": finish});
        let read = cartesia.read(&request("Well-known, \"isn't\" it? ", true)).unwrap();
        assert_eq!(read, [settings, text("Well-known, \"isn't\" it? ", false)]);
        assert_eq!(cartesia.read(&request("", false)).unwrap(), [text("", true)]);
        assert!(cartesia.read(&request("", false)).unwrap().is_empty(), "it has ended before");
        let words = json!([
            {"start": 0.1, "end": 0.3, "bytes": [0, 4]}, {"start": 0.3, "end": 0.5, "bytes": [5, 10]},
            {"start": 0.6, "end": 0.8, "bytes": [13, 18]}, {"start": 0.8, "end": 0.9, "bytes": [20, 22]},
        ]);
        let [timestamps] =
            &cartesia.write(&json!({"type": "words", "turn": "c", "words": words}))[..]
        else {
            panic!()
        };
        let given = &timestamps["word_timestamps"];
        assert_eq!(given["words"], json!(["Well-", "known,", "\"isn't\"", "it?"]));
        assert_eq!((&given["start"][3], &given["end"][3]), (&json!(0.8), &json!(0.9)));
        let [chunk] = &cartesia.write(&json!({"type": "audio", "turn": "c", "audio": "//8="}))[..]
        else {
            panic!()
        };
        assert_eq!(
            (&chunk["data"], &chunk["context_id"], &chunk["done"]),
            (&json!("//8="), &json!("c"), &json!(false))
        );
        let done = json!({"type": "done", "done": true, "status_code": 200, "context_id": "c"});
        assert_eq!(cartesia.write(&json!({"type": "finished", "turn": "c"})), [done]);
        assert!(cartesia.contexts.is_empty());
    }

    #[test]
    fn a_context_has_its_own_settings() {
        let mut cartesia = Cartesia::default();
        cartesia.read(&request("One.", true)).unwrap();
        let plain = json!({"context_id": "d", "transcript": "Two.", "continue": true});
        let audio = json!({"encoding": "pcm16", "sample_rate": 22050, "as": "json"});
        let defaults = json!({
            "type": "settings", "turn": "d", "quality": "auto", "voice": "aria",
            "language": "en-US", "audio": audio, "rate": 1.0, "volume": 0.0,
        });
        assert_eq!(cartesia.read(&plain.to_string()).unwrap()[0], defaults);
        let light = json!({"context_id": "e", "transcript": "a", "model_id": "libspeech-light"});
        assert_eq!(cartesia.read(&light.to_string()).unwrap()[0]["quality"], "light");
        for (field, value, name) in [
            ("voice", json!("john"), "voice"),
            ("locale", json!("en"), "language"),
            ("model_id", json!("libspeech-fast"), "model_id"),
            ("generation_config", json!({"speed": 1.2}), "generation_config.speed"),
        ] {
            let mut message = json!({"context_id": "c", "transcript": "Two.", "continue": true});
            message[field] = value;
            let refused = cartesia.read(&message.to_string()).unwrap_err();
            assert_eq!(refused.turn.as_deref(), Some("c"));
            let rule = format!("{name} cannot change within a context");
            assert_eq!(refused.error.message(), rule);
        }
    }

    #[test]
    fn a_setting_without_a_counterpart_is_named() {
        let mut cartesia = Cartesia::default();
        for (message, name) in [
            (json!({"add_phoneme_timestamps": true}), "add_phoneme_timestamps"),
            (json!({"use_normalized_timestamps": true}), "use_normalized_timestamps"),
            (json!({"normalization": "off"}), "normalization"),
            (json!({"pronunciation_dict_id": "drugs"}), "pronunciation_dict_id"),
            (json!({"speed": "fast"}), "speed"),
            (json!({"generation_config": {"emotion": "sad"}}), "generation_config.emotion"),
            (json!({"voice": {"embedding": [0.1]}}), "voice.embedding"),
            (
                json!({"voice": {"id": "leo", "__experimental_controls": {}}}),
                "voice.__experimental_controls",
            ),
        ] {
            let mut message = message;
            message["context_id"] = json!("c");
            message["transcript"] = json!("a");
            let refused = cartesia.read(&message.to_string()).unwrap_err();
            assert_eq!(refused.turn.as_deref(), Some("c"));
            assert_eq!(refused.error.message(), format!("{name} is not supported"));
        }
        let neutral = json!({
            "context_id": "c", "transcript": "a", "add_phoneme_timestamps": false,
            "normalization": "auto", "pronunciation_dict_id": null, "speed": "normal",
            "generation_config": {"emotion": "neutral"},
        });
        assert_eq!(cartesia.read(&neutral.to_string()).unwrap().len(), 2);
    }

    #[test]
    fn what_has_ended_takes_no_memory() {
        let mut cartesia = Cartesia::default();
        cartesia.read(&request("One.", true)).unwrap();
        let ended = |kind| json!({"type": kind, "turn": "c", "error": {"type": "invalid_request"}});
        cartesia.write(&ended("interrupted"));
        // The session says what becomes of it.
        assert_eq!(cartesia.read(&request("Two.", true)).unwrap()[0]["text"], "Two.");
        assert!(cartesia.contexts.is_empty());
        let refused = cartesia.write(&ended("error"));
        assert_eq!(
            (&refused[0]["type"], &refused[0]["context_id"]),
            (&json!("error"), &json!("c"))
        );
        for n in 0..2 * MAX_ENDED {
            let name = n.to_string();
            cartesia.read(&json!({"context_id": name, "transcript": "a"}).to_string()).unwrap();
            cartesia.write(&json!({"type": "finished", "turn": name}));
        }
        assert_eq!((cartesia.contexts.len(), cartesia.ended.len()), (0, MAX_ENDED));
        let much = request(&"a".repeat(60_000), true);
        let taken = (0..).take_while(|_| cartesia.read(&much).is_ok()).count();
        assert_eq!(taken, MAX_TEXT / 60_000);
    }

    #[test]
    fn what_is_flushed_cancelled_and_refused() {
        let mut cartesia = Cartesia::default();
        let mut read = |message: Value| cartesia.read(&message.to_string());
        let sentence = read(
            json!({"context_id": "c", "transcript": "One.", "continue": true, "max_buffer_delay_ms": 0}),
        );
        assert_eq!(sentence.unwrap()[1]["flush"], true);
        assert_eq!(
            read(json!({"context_id": "c", "cancel": true})).unwrap(),
            [json!({"type": "interrupt", "turn": "c"})]
        );
        assert!(
            read(json!({"context_id": "other", "transcript": "", "continue": false}))
                .unwrap()
                .is_empty()
        );
        for message in [
            json!({"transcript": "No context."}),
            json!({"context_id": "a".repeat(65), "transcript": "A long name."}),
        ] {
            assert_eq!(read(message.clone()).unwrap_err().turn, None, "{message}");
        }
        for message in [
            json!({"context_id": "c", "transcript": 3}),
            json!({"context_id": "c", "transcript": "a", "voice": {"mode": "id"}}),
            json!({"context_id": "c", "transcript": "a", "model_id": "tts-9"}),
            json!({"context_id": "c", "transcript": "a", "generation_config": {"volume": 0}}),
            json!({"context_id": "c", "transcript": "a", "generation_config": {"volume": -1}}),
            json!({"context_id": "c", "transcript": "a", "output_format": {"container": "wav", "encoding": "pcm_s16le", "sample_rate": 8000}}),
            json!({"context_id": "c", "transcript": "a", "output_format": {"container": "raw", "encoding": "opus", "sample_rate": 8000}}),
        ] {
            let refused = read(message.clone()).unwrap_err();
            assert_eq!(refused.turn.as_deref(), Some("c"), "{message}");
        }
        let flushed = cartesia.write(&json!({"type": "flushed", "turn": "c", "seconds": 1.0}));
        assert_eq!(
            (&flushed[0]["type"], &flushed[0]["flush_id"]),
            (&json!("flush_done"), &json!(1))
        );
        let failure = json!({"type": "overloaded", "message": "later", "request_id": "r"});
        let refused = cartesia.write(&json!({"type": "error", "turn": "c", "error": failure}));
        assert_eq!(
            (&refused[0]["status_code"], &refused[0]["context_id"]),
            (&json!(503), &json!("c"))
        );
        // A context ends once.
        assert!(cartesia.write(&json!({"type": "interrupted", "turn": "c"})).is_empty());
        // An error of the session ends each open context.
        let failure = json!({"type": "invalid_request", "message": "no"});
        let failure = json!({"type": "error", "error": failure});
        for open in [&["d", "e"][..], &[]] {
            for context in open {
                let message = json!({"context_id": context, "transcript": "a"});
                cartesia.read(&message.to_string()).unwrap();
            }
            let mut ended = cartesia.write(&failure);
            ended.sort_by_key(|event| event["context_id"].to_string());
            let contexts: Vec<_> = ended.iter().map(|event| event["context_id"].clone()).collect();
            assert_eq!(json!(contexts), if open.is_empty() { json!([null]) } else { json!(open) });
            assert!(ended.iter().all(|it| it["status_code"] == 400 && it["message"] == "no"));
        }
    }
}
