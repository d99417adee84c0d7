//! The boundary between C and Rust, which turns errors and panics into status codes.

use std::ptr;

use speech_bindings::catch_panic;
use speech_core::Result;

use crate::error::speech_error;
use crate::handle;
use crate::pointers::Output;
use crate::status::{OK, Status};

/// The output for an error object.
pub(crate) type ErrorOutput<'call> = Output<'call, *mut speech_error>;

/// Runs the body of a function of the header.
///
/// A failure is returned as a status, and written to `error` as an error object if `error` is not
/// NULL. On success `error` is not written.
pub(crate) fn boundary(error: ErrorOutput<'_>, body: impl FnOnce() -> Result<()>) -> Status {
    let Err(failure) = catch_panic(body).flatten() else { return OK };
    let status = failure.kind().code();
    if !error.is_null() {
        error.write(catch_panic(|| handle::insert(failure.into())).unwrap_or(ptr::null_mut()));
    }
    status
}

/// Runs the body of a function without a status. A panic returns `fallback`.
pub(crate) fn catch_panic_or<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_panic(body).unwrap_or(fallback)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::speech_status;

    #[test]
    fn a_panic_is_an_internal_error() {
        let mut error = ptr::null_mut();
        let secret = "a text that nobody else shall read";
        let status = boundary(Output::from(&mut error), || panic!("{secret}"));
        assert_eq!(status, speech_status::SPEECH_INTERNAL as Status);
        let object = handle::remove(error).unwrap();
        let message = object.error.message();
        assert!(message.contains("boundary.rs") && !message.contains(secret), "{message}");
        assert_eq!(boundary(Output::NULL, || panic!()), status);
        assert_eq!(catch_panic_or(7, || panic!()), 7);
    }

    #[test]
    fn success_writes_no_error() {
        let mut error = ptr::without_provenance_mut(8);
        assert_eq!(boundary(Output::from(&mut error), || Ok(())), OK);
        assert_eq!(error.addr(), 8);
    }
}
