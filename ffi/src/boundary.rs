//! The boundary between C and Rust: errors become status codes, and so do panics.

use std::ptr;

use speech_bindings::catch_panic;
use speech_core::Result;

use crate::error::speech_error;
use crate::handle;
use crate::pointers::Pointers;
use crate::status::{OK, Status};

/// Runs the body of a function of the header.
///
/// A failure is returned as a status, and written to `error` as an error object if `error` is not NULL. On
/// success `error` is not written.
///
/// # Safety
///
/// The header obliges the C caller to what a function needs here. For `error`, and for every pointer that the
/// body converts with its [`Pointers`], until the call returns:
///
/// - an output is NULL, or valid for one write of its type;
/// - a text or an array is NULL, or valid for reads of its length, or up to its NUL byte if it is terminated by
///   one, and no thread changes it.
pub(crate) unsafe fn boundary(
    error: *mut *mut speech_error,
    body: impl FnOnce(Pointers) -> Result<()>,
) -> Status {
    // SAFETY: the obligation of this function is that of `Pointers`.
    let pointers = unsafe { Pointers::new() };
    let result = catch_panic(|| body(pointers)).flatten();
    let Err(failure) = result else { return OK };
    let status = failure.kind().code();
    if let Some(output) = pointers.optional_output(error) {
        output.write(catch_panic(|| handle::insert(failure.into())).unwrap_or(ptr::null_mut()));
    }
    status
}

/// Runs the body of a function that returns no status. A panic gives `fallback`.
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
        // SAFETY: the output is valid.
        let status = unsafe { boundary(&raw mut error, |_| panic!("{secret}")) };
        assert_eq!(status, speech_status::SPEECH_INTERNAL as Status);
        let object = handle::remove(error).unwrap();
        let message = object.error.message();
        assert!(message.contains("boundary.rs") && !message.contains(secret), "{message}");
        // SAFETY: NULL is an output that is left out.
        assert_eq!(unsafe { boundary(ptr::null_mut(), |_| panic!()) }, status);
        assert_eq!(catch_panic_or(7, || panic!()), 7);
    }

    #[test]
    fn success_writes_no_error() {
        let mut error = ptr::without_provenance_mut(8);
        // SAFETY: the output is valid.
        assert_eq!(unsafe { boundary(&raw mut error, |_| Ok(())) }, OK);
        assert_eq!(error.addr(), 8);
    }
}
