//! The one way into the library from C: errors become statuses, and so do panics.

use std::ptr;

use speech_core::{Result, catch_panic};

use crate::error::speech_error;
use crate::handle;
use crate::pointer::Caller;
use crate::status::{OK, Status};

/// Runs the body of a function of the header.
///
/// A failure is the status that is returned and, if the caller has a place for it, an error object. On
/// success nothing is written there.
///
/// # Safety
///
/// `error` and every pointer that the body hands to its [`Caller`] keep the conventions of the header.
pub(crate) unsafe fn boundary(
    error: *mut *mut speech_error,
    body: impl FnOnce(Caller) -> Result<()>,
) -> Status {
    // SAFETY: as the caller of this function promises.
    let caller = unsafe { Caller::new() };
    let result = catch_panic(|| body(caller)).flatten();
    let Err(failure) = result else { return OK };
    let status = failure.kind().code();
    if let Some(place) = caller.out_or_null(error) {
        place.write(catch_panic(|| handle::give(failure.into())).unwrap_or(ptr::null_mut()));
    }
    status
}

/// Runs the body of a function that has no status: `fallback` instead of a panic.
pub(crate) fn or_else<T>(fallback: T, body: impl FnOnce() -> T) -> T {
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
        // SAFETY: the place is valid.
        let status = unsafe { boundary(&raw mut error, |_| panic!("{secret}")) };
        assert_eq!(status, speech_status::SPEECH_INTERNAL as Status);
        let object = handle::take(error).unwrap();
        let message = object.error.message();
        assert!(message.contains("boundary.rs") && !message.contains(secret), "{message}");
        // SAFETY: NULL is a place that is left out.
        assert_eq!(unsafe { boundary(ptr::null_mut(), |_| panic!()) }, status);
        assert_eq!(or_else(7, || panic!()), 7);
    }

    #[test]
    fn success_writes_no_error() {
        let mut error = ptr::without_provenance_mut(8);
        // SAFETY: the place is valid.
        assert_eq!(unsafe { boundary(&raw mut error, |_| Ok(())) }, OK);
        assert_eq!(error.addr(), 8);
    }
}
