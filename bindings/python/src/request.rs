//! Requests, as the package hands them over.

use pyo3::prelude::*;
use speech_core::{Request, Result};

use crate::error;

/// Text, language, voice, format, latency, whether emoji are read.
pub(crate) type Fields = (String, String, String, String, String, bool);

/// The request with these fields.
pub(crate) fn read(
    (text, language, voice, format, latency, read_emoji): Fields,
) -> Result<Request> {
    Ok(Request::new(text)
        .language(language.parse()?)
        .voice(voice.parse()?)
        .format(format.parse()?)
        .latency(latency.parse()?)
        .read_emoji(read_emoji))
}

/// Raises what speaking a request would refuse.
#[pyfunction]
pub(crate) fn validate(request: Fields) -> PyResult<()> {
    read(request).and_then(|request| request.validate()).map(drop).map_err(error::raised)
}

/// Raises what is wrong with a request in the contract's JSON.
#[pyfunction]
pub(crate) fn check_request(json: &[u8]) -> PyResult<()> {
    Request::from_json(json).map(drop).map_err(error::raised)
}
