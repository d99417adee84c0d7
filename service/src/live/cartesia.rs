//! Cartesia's protocol, for the clients that were written for it. A context of theirs is a turn of ours.
//!
//! <https://docs.cartesia.ai/api-reference/tts/websocket>

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};
use speech_core::{Error, ErrorKind};

use super::dialect::Dialect;
use super::message::{invalid, parse};

/// All sound is sent as it comes, as those clients expect it: some of them wait no longer than ten seconds for more.
const AHEAD: u32 = 300;

/// The names of contexts that are remembered when they have ended.
const MAX_ENDED: usize = 64;

/// The most text that is kept of the contexts that are open, in bytes.
const MAX_TEXT: usize = 4 << 20;

const PARTIAL: u32 = 206;
const DONE: u32 = 200;

/// The contexts of a socket.
#[derive(Default)]
pub(super) struct Cartesia {
    contexts: HashMap<String, Context>,
    ended: VecDeque<String>,
    /// The settings that were given last.
    settings: Value,
}

/// A context, until its end.
#[derive(Default)]
struct Context {
    /// For the timestamps.
    text: String,
    /// The end of what was given as words.
    given: usize,
    has_timestamps: bool,
    flushes: u32,
    /// When something was last sent of it.
    sent: Option<Instant>,
}

/// A message of the client. Fields that are not known are ignored.
#[derive(Deserialize)]
struct Request {
    context_id: String,
    #[serde(default)]
    cancel: bool,
    #[serde(default)]
    transcript: String,
    #[serde(default, rename = "continue")]
    goes_on: bool,
    #[serde(default)]
    flush: bool,
    #[serde(default)]
    add_timestamps: bool,
    max_buffer_delay_ms: Option<u32>,
    voice: Option<Voice>,
    language: Option<String>,
    output_format: Option<Format>,
    generation_config: Option<Delivery>,
}

#[derive(Deserialize)]
struct Voice {
    id: String,
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

impl Request {
    /// What the client wants of the context, as a message of ours.
    fn settings(&self) -> Result<Value, Error> {
        let mut settings = json!({ "type": "settings" });
        if let Some(Voice { id }) = &self.voice {
            settings["voice"] = json!(id);
        }
        if let Some(language) = &self.language {
            // Theirs may have no country.
            let ours =
                [("en", "en-US"), ("hi", "hi-IN")].into_iter().find(|(name, _)| name == language);
            settings["language"] = json!(ours.map_or(&**language, |(_, ours)| ours));
        }
        if let Some(Format { container, encoding, sample_rate }) = &self.output_format {
            if container != "raw" {
                return Err(invalid("the container must be raw"));
            }
            let encodings = [
                ("pcm_s16le", "pcm16"),
                ("pcm_f32le", "float32"),
                ("pcm_mulaw", "mulaw"),
                ("pcm_alaw", "alaw"),
            ];
            let ours = encodings.into_iter().find(|(name, _)| name == encoding);
            let (_, ours) = ours.ok_or_else(|| {
                invalid("encoding must be pcm_s16le, pcm_f32le, pcm_mulaw or pcm_alaw")
            })?;
            settings["audio"] =
                json!({ "encoding": ours, "sample_rate": sample_rate, "as": "json" });
        }
        if let Some(Delivery { speed, volume }) = &self.generation_config {
            settings["rate"] = json!(speed.unwrap_or(1.0));
            let volume = volume.unwrap_or(1.0);
            if volume <= 0.0 {
                return Err(invalid("volume must be over 0"));
            }
            // Theirs is a factor.
            settings["volume"] = json!(20.0 * volume.log10());
        }
        Ok(settings)
    }
}

impl Dialect for Cartesia {
    fn start(&self) -> Value {
        json!({ "type": "start", "ahead": AHEAD, "audio": { "as": "json" } })
    }

    fn read(&mut self, message: &str) -> Result<Vec<Value>, Error> {
        let request: Request = parse(message)?;
        let turn = &request.context_id;
        if request.cancel {
            return Ok(vec![json!({ "type": "interrupt", "turn": turn })]);
        }
        if request.transcript.is_empty() && !self.contexts.contains_key(turn) {
            return Ok(vec![]);
        }
        let mut messages = Vec::new();
        let settings = request.settings()?;
        if settings != self.settings {
            messages.push(settings.clone());
            self.settings = settings;
        }
        // The session ignores or refuses text for one that has ended.
        if !self.ended.contains(turn) {
            let held: usize = self.contexts.values().map(|context| context.text.len()).sum();
            let context = self.contexts.entry(turn.clone()).or_insert_with(|| Context {
                has_timestamps: request.add_timestamps,
                sent: Some(Instant::now()),
                ..Context::default()
            });
            if context.has_timestamps {
                if held + request.transcript.len() > MAX_TEXT {
                    return Err(invalid(format!("open contexts have over {MAX_TEXT} bytes")));
                }
                context.text += &request.transcript;
            }
        }
        // Who wants no buffering has cut the text into sentences.
        let flush = request.flush || request.max_buffer_delay_ms == Some(0) && request.goes_on;
        messages.push(json!({
            "type": "text", "turn": turn, "text": request.transcript,
            "flush": flush, "finish": !request.goes_on,
        }));
        Ok(messages)
    }

    fn write(&mut self, event: &Value) -> Vec<Value> {
        let kind = event["type"].as_str().unwrap_or_default();
        let Some(turn) = event["turn"].as_str() else {
            // An error of the session.
            return if kind == "error" { vec![error(&event["error"])] } else { vec![] };
        };
        let mut unknown = Context::default();
        let context = self.contexts.get_mut(turn).unwrap_or(&mut unknown);
        let mut message = match kind {
            "words" if context.has_timestamps => context.timestamps(event),
            "audio" => {
                let now = Instant::now();
                let since = now - context.sent.replace(now).unwrap_or(now);
                let milliseconds = since.as_secs_f64() * 1e3;
                json!({ "type": "chunk", "done": false, "status_code": PARTIAL, "step_time": milliseconds, "data": event["audio"] })
            }
            "flushed" => {
                context.flushes += 1;
                json!({ "type": "flush_done", "done": false, "flush_done": true, "flush_id": context.flushes, "status_code": PARTIAL })
            }
            "finished" | "interrupted" => {
                json!({ "type": "done", "done": true, "status_code": DONE })
            }
            "error" => error(&event["error"]),
            _ => return vec![],
        };
        if matches!(kind, "finished" | "interrupted" | "error")
            && let Some((name, _)) = self.contexts.remove_entry(turn)
        {
            self.ended.truncate(MAX_ENDED - 1);
            self.ended.push_front(name);
        }
        message["context_id"] = json!(turn);
        vec![message]
    }
}

impl Context {
    /// The words of an event with the punctuation around them, as they stand in the text.
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
            // What follows a word without a space belongs to it.
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

/// Not `done`: LiveKit takes that for the end of a text that was spoken.
fn error(error: &Value) -> Value {
    let kind = ErrorKind::ALL.into_iter().find(|kind| error["type"] == kind.as_str());
    let status = kind.and_then(ErrorKind::http_status).unwrap_or(500);
    json!({
        "type": "error", "done": false, "status_code": status, "error_code": error["type"],
        "title": error["type"], "message": error["message"], "request_id": error["request_id"],
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
            "add_timestamps": true, "generation_config": {"speed": 1.5, "volume": 0.5, "emotion": "sad"},
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
            "type": "settings", "voice": "leo", "language": "hi-IN", "audio": audio, "rate": 1.5,
            "volume": 20.0 * 0.5_f64.log10(),
        });
        let text = |text, finish| json!({"type": "text", "turn": "c", "text": text, "flush": false, "finish": finish});
        let read = cartesia.read(&request("Well-known, \"isn't\" it? ", true)).unwrap();
        assert_eq!(read, [settings, text("Well-known, \"isn't\" it? ", false)]);
        assert_eq!(cartesia.read(&request("", false)).unwrap(), [text("", true)]);
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
            json!({"context_id": "c", "transcript": 3}),
            json!({"context_id": "c", "transcript": "a", "generation_config": {"volume": 0}}),
            json!({"context_id": "c", "transcript": "a", "generation_config": {"volume": -1}}),
            json!({"context_id": "c", "transcript": "a", "output_format": {"container": "wav", "encoding": "pcm_s16le", "sample_rate": 8000}}),
            json!({"context_id": "c", "transcript": "a", "output_format": {"container": "raw", "encoding": "opus", "sample_rate": 8000}}),
        ] {
            assert!(read(message.clone()).is_err(), "{message}");
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
        let refused = cartesia.write(
            &json!({"type": "error", "error": {"type": "invalid_request", "message": "no"}}),
        );
        assert_eq!(
            (&refused[0]["status_code"], &refused[0]["message"]),
            (&json!(400), &json!("no"))
        );
    }
}
