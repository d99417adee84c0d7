//! Turns panics into errors at the boundary to other languages.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use speech_core::{Error, ErrorKind, LazyLock, Result, THREAD_NAME};

thread_local! {
    /// The number of this thread's calls inside the library, which may be nested.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// The source location of the last panic of this thread.
    static PANICKED_AT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A call that is inside the library until this is dropped.
struct Inside;

impl Inside {
    fn enter() -> Self {
        INSIDE.set(INSIDE.get() + 1);
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}

/// Runs the body, and returns `internal` if it panics; nothing is printed then.
///
/// The panic's message is left out, here and in the log, because it may contain text.
pub fn catch_panic<T>(body: impl FnOnce() -> T) -> Result<T> {
    install_panic_hook();
    let inside = Inside::enter();
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    drop(inside);
    result.map_err(|_| {
        // If the host has replaced the hook since, the location is unknown here.
        let place = PANICKED_AT.take().unwrap_or_else(|| "an unknown place".into());
        Error::new(ErrorKind::Internal, format!("the library failed: a panic at {place}"))
    })
}

/// Rust prints each panic on stderr. This hook sends panics inside the library to its log instead,
/// and passes those of a Rust program that links the library to the previous hook.
fn install_panic_hook() {
    static INSTALLED: LazyLock<()> = LazyLock::new(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let ours = thread::current().name() == Some(THREAD_NAME);
            if INSIDE.get() == 0 && !ours {
                return previous(panic);
            }
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            log::error!("a panic at {place}");
            PANICKED_AT.set(Some(place));
        }));
    });
    *INSTALLED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error_that_says_where() {
        let secret = "a text that nobody else shall read";
        let error = catch_panic(|| panic!("{secret}")).map(|()| 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        let message = error.message();
        assert!(message.contains("panics.rs") && !message.contains(secret), "{message}");
        assert_eq!(catch_panic(|| 7).unwrap(), 7);
    }
}
