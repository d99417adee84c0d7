//! The results of requests, as tuples that the package makes its objects of.

use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use speech_core::{Chunk, Diagnostic, Speech, WordTiming};

use crate::pcm;
use crate::text::CodePoints;

/// Start and end in code points of the text, then in seconds.
type WordFields = (usize, usize, f64, f64);

/// Kind, start and end in code points of the text.
pub(crate) type DiagnosticFields = (&'static str, usize, usize);

/// Samples, words, characters, request identifier, diagnostics, kernels, precision, elapsed seconds.
pub(crate) fn speech(
    py: Python<'_>,
    text: &str,
    speech: &Speech,
    elapsed: Duration,
) -> PyResult<Py<PyAny>> {
    let points = CodePoints::of(text);
    let backend = speech.backend();
    let fields = (
        pcm::bytes(py, speech.samples())?,
        words(&points, speech.words()),
        speech.characters(),
        speech.request_id().to_string(),
        diagnostics(&points, speech.diagnostics()),
        backend.kernels.as_str(),
        backend.precision.as_str(),
        elapsed.as_secs_f64(),
    );
    fields.into_py_any(py)
}

/// Samples, words, start and end in code points of the text.
pub(crate) fn chunk(py: Python<'_>, points: &CodePoints, chunk: &Chunk) -> PyResult<Py<PyAny>> {
    let (start, end) = points.range(&chunk.span);
    (pcm::bytes(py, &chunk.samples)?, words(points, &chunk.words), start, end).into_py_any(py)
}

fn words(points: &CodePoints, words: &[WordTiming]) -> Vec<WordFields> {
    let fields = |word: &WordTiming| {
        let (start, end) = points.range(&word.span);
        (start, end, word.start, word.end)
    };
    words.iter().map(fields).collect()
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
