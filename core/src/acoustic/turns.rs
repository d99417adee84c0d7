//! Turns: so many at once, the others wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::cancel::CancelToken;
use crate::{Error, Result};

/// How many may still begin.
#[derive(Clone, Debug)]
pub(crate) struct Turns(Arc<Waiting>);

#[derive(Debug)]
struct Waiting {
    free: Mutex<usize>,
    returned: Condvar,
}

/// The turn of one; another begins when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a Waiting);

impl Turns {
    pub(crate) fn new(count: usize) -> Self {
        Self(Arc::new(Waiting { free: Mutex::new(count), returned: Condvar::new() }))
    }

    /// Waits for a turn.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled.
    pub(crate) fn take(&self, cancel: &CancelToken) -> Result<Turn<'_>> {
        let _guard = cancel.on_cancel({
            let waiting = Arc::clone(&self.0);
            move || {
                // With the lock held, so that no one misses it between looking and waiting.
                let _free = waiting.free();
                waiting.returned.notify_all();
            }
        });
        let Waiting { returned, .. } = &*self.0;
        let mut free = self.0.free();
        loop {
            if cancel.is_cancelled() {
                // The wake-up may have been meant for another.
                returned.notify_one();
                return Err(Error::cancelled());
            }
            if *free > 0 {
                *free -= 1;
                return Ok(Turn(&self.0));
            }
            free = returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Waiting {
    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn one_waits_until_another_ends() {
        let (turns, token) = (Turns::new(1), CancelToken::new());
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
    fn who_is_cancelled_waits_no_longer() {
        let (turns, token) = (Turns::new(0), CancelToken::new());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(&token).unwrap_err().kind());
            thread::sleep(Duration::from_millis(20));
            token.cancel();
            assert_eq!(waiting.join().unwrap(), crate::ErrorKind::Cancelled);
        });
    }
}
