//! Requests as passed by the package.

use pyo3::prelude::*;
use speech_core::{Error, ErrorKind, Request, Result};

use crate::error;
use crate::lexicon::Lexicon;

/// The text of a request, and its options by name. An omitted option has the core's default.
pub(crate) type RequestFields = (String, Vec<(String, Value)>);

/// The value of an option.
#[derive(FromPyObject)]
pub(crate) enum Value {
    Flag(bool),
    Number(f64),
    Name(String),
    /// Not empty, to distinguish it from the next variant.
    Pronunciations(Vec<(String, String)>),
    Lexicons(Vec<Py<Lexicon>>),
}

/// The request with these fields, not validated.
pub(crate) fn request((text, options): RequestFields) -> Result<Request> {
    options.into_iter().try_fold(Request::new(text), |request, (option, value)| {
        Ok(match (option.as_str(), value) {
            ("language", Value::Name(name)) => request.language(name.parse()?),
            ("voice", Value::Name(name)) => request.voice(name.parse()?),
            ("latency", Value::Name(name)) => request.latency(name.parse()?),
            ("quality", Value::Name(name)) => request.quality(name.parse()?),
            // The package passes a whole number of 32 bits.
            ("sample_rate", Value::Number(hertz)) => request.sample_rate(hertz as u32),
            ("encoding", Value::Name(name)) => request.encoding(name.parse()?),
            ("rate", Value::Number(factor)) => request.rate(factor),
            ("pitch", Value::Number(semitones)) => request.pitch(semitones),
            ("volume", Value::Number(decibels)) => request.volume(decibels),
            ("ssml", Value::Flag(flag)) => request.ssml(flag),
            ("read_pauses", Value::Flag(flag)) => request.read_pauses(flag),
            ("read_emoji", Value::Flag(flag)) => request.read_emoji(flag),
            ("read_romanized_hindi", Value::Flag(flag)) => request.read_romanized_hindi(flag),
            ("pronunciations", Value::Pronunciations(entries)) => {
                request.pronunciations(entries)?
            }
            ("lexicons", Value::Lexicons(lexicons)) => lexicons
                .iter()
                .fold(request, |request, lexicon| request.lexicon(lexicon.get().to_core())),
            (option, _) => {
                let message = format!("the native module cannot set the option {option}");
                return Err(Error::new(ErrorKind::Internal, message));
            }
        })
    })
}

/// Raises an error if a request is invalid.
#[pyfunction]
pub(crate) fn validate(request: RequestFields) -> PyResult<()> {
    let request = self::request(request).and_then(|request| request.validate());
    request.map(drop).map_err(error::to_pyerr)
}

/// Raises an error if a request is invalid, or if its audio cannot be delivered in this format.
#[pyfunction]
pub(crate) fn check_format(request: RequestFields, format: &str) -> PyResult<()> {
    let checked = self::request(request)
        .and_then(|request| request.validate()?.check_format(format.parse()?));
    checked.map_err(error::to_pyerr)
}

/// Raises an error if a body is not a valid JSON request to a service.
#[pyfunction]
pub(crate) fn check_json(body: &[u8]) -> PyResult<()> {
    Request::from_json(body).map(drop).map_err(error::to_pyerr)
}
