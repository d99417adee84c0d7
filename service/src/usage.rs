//! Metering: every request of an account, in a ledger: SQLite, or Postgres for several replicas.
//!
//! One thread writes. It commits all waiting changes in one transaction, and their callers continue
//! once the transaction is on the disk. A request is recorded before the first byte of its
//! response, and its outcome before the last. If an outcome cannot be written, because the disk is
//! full or the database cannot be reached, the thread tries again until it can. Requests that a
//! killed process left open are recorded as `interrupted`. The text of a request is never recorded.
//!
//! The characters of a live turn are those whose sound was sent. They are raised before a piece is
//! sent. So a killed process leaves at least the characters that were sent, and at most those of
//! one more piece.
//!
//! Rejected requests, and turns of which nothing is sent, cost a client nothing, so their number
//! must not fill the disk. Those of one account, with the same reason and within a minute, share a
//! row, which has the identifier of the first and their count.

mod files;
mod postgres;
mod reader;
mod record;
mod sqlite;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, ensure};
use jiff::Timestamp;
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::oneshot;

pub(crate) use self::postgres::SCHEMA as POSTGRES_SCHEMA;
pub(crate) use self::reader::{keyed, newest, spoken};
pub(crate) use self::record::{Record, RecordArgs};
use self::writer::Writer;
use crate::error_response::ErrorResponse;
use crate::idempotency::{self, AGAIN, Hash, Keyed};
use crate::keys::Account;

/// How long another process may hold the database before a transaction fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a response waits for its outcome to be recorded before the connection is broken off.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(30);

/// The period within which refusals share a row, in milliseconds.
const SUMMED: i64 = 60_000;
/// The outcome of a request that has not ended.
const STARTED: &str = "started";
const DELETED: &str = "another program has deleted the request";

/// The fields of a request that are known when it begins.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) request_id: RequestId,
    pub(crate) account: Account,
    pub(crate) voice: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    /// The characters to speak; 0 for a request that is rejected. Those of a live turn are raised
    /// with each piece.
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

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Disconnected => "left",
            Self::Stopped => "stopped",
            Self::TooMuchSpeech => "too_much_speech",
            Self::Failed(kind) => kind.as_str(),
        }
    }
}

/// A change to the ledger.
#[derive(Clone, Debug)]
enum Change {
    Begin(Entry),
    /// The new number of characters of a turn.
    Raise(Account, RequestId, usize),
    /// With the characters that are charged.
    End(Account, RequestId, Outcome, usize),
    /// The beginning and the end at once.
    Refuse(Entry, Outcome),
    /// Changes nothing, and finds the request that has an `Idempotency-Key`.
    Find(Account, Hash),
}

/// The request that has an `Idempotency-Key`, and is charged unless it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) id: RequestId,
    pub(crate) fingerprint: Hash,
    pub(crate) at: Timestamp,
    /// Whether its outcome will not change.
    pub(crate) is_final: bool,
}

/// The result of a change: for [`Change::Find`] the request, if there is one.
type Answer = Result<Option<Found>, Refused>;

/// Why a change is not in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It could not be written.
    Failed(String),
    /// The account has only so many characters left today.
    Exhausted(u64),
    /// Another request has the `Idempotency-Key`.
    KeyInUse,
}

/// A database of usage records. Only the thread that writes calls it.
trait Ledger {
    /// Checks that the ledger can take changes, as far as a look shows.
    fn check(&mut self) -> anyhow::Result<()>;

    /// Commits changes in one transaction, and returns the result of each. After an error, no
    /// change is promised.
    fn commit(&mut self, changes: &[PendingChange]) -> anyhow::Result<Vec<Answer>>;
}

/// A change with its time, and the channel for its result.
struct PendingChange(Change, Timestamp, oneshot::Sender<Answer>);

/// A submitted change. `wait` returns once it is in the ledger, or why it is not.
#[derive(Debug)]
#[must_use]
pub(crate) struct Recorded {
    id: RequestId,
    is_shared: bool,
    wait: oneshot::Receiver<Answer>,
}

/// A request whose change is not in the ledger.
#[derive(Debug)]
pub(crate) struct Unrecorded {
    pub(crate) id: RequestId,
    is_shared: bool,
    pub(crate) why: Refused,
}

/// The writer of the ledger. Dropping it closes the database.
#[derive(Debug)]
pub(crate) struct Usage {
    changes: Option<Sender<PendingChange>>,
    writer: Option<JoinHandle<()>>,
    /// Whether the last attempt to write succeeded.
    can_write: Arc<AtomicBool>,
    /// Whether other replicas write to the ledger, too.
    pub(crate) is_shared: bool,
}

impl Usage {
    /// Opens a ledger, and creates it if there is none. A shared ledger gives each account so many
    /// characters a day.
    pub(crate) fn open(record: &Record, characters_per_day: Option<u64>) -> anyhow::Result<Self> {
        let can_write = Arc::new(AtomicBool::new(true));
        let (changes, taken) = channel();
        let (ready, opened) = channel();
        let (to_open, can) = (record.clone(), Arc::clone(&can_write));
        let writer = thread::Builder::new().name("usage".into()).spawn(move || {
            match to_open.ledger(characters_per_day) {
                Ok(ledger) => {
                    let _ = ready.send(Ok(()));
                    Writer { ledger, can_write: can }.run(&taken);
                }
                Err(error) => drop(ready.send(Err(error))),
            }
        });
        let writer = writer.context("no thread could be started")?;
        opened.recv().context("the ledger could not be opened")??;
        let is_shared = record.is_shared();
        Ok(Self { changes: Some(changes), writer: Some(writer), can_write, is_shared })
    }

    /// Whether the last attempt to write succeeded. If not, no request is answered.
    pub(crate) fn can_write(&self) -> bool {
        self.can_write.load(Ordering::Relaxed)
    }

    /// Checks that a shared ledger was reached just now, before anything is computed for a request.
    ///
    /// # Errors
    ///
    /// `overloaded`: another replica may reach it.
    pub(crate) fn check(&self, id: RequestId) -> Result<(), Unrecorded> {
        if !self.is_shared || self.can_write() {
            return Ok(());
        }
        let why = Refused::Failed("the ledger cannot be reached".into());
        Err(Unrecorded { id, is_shared: true, why })
    }

    /// Records that a request begins, before the changes of later calls. The caller waits for the
    /// result.
    ///
    /// # Errors
    ///
    /// [`Unrecorded`] if the change is not on the disk; then the request must not be answered.
    pub(crate) fn begin(&self, entry: Entry) -> Recorded {
        self.change(entry.request_id, Change::Begin(entry))
    }

    /// Records how a request of so many characters ended, and waits until that is on the disk.
    ///
    /// # Errors
    ///
    /// [`Unrecorded`] if that takes too long. Then the response must not end as a complete one, and
    /// the request is recorded as failed once that can be written.
    pub(crate) async fn end(
        &self,
        account: &Account,
        id: RequestId,
        outcome: Outcome,
        characters: usize,
    ) -> Result<(), Unrecorded> {
        let charged = |outcome: Outcome| if outcome.is_metered() { characters } else { 0 };
        self.end_with(account, id, outcome, charged).await
    }

    /// Records how a turn ended, of which so many characters were sent.
    ///
    /// # Errors
    ///
    /// As [`Self::end`].
    pub(crate) async fn end_turn(
        &self,
        account: &Account,
        id: RequestId,
        outcome: Outcome,
        characters: usize,
    ) -> Result<(), Unrecorded> {
        self.end_with(account, id, outcome, |_| characters).await
    }

    async fn end_with(
        &self,
        account: &Account,
        id: RequestId,
        outcome: Outcome,
        charged: impl Fn(Outcome) -> usize,
    ) -> Result<(), Unrecorded> {
        let end =
            |outcome| self.change(id, Change::End(account.clone(), id, outcome, charged(outcome)));
        match tokio::time::timeout(OUTCOME_TIMEOUT, end(outcome).wait()).await {
            Ok(result) => result,
            Err(_) => {
                drop(end(Outcome::Failed(ErrorKind::Internal)));
                let why = Refused::Failed("the outcome could not be written in time".into());
                Err(Unrecorded { id, is_shared: self.is_shared, why })
            }
        }
    }

    /// Records that so many characters of a turn are about to be sent, as [`Self::begin`] does.
    pub(crate) fn raise(&self, account: &Account, id: RequestId, characters: usize) -> Recorded {
        self.change(id, Change::Raise(account.clone(), id, characters))
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

    /// Finds the request of an account that has a key, whichever replica answers it.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`].
    pub(crate) async fn find(
        &self,
        account: &Account,
        key: Hash,
        id: RequestId,
    ) -> Result<Option<Found>, Unrecorded> {
        self.change(id, Change::Find(account.clone(), key)).answer().await
    }

    fn change(&self, id: RequestId, change: Change) -> Recorded {
        self.change_at(id, change, Timestamp::now())
    }

    fn change_at(&self, id: RequestId, change: Change, now: Timestamp) -> Recorded {
        let (done, wait) = oneshot::channel();
        let changes = self.changes.as_ref().expect("there until it is dropped");
        // If the writer has ended, `done` is dropped, and the caller notices.
        let _ = changes.send(PendingChange(change, now, done));
        Recorded { id, is_shared: self.is_shared, wait }
    }
}

impl Recorded {
    /// Waits until the change is on the disk.
    pub(crate) async fn wait(self) -> Result<(), Unrecorded> {
        self.answer().await.map(drop)
    }

    async fn answer(self) -> Result<Option<Found>, Unrecorded> {
        let Self { id, is_shared, wait } = self;
        let ended = |_| Err(Refused::Failed("the writer has ended".into()));
        wait.await.unwrap_or_else(ended).map_err(|why| Unrecorded { id, is_shared, why })
    }
}

impl From<Unrecorded> for ErrorResponse {
    fn from(Unrecorded { id, is_shared, why }: Unrecorded) -> Self {
        let error = |kind, message| Self::from(Error::new(kind, message).with_request_id(id));
        match why {
            Refused::KeyInUse => idempotency::only_begun().with_request_id(id),
            Refused::Exhausted(left) => {
                let message = format!("this account has {left} characters left today");
                error(ErrorKind::Overloaded, &*message).with_retry_after(AGAIN).of_the_account()
            }
            Refused::Failed(cause) => {
                tracing::error!(request_id = %id, cause, "a request could not be recorded");
                let message = "the request could not be recorded";
                // Another replica may reach the ledger, and so may this one soon.
                let kind = if is_shared { ErrorKind::Overloaded } else { ErrorKind::Internal };
                error(kind, message).with_retry_after(AGAIN)
            }
        }
    }
}

/// Checks the version of a ledger's schema.
fn check_version(version: i64, supported: &[i64]) -> anyhow::Result<()> {
    ensure!(
        supported.contains(&version),
        "its schema has version {version}: it was written by another version of this program"
    );
    Ok(())
}

/// A number of characters as an integer of the database.
fn counted(characters: usize) -> i64 {
    i64::try_from(characters).unwrap_or(i64::MAX)
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

#[cfg(all(test, target_os = "linux"))]
mod replicas;

#[cfg(test)]
mod tests;
