//! Tasks on threads of the library's own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use speech_bindings::catch_panic;
use speech_core::{Error, ErrorKind, PerProcess, ProcessLocal, Result};

use crate::error;

/// How often the shutdown checks whether all tasks have ended.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// All tasks of this process.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    running: AtomicUsize,
    shut_down: AtomicBool,
    /// Cancels all of them.
    cancel: speech_core::CancelToken,
}

/// A fork starts with none.
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
struct RunningTask(&'static Tasks);

impl Drop for RunningTask {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A token that is cancelled when the interpreter ends.
pub(crate) fn cancel_token() -> speech_core::CancelToken {
    TASKS.get().cancel.child()
}

/// Starts a task on a thread of the library's own. At its end `callback` is called with two arguments: the result, which
/// `into_object` turns into a Python object, and the exception. One of them is None.
pub(crate) fn spawn<T: Send + 'static>(
    callback: Py<PyAny>,
    task: impl FnOnce() -> Result<T> + Send + 'static,
    into_object: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<()> {
    let running = TASKS.get().enter().map_err(error::to_pyerr)?;
    let body = move || {
        let result = catch_panic(task).flatten();
        // The interpreter does not wait for the threads that still want to attach when it ends. So after the shutdown no
        // callback can be called.
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

/// Cancels all tasks, waits until they have ended, and refuses new ones. It is called when the interpreter ends, after
/// which no thread can attach to it.
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

/// Cancels what was started with it.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct CancelToken {
    token: ProcessLocal<speech_core::CancelToken>,
}

impl CancelToken {
    pub(crate) fn new(token: speech_core::CancelToken) -> Self {
        Self { token: ProcessLocal::new(token) }
    }

    /// The token of the core. In a fork of the process that made it: one that is never cancelled.
    pub(crate) fn to_core(&self) -> speech_core::CancelToken {
        self.token.get().cloned().unwrap_or_default()
    }
}

#[pymethods]
impl CancelToken {
    /// Cancels soon. Any thread may call it, and it does not wait.
    fn cancel(&self) {
        if let Some(token) = self.token.get() {
            token.cancel();
        }
    }
}
