//! The protocol of jambonz for a custom vendor of streamed speech. `stream` and `flush` carry text,
//! `stop` ends the speech, and the sound is raw 16-bit samples at the rate in the query.
//!
//! <https://docs.jambonz.org/guides/features/custom-tts-providers>

use serde::Deserialize;
use serde_json::{Value, json};
use speech_core::Error;
use url::form_urlencoded;

use super::dialect::{Dialect, Refused};
use super::message::{invalid, parse};

/// A call. The voice and the language in the query have the names of our own.
pub(super) struct Jambonz {
    /// In hertz.
    sample_rate: u32,
}

impl Jambonz {
    /// A call with the sample rate that a query names.
    ///
    /// # Errors
    ///
    /// `invalid_request`.
    pub(super) fn of_query(query: &str) -> Result<Self, Error> {
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        let rate = parameters.find_map(|(name, value)| (name == "sampleRate").then_some(value));
        let rate = rate.map_or(Ok(8000), |rate| rate.parse());
        let sample_rate = rate.map_err(|_| invalid("sampleRate must be a whole number"))?;
        Ok(Self { sample_rate })
    }
}

#[derive(Deserialize)]
struct Command {
    r#type: String,
    #[serde(default)]
    text: String,
}

impl Dialect for Jambonz {
    fn start(&self) -> Value {
        let audio = json!({ "encoding": "pcm16", "sample_rate": self.sample_rate });
        json!({ "type": "start", "events": [], "audio": audio })
    }

    fn read(&mut self, message: &str) -> Result<Vec<Value>, Refused> {
        let Command { r#type, text } = parse(message)?;
        Ok(match &*r#type {
            // jambonz cuts the text between words.
            "stream" => vec![json!({ "type": "text", "text": text + " " })],
            "flush" => vec![json!({ "type": "finish" })],
            "stop" => vec![json!({ "type": "interrupt" }), json!({ "type": "close" })],
            "keepalive" => vec![],
            _ => return Err(invalid("the type must be stream, flush, stop or keepalive").into()),
        })
    }

    fn write(&mut self, event: &Value) -> Vec<Value> {
        match event["type"].as_str() {
            Some("ready") => {
                let format =
                    json!({ "sample_rate": event["sample_rate"], "base64_encoding": false });
                vec![json!({ "type": "connect", "data": format })]
            }
            Some("error") => vec![json!({ "type": "error", "error": event["error"]["message"] })],
            _ => vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_says_is_what_we_say() {
        assert!(Jambonz::of_query("sampleRate=high").is_err());
        let mut jambonz = Jambonz::of_query("voice=leo&sampleRate=16000").unwrap();
        let audio = json!({"encoding": "pcm16", "sample_rate": 16000});
        assert_eq!(jambonz.start(), json!({"type": "start", "events": [], "audio": audio}));
        for (message, expected) in [
            (
                r#"{"type": "stream", "text": "Hello,"}"#,
                json!([{"type": "text", "text": "Hello, "}]),
            ),
            (r#"{"type": "flush"}"#, json!([{"type": "finish"}])),
            (r#"{"type": "stop"}"#, json!([{"type": "interrupt"}, {"type": "close"}])),
            (r#"{"type": "keepalive"}"#, json!([])),
        ] {
            assert_eq!(json!(jambonz.read(message).unwrap()), expected, "{message}");
        }
        for message in ["", "{}", r#"{"type": "speak"}"#, r#"{"type": "stream", "text": 3}"#] {
            assert!(jambonz.read(message).is_err(), "{message}");
        }
        for (event, expected) in [
            (
                json!({"type": "ready", "sample_rate": 16000}),
                json!([{"type": "connect", "data": {"sample_rate": 16000, "base64_encoding": false}}]),
            ),
            (json!({"type": "turn", "turn": "1"}), json!([])),
            (
                json!({"type": "error", "turn": "1", "error": {"type": "overloaded", "message": "later"}}),
                json!([{"type": "error", "error": "later"}]),
            ),
        ] {
            assert_eq!(json!(jambonz.write(&event)), expected, "{event}");
        }
    }
}
