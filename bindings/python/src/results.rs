//! What came of a request, as tuples that the package makes its objects of.

use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use speech_core::{Chunk, Diagnostic, DiagnosticKind, Error, ErrorKind, Speech, WordTiming};

use crate::error;
use crate::pcm;
use crate::text::CodePoints;

/// Start and end in code points of the text, then in seconds.
type Word = (usize, usize, f64, f64);

/// What was not said: a kind, start and end in code points of the text.
pub(crate) type Skipped = (&'static str, usize, usize);

/// Samples, words, characters, request identifier, diagnostics, kernels, precision, seconds that it took.
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
        diagnostics(&points, speech.diagnostics())?,
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

fn words(points: &CodePoints, words: &[WordTiming]) -> Vec<Word> {
    let place = |word: &WordTiming| {
        let (start, end) = points.range(&word.span);
        (start, end, word.start, word.end)
    };
    words.iter().map(place).collect()
}

pub(crate) fn diagnostics(
    points: &CodePoints,
    diagnostics: &[Diagnostic],
) -> PyResult<Vec<Skipped>> {
    let place = |diagnostic: &Diagnostic| {
        let (start, end) = points.range(&diagnostic.span);
        Ok((kind(diagnostic.kind)?, start, end))
    };
    diagnostics.iter().map(place).collect()
}

fn kind(kind: DiagnosticKind) -> PyResult<&'static str> {
    match kind {
        DiagnosticKind::Skipped => Ok("skipped"),
        _ => Err(error::raised(Error::new(ErrorKind::Internal, "a diagnostic has no name"))),
    }
}
