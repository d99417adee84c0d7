//! Cancellation of a synthesis from any thread.

use std::sync::OnceLock;

use crate::concurrency::sync::atomic::{AtomicBool, Ordering};
use crate::concurrency::sync::{Arc, Mutex, MutexGuard, PoisonError};
use crate::error::{Error, Result};
use crate::fork::ProcessLocal;

/// Stops one or more syntheses, from any thread, even inside a running inference.
///
/// Clones share one state. Once cancelled it stays so: make a new one for the next request.
///
/// A token made before `fork` does not work in the child process: requests that use it are rejected
/// there, and `cancel` does nothing. Make a new token in the child.
///
/// ```
/// # extern crate speech_base as speech_core;
/// use speech_core::CancelToken;
///
/// let token = CancelToken::new();
/// let other = token.clone();
/// std::thread::spawn(move || other.cancel()).join().unwrap();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct CancelToken(ProcessLocal<Arc<State>>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    running: Mutex<Vec<(u64, Interrupt)>>,
    /// Host callback polled for cancellation.
    source: Option<Source>,
    /// Unregisters this child from its parent when it is dropped.
    parent: OnceLock<InterruptGuard>,
}

type Interrupt = Arc<dyn Fn() + Send + Sync>;
type Source = Arc<dyn Fn() -> bool + Send + Sync>;

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is also cancelled when `source` returns true.
    ///
    /// For hosts without a second thread that could call `cancel`. `source` is called often, but
    /// only while something is computed, not while a thread waits.
    #[doc(hidden)]
    pub fn polling(source: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self::of(State { source: Some(Arc::new(source)), ..State::default() })
    }

    fn of(state: State) -> Self {
        Self(ProcessLocal::new(Arc::new(state)))
    }

    /// Stops every synthesis that uses this token, now or later. Further calls do nothing.
    ///
    /// Returns at once; the synthesis ends with `cancelled` shortly after.
    pub fn cancel(&self) {
        let Some(state) = self.0.get() else { return };
        state.cancelled.store(true, Ordering::SeqCst);
        // Call the interrupts without the lock: one may drop the last handle of a child, which
        // takes the lock.
        let running: Vec<_> = state.running().iter().map(|(_, call)| Arc::clone(call)).collect();
        running.iter().for_each(|interrupt| interrupt());
    }

    /// A child token: cancelled with this one, and can be cancelled alone.
    ///
    /// ```
    /// # extern crate speech_base as speech_core;
    /// use speech_core::CancelToken;
    ///
    /// let all = CancelToken::new();
    /// let (one, other) = (all.child(), all.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !all.is_cancelled() && !other.is_cancelled());
    /// all.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        let Some(parent) = self.0.get() else { return self.clone() };
        let state = Arc::new(State { source: parent.source.clone(), ..State::default() });
        // A weak reference: a long-lived parent must not keep its children alive.
        let child = Arc::downgrade(&state);
        let guard = self.on_cancel(move || {
            if let Some(state) = child.upgrade() {
                Self(ProcessLocal::new(state)).cancel();
            }
        });
        state.parent.get_or_init(|| guard);
        Self(ProcessLocal::new(state))
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        let State { cancelled, source, .. } = &**self.0.in_any_process();
        cancelled.load(Ordering::SeqCst) || source.as_ref().is_some_and(|says| says())
    }

    /// Fails if the token is cancelled.
    ///
    /// # Errors
    ///
    /// `cancelled`; `invalid_request` for a token made before the process was forked. A stream made
    /// before the fork has such a token too, so it yields nothing in the child.
    pub fn check(&self) -> Result<()> {
        if self.0.get().is_none() {
            Err(Error::made_before_fork("stream or cancel token"))
        } else if self.is_cancelled() {
            Err(Error::cancelled())
        } else {
            Ok(())
        }
    }

    /// Calls `interrupt` at least once when the token is cancelled, unless the guard is dropped
    /// first. The call may still be running when the guard is dropped.
    ///
    /// If the token is already cancelled, `interrupt` is called at once.
    pub fn on_cancel(&self, interrupt: impl Fn() + Send + Sync + 'static) -> InterruptGuard {
        let mut guard = InterruptGuard { token: self.clone(), id: 0 };
        let Some(state) = self.0.get() else { return guard };
        let interrupt: Interrupt = Arc::new(interrupt);
        let mut running = state.running();
        guard.id = running.last().map_or(0, |(id, _)| id + 1);
        running.push((guard.id, Arc::clone(&interrupt)));
        drop(running);
        if self.is_cancelled() {
            interrupt();
        }
        guard
    }
}

impl State {
    fn running(&self) -> MutexGuard<'_, Vec<(u64, Interrupt)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Clones of one token are equal.
impl PartialEq for CancelToken {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.0.in_any_process(), other.0.in_any_process())
    }
}

impl Eq for CancelToken {}

impl std::fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CancelToken").field("cancelled", &self.is_cancelled()).finish()
    }
}

/// Unregisters the interrupt when it is dropped.
pub struct InterruptGuard {
    token: CancelToken,
    id: u64,
}

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        let Some(state) = self.token.0.get() else { return };
        // Drop the interrupt without the lock: it may hold the last handle of a child, which takes
        // the lock.
        let mut running = state.running();
        let place = running.iter().position(|(id, _)| *id == self.id);
        let removed = place.map(|place| running.remove(place));
        drop(running);
        drop(removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(token: &CancelToken) -> usize {
        token.0.get().unwrap().running().len()
    }

    #[test]
    fn what_it_asks_cancels_its_children_too() {
        let flag = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&flag);
        let token = CancelToken::polling(move || asked.load(Ordering::SeqCst));
        let child = token.child();
        assert!(token.check().is_ok() && child.check().is_ok());
        flag.store(true, Ordering::SeqCst);
        assert!(token.check().is_err() && child.check().is_err());
        flag.store(false, Ordering::SeqCst);
        child.cancel();
        assert!(child.is_cancelled() && !token.is_cancelled());
    }

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
        assert_eq!(running(&token), 0);
    }

    #[test]
    fn a_parent_does_not_keep_its_children() {
        let parent = CancelToken::new();
        let children: Vec<_> = (0..3).map(|_| parent.child()).collect();
        assert_eq!(running(&parent), 3);
        drop(children);
        assert_eq!(running(&parent), 0);
        parent.cancel();
        assert!(parent.child().child().is_cancelled());
    }

    #[test]
    fn tokens_are_cancelled_and_dropped_from_many_threads() {
        let parent = CancelToken::new();
        std::thread::scope(|scope| {
            for i in 0..8 {
                let parent = &parent;
                scope.spawn(move || {
                    for _ in 0..200 {
                        let child = parent.child();
                        let guard = child.on_cancel(|| {});
                        if i == 0 {
                            parent.cancel();
                        }
                        drop(child);
                        drop(guard);
                    }
                });
            }
        });
        assert_eq!(running(&parent), 0);
    }
}
