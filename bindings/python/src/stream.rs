//! One request whose audio is delivered by sentences.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use speech_bindings::catch_panic;
use speech_core::{CancelToken, Error, ProcessLocal};

use crate::error;
use crate::results::{self, DiagnosticFields};
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
    /// None once it has ended or was closed.
    stream: Mutex<Option<speech_core::Stream>>,
    points: CodePoints,
    cancel: CancelToken,
}

impl Stream {
    pub(crate) fn new(text: &str, stream: speech_core::Stream, cancel: CancelToken) -> Self {
        let points = CodePoints::of(text);
        Self {
            request_id: stream.request_id().to_string(),
            characters: stream.characters(),
            sentences: stream.sentences_left().unwrap_or_default(),
            diagnostics: results::diagnostics(&points, &stream.diagnostics()),
            state: ProcessLocal::new(Arc::new(State {
                stream: Mutex::new(Some(stream)),
                points,
                cancel,
            })),
        }
    }
}

#[pymethods]
impl Stream {
    /// Starts to wait for the next chunk; the result is None after the last one.
    fn next(&self, callback: Py<PyAny>) -> PyResult<()> {
        let state =
            self.state.get().ok_or_else(|| error::to_pyerr(Error::made_before_fork("stream")))?;
        let (of_task, of_result) = (Arc::clone(state), Arc::clone(state));
        let task = move || of_task.next().transpose();
        tasks::spawn(callback, task, move |py, chunk| match chunk {
            Some(chunk) => results::chunk(py, &of_result.points, &chunk),
            None => Ok(py.None()),
        })
    }

    /// Cancels it, and releases what it holds.
    fn close(&self, py: Python<'_>) {
        if let Some(state) = self.state.get() {
            py.detach(|| state.close());
        }
    }

    #[getter]
    fn diagnostics(&self) -> Vec<DiagnosticFields> {
        self.diagnostics.clone()
    }
}

impl State {
    fn next(&self) -> Option<speech_core::Result<speech_core::Chunk>> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let next = catch_panic(|| stream.as_mut()?.next());
        let next = next.unwrap_or_else(|error| Some(Err(error)));
        if !matches!(next, Some(Ok(_))) {
            *stream = None;
        }
        next
    }

    /// Does not wait for a thread that computes a chunk: the token makes that one end soon.
    fn close(&self) {
        self.cancel.cancel();
        if let Ok(mut stream) = self.stream.try_lock() {
            *stream = None;
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // To drop a stream is to wait until its thread has ended. `close` detaches from the interpreter for that.
        Python::attach(|py| self.close(py));
    }
}
