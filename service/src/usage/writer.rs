//! The thread that writes: it groups changes, answers their callers, and handles failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Change, Ledger, PendingChange, Refused};

/// The most changes in one transaction.
const MAX_BATCH: usize = 512;
/// The pause between two attempts to write outcomes, and between two checks of an idle ledger.
pub(super) const RETRY: Duration = Duration::from_millis(500);
/// How long the end of the process waits for outcomes.
const LAST_TIMEOUT: Duration = Duration::from_secs(20);

/// The thread that writes.
pub(super) struct Writer {
    pub(super) ledger: Box<dyn Ledger>,
    pub(super) can_write: Arc<AtomicBool>,
}

impl Writer {
    /// Writes until all senders are gone.
    pub(super) fn run(&mut self, changes: &Receiver<PendingChange>) {
        // Outcomes that could not be written yet.
        let mut pending = Vec::new();
        loop {
            match changes.recv_timeout(RETRY) {
                Ok(first) => pending.push(first),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if self.is_fine() => continue,
                Err(RecvTimeoutError::Timeout) => {}
            }
            pending.extend(changes.try_iter().take(MAX_BATCH));
            pending = self.settle(pending);
        }
        let began = Instant::now();
        while !pending.is_empty() && began.elapsed() < LAST_TIMEOUT {
            thread::sleep(RETRY);
            pending = self.settle(pending);
        }
        for PendingChange(change, ..) in pending {
            tracing::error!(?change, "an outcome is lost");
        }
    }

    /// Whether the last write succeeded, and the ledger is as it was.
    fn is_fine(&mut self) -> bool {
        self.can_write.load(Ordering::Relaxed) && self.ledger.check().is_ok()
    }

    /// Writes changes, or checks whether it could. Returns those to try again; the others are
    /// answered.
    fn settle(&mut self, changes: Vec<PendingChange>) -> Vec<PendingChange> {
        let committed = self.ledger.commit(&changes);
        self.can_write.store(committed.is_ok(), Ordering::Relaxed);
        let error = match committed {
            Ok(answers) => {
                for (PendingChange(_, _, wait), answer) in changes.into_iter().zip(answers) {
                    // Its caller may not wait any longer.
                    let _ = wait.send(answer);
                }
                return Vec::new();
            }
            Err(error) => format!("{error:#}"),
        };
        let is_outcome = |pending: &PendingChange| matches!(pending.0, Change::End(..));
        let (outcomes, beginnings): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_outcome);
        // A request that is not recorded is not answered.
        for PendingChange(_, _, wait) in beginnings {
            let _ = wait.send(Err(Refused::Failed(error.clone())));
        }
        tracing::warn!(error, outcomes = outcomes.len(), "nothing can be recorded; trying again");
        outcomes
    }
}
