//! A request whose audio is delivered by sentences.

use std::sync::Arc;

use pyo3::prelude::*;
use speech_bindings::Chunks;
use speech_core::{Error, ProcessLocal};

use crate::error;
use crate::results::{self, DiagnosticFields, LocatedChunk};
use crate::tasks;
use crate::text::CodePoints;

/// Speech by sentences.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Stream {
    #[pyo3(get)]
    request_id: String,
    #[pyo3(get)]
    characters: usize,
    #[pyo3(get)]
    sentences: usize,
    diagnostics: Vec<DiagnosticFields>,
    state: ProcessLocal<Arc<State>>,
}

struct State {
    chunks: Chunks,
    points: CodePoints,
}

impl Stream {
    pub(crate) fn new(text: &str, stream: speech_core::Stream) -> Self {
        let points = CodePoints::of(text);
        Self {
            request_id: stream.request_id().to_string(),
            characters: stream.characters(),
            sentences: stream.sentences_left().unwrap_or_default(),
            diagnostics: results::diagnostics(&points, &stream.diagnostics()),
            state: ProcessLocal::new(Arc::new(State { chunks: Chunks::new(stream), points })),
        }
    }
}

#[pymethods]
impl Stream {
    /// Starts waiting for the next chunk; the result is None after the last one.
    fn next(&self, callback: Py<PyAny>) -> PyResult<()> {
        let state =
            self.state.get().ok_or_else(|| error::to_pyerr(Error::made_before_fork("stream")))?;
        let state = Arc::clone(state);
        let task = move || {
            let chunk = state.chunks.next()?;
            Ok(chunk.map(|chunk| LocatedChunk::new(chunk, &state.points)))
        };
        tasks::spawn(callback, task, results::chunk)
    }

    /// Cancels the stream, and releases its resources.
    fn close(&self, py: Python<'_>) {
        if let Some(state) = self.state.get() {
            py.detach(|| drop(state.chunks.close()));
        }
    }

    #[getter]
    fn diagnostics(&self) -> Vec<DiagnosticFields> {
        self.diagnostics.clone()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Dropping a stream waits until its thread has ended; `close` detaches from the interpreter
        // for that.
        Python::attach(|py| self.close(py));
    }
}
