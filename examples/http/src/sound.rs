//! The sound that is held in memory for clients, in seconds: all of it together has a bound, and so has that of each account.
//!
//! It is counted before it is made, and until nobody has it any more: bytes that wait in a connection count as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;

use crate::keys::Account;

/// What a request holds of sound that is sent as it comes: a part of some 16 s, perhaps as lines, and the next one, which the library
/// has computed ahead. With many short pauses in it, a part has up to 25 s.
pub(crate) const OF_A_STREAM: f64 = 50.0;

/// How often sound is there while it is made into lines: itself, in Base64 and beside it what is heard when.
pub(crate) const IN_LINES: f64 = 3.0;

/// The bounds, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoundLimits {
    pub(crate) all: f64,
    pub(crate) of_an_account: f64,
}

/// What is held.
#[derive(Debug)]
pub(crate) struct Sound {
    limits: SoundLimits,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: f64,
    of: HashMap<Account, f64>,
}

/// Which bound does not allow more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooMuch {
    OfAll,
    OfTheAccount,
}

/// What one request holds.
#[derive(Debug)]
pub(crate) struct Hold {
    sound: Arc<Sound>,
    account: Account,
    seconds: Mutex<f64>,
}

impl Sound {
    pub(crate) fn new(limits: SoundLimits) -> Self {
        Self { limits, held: Mutex::default() }
    }

    /// Holds so many seconds for an account.
    pub(crate) fn hold(self: &Arc<Self>, account: &Account, seconds: f64) -> Result<Hold, TooMuch> {
        let (sound, account) = (Arc::clone(self), account.clone());
        let hold = Hold { sound, account, seconds: Mutex::new(0.0) };
        hold.grow_to(seconds).map(|()| hold)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn is_too_much(&self, limits: SoundLimits, account: &Account, more: f64) -> Option<TooMuch> {
        let of_account = self.of.get(account).copied().unwrap_or_default();
        if of_account + more > limits.of_an_account {
            Some(TooMuch::OfTheAccount)
        } else {
            (self.all + more > limits.all).then_some(TooMuch::OfAll)
        }
    }
}

impl Hold {
    /// Holds so many seconds in all, if they are more than now.
    pub(crate) fn grow_to(&self, seconds: f64) -> Result<(), TooMuch> {
        let mut own = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let more = seconds - *own;
        if more <= 0.0 {
            return Ok(());
        }
        let mut held = self.sound.held();
        if let Some(too_much) = held.is_too_much(self.sound.limits, &self.account, more) {
            return Err(too_much);
        }
        held.all += more;
        *held.of.entry(self.account.clone()).or_default() += more;
        *own = seconds;
        Ok(())
    }

    /// Bytes for which this is held until nobody has them.
    pub(crate) fn bytes(self: &Arc<Self>, bytes: Vec<u8>) -> Bytes {
        struct Counted(
            Vec<u8>,
            #[expect(dead_code, reason = "it is dropped with the bytes")] Arc<Hold>,
        );

        impl AsRef<[u8]> for Counted {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        Bytes::from_owner(Counted(bytes, Arc::clone(self)))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let seconds = *self.seconds.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut held = self.sound.held();
        held.all -= seconds;
        if let Some(of_account) = held.of.get_mut(&self.account) {
            *of_account -= seconds;
            // What is left of a sum of fractions is nothing.
            if *of_account < 1e-6 {
                held.of.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str) -> Account {
        Account(name.into())
    }

    #[test]
    fn all_together_and_each_account_have_a_bound() {
        let limits = SoundLimits { all: 100.0, of_an_account: 75.0 };
        let sound = Arc::new(Sound::new(limits));
        let (one, two) = (account("one"), account("two"));
        let first = sound.hold(&one, 40.0).unwrap();
        assert_eq!(sound.hold(&one, 40.0).unwrap_err(), TooMuch::OfTheAccount);
        first.grow_to(75.0).unwrap();
        assert_eq!(first.grow_to(75.5), Err(TooMuch::OfTheAccount));
        first.grow_to(10.0).unwrap();
        let second = sound.hold(&two, 25.0).unwrap();
        assert_eq!(second.grow_to(26.0), Err(TooMuch::OfAll));
        drop(first);
        second.grow_to(75.0).unwrap();
        drop(second);
        assert!(sound.held().of.is_empty());
        assert!(sound.held().all.abs() < 1e-9);
    }

    #[test]
    fn bytes_count_until_the_last_of_them_is_gone() {
        let limits = SoundLimits { all: 10.0, of_an_account: 10.0 };
        let sound = Arc::new(Sound::new(limits));
        let hold = Arc::new(sound.hold(&account("a"), 10.0).unwrap());
        let mut bytes = hold.bytes(vec![7; 100]);
        drop(hold);
        let last = bytes.split_off(99);
        drop(bytes);
        assert!(sound.hold(&account("a"), 1.0).is_err());
        assert_eq!(last, [7][..]);
        drop(last);
        assert!(sound.hold(&account("a"), 10.0).is_ok());
    }
}
