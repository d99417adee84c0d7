//! Requests, as the package passes them.

use pyo3::prelude::*;
use speech_core::{Request, Result, ValidRequest};

use crate::error;

/// The fields of a request: the text; language, voice, format, latency and quality; rate, pitch and volume; whether emoji are
/// read, whether romanized Hindi is, whether the text is SSML, and whether pauses are read.
pub(crate) type RequestFields =
    (String, (String, String, String, String, String), (f64, f64, f64), (bool, bool, bool, bool));

/// The request with these fields, not validated.
pub(crate) fn request(
    (text, choices, (rate, pitch, volume), flags): RequestFields,
) -> Result<Request> {
    let (language, voice, format, latency, quality) = choices;
    let (read_emoji, read_romanized_hindi, ssml, read_pauses) = flags;
    Ok(Request::new(text)
        .language(language.parse()?)
        .voice(voice.parse()?)
        .format(format.parse()?)
        .latency(latency.parse()?)
        .quality(quality.parse()?)
        .rate(rate)
        .pitch(pitch)
        .volume(volume)
        .read_emoji(read_emoji)
        .read_romanized_hindi(read_romanized_hindi)
        .ssml(ssml)
        .read_pauses(read_pauses))
}

/// The request with these fields, validated.
pub(crate) fn validated(fields: RequestFields) -> Result<ValidRequest> {
    request(fields)?.validate()
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
