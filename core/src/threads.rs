//! Threads of the library's own.

use std::thread;

use crate::{Error, Result};

/// What every thread of the library is called, in a debugger and in a panic hook.
#[doc(hidden)]
pub const THREAD_NAME: &str = "libspeech";

/// Does two things beside each other, the first on a thread of its own.
///
/// # Errors
///
/// `internal` if no thread can be started, or if the first panics.
pub(crate) fn beside<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> Result<(A, B)> {
    thread::scope(|scope| {
        let first = thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn_scoped(scope, first)
            .map_err(|e| Error::internal("no thread could be started").with_source(e))?;
        let second = second();
        let first =
            first.join().map_err(|_| Error::internal("a thread of the library panicked"))?;
        Ok((first, second))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_and_a_panic_is_an_error() {
        let name = || thread::current().name().map(str::to_owned);
        let (first, second) = beside(name, name).unwrap();
        assert_eq!(first.as_deref(), Some(THREAD_NAME));
        assert_ne!(first, second);
        let error = beside(|| panic!("on purpose"), || ()).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Internal);
    }
}
