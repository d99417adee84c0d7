//! Panics as errors, at the boundary to other languages.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use speech_core::{Error, ErrorKind, LazyLock, Result, THREAD_NAME};

thread_local! {
    /// The calls of this thread that are inside the library, which may be nested.
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

/// Runs the body, and gives `internal` if it panics; nothing is printed then.
///
/// The message of the panic is left out, here and in the log: it may hold some of the text.
pub fn catch_panic<T>(body: impl FnOnce() -> T) -> Result<T> {
    install_panic_hook();
    let inside = Inside::enter();
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    drop(inside);
    result.map_err(|_| {
        // A host that has set a hook since is told of the place in our stead.
        let place = PANICKED_AT.take().unwrap_or_else(|| "an unknown place".into());
        Error::new(ErrorKind::Internal, format!("the library failed: a panic at {place}"))
    })
}

/// Rust prints each panic on stderr. This sends panics inside the library to its log instead, and leaves those of a Rust
/// program that the library is linked into to the hook before.
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
