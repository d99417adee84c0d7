//! FairSemaphore: so many at once, the others wait in the order in which they came.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::cancel::CancelToken;
use crate::{Error, Result};

/// How many may still begin.
#[derive(Clone, Debug)]
pub(crate) struct FairSemaphore(Arc<Waiting>);

#[derive(Debug)]
struct Waiting {
    line: Mutex<Line>,
    /// Somebody may be the first now, or need wait no longer.
    moved: Condvar,
}

#[derive(Debug)]
struct Line {
    /// FairSemaphore that nobody has.
    free: usize,
    /// The numbers of who waits.
    waiting: VecDeque<u64>,
    /// The number of the next who comes.
    next: u64,
}

/// The turn of one; another begins when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit<'a>(&'a Waiting);

impl FairSemaphore {
    pub(crate) fn new(count: usize) -> Self {
        let line = Line { free: count, waiting: VecDeque::new(), next: 0 };
        Self(Arc::new(Waiting { line: Mutex::new(line), moved: Condvar::new() }))
    }

    /// Waits for a turn.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled.
    pub(crate) fn take(&self, cancel: &CancelToken) -> Result<Permit<'_>> {
        let _guard = cancel.on_cancel({
            let waiting = Arc::clone(&self.0);
            move || {
                // With the lock held, so that no one misses it between looking and waiting.
                let _line = waiting.line();
                waiting.moved.notify_all();
            }
        });
        let mut line = self.0.line();
        let number = line.join();
        while !cancel.is_cancelled() {
            if line.free > 0 && line.waiting.front() == Some(&number) {
                line.free -= 1;
                line.leave(number);
                // There may be a turn for the next one too.
                self.0.moved.notify_all();
                return Ok(Permit(&self.0));
            }
            line = self.0.moved.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
        line.leave(number);
        self.0.moved.notify_all();
        Err(Error::cancelled())
    }
}

impl Waiting {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    /// A place at the end.
    fn join(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        self.waiting.push_back(number);
        number
    }

    fn leave(&mut self, number: u64) {
        self.waiting.retain(|waiting| *waiting != number);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.line().free += 1;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn one_waits_until_another_ends() {
        let (turns, token) = (FairSemaphore::new(1), CancelToken::new());
        let turn = turns.take(&token).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(&token).is_ok());
            thread::sleep(Duration::from_millis(20));
            assert!(!waiting.is_finished());
            drop(turn);
            assert!(waiting.join().unwrap());
        });
        assert!(turns.take(&token).is_ok());
    }

    #[test]
    fn nobody_jumps_the_queue() {
        let (turns, token) = (FairSemaphore::new(1), CancelToken::new());
        let (first, order) = (turns.take(&token).unwrap(), Mutex::new(Vec::new()));
        let waits = |count| {
            while turns.0.line().waiting.len() < count {
                thread::yield_now();
            }
        };
        thread::scope(|scope| {
            for number in 0..8 {
                let (turns, token, order) = (&turns, &token, &order);
                scope.spawn(move || {
                    let _turn = turns.take(token).unwrap();
                    order.lock().unwrap().push(number);
                });
                waits(number + 1);
            }
            drop(first);
            // Who had a turn just now comes after those who waited.
            drop(turns.take(&token).unwrap());
            assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        });
        assert!(turns.0.line().waiting.is_empty());
    }

    #[test]
    fn who_is_cancelled_waits_no_longer() {
        let (turns, token) = (FairSemaphore::new(0), CancelToken::new());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(&token).unwrap_err().kind());
            thread::sleep(Duration::from_millis(20));
            token.cancel();
            assert_eq!(waiting.join().unwrap(), crate::ErrorKind::Cancelled);
        });
    }
}
