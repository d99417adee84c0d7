//! The sound that is held in memory for clients, in seconds: all of it together has a bound, of which each account has a share. A
//! second is as many bytes as one of 16-bit samples at 22,050 Hz: sound at another rate or in another encoding counts by its bytes.
//!
//! It is counted before it is made, and until nobody has it any more: bytes that wait in a connection count as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use speech_core::{Encoding, SAMPLE_RATE};

use crate::keys::Account;
use crate::share;

/// What a request holds of sound that is sent as it comes: a part of some 16 s, perhaps as lines, and the next one, which the library
/// has computed ahead. With many short pauses in it, a part has up to 25 s.
pub(crate) const OF_A_STREAM: f64 = 50.0;

/// What the engine computes at once for a turn of a live session: a part of a sentence, with short pauses in it.
pub(crate) const OF_A_PIECE: f64 = 25.0;

/// How often sound is there while it is made into lines: itself, in Base64 and beside it what is heard when.
pub(crate) const IN_LINES: f64 = 3.0;

/// The seconds that so many bytes count for.
pub(crate) fn seconds_of_bytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(2 * SAMPLE_RATE)
}

/// The seconds that a second of sound counts for, as samples and in its encoding.
pub(crate) fn weight(sample_rate: u32, encoding: Encoding) -> f64 {
    seconds_of_bytes(sample_rate as usize * encoding.bytes_per_sample().max(2))
}

/// What is held.
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

/// Which bound does not allow more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TooMuch {
    Everybody,
    /// Its share.
    Account,
    /// The share of an account that is alone, in seconds: the request by itself needs more.
    Request(f64),
}

/// What one request holds.
#[derive(Debug)]
pub(crate) struct Hold {
    sound: Arc<Sound>,
    account: Account,
    seconds: Mutex<f64>,
}

impl Sound {
    /// Of so many seconds for all together.
    pub(crate) fn new(most: f64) -> Self {
        Self { most, held: Mutex::default() }
    }

    /// Holds so many seconds for an account.
    pub(crate) fn hold(self: &Arc<Self>, account: &Account, seconds: f64) -> Result<Hold, TooMuch> {
        let hold = self.hold_nothing(account);
        hold.grow_to(seconds).map(|()| hold)
    }

    /// Holds no sound yet for an account.
    pub(crate) fn hold_nothing(self: &Arc<Self>, account: &Account) -> Hold {
        let (sound, account) = (Arc::clone(self), account.clone());
        Hold { sound, account, seconds: Mutex::new(0.0) }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// What stands against a request that holds so many seconds, and so many more.
    fn is_too_much(&self, most: f64, account: &Account, held: f64, more: f64) -> Option<TooMuch> {
        let own = self.of.get(account).copied().unwrap_or_default();
        // Whoever holds nothing may begin to speak as long as that is possible.
        let allows = |left: f64| share::allows(own, more, left, OF_A_STREAM);
        if allows(most - self.all) {
            return None;
        }
        let alone = share::alone(most);
        Some(if held + more > alone {
            TooMuch::Request(alone)
        } else if allows(most - own) {
            // It may have that much, if others had nothing.
            TooMuch::Everybody
        } else {
            TooMuch::Account
        })
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
        if let Some(too_much) = held.is_too_much(self.sound.most, &self.account, *own, more) {
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
        // Nor is what is left of all of them.
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
        // Of what one leaves, the next leaves something too.
        assert_eq!(sound.hold(&two, 200.0).unwrap_err(), TooMuch::Everybody);
        let second = sound.hold(&two, 180.0).unwrap();
        // What it holds itself is no reason to send it away: others have the rest.
        assert_eq!(second.grow_to(190.0), Err(TooMuch::Everybody));
        // Who holds nothing may begin a stream.
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
