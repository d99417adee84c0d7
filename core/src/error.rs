//! The one error of the library: a kind to act on, a message for people, a request id for the log.

use std::error::Error as StdError;
use std::fmt;

use crate::request_id::RequestId;

/// The longest part of a caller's value that a message repeats, in characters.
const MAX_QUOTED: usize = 40;

/// What went wrong, as far as a caller can act on it.
///
/// Every kind has a contract name, a stable C status number and, where it can reach HTTP, a status:
/// [`as_str`](Self::as_str), [`code`](Self::code) and [`http_status`](Self::http_status) are the one
/// table that the bindings are generated and tested from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `text` is empty or only white space.
    EmptyText,
    /// `text` is over the limit of [`MAX_CHARACTERS`](crate::MAX_CHARACTERS).
    TextTooLong,
    /// An unsupported `language`, `voice`, `format` or option, or a malformed request.
    InvalidRequest,
    /// A latency tier that this deployment cannot serve, or an unknown tier name.
    InvalidTier,
    /// A missing or wrong API key.
    Unauthorized,
    /// No such resource.
    NotFound,
    /// The resource does not answer to this method.
    MethodNotAllowed,
    /// The request body is over the limit.
    RequestTooLarge,
    /// The request body is not of a type that is read.
    UnsupportedMediaType,
    /// The engine's queue is full: try again later.
    Overloaded,
    /// The voice bundle is missing, damaged or of the wrong version.
    ModelError,
    /// Anything else that is our fault.
    Internal,
    /// A caller stopped the synthesis.
    Cancelled,
}

/// One row of the table: kind, contract name, C status number, HTTP status, retryable.
///
/// Numbers are written out and never reused; 0 is success in C.
const fn row(kind: ErrorKind) -> (&'static str, i32, Option<u16>, bool) {
    match kind {
        ErrorKind::EmptyText => ("empty_text", 1, Some(400), false),
        ErrorKind::TextTooLong => ("text_too_long", 2, Some(400), false),
        ErrorKind::InvalidRequest => ("invalid_request", 3, Some(400), false),
        ErrorKind::InvalidTier => ("invalid_tier", 4, Some(400), false),
        ErrorKind::Unauthorized => ("unauthorized", 10, Some(401), false),
        ErrorKind::NotFound => ("not_found", 11, Some(404), false),
        ErrorKind::MethodNotAllowed => ("method_not_allowed", 12, Some(405), false),
        ErrorKind::RequestTooLarge => ("request_too_large", 13, Some(413), false),
        ErrorKind::UnsupportedMediaType => ("unsupported_media_type", 14, Some(415), false),
        ErrorKind::Overloaded => ("overloaded", 20, Some(503), true),
        ErrorKind::ModelError => ("model_error", 30, Some(500), false),
        ErrorKind::Internal => ("internal", 31, Some(500), false),
        ErrorKind::Cancelled => ("cancelled", 40, None, false),
    }
}

impl ErrorKind {
    /// Every kind, in the order of the table.
    pub const ALL: [Self; 13] = [
        Self::EmptyText,
        Self::TextTooLong,
        Self::InvalidRequest,
        Self::InvalidTier,
        Self::Unauthorized,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::RequestTooLarge,
        Self::UnsupportedMediaType,
        Self::Overloaded,
        Self::ModelError,
        Self::Internal,
        Self::Cancelled,
    ];

    /// The machine-readable `type` of the contract, such as `text_too_long`.
    pub const fn as_str(self) -> &'static str {
        row(self).0
    }

    /// The status number of the C interface; never 0.
    pub const fn code(self) -> i32 {
        row(self).1
    }

    /// The HTTP status, or `None` for [`Cancelled`](Self::Cancelled), which never reaches HTTP.
    pub const fn http_status(self) -> Option<u16> {
        row(self).2
    }

    /// Whether the same request may succeed if it is sent again later.
    pub const fn is_retryable(self) -> bool {
        row(self).3
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of every fallible function of this library.
///
/// It displays as its message alone, on one line; the cause, where there is one, is its
/// [`source`](StdError::source). The text being spoken is never whole in a message.
///
/// ```
/// use speech_core::{ErrorKind, Request};
///
/// let error = Request::new("  ").validate().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::EmptyText);
/// assert_eq!(error.kind().as_str(), "empty_text");
/// assert_eq!(error.kind().http_status(), Some(400));
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    request_id: RequestId,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// A result with the library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of a kind with a message, under a request id of its own.
    ///
    /// Applications that build on the library (an HTTP service, say) use it for their own refusals,
    /// so that all of them look alike.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            request_id: RequestId::new(),
            source: None,
        }))
    }

    /// The same error as part of the request `id`.
    #[must_use]
    pub fn with_request_id(mut self, id: RequestId) -> Self {
        self.0.request_id = id;
        self
    }

    /// The same error with the cause behind it.
    #[must_use]
    pub(crate) fn with_source(
        mut self,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        self.0.source = Some(source.into());
        self
    }

    #[cold]
    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidRequest, message)
    }

    /// A value that is none of those which a field or an option can have.
    pub(crate) fn unsupported(field: &str, value: &str, allowed: &[&str]) -> Self {
        let mut quoted: String = value.chars().take(MAX_QUOTED).collect();
        if quoted.len() < value.len() {
            quoted.push('…');
        }
        Self::invalid_request(format!("unsupported {field} {quoted:?}; use {}", allowed.join(", ")))
    }

    #[cold]
    pub(crate) fn model(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::ModelError, message)
    }

    #[cold]
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    #[cold]
    pub(crate) fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the synthesis was cancelled")
    }

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The identifier of the request that failed.
    pub fn request_id(&self) -> RequestId {
        self.0.request_id
    }

    /// The JSON envelope of the contract.
    ///
    /// ```
    /// let error = speech_core::Request::new("").validate().unwrap_err();
    /// let id = error.request_id();
    /// assert_eq!(
    ///     error.to_json(),
    ///     format!(
    ///         r#"{{"error":{{"type":"empty_text","message":"text is empty","request_id":"{id}"}}}}"#
    ///     ),
    /// );
    /// ```
    pub fn to_json(&self) -> String {
        #[derive(serde::Serialize)]
        struct Envelope<'a> {
            error: Body<'a>,
        }
        #[derive(serde::Serialize)]
        struct Body<'a> {
            r#type: &'a str,
            message: &'a str,
            request_id: String,
        }
        let body = Body {
            r#type: self.kind().as_str(),
            message: self.message(),
            request_id: self.request_id().to_string(),
        };
        serde_json::to_string(&Envelope { error: body }).expect("strings always serialise")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Error");
        debug
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("request_id", &self.0.request_id);
        if let Some(source) = &self.0.source {
            debug.field("source", source);
        }
        debug.finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_table_is_a_bijection_and_zero_stays_success() {
        let names: HashSet<_> = ErrorKind::ALL.iter().map(|kind| kind.as_str()).collect();
        let codes: HashSet<_> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(names.len(), ErrorKind::ALL.len());
        assert_eq!(codes.len(), ErrorKind::ALL.len());
        assert!(!codes.contains(&0));
    }

    #[test]
    fn an_error_is_one_word_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn an_error_can_cross_threads() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
    }
}
