//! Requests, as the package passes them.

use pyo3::prelude::*;
use speech_core::{Request, Result, ValidRequest};

use crate::error;

/// Text, language, voice, format, latency, whether emoji are read, and whether romanized Hindi is.
pub(crate) type RequestFields = (String, String, String, String, String, bool, bool);

/// The request with these fields, validated.
pub(crate) fn validated(
    (text, language, voice, format, latency, read_emoji, read_romanized_hindi): RequestFields,
) -> Result<ValidRequest> {
    Request::new(text)
        .language(language.parse()?)
        .voice(voice.parse()?)
        .format(format.parse()?)
        .latency(latency.parse()?)
        .read_emoji(read_emoji)
        .read_romanized_hindi(read_romanized_hindi)
        .validate()
}

/// Raises an error if a request is not valid.
#[pyfunction]
pub(crate) fn validate(request: RequestFields) -> PyResult<()> {
    validated(request).map(drop).map_err(error::to_pyerr)
}

/// Raises an error if a request is not valid, or if its audio cannot be delivered in its format.
#[pyfunction]
pub(crate) fn check_format(request: RequestFields) -> PyResult<()> {
    validated(request).and_then(|request| request.check_format()).map_err(error::to_pyerr)
}

/// Raises an error if a body is not a valid request in the JSON of the contract.
#[pyfunction]
pub(crate) fn check_json(body: &[u8]) -> PyResult<()> {
    Request::from_json(body).map(drop).map_err(error::to_pyerr)
}
