//! The errors of the core as the exceptions of the package.

use std::error::Error as _;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use speech_core::{Error, ErrorKind, RequestId};

/// The exception for an error: the package has a class for each kind. What is behind the error is its cause.
///
/// A thread that is attached to Python raises it.
pub(crate) fn raised(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).unwrap_or_else(|failure| failure))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let new = py.import("libspeech._errors")?.getattr("of_core")?;
    let id = error.request_id().to_string();
    let exception = PyErr::from_value(new.call1((error.kind().as_str(), error.message(), id))?);
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
