//! Counts the open sessions of each account.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::keys::Account;
use crate::share;

/// The sessions that are open.
#[derive(Clone, Debug)]
pub(super) struct Sessions(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    /// None for a share of what other accounts leave.
    most_per_account: Option<usize>,
    open: Mutex<HashMap<Account, usize>>,
}

/// The limit that rejects a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    Everybody,
    Account,
}

/// The place of an open session, released on drop.
#[derive(Debug)]
pub(super) struct Place {
    sessions: Sessions,
    account: Account,
}

impl Sessions {
    pub(super) fn new(most: usize, most_per_account: Option<usize>) -> Self {
        Self(Arc::new(Shared { most, most_per_account, open: Mutex::default() }))
    }

    /// Reserves a place for a session of an account.
    pub(super) fn open(&self, account: &Account) -> Result<Place, Full> {
        let mut open = self.counts();
        let left = self.0.most.saturating_sub(open.values().sum());
        let own = open.get(account).copied().unwrap_or_default();
        let has_its_share = match self.0.most_per_account {
            Some(most) => own >= most,
            None => !share::allows(own as f64, 1.0, left as f64, 1.0),
        };
        if left == 0 {
            return Err(Full::Everybody);
        } else if has_its_share {
            return Err(Full::Account);
        }
        *open.entry(account.clone()).or_default() += 1;
        Ok(Place { sessions: self.clone(), account: account.clone() })
    }

    /// The number of sessions of an account.
    pub(super) fn of(&self, account: &Account) -> usize {
        self.counts().get(account).copied().unwrap_or_default()
    }

    /// The maximum number of sessions of an account that is alone.
    pub(super) fn most_of_account(&self) -> usize {
        let share = share::alone(self.0.most as f64).ceil() as usize;
        self.0.most_per_account.unwrap_or(share).min(self.0.most)
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Account, usize>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.sessions.counts();
        if let Some(count) = open.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_leaves_some_to_others() {
        let (a, b) = (Account("a".into()), Account("b".into()));
        for (most, per_account, of_first, of_second) in
            [(4, None, 3, 1), (4, Some(2), 2, 2), (1, None, 1, 0), (3, Some(9), 3, 0)]
        {
            let sessions = Sessions::new(most, per_account);
            let take = |account| -> Vec<_> {
                std::iter::from_fn(|| sessions.open(account).ok()).collect()
            };
            let (first, second) = (take(&a), take(&b));
            assert_eq!(
                (first.len(), second.len()),
                (of_first, of_second),
                "{most} {per_account:?}"
            );
            assert_eq!((sessions.of(&a), sessions.most_of_account()), (of_first, of_first));
            let full = if of_first + of_second == most { Full::Everybody } else { Full::Account };
            assert_eq!(sessions.open(&a).unwrap_err(), full);
            drop((first, second));
            assert!(sessions.counts().is_empty());
        }
    }
}
