//! Metering: every request of an account, in SQLite.
//!
//! One thread writes. It commits all waiting changes in one transaction, and their callers continue
//! once the transaction is on the disk. A request is recorded before the first byte of its
//! response, and its outcome before the last. If an outcome cannot be written, because the disk is
//! full or another process holds the database, the thread tries again until it can. When the
//! service starts, it records requests that a killed process left open as `interrupted`. The text
//! of a request is never recorded.
//!
//! The characters of a live turn are those whose sound was sent. They are raised before a piece is
//! sent. So a killed process leaves at least the characters that were sent, and at most those of
//! one more piece.
//!
//! Rejected requests, and turns of which nothing is sent, cost a client nothing, so their number
//! must not fill the disk. Those of one account, with the same reason and within a minute, share a
//! row, which has the identifier of the first and their count.

mod files;
mod reader;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::Connection;
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::oneshot;

use self::files::{Files, file_name};
pub(crate) use self::reader::{keyed, newest, spoken, totals};
use self::writer::Writer;
use crate::idempotency::Keyed;
use crate::keys::Account;

/// How long another process may hold the database before a transaction fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a response waits for its outcome to be recorded before the connection is broken off.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(30);

/// The fields of a request that are known when it begins.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) request_id: RequestId,
    pub(crate) account: Account,
    pub(crate) voice: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    /// The characters to speak; none for a request that is rejected or fails. Those of a live turn
    /// are raised with each piece.
    pub(crate) characters: usize,
    /// The live session, if the request is a turn.
    pub(crate) session: Option<RequestId>,
    /// The names and versions of the lexicons.
    pub(crate) lexicons: Option<String>,
    /// The `Idempotency-Key`, if there is one.
    pub(crate) keyed: Option<Keyed>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All of the text was spoken.
    Complete,
    /// The client disconnected, or the service shut down before the end.
    Disconnected,
    /// The client interrupted the turn.
    Stopped,
    /// The speech reached the limit for its text or for its account before its end.
    TooMuchSpeech,
    /// The request was rejected, or failed.
    Failed(ErrorKind),
}

impl Outcome {
    /// Whether the characters of a request count. Those of a turn count as they were sent, however
    /// it ends.
    pub(crate) fn is_metered(self) -> bool {
        !matches!(self, Self::Failed(_))
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Disconnected => "left",
            Self::Stopped => "stopped",
            Self::TooMuchSpeech => "too_much_speech",
            Self::Failed(kind) => kind.as_str(),
        }
    }
}

/// A change to the record.
#[derive(Debug)]
enum Change {
    Begin(Entry),
    /// The new number of characters of a turn.
    Raise(RequestId, usize),
    /// With the characters of a turn; those of a request follow from its outcome.
    End(RequestId, Outcome, Option<usize>),
    /// The beginning and the end at once.
    Refuse(Entry, Outcome),
}

/// A change with its time, and the channel that reports when it is on the disk.
struct PendingChange(Change, Timestamp, oneshot::Sender<Result<(), String>>);

/// A change that is not on the disk yet.
#[derive(Debug)]
#[must_use]
pub(crate) struct Recorded {
    id: RequestId,
    wait: oneshot::Receiver<Result<(), String>>,
}

/// The record of all requests. Dropping it closes the database.
#[derive(Debug)]
pub(crate) struct Usage {
    changes: Option<Sender<PendingChange>>,
    writer: Option<JoinHandle<()>>,
    /// Whether the last attempt to write succeeded.
    can_write: Arc<AtomicBool>,
}

impl Usage {
    /// Opens the database, and creates it if there is none.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let context = || path.display().to_string();
        let path = file_name(path).with_context(context)?;
        let connection = Connection::open(&path).with_context(context)?;
        let files = Files::of(&path).with_context(context)?;
        let can_write = Arc::new(AtomicBool::new(true));
        let mut writer = Writer { connection, files, can_write: Arc::clone(&can_write) };
        writer.prepare().with_context(context)?;
        let (changes, taken) = channel();
        let writer = thread::Builder::new()
            .name("usage".into())
            .spawn(move || writer.run(&taken))
            .context("no thread could be started")?;
        Ok(Self { changes: Some(changes), writer: Some(writer), can_write })
    }

    /// Whether the last attempt to write succeeded. If not, no request is answered.
    pub(crate) fn can_write(&self) -> bool {
        self.can_write.load(Ordering::Relaxed)
    }

    /// Records that a request begins, before the changes of later calls. The caller waits for the
    /// result.
    ///
    /// # Errors
    ///
    /// `internal` if the change is not on the disk; then the request must not be answered.
    pub(crate) fn begin(&self, entry: Entry) -> Recorded {
        self.change(entry.request_id, Change::Begin(entry))
    }

    /// Records how a request ended, and waits until that is on the disk.
    ///
    /// # Errors
    ///
    /// `internal` if that takes too long. Then the response must not end as a complete one, and the
    /// request is recorded as failed once that can be written.
    pub(crate) async fn end(&self, id: RequestId, outcome: Outcome) -> Result<(), Error> {
        self.end_with(id, outcome, None).await
    }

    /// Records how a turn ended, of which so many characters were sent.
    ///
    /// # Errors
    ///
    /// As [`Self::end`].
    pub(crate) async fn end_turn(
        &self,
        id: RequestId,
        outcome: Outcome,
        characters: usize,
    ) -> Result<(), Error> {
        self.end_with(id, outcome, Some(characters)).await
    }

    async fn end_with(
        &self,
        id: RequestId,
        outcome: Outcome,
        characters: Option<usize>,
    ) -> Result<(), Error> {
        let recorded = self.change(id, Change::End(id, outcome, characters));
        match tokio::time::timeout(OUTCOME_TIMEOUT, recorded.wait()).await {
            Ok(result) => result,
            Err(_) => {
                let failed = Outcome::Failed(ErrorKind::Internal);
                drop(self.change(id, Change::End(id, failed, characters)));
                Err(Recorded::failure(id, "the outcome could not be written in time"))
            }
        }
    }

    /// Records that so many characters of a turn are about to be sent, as [`Self::begin`] does.
    pub(crate) fn raise(&self, id: RequestId, characters: usize) -> Recorded {
        self.change(id, Change::Raise(id, characters))
    }

    /// Records a request that was rejected.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`].
    pub(crate) fn refuse(&self, entry: Entry, kind: ErrorKind) -> Recorded {
        self.sum(entry, Outcome::Failed(kind))
    }

    /// Records a request that has ended and cost nothing, with others of its minute.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`].
    pub(crate) fn sum(&self, entry: Entry, outcome: Outcome) -> Recorded {
        let entry = Entry { voice: None, language: None, ..entry };
        self.change(entry.request_id, Change::Refuse(entry, outcome))
    }

    fn change(&self, id: RequestId, change: Change) -> Recorded {
        self.change_at(id, change, Timestamp::now())
    }

    fn change_at(&self, id: RequestId, change: Change, now: Timestamp) -> Recorded {
        let (done, wait) = oneshot::channel();
        let changes = self.changes.as_ref().expect("there until it is dropped");
        // If the writer has ended, `done` is dropped, and the caller notices.
        let _ = changes.send(PendingChange(change, now, done));
        Recorded { id, wait }
    }
}

impl Recorded {
    /// Waits until the change is on the disk.
    pub(crate) async fn wait(self) -> Result<(), Error> {
        let done = self.wait.await.unwrap_or_else(|_| Err("the writer has ended".into()));
        done.map_err(|cause| Self::failure(self.id, &cause))
    }

    fn failure(id: RequestId, cause: &str) -> Error {
        tracing::error!(request_id = %id, cause, "a request could not be recorded");
        let error = Error::new(ErrorKind::Internal, "the request could not be recorded");
        error.with_request_id(id)
    }
}

impl Drop for Usage {
    fn drop(&mut self) {
        drop(self.changes.take());
        if let Some(writer) = self.writer.take() {
            // A panic was logged.
            let _ = writer.join();
        }
    }
}

#[cfg(test)]
impl Usage {
    /// Records a request that begins at some time, and waits until that is on the disk.
    pub(crate) async fn begin_at(&self, account: &Account, characters: usize, now: Timestamp) {
        let request_id = RequestId::new();
        let account = account.clone();
        let entry = Entry {
            request_id,
            account,
            voice: None,
            language: None,
            characters,
            lexicons: None,
            keyed: None,
            session: None,
        };
        self.change_at(request_id, Change::Begin(entry), now).wait().await.unwrap();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod power_loss;

#[cfg(test)]
mod tests;
