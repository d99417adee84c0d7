//! Requests, as the package passes them.

use pyo3::prelude::*;
use speech_core::{Format, Request, Result};

use crate::error;

/// The fields of a request: the text; language, voice, format, latency and quality; rate, pitch and volume; whether emoji are
/// read, whether romanized Hindi is, whether the text is SSML, and whether pauses are read.
pub(crate) type RequestFields =
    (String, (String, String, String, String, String), (f64, f64, f64), (bool, bool, bool, bool));

/// The request with these fields, not validated.
pub(crate) fn request(fields: RequestFields) -> Result<Request> {
    with_format(fields).map(|(request, _)| request)
}

/// The same, and the format of its audio.
fn with_format(
    (text, choices, (rate, pitch, volume), flags): RequestFields,
) -> Result<(Request, Format)> {
    let (language, voice, format, latency, quality) = choices;
    let (read_emoji, read_romanized_hindi, ssml, read_pauses) = flags;
    let request = Request::new(text)
        .language(language.parse()?)
        .voice(voice.parse()?)
        .latency(latency.parse()?)
        .quality(quality.parse()?)
        .rate(rate)
        .pitch(pitch)
        .volume(volume)
        .read_emoji(read_emoji)
        .read_romanized_hindi(read_romanized_hindi)
        .ssml(ssml)
        .read_pauses(read_pauses);
    Ok((request, format.parse()?))
}

/// Raises an error if a request is not valid.
#[pyfunction]
pub(crate) fn validate(request: RequestFields) -> PyResult<()> {
    let request = self::request(request).and_then(|request| request.validate());
    request.map(drop).map_err(error::to_pyerr)
}

/// Raises an error if a request is not valid, or if its audio cannot be delivered in its format.
#[pyfunction]
pub(crate) fn check_format(request: RequestFields) -> PyResult<()> {
    let checked =
        with_format(request).and_then(|(request, format)| request.validate()?.check_format(format));
    checked.map_err(error::to_pyerr)
}

/// Raises an error if a body is not a valid request in the JSON of the contract.
#[pyfunction]
pub(crate) fn check_json(body: &[u8]) -> PyResult<()> {
    Request::from_json(body).map(drop).map_err(error::to_pyerr)
}
