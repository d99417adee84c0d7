//! Errors of the core as values, which the package throws as its own class.

use std::error::Error as _;

use napi::Either;
use napi_derive::napi;
use speech_core::{Error, ErrorKind, RequestId};

/// What went wrong.
#[derive(Debug)]
#[napi(object, object_from_js = false)]
pub struct Failure {
    /// The contract's type.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// Of the request that failed.
    pub request_id: String,
    /// What is behind it.
    pub reason: Option<String>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            code: error.kind().as_str(),
            message: error.message().to_owned(),
            request_id: error.request_id().to_string(),
            reason: error.source().map(ToString::to_string),
        }
    }
}

/// What came of it.
pub(crate) type Outcome<T> = Either<T, Failure>;

/// The same for JavaScript.
pub(crate) fn outcome<T>(result: speech_core::Result<T>) -> Outcome<T> {
    result.map_or_else(|error| Either::B(error.into()), Either::A)
}

/// A row of the core's table of kinds.
#[napi(object, object_from_js = false)]
pub struct Kind {
    /// The contract's type.
    pub code: &'static str,
    /// Whether it is worth another try.
    pub retryable: bool,
    /// What a service answers with.
    pub http_status: Option<u16>,
}

/// The core's table of kinds.
#[napi]
pub fn error_kinds() -> Vec<Kind> {
    let row = |kind: ErrorKind| Kind {
        code: kind.as_str(),
        retryable: kind.is_retryable(),
        http_status: kind.http_status(),
    };
    ErrorKind::ALL.map(row).into()
}

/// A new request identifier.
#[napi]
pub fn request_id() -> String {
    RequestId::new().to_string()
}
