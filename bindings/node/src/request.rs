//! Requests, as received from the package.

use napi_derive::napi;
use speech_core::{Request, Result};

use crate::error::{JsResult, into_js};
use crate::lexicon::OfRequest;

/// A text and its settings.
#[napi(object, object_to_js = false)]
pub struct RawRequest {
    /// 1 to 1,000 characters.
    pub text: String,
    /// A BCP 47 tag.
    pub language: String,
    /// The identifier of a voice.
    pub voice: String,
    /// `standard` or `low`.
    pub latency: String,
    /// `auto`, `full`, `fast` or `light`.
    pub quality: String,
    /// In hertz.
    pub sample_rate: u32,
    /// `pcm16`, `float32`, `mulaw` or `alaw`.
    pub encoding: String,
    /// A factor of the voice's natural rate.
    pub rate: f64,
    /// In semitones, relative to the voice's own pitch.
    pub pitch: f64,
    /// In decibels, relative to the voice's own volume.
    pub volume: f64,
    /// Whether the text is an SSML document.
    pub ssml: bool,
    /// Whether `[pause 500ms]` in the text is a pause.
    pub read_pauses: bool,
    /// Whether emoji are read by name.
    pub read_emoji: bool,
    /// Whether romanized Hindi is read as Hindi.
    pub read_romanized_hindi: bool,
    /// Words and their readings, as pairs.
    pub pronunciations: Vec<Vec<String>>,
    /// The lexicons, in the order in which they are searched.
    #[napi(ts_type = "Lexicon[]")]
    pub lexicons: Vec<OfRequest>,
}

impl RawRequest {
    /// Converts to the core's request.
    pub(crate) fn parse(&self) -> Result<Request> {
        let pairs = self.pronunciations.iter().filter_map(|pair| pair.first_chunk());
        let request = Request::new(&*self.text)
            .language(self.language.parse()?)
            .voice(self.voice.parse()?)
            .latency(self.latency.parse()?)
            .quality(self.quality.parse()?)
            .sample_rate(self.sample_rate)
            .encoding(self.encoding.parse()?)
            .rate(self.rate)
            .pitch(self.pitch)
            .volume(self.volume)
            .ssml(self.ssml)
            .read_pauses(self.read_pauses)
            .read_emoji(self.read_emoji)
            .read_romanized_hindi(self.read_romanized_hindi)
            .pronunciations(pairs.map(|[words, reading]| (words, reading)))?;
        Ok(self.lexicons.iter().map(OfRequest::to_core).fold(request, Request::lexicon))
    }
}

/// Checks a request in JSON, as a service receives it.
#[napi]
pub fn check_json(json: &[u8]) -> JsResult<()> {
    into_js(Request::from_json(json).map(drop))
}

/// Checks a request whose speech is delivered in a format, `wav` or `pcm`, as by a program that
/// writes files.
#[napi]
pub fn check_delivery(request: RawRequest, format: String) -> JsResult<()> {
    let check = || request.parse()?.validate()?.check_format(format.parse()?);
    into_js(check())
}
