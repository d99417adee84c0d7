//! Speech of a live text.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use speech_bindings::{Chunks, catch_panic};
use speech_core::{Error, LiveText, ProcessLocal, Result};

use crate::error;
use crate::results::{self, DiagnosticFields, LocatedChunk};
use crate::tasks;
use crate::text::CodePoints;

/// Speech of a live text.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct LiveStream {
    #[pyo3(get)]
    request_id: String,
    state: ProcessLocal<Arc<State>>,
}

struct State {
    chunks: Chunks,
    text: LiveText,
    /// The code points of the pushed text. Attached threads wait for the lock, so its holder must
    /// not need the interpreter.
    points: Mutex<CodePoints>,
}

impl LiveStream {
    /// The stream of a text whose beginning has been pushed.
    pub(crate) fn new(pushed: &str, text: LiveText, stream: speech_core::Stream) -> Self {
        Self {
            request_id: stream.request_id().to_string(),
            state: ProcessLocal::new(Arc::new(State {
                text,
                points: Mutex::new(CodePoints::of(pushed)),
                chunks: Chunks::new(stream),
            })),
        }
    }

    fn state(&self) -> PyResult<&Arc<State>> {
        self.state.get().ok_or_else(|| error::to_pyerr(Error::made_before_fork("stream")))
    }
}

#[pymethods]
impl LiveStream {
    /// Adds a piece of text.
    fn push(&self, py: Python<'_>, piece: &str) -> PyResult<()> {
        let state = self.state()?;
        py.detach(|| catch_panic(|| state.push(piece)).flatten()).map_err(error::to_pyerr)
    }

    /// Speaks everything pushed so far.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        let state = self.state()?;
        py.detach(|| catch_panic(|| state.text.flush())).map_err(error::to_pyerr)
    }

    /// Ends the text.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let state = self.state()?;
        py.detach(|| catch_panic(|| state.text.finish())).map_err(error::to_pyerr)
    }

    /// Starts waiting for the next chunk; the result is None after the last one.
    fn next(&self, callback: Py<PyAny>) -> PyResult<()> {
        let state = Arc::clone(self.state()?);
        let task = move || {
            let chunk = state.chunks.next()?;
            Ok(chunk.map(|chunk| LocatedChunk::new(chunk, &state.points())))
        };
        tasks::spawn(callback, task, results::chunk)
    }

    /// Cancels the stream, and releases everything except the text.
    fn close(&self, py: Python<'_>) {
        if let Some(state) = self.state.get() {
            py.detach(|| drop(state.chunks.close()));
        }
    }

    /// The position, in code points, up to which words have been heard at a time in seconds.
    fn heard_at(&self, seconds: f64) -> PyResult<usize> {
        let state = self.state()?;
        let byte = state.text.heard_at(seconds);
        Ok(state.points().range(&(0..byte)).1)
    }

    /// Whether so much text waits to be spoken that a source should pause.
    #[getter]
    fn is_full(&self) -> PyResult<bool> {
        Ok(self.state()?.text.is_full())
    }

    #[getter]
    fn characters(&self) -> PyResult<usize> {
        Ok(self.state()?.text.characters())
    }

    #[getter]
    fn diagnostics(&self) -> PyResult<Vec<DiagnosticFields>> {
        let state = self.state()?;
        let diagnostics = state.text.diagnostics();
        Ok(results::diagnostics(&state.points(), &diagnostics))
    }
}

impl State {
    fn points(&self) -> MutexGuard<'_, CodePoints> {
        self.points.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, piece: &str) -> Result<()> {
        // The lock keeps the pieces in order, and makes a chunk wait if its text is not in the map
        // yet.
        let mut points = self.points();
        self.text.push(piece)?;
        points.push(piece);
        Ok(())
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        // Dropping a stream waits until its thread has ended; `close` detaches from the interpreter
        // for that.
        Python::attach(|py| self.close(py));
    }
}
