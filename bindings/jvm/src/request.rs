//! Requests, as the package hands them over.

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};
use serde_json::{Map, Value};
use speech_core::{Error, ErrorKind, Format, Request, Result};

use crate::boundary::{answer, bytes};
use crate::wire::{Reader, Writer};

/// A text and how it is spoken.
pub(crate) struct Fields<'a> {
    pub(crate) text: &'a str,
    language: &'a str,
    voice: &'a str,
    latency: &'a str,
    quality: &'a str,
    rate: f64,
    pitch: f64,
    volume: f64,
    read_pauses: bool,
    read_emoji: bool,
    read_romanized_hindi: bool,
    format: &'a str,
    ssml: bool,
}

impl<'a> Fields<'a> {
    /// In the order of `SpeechRequest.write`.
    pub(crate) fn read(bytes: &'a [u8]) -> Self {
        let mut reader = Reader::new(bytes);
        Self {
            text: reader.string(),
            language: reader.string(),
            voice: reader.string(),
            latency: reader.string(),
            quality: reader.string(),
            rate: reader.double(),
            pitch: reader.double(),
            volume: reader.double(),
            read_pauses: reader.flag(),
            read_emoji: reader.flag(),
            read_romanized_hindi: reader.flag(),
            format: reader.string(),
            ssml: reader.flag(),
        }
    }

    /// The core's request.
    pub(crate) fn parse(&self) -> Result<Request> {
        let _: Format = self.format.parse()?;
        Ok(Request::new(self.text)
            .language(self.language.parse()?)
            .voice(self.voice.parse()?)
            .latency(self.latency.parse()?)
            .quality(self.quality.parse()?)
            .rate(self.rate)
            .pitch(self.pitch)
            .volume(self.volume)
            .ssml(self.ssml)
            .read_pauses(self.read_pauses)
            .read_emoji(self.read_emoji)
            .read_romanized_hindi(self.read_romanized_hindi))
    }
}

/// Checks a request in the JSON of the contract, and gives those of its fields that are there.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_parseRequest<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    json: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let json = bytes(env, &json)?;
        Request::from_json(&json)?;
        let fields: Map<String, Value> = serde_json::from_slice(&json)
            .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))?;
        Ok(present(&fields))
    })
}

/// The fields that are there, in the order of `SpeechRequest.fromJson`.
fn present(fields: &Map<String, Value>) -> Writer {
    let mut writer = Writer::new();
    for name in ["text", "language", "voice", "latency", "quality", "format"] {
        writer.optional(fields.get(name).and_then(Value::as_str));
    }
    for name in ["rate", "pitch", "volume"] {
        let value = fields.get(name).and_then(Value::as_f64);
        writer.flag(value.is_some());
        writer.double(value.unwrap_or_default());
    }
    for name in ["read_pauses", "read_emoji", "read_romanized_hindi", "ssml"] {
        let value = fields.get(name).and_then(Value::as_bool);
        writer.flag(value.is_some());
        writer.flag(value.unwrap_or_default());
    }
    writer
}

/// Checks a request as an engine does.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_validate<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    request: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let request = bytes(env, &request)?;
        Fields::read(&request).parse()?.validate()?;
        Ok(Writer::new())
    })
}
