//! Requests, as received from the package: with every field.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use speech_core::{Error, Lexicon, Request, Result};

/// A text and its settings.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RawRequest {
    pub(crate) text: String,
    language: String,
    voice: String,
    latency: String,
    quality: String,
    sample_rate: u32,
    encoding: String,
    /// `null` for a number that JSON cannot represent, such as NaN; the core rejects it.
    rate: Option<f64>,
    pitch: Option<f64>,
    volume: Option<f64>,
    ssml: bool,
    read_pauses: bool,
    read_emoji: bool,
    read_romanized_hindi: bool,
    pronunciations: Vec<(String, String)>,
    /// The page's numbers of the lexicons, in the order in which they are searched.
    lexicons: Vec<u32>,
}

impl RawRequest {
    /// Converts to the core's request; `lexicons` maps the page's numbers to lexicons.
    pub(crate) fn parse(&self, lexicons: &BTreeMap<u32, Arc<Lexicon>>) -> Result<Request> {
        let request = Request::new(&*self.text)
            .language(self.language.parse()?)
            .voice(self.voice.parse()?)
            .latency(self.latency.parse()?)
            .quality(self.quality.parse()?)
            .sample_rate(self.sample_rate)
            .encoding(self.encoding.parse()?)
            .rate(self.rate.unwrap_or(f64::NAN))
            .pitch(self.pitch.unwrap_or(f64::NAN))
            .volume(self.volume.unwrap_or(f64::NAN))
            .ssml(self.ssml)
            .read_pauses(self.read_pauses)
            .read_emoji(self.read_emoji)
            .read_romanized_hindi(self.read_romanized_hindi)
            .pronunciations(self.pronunciations.iter().map(|(words, reading)| (words, reading)))?;
        self.lexicons.iter().try_fold(request, |request, number| {
            let foreign = || Error::invalid_request("a lexicon belongs to another engine");
            Ok(request.lexicon(Arc::clone(lexicons.get(number).ok_or_else(foreign)?)))
        })
    }
}
