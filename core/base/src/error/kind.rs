//! The kinds of error and their codes, in one table.

use crate::string_conversions;

/// The kind of an error: what a caller can act on.
///
/// Every kind has a contract name, a stable C status number and, unless it never reaches HTTP, an
/// HTTP status: [`as_str`](Self::as_str), [`code`](Self::code) and
/// [`http_status`](Self::http_status). The tests of every binding check this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `text` is empty or only whitespace.
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
    /// The resource does not support this method.
    MethodNotAllowed,
    /// The request body is over the limit.
    RequestTooLarge,
    /// The media type of the request body is not supported.
    UnsupportedMediaType,
    /// The engine's queue is full: try again later.
    Overloaded,
    /// The voice bundle is missing, damaged or of the wrong version.
    ModelError,
    /// Any other fault of the library or the service.
    Internal,
    /// The caller stopped the synthesis.
    Cancelled,
}

/// One row of the table: contract name, C status number, HTTP status, retryable.
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

    /// The machine-readable `type`, such as `text_too_long`.
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

    /// Whether the same request may succeed later.
    pub const fn is_retryable(self) -> bool {
        row(self).3
    }
}

string_conversions!(ErrorKind, "error type");

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
}
