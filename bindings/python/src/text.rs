//! Splits texts into parts and sentences, and converts positions to Python's code points.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use speech_core::{Segment, check_nul};

use crate::error;

/// The distance, in bytes, between positions whose code points are stored.
const BLOCK: usize = 256;

/// Converts positions in a growing text from bytes to code points, which index a Python string.
pub(crate) struct CodePoints {
    text: Vec<u8>,
    /// The number of code points before each block of the text, and before its end if that is a
    /// block boundary.
    before: Vec<usize>,
    points: usize,
}

impl CodePoints {
    pub(crate) fn of(text: &str) -> Self {
        let mut points = Self { text: Vec::new(), before: vec![0], points: 0 };
        points.push(text);
        points
    }

    /// Appends to the text.
    pub(crate) fn push(&mut self, piece: &str) {
        for byte in piece.bytes() {
            self.text.push(byte);
            self.points += usize::from(begins_character(byte));
            if self.text.len().is_multiple_of(BLOCK) {
                self.before.push(self.points);
            }
        }
    }

    /// Converts the start and the end of a byte range.
    pub(crate) fn range(&self, bytes: &Range<usize>) -> (usize, usize) {
        (self.point(bytes.start), self.point(bytes.end))
    }

    fn point(&self, byte: usize) -> usize {
        let block = byte / BLOCK;
        let rest = &self.text[block * BLOCK..byte];
        self.before[block] + rest.iter().filter(|&&byte| begins_character(byte)).count()
    }
}

/// Whether a UTF-8 byte is the first one of a character.
fn begins_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// The parts of a text, each of at most `max_characters`.
#[pyfunction]
pub(crate) fn split_text<'a>(
    py: Python<'_>,
    text: &'a str,
    max_characters: usize,
) -> PyResult<Vec<&'a str>> {
    check_nul("text", text).map_err(error::to_pyerr)?;
    Ok(py.detach(|| speech_core::split_text(text, max_characters)))
}

/// Splits a text that arrives in pieces into sentences.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Segmenter(Mutex<State>);

struct State {
    segmenter: speech_core::Segmenter,
    /// The text after the last sentence.
    rest: String,
    /// The position of `rest`, in bytes and in code points.
    bytes: usize,
    points: usize,
}

/// A sentence: text, start and end in code points, whether a paragraph ends with it.
type Sentence = (String, usize, usize, bool);

#[pymethods]
impl Segmenter {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(State {
            segmenter: speech_core::Segmenter::new(),
            rest: String::new(),
            bytes: 0,
            points: 0,
        }))
    }

    /// Adds a piece of text, and returns the sentences that are now complete.
    fn push(&self, piece: &str) -> PyResult<Vec<Sentence>> {
        check_nul("piece", piece).map_err(error::to_pyerr)?;
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.rest.push_str(piece);
        let segments = state.segmenter.push(piece);
        Ok(segments.into_iter().map(|segment| state.locate(segment)).collect())
    }

    /// Ends the text, and returns the remaining sentences. The next piece begins a new text.
    fn finish(&self) -> Vec<Sentence> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let segments = std::mem::take(&mut state.segmenter).finish();
        let sentences = segments.into_iter().map(|segment| state.locate(segment)).collect();
        state.rest.clear();
        (state.bytes, state.points) = (0, 0);
        sentences
    }
}

impl State {
    fn locate(&mut self, segment: Segment) -> Sentence {
        let start = self.advance(segment.span.start);
        let end = self.advance(segment.span.end);
        (segment.text, start, end, segment.ends_paragraph)
    }

    /// Drops the text before a byte, and returns the position of that byte in code points.
    fn advance(&mut self, byte: usize) -> usize {
        let passed = self.rest.drain(..byte - self.bytes).as_str().chars().count();
        self.bytes = byte;
        self.points += passed;
        self.points
    }
}
