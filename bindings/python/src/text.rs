//! Texts: their parts, their sentences, and places in them as Python counts.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use speech_core::Segment;

/// Places in a text, counted in code points, as a Python string is indexed.
pub(crate) struct CodePoints {
    /// By byte, where a code point begins. Empty if all of them have one byte.
    numbers: Vec<usize>,
}

impl CodePoints {
    pub(crate) fn of(text: &str) -> Self {
        let mut numbers = Vec::new();
        if !text.is_ascii() {
            numbers.resize(text.len() + 1, 0);
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            ends.enumerate().for_each(|(number, at)| numbers[at] = number);
        }
        Self { numbers }
    }

    /// The start and the end of a range of bytes.
    pub(crate) fn range(&self, bytes: &Range<usize>) -> (usize, usize) {
        let number = |at: usize| self.numbers.get(at).copied().unwrap_or(at);
        (number(bytes.start), number(bytes.end))
    }
}

/// The parts of a text, each of at most so many characters.
#[pyfunction]
pub(crate) fn split_text<'a>(py: Python<'_>, text: &'a str, max_characters: usize) -> Vec<&'a str> {
    py.detach(|| speech_core::split_text(text, max_characters))
}

/// Cuts a text that arrives in pieces into sentences.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Segmenter(Mutex<Open>);

struct Open {
    segmenter: speech_core::Segmenter,
    /// What was pushed after the last sentence.
    rest: String,
    /// Where that begins, in bytes and in code points.
    bytes: usize,
    points: usize,
}

/// A sentence: text, start and end in code points, whether a paragraph ends with it.
type Sentence = (String, usize, usize, bool);

#[pymethods]
impl Segmenter {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(Open {
            segmenter: speech_core::Segmenter::new(),
            rest: String::new(),
            bytes: 0,
            points: 0,
        }))
    }

    /// Takes a piece and gives the sentences that are now decided.
    fn push(&self, piece: &str) -> Vec<Sentence> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.rest.push_str(piece);
        let segments = open.segmenter.push(piece);
        segments.into_iter().map(|segment| open.place(segment)).collect()
    }

    /// Ends the text and gives the sentences that are left. The next piece begins another text.
    fn finish(&self) -> Vec<Sentence> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let segments = std::mem::take(&mut open.segmenter).finish();
        let sentences = segments.into_iter().map(|segment| open.place(segment)).collect();
        open.rest.clear();
        (open.bytes, open.points) = (0, 0);
        sentences
    }
}

impl Open {
    fn place(&mut self, segment: Segment) -> Sentence {
        let start = self.forward(segment.span.start);
        let end = self.forward(segment.span.end);
        (segment.text, start, end, segment.ends_paragraph)
    }

    /// Forgets the text before a byte, and gives the code points there.
    fn forward(&mut self, byte: usize) -> usize {
        let passed = self.rest.drain(..byte - self.bytes).as_str().chars().count();
        self.bytes = byte;
        self.points += passed;
        self.points
    }
}
