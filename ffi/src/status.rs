//! The status codes: 0, and the numbers of the core's error table.

use std::ffi::{CStr, c_char};
use std::ptr;

use speech_core::{ErrorKind, LazyLock};

use crate::boundary::catch_panic_or;
use crate::getters::c_string;

/// The result of every function that can fail: SPEECH_OK, SPEECH_END, or the kind of failure.
///
/// A newer library may return numbers that this header does not name: treat them as
/// SPEECH_INTERNAL. Numbers never change their meaning. The numbers 10 to 20 are for services built
/// on the library; no function here returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_status {
    /// Success.
    SPEECH_OK = 0,
    /// The text is empty or only whitespace.
    SPEECH_EMPTY_TEXT = 1,
    /// The text is over the limit of 1,000 characters.
    SPEECH_TEXT_TOO_LONG = 2,
    /// An unsupported language, voice or format, a malformed request, or a wrong argument: NULL, a
    /// freed handle, text that is not UTF-8, an option out of range.
    SPEECH_INVALID_REQUEST = 3,
    /// A latency tier that this deployment cannot serve, or an unknown tier.
    SPEECH_INVALID_TIER = 4,
    /// A missing or wrong API key.
    SPEECH_UNAUTHORIZED = 10,
    /// No such resource.
    SPEECH_NOT_FOUND = 11,
    /// The resource does not support this method.
    SPEECH_METHOD_NOT_ALLOWED = 12,
    /// The request body is over the limit.
    SPEECH_REQUEST_TOO_LARGE = 13,
    /// The media type of the request body is not supported.
    SPEECH_UNSUPPORTED_MEDIA_TYPE = 14,
    /// A queue is full: try again later.
    SPEECH_OVERLOADED = 20,
    /// The voice bundle is missing, damaged or of the wrong version.
    SPEECH_MODEL_ERROR = 30,
    /// Any other fault of the library.
    SPEECH_INTERNAL = 31,
    /// The caller stopped the synthesis.
    SPEECH_CANCELLED = 40,
    /// The end of a stream: not a failure, so there is no error object.
    SPEECH_END = 100,
}

/// A [`speech_status`] as passed by C: any number is possible.
pub type Status = i32;

/// Success.
pub(crate) const OK: Status = speech_status::SPEECH_OK as Status;

/// The end of a stream.
pub(crate) const END: Status = speech_status::SPEECH_END as Status;

/// The contract's name of a status, such as "text_too_long"; "ok" for SPEECH_OK, "end" for
/// SPEECH_END, and NULL for an unknown number. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_status_type(status: Status) -> *const c_char {
    catch_panic_or(ptr::null(), || type_name(status).map_or(ptr::null(), CStr::as_ptr))
}

/// The name of a status.
pub(crate) fn type_name(status: Status) -> Option<&'static CStr> {
    static NAMES: LazyLock<Vec<(Status, Box<CStr>)>> = LazyLock::new(|| {
        let errors = ErrorKind::ALL.map(|kind| (kind.code(), c_string(kind.as_str()).into()));
        [(OK, c"ok".into()), (END, c"end".into())].into_iter().chain(errors).collect()
    });
    NAMES.iter().find(|(number, _)| *number == status).map(|(_, name)| &**name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statuses_are_the_table_of_the_core() {
        use speech_status::*;

        let ours = [
            SPEECH_EMPTY_TEXT,
            SPEECH_TEXT_TOO_LONG,
            SPEECH_INVALID_REQUEST,
            SPEECH_INVALID_TIER,
            SPEECH_UNAUTHORIZED,
            SPEECH_NOT_FOUND,
            SPEECH_METHOD_NOT_ALLOWED,
            SPEECH_REQUEST_TOO_LARGE,
            SPEECH_UNSUPPORTED_MEDIA_TYPE,
            SPEECH_OVERLOADED,
            SPEECH_MODEL_ERROR,
            SPEECH_INTERNAL,
            SPEECH_CANCELLED,
        ];
        let table: Vec<_> = ErrorKind::ALL
            .iter()
            .map(|kind| (kind.code(), format!("SPEECH_{}", kind.as_str().to_uppercase())))
            .collect();
        let ours: Vec<_> =
            ours.iter().map(|status| (*status as Status, format!("{status:?}"))).collect();
        assert_eq!(ours, table);
        for kind in ErrorKind::ALL {
            assert_eq!(type_name(kind.code()).unwrap().to_str(), Ok(kind.as_str()));
        }
        assert!(ErrorKind::ALL.iter().all(|kind| kind.code() != END));
        assert_eq!(
            (type_name(OK), type_name(END), type_name(5)),
            (Some(c"ok"), Some(c"end"), None)
        );
    }
}
