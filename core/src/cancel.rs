//! Stopping a synthesis from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Error, Result};

/// Stops one or more syntheses, from any thread, even inside a running inference.
///
/// Clones share one state. Once cancelled it stays so: make a new one for the next request.
///
/// ```
/// use speech_core::CancelToken;
///
/// let token = CancelToken::new();
/// let other = token.clone();
/// std::thread::spawn(move || other.cancel()).join().unwrap();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    running: Mutex<Vec<(u64, Interrupt)>>,
}

type Interrupt = Box<dyn Fn() + Send>;

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops what runs under this token, and all that will. Calling it again does nothing.
    ///
    /// It returns at once; the synthesis ends with `cancelled` soon after.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        for (_, interrupt) in self.running().iter() {
            interrupt();
        }
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// Calls `interrupt` when the token is cancelled, until the guard is dropped.
    ///
    /// A token that was cancelled before calls it at once, so that no cancellation falls between.
    pub(crate) fn on_cancel(&self, interrupt: impl Fn() + Send + 'static) -> InterruptGuard<'_> {
        let mut running = self.running();
        let id = running.last().map_or(0, |(id, _)| id + 1);
        running.push((id, Box::new(interrupt)));
        if self.is_cancelled() {
            running.last().expect("just pushed").1();
        }
        drop(running);
        InterruptGuard { token: self, id }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Vec<(u64, Interrupt)>> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CancelToken").field("cancelled", &self.is_cancelled()).finish()
    }
}

/// Takes the interrupt back when it is dropped.
pub(crate) struct InterruptGuard<'a> {
    token: &'a CancelToken,
    id: u64,
}

impl Drop for InterruptGuard<'_> {
    fn drop(&mut self) {
        self.token.running().retain(|(id, _)| *id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_is_called_only_while_its_guard_lives() {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let note = |name: &'static str| {
            let calls = Arc::clone(&calls);
            move || calls.lock().unwrap().push(name)
        };
        let token = CancelToken::new();
        let first = token.on_cancel(note("first"));
        let second = token.on_cancel(note("second"));
        drop(first);
        token.cancel();
        assert_eq!(*calls.lock().unwrap(), ["second"]);
        drop(second);
        let late = token.on_cancel(note("late"));
        assert_eq!(*calls.lock().unwrap(), ["second", "late"]);
        drop(late);
        assert!(token.running().is_empty());
    }
}
