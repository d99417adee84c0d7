//! A place within a computation, as an event. The library checks the cancel token of a request often while it computes, and a
//! test can hold the thread that makes one of these checks.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// A test fails after this long instead of waiting for ever.
const LIMIT: Duration = Duration::from_secs(120);

/// Counts the checks of a token on all threads but the one that made this. Clones share one count.
///
/// ```ignore
/// let checkpoint = Checkpoint::on_other_threads();
/// let token = CancelToken::polling(checkpoint.counter());
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Its own checks are not counted: it would wait for itself.
    test: ThreadId,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    checks: usize,
    /// The number of the check that is held.
    hold: Option<usize>,
    held: Option<ThreadId>,
}

impl Checkpoint {
    /// Counts the checks of all threads but this one.
    pub fn on_other_threads() -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { test: thread::current().id(), state, changed }))
    }

    /// The function that a token polls; it says that nothing is cancelled.
    pub fn counter(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let this = self.clone();
        move || {
            this.count();
            false
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) {
        if thread::current().id() == self.0.test {
            return;
        }
        let mut state = self.state();
        state.checks += 1;
        if state.hold == Some(state.checks) {
            state.held = Some(thread::current().id());
            self.0.changed.notify_all();
            let is_held = |state: &mut State| state.held.is_some();
            drop(self.0.changed.wait_while(state, is_held).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// How many checks there were.
    pub fn checks(&self) -> usize {
        self.state().checks
    }

    /// Holds the thread that makes this check, counted from 1 after those that were made.
    pub fn hold(&self, check: usize) {
        let mut state = self.state();
        state.hold = Some(state.checks + check);
    }

    /// Waits for a thread to be held, and says which it is.
    ///
    /// # Panics
    ///
    /// If none comes in two minutes.
    pub fn wait(&self) -> ThreadId {
        let waits = |state: &mut State| state.held.is_none();
        let (state, _) = self
            .0
            .changed
            .wait_timeout_while(self.state(), LIMIT, waits)
            .unwrap_or_else(PoisonError::into_inner);
        state.held.expect("the computation comes to the check")
    }

    /// Runs a call on a thread of its own, and an event while the call is held. Gives what the call gave, and the thread that was
    /// held.
    ///
    /// # Panics
    ///
    /// As `wait`, and with the call.
    pub fn during<T: Send>(
        &self,
        call: impl FnOnce() -> T + Send,
        event: impl FnOnce(),
    ) -> (T, ThreadId) {
        thread::scope(|scope| {
            let running = scope.spawn(call);
            let held = self.wait();
            event();
            self.release();
            (running.join().expect("the call does not panic"), held)
        })
    }

    /// Lets the thread go on.
    pub fn release(&self) {
        self.state().held = None;
        self.0.changed.notify_all();
    }
}
