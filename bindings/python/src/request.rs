//! Requests, as the package hands them over.

use pyo3::prelude::*;
use speech_core::Request;

use crate::error;

/// Text, language, voice, format, latency, whether emoji are read.
pub(crate) type Fields = (String, String, String, String, String, bool);

/// The request with these fields.
pub(crate) fn read((text, language, voice, format, latency, read_emoji): Fields) -> Request {
    Request::new(text)
        .language(language)
        .voice(voice)
        .format(format)
        .latency(latency)
        .read_emoji(read_emoji)
}

/// Raises what speaking a request would refuse.
#[pyfunction]
pub(crate) fn validate(request: Fields) -> PyResult<()> {
    read(request).validate().map(drop).map_err(error::raised)
}

/// Raises what is wrong with a request in the contract's JSON.
#[pyfunction]
pub(crate) fn check_request(json: &[u8]) -> PyResult<()> {
    Request::from_json(json).map(drop).map_err(error::raised)
}
