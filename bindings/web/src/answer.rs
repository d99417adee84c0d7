//! Answers to the worker: a value or an error as JSON, with samples beside it.

use std::error::Error as _;

use serde::Serialize;
use serde_json::{Value, json};
use speech_core::{Advice, Error, ErrorDetail, Result};

/// An answer: the address and length of the JSON, and those of the samples. The worker reads them.
#[repr(C)]
#[derive(Debug)]
pub struct Answer {
    json: *const u8,
    json_length: usize,
    samples: *const i16,
    samples_length: usize,
    /// The memory behind the addresses.
    _owned: Box<(Vec<u8>, Vec<i16>)>,
}

impl Answer {
    /// The answer for a result: a value or an error.
    pub(crate) fn of(result: Result<Value>) -> Self {
        let json = match result {
            Ok(value) => json!({ "value": value }),
            Err(error) => json!({ "error": Described::from(&error) }),
        };
        Self::new(to_json(&json), Vec::new())
    }

    /// An answer of JSON and samples.
    pub(crate) fn new(json: Vec<u8>, samples: Vec<i16>) -> Self {
        Self {
            json: json.as_ptr(),
            json_length: json.len(),
            samples: samples.as_ptr(),
            samples_length: samples.len(),
            _owned: Box::new((json, samples)),
        }
    }
}

/// A value as JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("strings, numbers and lists always serialize")
}

/// An error of the core, with the fields that the package needs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    code: &'static str,
    message: &'a str,
    request_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
}

impl<'a> From<&'a Error> for Described<'a> {
    fn from(error: &'a Error) -> Self {
        Self {
            code: error.kind().as_str(),
            message: error.message(),
            request_id: error.request_id().to_string(),
            detail: error.detail().map(ErrorDetail::as_str),
            advice: error.advice().map(Advice::as_str),
            cause: error.source().map(ToString::to_string),
        }
    }
}
