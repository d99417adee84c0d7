//! Error objects.

use std::ffi::{CString, c_char};
use std::path::Path;
use std::sync::OnceLock;

use speech_core::{Advice, Error, ErrorDetail};

use crate::getters::{c_string, string, value};
use crate::handle::{self, handle_type};
use crate::status::{OK, Status, type_name};

/// The reason why a call failed. Immutable.
pub struct speech_error(());
handle_type!(speech_error, ErrorObject, "error");

/// An error, with its strings as C strings.
pub(crate) struct ErrorObject {
    pub(crate) error: Error,
    message: CString,
    request_id: CString,
    detail: CString,
    path: CString,
    advice: CString,
    json: OnceLock<CString>,
}

impl From<Error> for ErrorObject {
    fn from(error: Error) -> Self {
        Self {
            message: c_string(error.message()),
            request_id: c_string(&error.request_id().to_string()),
            detail: c_string(error.detail().map_or("", ErrorDetail::as_str)),
            path: c_string(&error.path().map(Path::to_string_lossy).unwrap_or_default()),
            advice: c_string(error.advice().map_or("", Advice::as_str)),
            json: OnceLock::new(),
            error,
        }
    }
}

/// The status returned with the error; SPEECH_OK if `error` is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_status(error: *const speech_error) -> Status {
    value(error, OK, |error| error.error.kind().code())
}

/// The contract's machine-readable type, such as "text_too_long": the result of
/// speech_status_type() for the status. The string is static. "" if `error` is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_type(error: *const speech_error) -> *const c_char {
    string(error, |error| type_name(error.error.kind().code()).unwrap_or(c""))
}

/// The message for people: one line, in English, without any of the request's text. "" if `error`
/// is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_message(error: *const speech_error) -> *const c_char {
    string(error, |error| &error.message)
}

/// The exact cause, as a key: `bundle_not_found`, `file_missing`, `file_damaged`,
/// `file_unreadable`, `bundle_too_old`, `bundle_too_new`, `incompatible_model`,
/// `unsupported_backend`, `latency_needs_stream` or `quality_not_in_bundle`. A newer library may
/// have more. "" if there is no detail beyond the type, or if `error` is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_detail(error: *const speech_error) -> *const c_char {
    string(error, |error| &error.detail)
}

/// The file of the voice bundle at fault. "" if there is none, or if `error` is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_path(error: *const speech_error) -> *const c_char {
    string(error, |error| &error.path)
}

/// Advice for the user, as a key that your program translates into its own words: `install_voices`,
/// `reinstall_voices`, `update_voices`, `update_library`, `check_bundle_path`, `use_stream` or
/// `split_text`. A newer library may have more. "" if there is no advice, or if `error` is NULL or
/// was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_advice(error: *const speech_error) -> *const c_char {
    string(error, |error| &error.advice)
}

/// The identifier of the failed request, a UUID, for the log. "" if `error` is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_request_id(error: *const speech_error) -> *const c_char {
    string(error, |error| &error.request_id)
}

/// The error as JSON, for a service's response:
/// `{"error": {"type": ..., "message": ..., "request_id": ...}}`. "" if `error` is NULL or was
/// freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_json(error: *const speech_error) -> *const c_char {
    string(error, |error| error.json.get_or_init(|| c_string(&error.error.to_json())))
}

/// Whether the same request may succeed later: true for SPEECH_OVERLOADED, which no function here
/// returns. False if `error` is NULL or was freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_is_retryable(error: *const speech_error) -> bool {
    value(error, false, |error| error.error.kind().is_retryable())
}

/// Frees an error with its strings.
#[unsafe(no_mangle)]
pub extern "C" fn speech_error_free(error: *mut speech_error) {
    handle::free(error);
}
