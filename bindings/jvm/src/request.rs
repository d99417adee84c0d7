//! Requests, as received from the package, with the fields of the JSON that services receive.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use speech_core::{
    Encoding, Error, ErrorKind, Format, Language, Latency, Lexicon, Quality, Request, Result,
    SAMPLE_RATE, Voice,
};

use crate::handles;
use crate::task::nothing;
use crate::wire::encode;

/// A text and its settings.
#[derive(Deserialize)]
pub(crate) struct RawRequest {
    fields: Fields,
    /// The handles of the lexicons, in the order in which they are searched.
    lexicons: Vec<i64>,
}

/// The fields of a request in the JSON format of the contract.
#[derive(Deserialize, Serialize)]
#[serde(default)]
struct Fields {
    text: String,
    language: String,
    voice: String,
    format: String,
    latency: String,
    quality: String,
    sample_rate: i64,
    encoding: String,
    #[serde(deserialize_with = "number")]
    rate: f64,
    #[serde(deserialize_with = "number")]
    pitch: f64,
    #[serde(deserialize_with = "number")]
    volume: f64,
    ssml: bool,
    read_pauses: bool,
    read_emoji: bool,
    read_romanized_hindi: bool,
    #[serde(deserialize_with = "pairs")]
    pronunciations: Vec<(String, String)>,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            text: String::new(),
            language: Language::default().to_string(),
            voice: Voice::default().to_string(),
            format: Format::default().to_string(),
            latency: Latency::default().to_string(),
            quality: Quality::default().to_string(),
            sample_rate: SAMPLE_RATE.into(),
            encoding: Encoding::default().to_string(),
            rate: 1.0,
            pitch: 0.0,
            volume: 0.0,
            ssml: false,
            read_pauses: true,
            read_emoji: false,
            read_romanized_hindi: true,
            pronunciations: Vec::new(),
        }
    }
}

/// A number of any size, or `null` for NaN and infinities; the core rejects both.
pub(crate) fn number<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<f64, D::Error> {
    let json = <&RawValue>::deserialize(deserializer)?;
    Ok(json.get().parse().unwrap_or(f64::NAN))
}

/// Words and their readings: a list of pairs, or an object as in a service's request.
fn pairs<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<(String, String)>, D::Error> {
    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, String)>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("pairs of strings")
        }

        fn visit_seq<A: SeqAccess<'de>>(
            self,
            mut pairs: A,
        ) -> std::result::Result<Self::Value, A::Error> {
            std::iter::from_fn(|| pairs.next_element().transpose()).collect()
        }

        fn visit_map<A: MapAccess<'de>>(
            self,
            mut pairs: A,
        ) -> std::result::Result<Self::Value, A::Error> {
            std::iter::from_fn(|| pairs.next_entry().transpose()).collect()
        }
    }

    deserializer.deserialize_any(Pairs)
}

impl RawRequest {
    pub(crate) fn text(&self) -> &str {
        &self.fields.text
    }

    /// Converts to the core's request, within the call: Java may free the lexicons after it.
    pub(crate) fn parse(&self) -> Result<Request> {
        let request = self.fields.parse()?;
        Ok(self.lexicons.iter().fold(request, |request, handle| {
            let lexicon = handles::find::<Lexicon>(*handle);
            request.lexicon(lexicon.expect("Java frees what it can no longer reach"))
        }))
    }
}

impl Fields {
    fn parse(&self) -> Result<Request> {
        let sample_rate = u32::try_from(self.sample_rate)
            .map_err(|_| Error::invalid_request("sample_rate must be a positive whole number"))?;
        Request::new(&*self.text)
            .language(self.language.parse()?)
            .voice(self.voice.parse()?)
            .latency(self.latency.parse()?)
            .quality(self.quality.parse()?)
            .sample_rate(sample_rate)
            .encoding(self.encoding.parse()?)
            .rate(self.rate)
            .pitch(self.pitch)
            .volume(self.volume)
            .ssml(self.ssml)
            .read_pauses(self.read_pauses)
            .read_emoji(self.read_emoji)
            .read_romanized_hindi(self.read_romanized_hindi)
            .pronunciations(self.pronunciations.iter().map(|(words, reading)| (words, reading)))
    }
}

/// Parses a request in JSON, and returns it with every field; missing fields get their defaults.
pub(crate) fn complete(json: &[u8]) -> Result<Vec<u8>> {
    Request::from_json(json)?;
    // The parser's error may quote the text, which must not appear in a message.
    let unread = |_| Error::new(ErrorKind::Internal, "a request that was checked cannot be read");
    let request: Fields = serde_json::from_slice(json).map_err(unread)?;
    Ok(encode(&request))
}

/// Checks a request as an engine does.
pub(crate) fn validate(request: &RawRequest) -> Result<Vec<u8>> {
    request.parse()?.validate()?;
    Ok(nothing())
}
