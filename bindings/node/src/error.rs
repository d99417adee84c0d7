//! Errors of the core as plain objects, which the package throws as its own class.

use std::error::Error as _;

use napi::Either;
use napi_derive::napi;
use speech_core::{Advice, Error, ErrorDetail, ErrorKind, RequestId};

/// An error of the core.
#[derive(Debug)]
#[napi(object, object_from_js = false)]
pub struct NativeError {
    /// The name of its kind, such as `text_too_long`.
    pub code: &'static str,
    /// The message for people.
    pub message: String,
    /// The identifier of the failed request, a UUID.
    pub request_id: String,
    /// The exact cause, such as `bundle_not_found`.
    pub detail: Option<&'static str>,
    /// The file at fault.
    pub path: Option<String>,
    /// Advice for the user, as a key, such as `install_voices`.
    pub advice: Option<&'static str>,
    /// The message of the underlying error.
    pub cause: Option<String>,
}

impl From<Error> for NativeError {
    fn from(error: Error) -> Self {
        Self {
            code: error.kind().as_str(),
            message: error.message().to_owned(),
            request_id: error.request_id().to_string(),
            detail: error.detail().map(ErrorDetail::as_str),
            path: error.path().map(|path| path.to_string_lossy().into_owned()),
            advice: error.advice().map(Advice::as_str),
            cause: error.source().map(ToString::to_string),
        }
    }
}

/// A result for JavaScript: the value or the error.
pub(crate) type JsResult<T> = Either<T, NativeError>;

/// Converts a result for JavaScript.
pub(crate) fn into_js<T>(result: speech_core::Result<T>) -> JsResult<T> {
    result.map_or_else(|error| Either::B(error.into()), Either::A)
}

/// A row of the core's table of error kinds.
#[napi(object, object_from_js = false)]
pub struct Kind {
    /// Its name, such as `text_too_long`.
    pub code: &'static str,
    /// Whether the same request may succeed later.
    pub retryable: bool,
    /// The HTTP status of a service's response.
    pub http_status: Option<u16>,
}

/// The core's table of error kinds.
#[napi]
pub fn error_kinds() -> Vec<Kind> {
    let row = |kind: ErrorKind| Kind {
        code: kind.as_str(),
        retryable: kind.is_retryable(),
        http_status: kind.http_status(),
    };
    ErrorKind::ALL.map(row).into()
}

/// The names of all error details.
#[napi]
pub fn error_details() -> Vec<&'static str> {
    ErrorDetail::ALL.map(ErrorDetail::as_str).into()
}

/// The keys of all advice.
#[napi]
pub fn error_advice() -> Vec<&'static str> {
    Advice::ALL.map(Advice::as_str).into()
}

/// A new request identifier.
#[napi]
pub fn request_id() -> String {
    RequestId::new().to_string()
}
