//! Work on threads of the module's own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use speech_core::{CancelToken, Error, ErrorKind, Result, THREAD_NAME, catch_panic};

use crate::error;
use crate::local::Local;

/// How often the end of the interpreter looks whether all work has ended.
const POLL: Duration = Duration::from_millis(1);

/// All work of this process.
#[derive(Debug, Default)]
pub(crate) struct Work {
    running: AtomicUsize,
    ended: AtomicBool,
    /// Stops all of it.
    cancel: CancelToken,
}

static WORK: Mutex<Option<Local<Arc<Work>>>> = Mutex::new(None);

impl Work {
    /// That of this process: in a fork it starts from nothing.
    ///
    /// Only a thread that is attached to Python asks, and `fork` is called by one: so no fork finds the lock held.
    fn here(_attached: Python<'_>) -> Arc<Self> {
        let mut work = WORK.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = work.as_ref().and_then(Local::get) {
            return Arc::clone(work);
        }
        Arc::clone(work.insert(Local::new(Arc::default())).get().expect("it was made here"))
    }

    fn enter(self: Arc<Self>) -> Result<Running> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let running = Running(self);
        if running.0.has_ended() {
            return Err(Error::new(ErrorKind::Cancelled, "the interpreter is ending"));
        }
        Ok(running)
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }
}

/// Some work that has not ended.
struct Running(Arc<Work>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A token that is cancelled when the interpreter ends.
pub(crate) fn token(py: Python<'_>) -> CancelToken {
    Work::here(py).cancel.child()
}

/// Begins some work. Its result, turned into an object, is the first argument that `done` is called with, or the error
/// is the second; the other one is None.
pub(crate) fn begin<T: Send + 'static>(
    py: Python<'_>,
    done: Py<PyAny>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
    into_object: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<()> {
    let running = Work::here(py).enter().map_err(error::raised)?;
    let body = move || {
        let result = catch_panic(work).flatten();
        // At its end the interpreter waits for no thread that still waits here: none can be told anything any more.
        if !running.0.has_ended() {
            Python::try_attach(|py| {
                let object = result.map_err(error::raised).and_then(|value| into_object(py, value));
                tell(py, &done, object);
                drop(done);
            });
        }
        drop(running);
    };
    let thread = thread::Builder::new().name(THREAD_NAME.into()).spawn(body);
    thread.map(drop).map_err(|failure| {
        let message = format!("no thread could be started: {failure}");
        error::raised(Error::new(ErrorKind::Internal, message))
    })
}

fn tell(py: Python<'_>, done: &Py<PyAny>, result: PyResult<Py<PyAny>>) {
    let told = match result {
        Ok(object) => done.call1(py, (object, py.None())),
        Err(error) => done.call1(py, (py.None(), error)),
    };
    if let Err(error) = told {
        error.write_unraisable(py, Some(done.bind(py)));
    }
}

/// Cancels all work, waits until it has ended, and refuses any other: for the end of the interpreter, after which no
/// thread can attach to it.
#[pyfunction]
pub(crate) fn end(py: Python<'_>) {
    let work = Work::here(py);
    work.ended.store(true, Ordering::SeqCst);
    py.detach(|| {
        work.cancel.cancel();
        while work.running.load(Ordering::SeqCst) > 0 {
            thread::sleep(POLL);
        }
    });
}

/// Stops what was begun with it.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Cancel {
    token: Local<CancelToken>,
}

impl Cancel {
    pub(crate) fn new(token: CancelToken) -> Self {
        Self { token: Local::new(token) }
    }

    /// What the core stops by; one that nobody cancels in a fork of the process that made it.
    pub(crate) fn token(&self) -> CancelToken {
        self.token.get().cloned().unwrap_or_default()
    }
}

#[pymethods]
impl Cancel {
    /// Stops it soon; from any thread, and without waiting.
    fn cancel(&self) {
        if let Some(token) = self.token.get() {
            token.cancel();
        }
    }
}
