//! The library's single error type: a kind and details for programs, a message for people, and a
//! request id for logs.

mod detail;
mod kind;

use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use crate::request_id::RequestId;
pub use detail::{Advice, ErrorDetail};
pub use kind::ErrorKind;

/// The longest part of a choice's name that a message repeats, in characters.
const MAX_QUOTED: usize = 40;

/// The error of every fallible function of this library.
///
/// Displays as its message alone, on one line. The cause, if there is one, is its
/// [`source`](StdError::source). Neither contains any part of a text, an SSML document or a
/// pronunciation: a message gives the position and the broken rule.
///
/// ```
/// # extern crate speech_base as speech_core;
/// use speech_core::{ErrorKind, Voice};
///
/// let error = "nobody".parse::<Voice>().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidRequest);
/// assert_eq!(error.kind().as_str(), "invalid_request");
/// assert_eq!(error.kind().http_status(), Some(400));
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    detail: Option<ErrorDetail>,
    message: String,
    path: Option<PathBuf>,
    request_id: RequestId,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// A result with the library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of a kind with a message and a new request id.
    ///
    /// Applications that build on the library, such as an HTTP service, use it for their own
    /// errors, so that all errors look alike.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            detail: None,
            message: message.into(),
            path: None,
            request_id: RequestId::new(),
            source: None,
        }))
    }

    /// The same error with the request id `id`.
    #[must_use]
    pub fn with_request_id(mut self, id: RequestId) -> Self {
        self.0.request_id = id;
        self
    }

    /// The same error with a cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into().into());
        self
    }

    /// The same error with a detail.
    #[must_use]
    pub fn with_detail(mut self, detail: ErrorDetail) -> Self {
        self.0.detail = Some(detail);
        self
    }

    /// The same error with the path of the file at fault, if it has one.
    #[must_use]
    pub fn with_path(mut self, path: Option<PathBuf>) -> Self {
        self.0.path = path;
        self
    }

    /// An invalid request.
    #[cold]
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidRequest, message)
    }

    /// A value that is not allowed for a field or an option; the message lists the allowed ones.
    pub fn unsupported(field: &str, value: &str, allowed: &[&str]) -> Self {
        let (value, allowed) = (quoted(value), allowed.join(", "));
        Self::invalid_request(format!("unsupported {field} {value}; use {allowed}"))
    }

    /// A voice bundle that is missing or invalid.
    #[cold]
    pub fn model(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::ModelError, message)
    }

    /// A damaged file of the voice bundle.
    #[cold]
    pub fn damaged(message: impl Into<String>) -> Self {
        Self::model(message).with_detail(ErrorDetail::FileDamaged)
    }

    /// A fault of the library or of the system.
    #[cold]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// A synthesis that the caller stopped.
    #[cold]
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the synthesis was cancelled")
    }

    /// Something made before the process was forked, and used in the child.
    #[cold]
    #[doc(hidden)]
    pub fn made_before_fork(what: &str) -> Self {
        let message = format!("the {what} was made before fork(): make one in the child process");
        Self::invalid_request(message)
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The exact cause, where a program may want to tell it apart.
    pub fn detail(&self) -> Option<ErrorDetail> {
        self.0.detail
    }

    /// The file at fault: a file of the voice bundle, or the archive that contains the bundle. None
    /// if no file is at fault, or if the bundle is in memory.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// What the user can do about it. An application words it itself.
    pub fn advice(&self) -> Option<Advice> {
        match (self.kind(), self.detail()) {
            (_, Some(detail)) => detail.advice(),
            (ErrorKind::TextTooLong, None) => Some(Advice::SplitText),
            _ => None,
        }
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The identifier of the request that failed.
    pub fn request_id(&self) -> RequestId {
        self.0.request_id
    }

    /// The error as JSON, for a service's response.
    ///
    /// ```
    /// # extern crate speech_base as speech_core;
    /// use speech_core::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::EmptyText, "text is empty");
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
        serde_json::to_string(&Envelope { error: body }).expect("strings always serialize")
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
        debug.field("kind", &self.0.kind);
        if let Some(detail) = &self.0.detail {
            debug.field("detail", detail);
        }
        debug.field("message", &self.0.message).field("request_id", &self.0.request_id);
        if let Some(source) = &self.0.source {
            debug.field("source", source);
        }
        debug.finish()
    }
}

impl FromStr for RequestId {
    type Err = Error;

    /// Parses an identifier; `invalid_request` if the text is not a UUID.
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
            .map_err(|e| Error::invalid_request("not a request identifier").with_source(e))
    }
}

/// The name of a choice for a message: in quotation marks, and truncated if it is long. Must not be
/// given user text.
pub fn quoted(value: &str) -> String {
    let mut start: String = value.chars().take(MAX_QUOTED).collect();
    if start.len() < value.len() {
        start.push('…');
    }
    format!("{start:?}")
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_word_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn a_message_repeats_only_the_start_of_a_long_value() {
        let error = Error::unsupported("voice", &"v".repeat(5000), &["aria"]);
        assert!(error.message().len() < 200, "{}", error.message());
    }

    #[test]
    fn an_error_can_cross_threads() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
    }
}
