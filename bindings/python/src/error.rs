//! Converts errors of the core into exceptions of the package.

use std::error::Error as _;

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use speech_core::{Error, ErrorKind, RequestId};

/// The package's function that makes an exception. It is stored because nothing can be imported
/// while the interpreter shuts down.
static EXCEPTION_FACTORY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Stores the function that makes an exception from the fields of an error: type, message, request
/// identifier, detail, path, advice. Only the first call has an effect.
#[pyfunction]
pub(crate) fn set_exception_factory(py: Python<'_>, factory: Py<PyAny>) {
    let _ = EXCEPTION_FACTORY.set(py, factory);
}

/// The exception for an error: the package has a class for each kind. The error's source becomes
/// its `__cause__`.
///
/// The calling thread must be attached to Python, or able to attach.
pub(crate) fn to_pyerr(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).unwrap_or_else(|failure| failure))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let factory = EXCEPTION_FACTORY
        .get(py)
        .ok_or_else(|| PyRuntimeError::new_err("the package is not imported"))?;
    let fields = (
        error.kind().as_str(),
        error.message(),
        error.request_id().to_string(),
        error.detail().map(|detail| detail.as_str()),
        error.path().map(|path| path.as_os_str()),
        error.advice().map(|advice| advice.as_str()),
    );
    let exception = PyErr::from_value(factory.bind(py).call1(fields)?);
    let cause = error.source().map(|source| PyException::new_err(source.to_string()));
    exception.set_cause(py, cause);
    Ok(exception)
}

/// The core's table of error kinds: type, whether a retry may succeed, HTTP status.
pub(crate) fn kinds(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let row = |kind: ErrorKind| (kind.as_str(), kind.is_retryable(), kind.http_status());
    PyTuple::new(py, ErrorKind::ALL.map(row))
}

/// A new request identifier.
#[pyfunction]
pub(crate) fn request_id() -> String {
    RequestId::new().to_string()
}
