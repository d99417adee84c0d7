//! The results of requests as tuples, from which the package makes its objects.

use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use speech_core::{
    Chunk, Diagnostic, MarkTiming, PhonemeTiming, SentenceTiming, Speech, VisemeTiming, WordTiming,
};

use crate::pcm;
use crate::text::CodePoints;

/// Start and end in code points of the text, then in seconds.
type SpanFields = (usize, usize, f64, f64);

/// The phoneme in IPA; start and end in code points of the text, then in seconds.
type PhonemeFields = (String, usize, usize, f64, f64);

/// Name, seconds.
type MarkFields = (String, f64);

/// OVR LipSync name, Azure viseme ID, start and end in seconds.
type VisemeFields = (&'static str, u8, f64, f64);

/// Words, sentences, phonemes, marks, visemes.
type EventFields =
    (Vec<SpanFields>, Vec<SpanFields>, Vec<PhonemeFields>, Vec<MarkFields>, Vec<VisemeFields>);

/// Kind, start and end in code points of the text.
pub(crate) type DiagnosticFields = (&'static str, usize, usize);

/// Samples, events, characters, request identifier, diagnostics, kernels, precision, elapsed
/// seconds.
pub(crate) fn speech(
    py: Python<'_>,
    text: &str,
    speech: &Speech,
    elapsed: Duration,
) -> PyResult<Py<PyAny>> {
    let points = CodePoints::of(text);
    let backend = speech.backend();
    let events = Events {
        words: speech.words(),
        sentences: speech.sentences(),
        phonemes: speech.phonemes(),
        marks: speech.marks(),
        visemes: &speech.visemes(),
    };
    let fields = (
        pcm::bytes(py, speech.samples())?,
        events.fields(&points),
        speech.characters(),
        speech.request_id().to_string(),
        diagnostics(&points, speech.diagnostics()),
        backend.kernels.as_str(),
        backend.precision.as_str(),
        elapsed.as_secs_f64(),
    );
    fields.into_py_any(py)
}

/// A chunk with its timestamps, and its span in code points of the text.
pub(crate) struct LocatedChunk {
    chunk: Chunk,
    events: EventFields,
    span: (usize, usize),
}

impl LocatedChunk {
    pub(crate) fn new(chunk: Chunk, points: &CodePoints) -> Self {
        let events = Events {
            words: chunk.words(),
            sentences: chunk.sentences(),
            phonemes: chunk.phonemes(),
            marks: chunk.marks(),
            visemes: &chunk.visemes(),
        };
        let (events, span) = (events.fields(points), points.range(&chunk.span()));
        Self { chunk, events, span }
    }
}

/// Samples, events, start and end in code points of the text; None after the last chunk.
pub(crate) fn chunk(py: Python<'_>, chunk: Option<LocatedChunk>) -> PyResult<Py<PyAny>> {
    let Some(LocatedChunk { chunk, events, span: (start, end) }) = chunk else {
        return Ok(py.None());
    };
    (pcm::bytes(py, chunk.samples())?, events, start, end).into_py_any(py)
}

/// The timestamps of some audio.
struct Events<'a> {
    words: &'a [WordTiming],
    sentences: &'a [SentenceTiming],
    phonemes: &'a [PhonemeTiming],
    marks: &'a [MarkTiming],
    visemes: &'a [VisemeTiming],
}

impl Events<'_> {
    fn fields(&self, points: &CodePoints) -> EventFields {
        let word = |word: &WordTiming| {
            let (start, end) = points.range(&word.span);
            (start, end, word.start, word.end)
        };
        let sentence = |sentence: &SentenceTiming| {
            let (start, end) = points.range(&sentence.span);
            (start, end, sentence.start, sentence.end)
        };
        let phoneme = |phoneme: &PhonemeTiming| {
            let (start, end) = points.range(&phoneme.span);
            (phoneme.ipa.clone(), start, end, phoneme.start, phoneme.end)
        };
        let mark = |mark: &MarkTiming| (mark.name.clone(), mark.time);
        let viseme = |viseme: &VisemeTiming| {
            (viseme.viseme.as_str(), viseme.azure, viseme.start, viseme.end)
        };
        (
            self.words.iter().map(word).collect(),
            self.sentences.iter().map(sentence).collect(),
            self.phonemes.iter().map(phoneme).collect(),
            self.marks.iter().map(mark).collect(),
            self.visemes.iter().map(viseme).collect(),
        )
    }
}

pub(crate) fn diagnostics(
    points: &CodePoints,
    diagnostics: &[Diagnostic],
) -> Vec<DiagnosticFields> {
    let fields = |diagnostic: &Diagnostic| {
        let (start, end) = points.range(&diagnostic.span);
        (diagnostic.kind.as_str(), start, end)
    };
    diagnostics.iter().map(fields).collect()
}
