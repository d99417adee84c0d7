//! Splits texts; spans in UTF-16 code units, as in JavaScript.

use std::ops::Range;

use napi_derive::napi;
use speech_core::{Utf16Segmenter, check_nul};

use crate::error::{JsResult, into_js};

/// A span of a text, in UTF-16 code units.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug)]
pub struct Span {
    /// Its start.
    pub start: u32,
    /// Its end.
    pub end: u32,
}

impl From<Range<u32>> for Span {
    fn from(units: Range<u32>) -> Self {
        Self { start: units.start, end: units.end }
    }
}

/// Splits a text into parts of at most `max_characters` each.
#[napi]
pub fn split_text(text: String, max_characters: u32) -> JsResult<Vec<String>> {
    let split = || speech_core::split_text(&text, max_characters as usize);
    let parts = check_nul("text", &text).map(|()| split().into_iter().map(str::to_owned).collect());
    into_js(parts)
}

/// A sentence of a text that arrives in pieces.
#[napi(object, object_from_js = false)]
pub struct Segment {
    /// The sentence.
    pub text: String,
    /// Its start in all pushed text, in UTF-16 code units.
    pub start: f64,
    /// Its end.
    pub end: f64,
    /// Whether it ends a paragraph.
    pub ends_paragraph: bool,
}

/// Splits a text that arrives in pieces into sentences.
#[napi]
pub struct Segmenter(Utf16Segmenter);

#[napi]
impl Segmenter {
    /// A segmenter at the start of a text.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self(Utf16Segmenter::new())
    }

    /// Takes a piece and returns the sentences that are now decided.
    #[napi]
    pub fn push(&mut self, piece: String) -> JsResult<Vec<Segment>> {
        into_js(check_nul("piece", &piece).map(|()| converted(self.0.push(&piece))))
    }

    /// Ends the text and returns the remaining sentences. The next piece begins another text.
    #[napi]
    pub fn finish(&mut self) -> Vec<Segment> {
        converted(self.0.finish())
    }
}

fn converted(sentences: Vec<(speech_core::Segment, Range<usize>)>) -> Vec<Segment> {
    let convert = |(segment, units): (speech_core::Segment, Range<usize>)| Segment {
        text: segment.text,
        start: units.start as f64,
        end: units.end as f64,
        ends_paragraph: segment.ends_paragraph,
    };
    sentences.into_iter().map(convert).collect()
}
