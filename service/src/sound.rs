//! The sound in memory for clients, in seconds. All of it together has a bound, and each account
//! has a share of the bound. A second counts as many bytes as a second of 16-bit samples at 22,050
//! Hz, so other rates and encodings count by their bytes.
//!
//! Sound counts before it is computed, and until its last byte is freed. That includes bytes that
//! wait in a connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use speech_core::{Encoding, SAMPLE_RATE};

use crate::keys::Account;
use crate::share;

/// The seconds of sound that a streamed request holds: one part of some 16 s, perhaps as lines, and
/// the part that the library computes ahead. A part with many short pauses has up to 25 s.
pub(crate) const OF_A_STREAM: f64 = 50.0;

/// The seconds that the engine computes at once for a live turn: a part of a sentence, with the
/// short pauses in it.
pub(crate) const OF_A_PIECE: f64 = 25.0;

/// The copies of the sound while it becomes lines: the samples, the Base64, and the timestamps.
pub(crate) const IN_LINES: f64 = 3.0;

/// The seconds that a number of bytes counts for.
pub(crate) fn seconds_of_bytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(2 * SAMPLE_RATE)
}

/// The seconds that a second of sound counts for at this rate and encoding.
pub(crate) fn weight(sample_rate: u32, encoding: Encoding) -> f64 {
    seconds_of_bytes(sample_rate as usize * encoding.bytes_per_sample().max(2))
}

/// The seconds that are held, in all and by account.
#[derive(Debug)]
pub(crate) struct Sound {
    most: f64,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: f64,
    of: HashMap<Account, f64>,
}

/// The bound that a request would exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TooMuch {
    Everybody,
    /// The share of the account.
    Account,
    /// The share of an account without others, in seconds: the request alone needs more.
    Request(f64),
}

/// The seconds that one request holds.
#[derive(Debug)]
pub(crate) struct Hold {
    sound: Arc<Sound>,
    account: Account,
    seconds: Mutex<f64>,
}

impl Sound {
    /// A bound of so many seconds for all accounts together.
    pub(crate) fn new(most: f64) -> Self {
        Self { most, held: Mutex::default() }
    }

    /// Holds seconds for an account.
    pub(crate) fn hold(self: &Arc<Self>, account: &Account, seconds: f64) -> Result<Hold, TooMuch> {
        let hold = self.hold_nothing(account);
        hold.grow_to(seconds).map(|()| hold)
    }

    /// A hold of no seconds for an account.
    pub(crate) fn hold_nothing(self: &Arc<Self>, account: &Account) -> Hold {
        let (sound, account) = (Arc::clone(self), account.clone());
        Hold { sound, account, seconds: Mutex::new(0.0) }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// The error for a request that holds some seconds and needs more.
    fn is_too_much(&self, most: f64, account: &Account, held: f64, more: f64) -> Option<TooMuch> {
        let own = self.of.get(account).copied().unwrap_or_default();
        // An account that holds nothing may begin to speak as long as that is possible.
        let allows = |left: f64| share::allows(own, more, left, OF_A_STREAM);
        if allows(most - self.all) {
            return None;
        }
        let alone = share::alone(most);
        Some(if held + more > alone {
            TooMuch::Request(alone)
        } else if allows(most - own) {
            // The account could have the seconds if others had none.
            TooMuch::Everybody
        } else {
            TooMuch::Account
        })
    }
}

impl Hold {
    /// Raises the hold to so many seconds in all.
    pub(crate) fn grow_to(&self, seconds: f64) -> Result<(), TooMuch> {
        let mut own = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let more = seconds - *own;
        if more <= 0.0 {
            return Ok(());
        }
        let mut held = self.sound.held();
        if let Some(too_much) = held.is_too_much(self.sound.most, &self.account, *own, more) {
            return Err(too_much);
        }
        held.all += more;
        *held.of.entry(self.account.clone()).or_default() += more;
        *own = seconds;
        Ok(())
    }

    /// Bytes that keep the hold until they are freed.
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
            // Sums of fractions are not exact.
            if *of_account < 1e-6 {
                held.of.remove(&self.account);
            }
        }
        // The same holds for the total.
        if held.of.is_empty() {
            held.all = 0.0;
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
        let sound = Arc::new(Sound::new(1000.0));
        let (one, two) = (account("one"), account("two"));
        assert_eq!(sound.hold(&one, 760.0).unwrap_err(), TooMuch::Request(750.0));
        let first = sound.hold(&one, 400.0).unwrap();
        assert_eq!(sound.hold(&one, 400.0).unwrap_err(), TooMuch::Account);
        first.grow_to(750.0).unwrap();
        assert_eq!(first.grow_to(755.0), Err(TooMuch::Request(750.0)));
        first.grow_to(100.0).unwrap();
        // Each account leaves something to the next.
        assert_eq!(sound.hold(&two, 200.0).unwrap_err(), TooMuch::Everybody);
        let second = sound.hold(&two, 180.0).unwrap();
        // The seconds that a request holds itself are no reason to end it: others have the rest.
        assert_eq!(second.grow_to(190.0), Err(TooMuch::Everybody));
        // An account that holds nothing may begin a stream.
        let third = sound.hold(&account("three"), 50.0).unwrap();
        assert_eq!(third.grow_to(60.0), Err(TooMuch::Everybody));
        assert_eq!(sound.hold(&account("three"), 10.0).unwrap_err(), TooMuch::Everybody);
        drop((first, third));
        second.grow_to(750.0).unwrap();
        drop(second);
        assert!(sound.held().of.is_empty());
        assert_eq!(sound.held().all, 0.0);
    }

    #[test]
    fn bytes_count_until_the_last_of_them_is_gone() {
        let sound = Arc::new(Sound::new(10.0));
        let hold = Arc::new(sound.hold(&account("a"), 7.5).unwrap());
        let mut bytes = hold.bytes(vec![7; 100]);
        drop(hold);
        let last = bytes.split_off(99);
        drop(bytes);
        assert!(sound.hold(&account("a"), 1.0).is_err());
        assert_eq!(last, [7][..]);
        drop(last);
        assert!(sound.hold(&account("a"), 7.5).is_ok());
    }
}
