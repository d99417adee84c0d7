//! Requests of OpenAI's clients.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use speech_core::{
    Encoding, ErrorKind, Language, Latency, Quality, RATE_RANGE, Request, Voice, count_characters,
};

use super::encode::RATE;
use super::format::Format;
use super::refusal::{Refusal, quoted};
use super::{listings, voices};
use crate::lexicons;

/// The longest input, in characters.
const MAX_INPUT: usize = 4096;

/// The speeds that OpenAI supports.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// A request for speech. `instructions` and unknown fields are ignored. As on our own route, a
/// known field that is given twice is an error.
#[derive(Debug)]
pub(crate) struct SpeechRequest {
    pub(crate) input: String,
    /// The input with its pronunciations.
    pub(crate) text: Request,
    /// The names of the lexicons.
    pub(crate) lexicons: Vec<String>,
    pub(crate) voice: Voice,
    pub(crate) language: Language,
    pub(crate) format: Format,
    /// Samples a second, in hertz.
    pub(crate) sample_rate: u32,
    /// The encoding of raw audio and of files that hold it; otherwise 16 bits.
    pub(crate) encoding: Encoding,
    /// Within the library's range.
    pub(crate) rate: f64,
    pub(crate) latency: Latency,
    /// The quality of the model.
    pub(crate) quality: Quality,
    /// Whether the audio is sent as server-sent events.
    pub(crate) as_events: bool,
}

impl SpeechRequest {
    /// Reads a request. `null` is the same as a missing field.
    pub(crate) fn from_json(json: &[u8]) -> Result<Self, Refusal> {
        let wrong = |_| {
            let message = "We could not parse the JSON body of your request.";
            Refusal::new(ErrorKind::InvalidRequest, message)
        };
        let fields: Fields = serde_json::from_slice(json).map_err(wrong)?;
        if let Some(name) = fields.repeated {
            let message = format!("Invalid '{name}': it is given twice.");
            return Err(Refusal::of_field(name, "invalid_value", message));
        }
        let (_, quality) = listings::find(&fields.required("model", fields.string("model")?)?)?;
        let input = fields.required("input", fields.string("input")?)?;
        check_input(&input)?;
        let language = fields.choice("language", &Language::ALL.map(|it| (it.as_str(), it)))?;
        let format = fields.choice("response_format", &Format::ALL.map(|it| (it.as_str(), it)))?;
        let format = format.unwrap_or(Format::Mp3);
        let latency = fields.choice("latency", &Latency::ALL.map(|it| (it.as_str(), it)))?;
        let as_events = fields.choice("stream_format", &[("audio", false), ("sse", true)])?;
        fields.string("instructions")?;
        let mut text = Request::new(input.as_str());
        if fields.get("pronunciations").is_some() {
            text = text.with_pronunciations_of(json).map_err(|error| {
                Refusal::of_field("pronunciations", "invalid_value", error.message())
            })?;
        }
        let lexicons = fields.get("lexicons").map(|_| lexicons::names(json)).transpose();
        let lexicons = lexicons
            .map_err(|error| Refusal::of_field("lexicons", "invalid_type", error.message()))?;
        Ok(Self {
            voice: fields.voice()?,
            language: language.unwrap_or_else(|| voices::language(&input)),
            format,
            sample_rate: fields.sample_rate(format)?,
            encoding: fields.encoding(format)?,
            rate: fields.rate()?,
            latency: latency.unwrap_or_default(),
            quality,
            as_events: as_events.unwrap_or(false),
            text,
            lexicons: lexicons.unwrap_or_default(),
            input,
        })
    }
}

fn check_input(input: &str) -> Result<(), Refusal> {
    if input.trim().is_empty() {
        let message = "Invalid 'input': empty string. Expected something to say.";
        return Err(Refusal::of_field("input", "empty_string", message));
    }
    if input.contains('\0') {
        let message = "Invalid 'input': it has a NUL character.";
        return Err(Refusal::of_field("input", "invalid_value", message));
    }
    let length = count_characters(input);
    if length > MAX_INPUT {
        let message = format!(
            "Invalid 'input': string too long. Expected a string with maximum length {MAX_INPUT}, but got a string with \
             length {length} instead."
        );
        return Err(Refusal::of_field("input", "string_above_max_length", message));
    }
    Ok(())
}

/// The known fields.
const FIELDS: [&str; 13] = [
    "model",
    "input",
    "voice",
    "language",
    "response_format",
    "sample_rate",
    "encoding",
    "latency",
    "stream_format",
    "instructions",
    "speed",
    "pronunciations",
    "lexicons",
];

/// The known fields of the body.
#[derive(Default)]
struct Fields<'a> {
    values: HashMap<&'static str, &'a RawValue>,
    /// A field that is given twice.
    repeated: Option<&'static str>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields<'de>, M::Error> {
                let mut fields = Fields::default();
                while let Some((name, value)) = map.next_entry::<String, _>()? {
                    let Some(name) = FIELDS.into_iter().find(|it| *it == name) else { continue };
                    if fields.values.insert(name, value).is_some() {
                        fields.repeated = Some(name);
                    }
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl Fields<'_> {
    /// The JSON of a field.
    fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| value.get()).filter(|value| *value != "null")
    }

    fn required<T>(&self, name: &'static str, value: Option<T>) -> Result<T, Refusal> {
        let message = || format!("Missing required parameter: '{name}'.");
        value.ok_or_else(|| Refusal::of_field(name, "missing_required_parameter", message()))
    }

    fn string(&self, name: &'static str) -> Result<Option<String>, Refusal> {
        let wrong = |_| wrong_type(name, "a string");
        self.get(name).map(|value| serde_json::from_str(value).map_err(wrong)).transpose()
    }

    /// A field whose value is one of some names.
    fn choice<T: Copy>(
        &self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.string(name)? else { return Ok(None) };
        let found = choices.iter().find(|(choice, _)| *choice == value).map(|(_, it)| *it);
        let wrong = || invalid_value(name, &value, choices.iter().map(|(choice, _)| *choice));
        found.ok_or_else(wrong).map(Some)
    }

    /// A name, or an object with the name as its `id`.
    fn voice(&self) -> Result<Voice, Refusal> {
        let value = self.required("voice", self.get("voice"))?;
        let name = if value.starts_with('{') {
            serde_json::from_str(value).map(|VoiceObject { id }| id)
        } else {
            serde_json::from_str(value)
        };
        let name = name.map_err(|_| wrong_type("voice", "a string, or an object with one 'id'"))?;
        let name = name.as_str();
        let theirs = voices::VOICES.iter().map(|(name, _)| *name);
        let ours = Voice::ALL.iter().map(|voice| voice.as_str());
        voices::voice(name).ok_or_else(|| invalid_value("voice", name, ours.chain(theirs)))
    }

    /// A sample rate that the format supports.
    fn sample_rate(&self, format: Format) -> Result<u32, Refusal> {
        let Some(value) = self.get("sample_rate") else { return Ok(RATE) };
        if value.parse::<f64>().is_err() {
            return Err(wrong_type("sample_rate", "a number"));
        }
        let rates = format.sample_rates();
        let found = rates.iter().find(|rate| value.parse().ok() == Some(**rate));
        found.copied().ok_or_else(|| {
            let rates: Vec<_> = rates.iter().map(u32::to_string).collect();
            invalid_value("sample_rate", value, rates.iter().map(String::as_str))
        })
    }

    fn encoding(&self, format: Format) -> Result<Encoding, Refusal> {
        let encoding = self.choice("encoding", &Encoding::ALL.map(|it| (it.as_str(), it)))?;
        let encoding = encoding.unwrap_or_default();
        if encoding != Encoding::Pcm16 && !matches!(format, Format::Wav | Format::Pcm) {
            let message = "Invalid 'encoding': the response_format must be 'wav' or 'pcm'.";
            return Err(Refusal::of_field("encoding", "invalid_value", message));
        }
        Ok(encoding)
    }

    /// The speed, limited to the library's range.
    fn rate(&self) -> Result<f64, Refusal> {
        let Some(value) = self.get("speed") else { return Ok(1.0) };
        // The value is valid JSON, so it is a number of any size.
        let speed: f64 = value.parse().map_err(|_| wrong_type("speed", "a number"))?;
        let (least, most) = (SPEEDS.start(), SPEEDS.end());
        let (code, expected) = if speed < *least {
            ("decimal_below_min_value", format!("below minimum value. Expected a value >= {least}"))
        } else if speed > *most {
            ("decimal_above_max_value", format!("above maximum value. Expected a value <= {most}"))
        } else {
            return Ok(speed.clamp(*RATE_RANGE.start(), *RATE_RANGE.end()));
        };
        // A number that is too large for its type is infinite.
        let got =
            if speed.is_infinite() { "a number out of range".into() } else { speed.to_string() };
        let message = format!("Invalid 'speed': decimal {expected}, but got {got} instead.");
        Err(Refusal::of_field("speed", code, message))
    }
}

/// A voice object with one `id`.
#[derive(serde::Deserialize)]
struct VoiceObject {
    id: String,
}

fn wrong_type(name: &'static str, kind: &str) -> Refusal {
    Refusal::of_field(name, "invalid_type", format!("Invalid type for '{name}': expected {kind}."))
}

fn invalid_value<'a>(
    name: &'static str,
    value: &str,
    supported: impl Iterator<Item = &'a str>,
) -> Refusal {
    let supported: Vec<_> = supported.map(|name| format!("'{name}'")).collect();
    let (value, supported) = (quoted(value), supported.join(", "));
    let message = format!("Invalid value: {value}. Supported values are: {supported}.");
    Refusal::of_field(name, "invalid_value", message)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(value: &Value) -> Result<SpeechRequest, Refusal> {
        SpeechRequest::from_json(value.to_string().as_bytes())
    }

    #[test]
    fn fields_have_defaults_and_null_is_none() {
        let least = read(&json!({"model": "tts-1", "input": "Hi.", "voice": "alloy"})).unwrap();
        assert_eq!((least.voice, least.language), (Voice::ARIA, Language::EnUs));
        assert_eq!((least.format, least.rate, least.as_events), (Format::Mp3, 1.0, false));
        assert_eq!((least.latency, least.quality), (Latency::Standard, Quality::Auto));
        assert_eq!((least.sample_rate, least.encoding), (24_000, Encoding::Pcm16));
        let most = read(&json!({
            "model": "gpt-4o-mini-tts", "input": "नमस्ते।", "voice": {"id": "john"}, "speed": 4, "stream_format": "sse",
            "response_format": "opus", "instructions": null, "latency": "low", "unknown": [],
        }))
        .unwrap();
        assert_eq!((most.voice, most.language), (Voice::JOHN, Language::HiIn));
        assert_eq!((most.format, most.rate, most.as_events), (Format::Opus, 2.0, true));
        assert_eq!(most.latency, Latency::Low);
        let slow = json!({"model": "tts-1", "input": "Hi.", "voice": "leo", "speed": 0.25, "language": "hi-IN"});
        let slow = read(&slow).unwrap();
        assert_eq!((slow.rate, slow.language), (0.5, Language::HiIn));
    }

    #[test]
    fn a_format_has_its_sample_rates_and_encodings() {
        for (format, rate, encoding, refused) in [
            ("pcm", json!(8000), "mulaw", None),
            ("wav", json!(48_000), "float32", None),
            ("mp3", json!(44_100), "pcm16", None),
            ("opus", json!(16_000), "pcm16", None),
            ("opus", json!(44_100), "pcm16", Some("'16000', '24000', '48000'.")),
            ("flac", json!(11_025), "pcm16", Some("'24000', '44100', '48000'.")),
            ("pcm", json!(8000.5), "pcm16", Some("Invalid value: '8000.5'.")),
            ("pcm", json!("8000"), "pcm16", Some("expected a number.")),
            ("flac", json!(8000), "alaw", Some("must be 'wav' or 'pcm'.")),
            ("pcm", json!(8000), "g722", Some("'float32', 'mulaw', 'alaw'.")),
        ] {
            let request = read(&json!({
                "model": "tts-1", "input": "Hi.", "voice": "alloy", "response_format": format, "sample_rate": rate,
                "encoding": encoding,
            }));
            let error = request.err().map(|refusal| refusal.response.error.message().to_owned());
            match (&error, refused) {
                (None, None) => {}
                (Some(error), Some(part)) if error.contains(part) => {}
                _ => panic!("{format}, {rate}, {encoding}: {error:?}"),
            }
        }
    }

    #[test]
    fn length_is_in_characters() {
        let of_length = |n: usize| {
            read(&json!({"model": "tts-1", "input": "क".repeat(n), "voice": "alloy"})).is_ok()
        };
        assert!(of_length(1) && of_length(4096) && !of_length(4097));
    }

    #[test]
    fn fields_are_there_once_and_unknown_ones_may_be_anything() {
        let read = |fields: &str| {
            let least = r#""model": "tts-1", "input": "Hi.", "voice": "alloy""#;
            SpeechRequest::from_json(format!("{{{least}, {fields}}}").as_bytes())
        };
        for fields in [
            r#""more": 1e400"#,
            r#""more": [{"most": -1e999}]"#,
            r#""more": 1, "more": 2"#,
            r#""more": "\ud800""#,
            r#""speed": 1.0e0"#,
        ] {
            assert!(read(fields).is_ok(), "{fields}");
        }
        for (fields, message) in [
            (r#""input": "Ho.""#, "Invalid 'input': it is given twice."),
            (r#""speed": null, "speed": 1"#, "Invalid 'speed': it is given twice."),
            (r#""voice": "alloy""#, "Invalid 'voice': it is given twice."),
            (
                r#""speed": 1e400"#,
                "Invalid 'speed': decimal above maximum value. Expected a value <= 4, but got a number out of range \
                 instead.",
            ),
            (r#""speed": "1""#, "Invalid type for 'speed': expected a number."),
            (r#""latency": 1e400"#, "Invalid type for 'latency': expected a string."),
            (r#""more": 01"#, "We could not parse the JSON body of your request."),
        ] {
            let error = read(fields).unwrap_err().response.error;
            assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{fields}");
            assert!(error.message().starts_with(message), "{fields}: {error}");
        }
        assert!(SpeechRequest::from_json(b"{\"more\": \"\xff\"}").is_err());
    }

    #[test]
    fn a_voice_is_a_name_or_an_object_with_one_id() {
        let wrong = "Invalid type for 'voice': expected a string, or an object with one 'id'.";
        for (voice, message) in [
            (r#""leo""#, None),
            (r#"{"id": "leo", "more": 1e400, "more": 2}"#, None),
            (r#"{"id": "leo", "id": "leo"}"#, Some(wrong)),
            (r#"{"id": "nobody", "id": "leo"}"#, Some(wrong)),
            (r#"{"id": 5}"#, Some(wrong)),
            ("{}", Some(wrong)),
            (r#"["leo"]"#, Some(wrong)),
            ("5", Some(wrong)),
        ] {
            let json = format!(r#"{{"model": "tts-1", "input": "Hi.", "voice": {voice}}}"#);
            let found = SpeechRequest::from_json(json.as_bytes());
            let found = found.err().map(|refusal| refusal.response.error.message().to_owned());
            assert_eq!(found.as_deref(), message, "{voice}");
        }
    }
}
