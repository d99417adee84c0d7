//! Speech as lines of JSON, with timestamps and skipped places, for clients that ask for it by
//! `Accept`.
//!
//! The data is too long for a header, and few clients read trailers; `fetch` of browsers does not.

use std::ops::Range;

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mediatype::{MediaType, MediaTypeList, ReadParams, names};
use serde::Serialize;
use speech_core::{Chunk, Diagnostic};
use utoipa::ToSchema;

pub(crate) const CONTENT_TYPE: &str = "application/x-ndjson";

/// A line of JSON. The last one is a `SpeechEnd`; without it the speech was aborted.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum SpeechLines {
    Speech(SpeechLine),
    End(SpeechEnd),
}

/// A part of the audio, or a whole file.
#[derive(Serialize, ToSchema)]
pub(crate) struct SpeechLine {
    /// The body without lines, or its next part, in Base64.
    #[schema(content_encoding = "base64")]
    audio: String,
    #[serde(flatten)]
    events: Events,
}

/// The timestamps of a part of the audio, in seconds from the start of all the audio.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct Events {
    /// The words, in the order of the text.
    pub(crate) words: Vec<Heard>,
    /// The sentences that end in the part.
    pub(crate) sentences: Vec<Heard>,
    /// The phonemes.
    pub(crate) phonemes: Vec<Phoneme>,
    /// The visemes, without gaps.
    pub(crate) visemes: Vec<MouthShape>,
    /// The SSML marks that are reached.
    marks: Vec<Mark>,
}

impl Events {
    /// Adds the timestamps of a chunk, shifted by some seconds, and the places in the text.
    pub(crate) fn add(
        &mut self,
        chunk: &Chunk,
        later: f64,
        place: impl Fn(&Range<usize>) -> Place,
    ) {
        let time = |seconds: f64| milliseconds(later + seconds);
        let heard = |span: &Range<usize>, start, end| Heard {
            start: time(start),
            end: time(end),
            place: place(span),
        };
        self.words.extend(chunk.words().iter().map(|one| heard(&one.span, one.start, one.end)));
        let sentences = chunk.sentences().iter();
        self.sentences.extend(sentences.map(|one| heard(&one.span, one.start, one.end)));
        let phonemes = chunk.phonemes().iter();
        self.phonemes.extend(phonemes.map(|one| Phoneme {
            ipa: one.ipa.clone(),
            heard: heard(&one.span, one.start, one.end),
        }));
        self.visemes.extend(chunk.visemes().iter().map(|one| MouthShape {
            viseme: one.viseme.as_str(),
            azure: one.azure,
            start: time(one.start),
            end: time(one.end),
        }));
        let marks = chunk.marks().iter();
        self.marks.extend(marks.map(|one| Mark { name: one.name.clone(), time: time(one.time) }));
    }
}

/// The timestamps of a part of the text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Heard {
    start: f64,
    end: f64,
    #[serde(flatten)]
    place: Place,
}

/// The timestamps of a phoneme, and the word that it belongs to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Phoneme {
    /// In IPA, with the stress mark before a stressed vowel.
    #[schema(example = "ˈoʊ")]
    ipa: String,
    #[serde(flatten)]
    heard: Heard,
}

/// The timestamps of a viseme.
#[derive(Serialize, ToSchema)]
pub(crate) struct MouthShape {
    /// One of the 15 visemes of OVR LipSync.
    #[schema(example = "PP")]
    viseme: &'static str,
    /// One of the 22 visemes of Azure's table.
    #[schema(minimum = 0, maximum = 21)]
    azure: u8,
    start: f64,
    end: f64,
}

/// The time of an SSML mark.
#[derive(Serialize, ToSchema)]
struct Mark {
    name: String,
    time: f64,
}

/// The last line.
#[derive(Serialize, ToSchema)]
pub(crate) struct SpeechEnd {
    /// The skipped places: emoji, control characters and so on.
    skipped: Vec<Place>,
}

/// A part of the text of the request, from its start to the first unit after it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Place {
    /// In bytes of UTF-8.
    #[schema(value_type = [usize; 2])]
    pub(crate) bytes: (usize, usize),
    /// In UTF-16 code units, as strings of JavaScript and Java count.
    #[schema(value_type = [usize; 2])]
    pub(crate) utf16: (usize, usize),
}

/// Whether a client prefers lines to sound of this type (RFC 9110, section 12.5.1). The client must
/// name lines: `*/*`, or neither type, means sound.
pub(crate) fn are_wanted(headers: &HeaderMap, sound: &str) -> bool {
    let values =
        headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<_> = values.flat_map(MediaTypeList::new).flatten().collect();
    let (kind, _) = sound.split_once('/').unwrap_or((sound, ""));
    let lines = quality(&ranges, CONTENT_TYPE).unwrap_or(0.0);
    // The most specific range counts.
    let sound =
        [sound, &format!("{kind}/*"), "*/*"].into_iter().find_map(|it| quality(&ranges, it));
    lines > 0.0 && lines >= sound.unwrap_or(0.0)
}

/// The highest weight of a range, from 0, which excludes it, to 1.
fn quality(ranges: &[MediaType], range: &str) -> Option<f64> {
    let named = ranges.iter().filter(|one| one.essence().to_string().eq_ignore_ascii_case(range));
    let weight = |one: &MediaType| {
        let Some(weight) = one.get_param(names::Q) else { return 1.0 };
        weight.as_str().parse().ok().filter(|weight| (0.0..=1.0).contains(weight)).unwrap_or(0.0)
    };
    named.map(weight).max_by(f64::total_cmp)
}

/// The lines of one text.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a>(pub(crate) &'a str);

impl Lines<'_> {
    pub(crate) fn line(self, sound: Vec<u8>, events: Events) -> Vec<u8> {
        let audio = BASE64_STANDARD.encode(&sound);
        let length = audio.len() + sound.len() / 8;
        drop(sound);
        line(&SpeechLines::Speech(SpeechLine { audio, events }), length)
    }

    /// Adds the timestamps of a chunk.
    pub(crate) fn add(self, chunk: &Chunk, events: &mut Events) {
        events.add(chunk, 0.0, |span| self.place(span));
    }

    pub(crate) fn end(self, diagnostics: &[Diagnostic]) -> Vec<u8> {
        let skipped = diagnostics.iter().map(|diagnostic| self.place(&diagnostic.span)).collect();
        line(&SpeechLines::End(SpeechEnd { skipped }), 0)
    }

    fn place(self, span: &Range<usize>) -> Place {
        let utf16 = |at: usize| self.0[..at].encode_utf16().count();
        Place { bytes: (span.start, span.end), utf16: (utf16(span.start), utf16(span.end)) }
    }
}

/// A line of about so many bytes.
fn line(value: &SpeechLines, length: usize) -> Vec<u8> {
    let mut line = Vec::with_capacity(length);
    serde_json::to_writer(&mut line, value).expect("numbers and strings always serialize");
    line.push(b'\n');
    line
}

/// Timestamps are not more precise than that.
pub(crate) fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_for_who_would_rather_have_them() {
        let wanted = |accept: &str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            are_wanted(&headers, "audio/L16")
        };
        for (accept, expected) in [
            ("application/x-ndjson", true),
            ("audio/l16;q=0.5, Application/X-NDJSON ; Q=0.9", true),
            ("audio/L16, application/x-ndjson", true),
            ("application/x-ndjson;q=0.001", true),
            ("application/x-ndjson;q=0.5, */*;q=0.1", true),
            ("application/x-ndjson;q=0.5, audio/*;q=0.1, */*", true),
            ("application/x-ndjson;a=\"b,c;q=0\"", true),
            ("application/x-ndjson;q=0, application/x-ndjson;q=0.2", true),
            ("application/x-ndjson;q=0", false),
            ("application/x-ndjson; q=0.000, */*", false),
            ("application/x-ndjson;q=0.5, audio/L16", false),
            ("application/x-ndjson;q=0.5, audio/*", false),
            ("application/x-ndjson;q=0.5, */*", false),
            ("application/x-ndjson;q=nan", false),
            ("application/x-ndjson;q=2", false),
            ("text/html;a=\"application/x-ndjson,\"", false),
            ("*/*", false),
            ("application/*", false),
            ("application/json", false),
            ("audio/wav", false),
            ("", false),
            ("application/x-ndjson;q", false),
        ] {
            assert_eq!(wanted(accept), expected, "{accept}");
        }
        assert!(!are_wanted(&HeaderMap::new(), "audio/wav"));
    }
}
