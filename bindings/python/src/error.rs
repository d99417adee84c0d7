//! The errors of the core as the exceptions of the package.

use std::error::Error as _;

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use speech_core::{Error, ErrorKind, RequestId};

/// Makes an exception of a type, a message and a request identifier. It is kept here because nothing can be imported any
/// more when the interpreter ends.
static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Says what makes exceptions: that of the first call.
#[pyfunction]
pub(crate) fn raise_by(py: Python<'_>, new: Py<PyAny>) {
    let _ = NEW.set(py, new);
}

/// The exception for an error: the package has a class for each kind. What is behind the error is its cause.
///
/// A thread that is attached to Python raises it.
pub(crate) fn raised(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).unwrap_or_else(|failure| failure))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let new = NEW.get(py).ok_or_else(|| PyRuntimeError::new_err("the package is not imported"))?;
    let id = error.request_id().to_string();
    let arguments = (error.kind().as_str(), error.message(), id);
    let exception = PyErr::from_value(new.bind(py).call1(arguments)?);
    let cause = error.source().map(|source| PyException::new_err(source.to_string()));
    exception.set_cause(py, cause);
    Ok(exception)
}

/// The core's table of kinds: type, whether it is worth another try, HTTP status.
pub(crate) fn kinds(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let row = |kind: ErrorKind| (kind.as_str(), kind.is_retryable(), kind.http_status());
    PyTuple::new(py, ErrorKind::ALL.map(row))
}

/// A new request identifier.
#[pyfunction]
pub(crate) fn request_id() -> String {
    RequestId::new().to_string()
}
