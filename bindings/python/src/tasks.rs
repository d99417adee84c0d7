//! Runs tasks on threads of the library.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use speech_bindings::catch_panic;
use speech_core::{Error, ErrorKind, PerProcess, ProcessLocal, Result};

use crate::error;

/// How often shutdown checks whether all tasks have ended.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// All tasks of this process.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    running: AtomicUsize,
    shut_down: AtomicBool,
    /// Cancels all tasks.
    cancel: speech_core::CancelToken,
}

/// A forked child process begins without tasks.
static TASKS: PerProcess<Tasks> = PerProcess::new(Tasks::default);

impl Tasks {
    fn enter(&'static self) -> Result<RunningTask> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let running = RunningTask(self);
        if running.0.is_shut_down() {
            return Err(Error::new(ErrorKind::Cancelled, "the interpreter is ending"));
        }
        Ok(running)
    }

    fn is_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::SeqCst)
    }
}

/// Counts a task as running until it is dropped.
pub(crate) struct RunningTask(&'static Tasks);

impl Drop for RunningTask {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Counts work that [`spawn`] did not start as a task. The interpreter waits at exit until the
/// result is dropped.
pub(crate) fn enter() -> PyResult<RunningTask> {
    TASKS.get().enter().map_err(error::to_pyerr)
}

/// A token that is cancelled when the interpreter shuts down.
pub(crate) fn cancel_token() -> speech_core::CancelToken {
    TASKS.get().cancel.child()
}

/// Starts a task on a thread of the library. At its end `callback` is called with two arguments, of
/// which one is None: the result, which `into_object` turns into a Python object, and the
/// exception.
pub(crate) fn spawn<T: Send + 'static>(
    callback: Py<PyAny>,
    task: impl FnOnce() -> Result<T> + Send + 'static,
    into_object: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<()> {
    let running = TASKS.get().enter().map_err(error::to_pyerr)?;
    let body = move || {
        let result = catch_panic(task).flatten();
        // At shutdown the interpreter does not wait for threads that still want to attach, so no
        // callback can be called any more.
        if !running.0.is_shut_down() {
            Python::try_attach(|py| {
                let object =
                    result.map_err(error::to_pyerr).and_then(|value| into_object(py, value));
                call_back(py, &callback, object);
                drop(callback);
            });
        }
        drop(running);
    };
    speech_bindings::spawn(body).map_err(error::to_pyerr)
}

fn call_back(py: Python<'_>, callback: &Py<PyAny>, result: PyResult<Py<PyAny>>) {
    let returned = match result {
        Ok(object) => callback.call1(py, (object, py.None())),
        Err(error) => callback.call1(py, (py.None(), error)),
    };
    if let Err(error) = returned {
        error.write_unraisable(py, Some(callback.bind(py)));
    }
}

/// Cancels all tasks, waits until they have ended, and rejects new ones. Called at interpreter
/// shutdown, after which no thread can attach.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) {
    let tasks = TASKS.get();
    tasks.shut_down.store(true, Ordering::SeqCst);
    py.detach(|| {
        tasks.cancel.cancel();
        while tasks.running.load(Ordering::SeqCst) > 0 {
            thread::sleep(POLL_INTERVAL);
        }
    });
}

/// Cancels the requests that use it.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct CancelToken {
    token: ProcessLocal<speech_core::CancelToken>,
}

impl CancelToken {
    pub(crate) fn new(token: speech_core::CancelToken) -> Self {
        Self { token: ProcessLocal::new(token) }
    }

    /// The core's token; in a fork of the process that made it, one that is never cancelled.
    pub(crate) fn to_core(&self) -> speech_core::CancelToken {
        self.token.get().cloned().unwrap_or_default()
    }
}

#[pymethods]
impl CancelToken {
    /// Cancels shortly. Any thread may call it; it does not wait.
    fn cancel(&self) {
        if let Some(token) = self.token.get() {
            token.cancel();
        }
    }
}
