//! Splitting texts, and offsets in UTF-16 code units, as JavaScript counts them.

use std::ops::Range;

use napi_derive::napi;
use speech_core::check_nul;

use crate::error::{JsResult, into_js};

/// A part of a text, in UTF-16 code units.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// Bytes of a text for which the UTF-16 code units before them are known.
const BLOCK: usize = 256;

/// Turns the byte offsets of a text, which may still grow, into UTF-16 offsets.
pub(crate) struct Utf16Offsets {
    text: Vec<u8>,
    /// The code units before each block of the text, and before its end if it is at the end of a block.
    before: Vec<u32>,
    units: u32,
}

impl Utf16Offsets {
    pub(crate) fn of(text: &str) -> Self {
        let mut offsets = Self { text: Vec::new(), before: vec![0], units: 0 };
        offsets.push(text);
        offsets
    }

    /// Adds to the text.
    pub(crate) fn push(&mut self, piece: &str) {
        for byte in piece.bytes() {
            self.text.push(byte);
            self.units += units(byte);
            if self.text.len().is_multiple_of(BLOCK) {
                self.before.push(self.units);
            }
        }
    }

    /// The span of a range of bytes.
    pub(crate) fn span(&self, bytes: &Range<usize>) -> Span {
        Span { start: self.offset(bytes.start), end: self.offset(bytes.end) }
    }

    pub(crate) fn offset(&self, byte: usize) -> u32 {
        let block = byte / BLOCK;
        let rest = &self.text[block * BLOCK..byte];
        self.before[block] + rest.iter().map(|byte| units(*byte)).sum::<u32>()
    }
}

/// The UTF-16 code units of the character that a byte of UTF-8 begins; 0 if it begins none.
fn units(byte: u8) -> u32 {
    match byte {
        0b1000_0000..=0b1011_1111 => 0,
        0b1111_0000.. => 2,
        _ => 1,
    }
}

/// The parts of a text, each of at most `max_characters`.
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
    /// The text from the last offset that was converted.
    tail: String,
    /// Where the tail begins, in bytes of all that was pushed.
    byte_offset: usize,
    /// The same in UTF-16 code units.
    utf16_offset: usize,
}

#[napi]
impl Segmenter {
    /// One at the start of a text.
    #[napi(constructor)]
    pub fn new() -> Self {
        let segmenter = speech_core::Segmenter::new();
        Self { segmenter, tail: String::new(), byte_offset: 0, utf16_offset: 0 }
    }

    /// Takes a piece and gives the sentences that are now decided.
    #[napi]
    pub fn push(&mut self, piece: String) -> JsResult<Vec<Segment>> {
        into_js(check_nul("piece", &piece).map(|()| {
            self.tail.push_str(&piece);
            let segments = self.segmenter.push(&piece);
            segments.into_iter().map(|segment| self.convert(segment)).collect()
        }))
    }

    /// Ends the text and gives the sentences that are left. The next piece begins another text.
    #[napi]
    pub fn finish(&mut self) -> Vec<Segment> {
        let segments = std::mem::take(&mut self.segmenter).finish();
        let sentences = segments.into_iter().map(|segment| self.convert(segment)).collect();
        *self = Self::new();
        sentences
    }
}

impl Segmenter {
    fn convert(&mut self, segment: speech_core::Segment) -> Segment {
        let start = self.advance_to(segment.span.start) as f64;
        let end = self.advance_to(segment.span.end) as f64;
        Segment { text: segment.text, start, end, ends_paragraph: segment.ends_paragraph }
    }

    /// Drops the text before a byte offset, and gives its UTF-16 offset.
    fn advance_to(&mut self, byte: usize) -> usize {
        let dropped = self.tail.drain(..byte - self.byte_offset);
        self.utf16_offset += dropped.map(char::len_utf16).sum::<usize>();
        self.byte_offset = byte;
        self.utf16_offset
    }
}
