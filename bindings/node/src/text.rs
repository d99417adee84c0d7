//! Texts: their parts, their sentences, and places in them as JavaScript counts.

use std::ops::Range;

use napi_derive::napi;

/// A part of a text, in UTF-16 code units.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// Places in a text, counted in UTF-16 code units.
pub(crate) struct CodeUnits {
    /// By byte, where a character begins. Empty if each of them has one byte.
    numbers: Vec<u32>,
}

impl CodeUnits {
    pub(crate) fn of(text: &str) -> Self {
        let mut numbers = Vec::new();
        if !text.is_ascii() {
            numbers.resize(text.len() + 1, 0);
            let mut units = 0;
            for (at, character) in text.char_indices() {
                numbers[at] = units;
                units += character.len_utf16() as u32;
            }
            numbers[text.len()] = units;
        }
        Self { numbers }
    }

    /// A range of bytes.
    pub(crate) fn span(&self, bytes: &Range<usize>) -> Span {
        let number = |at: usize| self.numbers.get(at).copied().unwrap_or(at as u32);
        Span { start: number(bytes.start), end: number(bytes.end) }
    }
}

/// The parts of a text, each of at most so many characters.
#[napi]
pub fn split_text(text: String, max_characters: u32) -> Vec<String> {
    let parts = speech_core::split_text(&text, max_characters as usize);
    parts.into_iter().map(str::to_owned).collect()
}

/// A sentence of a text that arrives in pieces.
#[napi(object, object_from_js = false)]
pub struct Segment {
    /// The sentence.
    pub text: String,
    /// Where it begins in all that was pushed, in UTF-16 code units.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// Whether a paragraph ends with it.
    pub ends_paragraph: bool,
}

/// Cuts a text that arrives in pieces into sentences.
#[napi]
pub struct Segmenter {
    segmenter: speech_core::Segmenter,
    /// What was pushed after the last sentence.
    rest: String,
    /// Where that begins, in bytes and in code units.
    bytes: usize,
    units: usize,
}

#[napi]
impl Segmenter {
    /// One at the start of a text.
    #[napi(constructor)]
    pub fn new() -> Self {
        let segmenter = speech_core::Segmenter::new();
        Self { segmenter, rest: String::new(), bytes: 0, units: 0 }
    }

    /// Takes a piece and gives the sentences that are now decided.
    #[napi]
    pub fn push(&mut self, piece: String) -> Vec<Segment> {
        self.rest.push_str(&piece);
        let segments = self.segmenter.push(&piece);
        segments.into_iter().map(|segment| self.place(segment)).collect()
    }

    /// Ends the text and gives the sentences that are left. The next piece begins another text.
    #[napi]
    pub fn finish(&mut self) -> Vec<Segment> {
        let segments = std::mem::take(&mut self.segmenter).finish();
        let sentences = segments.into_iter().map(|segment| self.place(segment)).collect();
        *self = Self::new();
        sentences
    }
}

impl Segmenter {
    fn place(&mut self, segment: speech_core::Segment) -> Segment {
        let start = self.forward(segment.span.start) as f64;
        let end = self.forward(segment.span.end) as f64;
        Segment { text: segment.text, start, end, ends_paragraph: segment.ends_paragraph }
    }

    /// Forgets the text before a byte, and gives the code units there.
    fn forward(&mut self, byte: usize) -> usize {
        let passed = self.rest.drain(..byte - self.bytes).map(char::len_utf16).sum::<usize>();
        self.bytes = byte;
        self.units += passed;
        self.units
    }
}
