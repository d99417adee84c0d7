//! One request in progress.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use speech_core::{CancelToken, Error, ErrorKind, catch_panic};

use crate::error;
use crate::local::Local;
use crate::results::{self, Skipped};
use crate::text::CodePoints;
use crate::work;

/// Speech by sentences.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Stream {
    #[pyo3(get)]
    request_id: String,
    #[pyo3(get)]
    characters: usize,
    #[pyo3(get)]
    sentences: usize,
    diagnostics: Vec<Skipped>,
    speaking: Local<Arc<Speaking>>,
}

struct Speaking {
    /// None once it has ended or was closed.
    stream: Mutex<Option<speech_core::Stream>>,
    points: CodePoints,
    cancel: CancelToken,
}

impl Stream {
    pub(crate) fn new(
        text: &str,
        stream: speech_core::Stream,
        cancel: CancelToken,
    ) -> PyResult<Self> {
        let points = CodePoints::of(text);
        Ok(Self {
            request_id: stream.request_id().to_string(),
            characters: stream.characters(),
            sentences: stream.sentences_left(),
            diagnostics: results::diagnostics(&points, stream.diagnostics())?,
            speaking: Local::new(Arc::new(Speaking {
                stream: Mutex::new(Some(stream)),
                points,
                cancel,
            })),
        })
    }
}

#[pymethods]
impl Stream {
    /// Begins to wait for the next chunk; None is given after the last.
    fn next(&self, py: Python<'_>, done: Py<PyAny>) -> PyResult<()> {
        let speaking = self.speaking.get().ok_or_else(|| {
            let message = "the stream is of the process that this one was forked from";
            error::raised(Error::new(ErrorKind::InvalidRequest, message))
        })?;
        let (working, speaking) = (Arc::clone(speaking), Arc::clone(speaking));
        let work = move || working.next().transpose();
        work::begin(py, done, work, move |py, chunk| match chunk {
            Some(chunk) => results::chunk(py, &speaking.points, &chunk),
            None => Ok(py.None()),
        })
    }

    /// Stops it soon, and forgets it.
    fn close(&self, py: Python<'_>) {
        if let Some(speaking) = self.speaking.get() {
            py.detach(|| speaking.stop());
        }
    }

    #[getter]
    fn diagnostics(&self) -> Vec<Skipped> {
        self.diagnostics.clone()
    }
}

impl Speaking {
    fn next(&self) -> Option<speech_core::Result<speech_core::Chunk>> {
        let mut open = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let next = catch_panic(|| open.as_mut()?.next());
        let next = next.unwrap_or_else(|error| Some(Err(error)));
        if !matches!(next, Some(Ok(_))) {
            *open = None;
        }
        next
    }

    /// Does not wait for a thread that is inside: that one ends soon.
    fn stop(&self) {
        self.cancel.cancel();
        if let Ok(mut open) = self.stream.try_lock() {
            *open = None;
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // To drop it is to wait until nothing of it runs: others may have the interpreter meanwhile.
        Python::attach(|py| self.close(py));
    }
}
