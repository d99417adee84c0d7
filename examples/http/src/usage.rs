//! Metering: every request of an account, in SQLite.
//!
//! One thread writes: it commits all waiting changes in one transaction, and those who wait go on when it is on the disk. A
//! request is recorded before the first byte of its response, and its outcome before the last. An outcome that cannot be
//! written, because the disk is full or another process holds the database, is tried again until it can. Requests that a
//! killed process left open are recorded as `interrupted` when the next one starts. The text of a request is not recorded.

use std::fs::{File, OpenOptions, TryLockError};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, params};
use serde::Serialize;
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::oneshot;

use crate::keys::Account;

/// The most changes in one transaction.
const MAX_BATCH: usize = 512;
/// How long the database may be held by another process before a transaction fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Between two attempts to write outcomes.
const RETRY: Duration = Duration::from_millis(500);
/// How long a response waits for its outcome to be recorded before it is broken off.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the end of the process waits for outcomes.
const LAST_TIMEOUT: Duration = Duration::from_secs(20);

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS requests (
        request_id TEXT PRIMARY KEY,
        account TEXT NOT NULL,
        voice TEXT,
        language TEXT,
        characters INTEGER NOT NULL,
        charge_micros INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        started_ms INTEGER NOT NULL,
        ended_ms INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS requests_of_account ON requests (account, started_ms);";

/// The version of the schema, which the file has as its `user_version`. A new file has 0.
const SCHEMA_VERSION: i64 = 1;

/// What is known of a request when it begins.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) request_id: RequestId,
    pub(crate) account: Account,
    pub(crate) voice: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    /// Those that are spoken: none, if the request is refused.
    pub(crate) characters: usize,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All of it was spoken.
    Complete,
    /// The client disconnected, or the service shut down before the end.
    Disconnected,
    /// It was refused, or it failed.
    Failed(ErrorKind),
}

impl Outcome {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Disconnected => "left",
            Self::Failed(kind) => kind.as_str(),
        }
    }
}

/// A change to the record.
#[derive(Debug)]
enum Change {
    Begin(Entry),
    End(RequestId, Outcome),
    /// Both at once.
    Refuse(Entry, Outcome),
}

/// A change with its time, and the channel that reports when it is on the disk.
struct PendingChange(Change, Timestamp, oneshot::Sender<Result<(), String>>);

/// A change that will be on the disk.
#[derive(Debug)]
#[must_use]
pub(crate) struct Recorded {
    id: RequestId,
    wait: oneshot::Receiver<Result<(), String>>,
}

/// The record of all requests. It is closed when it is dropped.
#[derive(Debug)]
pub(crate) struct Usage {
    changes: Option<Sender<PendingChange>>,
    writer: Option<JoinHandle<()>>,
    /// Whether the last attempt to write succeeded.
    can_write: Arc<AtomicBool>,
    /// Only one process writes.
    lock: File,
}

impl Usage {
    /// Opens the database, and makes it if there is none.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let lock = lock(path)?;
        let connection = Connection::open(path).with_context(|| path.display().to_string())?;
        prepare(&connection).with_context(|| path.display().to_string())?;
        let (changes, taken) = channel();
        let can_write = Arc::new(AtomicBool::new(true));
        let mut writer = Writer { connection, can_write: Arc::clone(&can_write) };
        let writer = thread::Builder::new()
            .name("usage".into())
            .spawn(move || writer.run(&taken))
            .context("no thread could be started")?;
        Ok(Self { changes: Some(changes), writer: Some(writer), can_write, lock })
    }

    /// Whether requests can be recorded now, as far as is known: without that none is answered.
    pub(crate) fn can_write(&self) -> bool {
        self.can_write.load(Ordering::Relaxed)
    }

    /// Records that a request begins, before whatever is recorded after this call; what comes back is to be waited for.
    ///
    /// # Errors
    ///
    /// `internal` if that is not on the disk; then it must not be answered.
    pub(crate) fn begin(&self, entry: Entry) -> Recorded {
        self.change(entry.request_id, Change::Begin(entry))
    }

    /// Records how a request ended, and waits until that is on the disk.
    ///
    /// # Errors
    ///
    /// `internal` if that takes too long. Then the response must not end as a complete one does, and the request is
    /// recorded as one that failed, whenever that can be written.
    pub(crate) async fn end(&self, id: RequestId, outcome: Outcome) -> Result<(), Error> {
        let recorded = self.change(id, Change::End(id, outcome));
        match tokio::time::timeout(OUTCOME_TIMEOUT, recorded.wait()).await {
            Ok(result) => result,
            Err(_) => {
                let failed = Outcome::Failed(ErrorKind::Internal);
                drop(self.change(id, Change::End(id, failed)));
                Err(Recorded::failure(id, "the outcome could not be written in time"))
            }
        }
    }

    /// Records a request that was refused.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`].
    pub(crate) fn refuse(&self, entry: Entry, kind: ErrorKind) -> Recorded {
        self.change(entry.request_id, Change::Refuse(entry, Outcome::Failed(kind)))
    }

    fn change(&self, id: RequestId, change: Change) -> Recorded {
        let (done, wait) = oneshot::channel();
        let changes = self.changes.as_ref().expect("there until it is dropped");
        // If the writer has ended, `done` is dropped, which the waiting side sees.
        let _ = changes.send(PendingChange(change, Timestamp::now(), done));
        Recorded { id, wait }
    }
}

impl Recorded {
    /// Waits until it is on the disk.
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
        // Closing the file is not enough: a child process that is being started has it open until its program runs.
        let _ = self.lock.unlock();
    }
}

fn lock(path: &Path) -> anyhow::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = OpenOptions::new().create(true).append(true).open(&name);
    let file = file.with_context(|| name.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("another process records to {}", path.display()),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| name.display().to_string()),
    }
}

fn prepare(connection: &Connection) -> anyhow::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if ![0, SCHEMA_VERSION].contains(&version) {
        bail!(
            "its schema has version {version}: it was written by another version of this program"
        );
    }
    connection.pragma_update(None, "journal_mode", "wal")?;
    // In a write-ahead log only this waits for the disk at each commit.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.execute_batch(SCHEMA)?;
    connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    let left_open =
        "UPDATE requests SET outcome = 'interrupted', ended_ms = ?1 WHERE outcome = 'started'";
    match connection.execute(left_open, [Timestamp::now().as_millisecond()])? {
        0 => {}
        count => tracing::warn!(count, "requests were interrupted when the service last ended"),
    }
    Ok(())
}

/// The thread that writes.
struct Writer {
    connection: Connection,
    can_write: Arc<AtomicBool>,
}

impl Writer {
    /// Writes until all senders are gone.
    fn run(&mut self, changes: &Receiver<PendingChange>) {
        // Outcomes that could not be written yet.
        let mut pending = Vec::new();
        loop {
            let first = match self.can_write.load(Ordering::Relaxed) {
                true => changes.recv().map_err(RecvTimeoutError::from),
                false => changes.recv_timeout(RETRY),
            };
            if let Err(RecvTimeoutError::Disconnected) = first {
                break;
            }
            pending.extend(first);
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

    /// Writes changes, or finds out whether it could. Gives back those that must be tried again; the others are answered.
    fn settle(&mut self, changes: Vec<PendingChange>) -> Vec<PendingChange> {
        let committed = commit(&mut self.connection, &changes);
        self.can_write.store(committed.is_ok(), Ordering::Relaxed);
        let Err(error) = committed else {
            for PendingChange(_, _, wait) in changes {
                // Nobody may wait any more.
                let _ = wait.send(Ok(()));
            }
            return Vec::new();
        };
        let is_outcome = |pending: &PendingChange| matches!(pending.0, Change::End(..));
        let (outcomes, beginnings): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_outcome);
        // A request that is not recorded is not answered.
        for PendingChange(_, _, wait) in beginnings {
            let _ = wait.send(Err(error.to_string()));
        }
        tracing::warn!(%error, outcomes = outcomes.len(), "nothing can be recorded; trying again");
        outcomes
    }
}

fn commit(connection: &mut Connection, changes: &[PendingChange]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    if changes.is_empty() {
        // Something must be written to know that it can be.
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    for PendingChange(change, at, _) in changes {
        match change {
            Change::Begin(entry) => insert(&transaction, entry, "started", *at, None)?,
            Change::Refuse(entry, outcome) => {
                insert(&transaction, entry, outcome.as_str(), *at, Some(*at))?;
            }
            Change::End(id, outcome) => {
                let sql = "UPDATE requests SET outcome = ?2, ended_ms = ?3 WHERE request_id = ?1";
                let values = params![id.to_string(), outcome.as_str(), at.as_millisecond()];
                transaction.prepare_cached(sql)?.execute(values)?;
            }
        }
    }
    transaction.commit()
}

fn insert(
    connection: &Connection,
    entry: &Entry,
    outcome: &str,
    started: Timestamp,
    ended: Option<Timestamp>,
) -> rusqlite::Result<()> {
    // Speech is free during preview.
    let sql = "INSERT INTO requests VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8)";
    connection.prepare_cached(sql)?.execute(params![
        entry.request_id.to_string(),
        &*entry.account.0,
        entry.voice,
        entry.language,
        i64::try_from(entry.characters).unwrap_or(i64::MAX),
        outcome,
        started.as_millisecond(),
        ended.map(Timestamp::as_millisecond),
    ])?;
    Ok(())
}

/// The requests of one outcome, voice and language.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Total {
    pub(crate) outcome: String,
    pub(crate) voice: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) requests: i64,
    pub(crate) characters: i64,
    pub(crate) charge_micros: i64,
}

/// What an account asked for in some time, while the service may go on.
pub(crate) fn totals(
    path: &Path,
    account: &str,
    time: Range<Timestamp>,
) -> anyhow::Result<Vec<Total>> {
    let context = || path.display().to_string();
    let connection = open_to_read(path).with_context(context)?;
    let mut statement = connection.prepare(
        "SELECT outcome, voice, language, count(*), sum(characters), sum(charge_micros) FROM requests
         WHERE account = ?1 AND started_ms >= ?2 AND started_ms < ?3
         GROUP BY outcome, voice, language ORDER BY outcome, voice, language",
    )?;
    let span = params![account, time.start.as_millisecond(), time.end.as_millisecond()];
    let rows = statement.query_map(span, |row| {
        Ok(Total {
            outcome: row.get(0)?,
            voice: row.get(1)?,
            language: row.get(2)?,
            requests: row.get(3)?,
            characters: row.get(4)?,
            charge_micros: row.get(5)?,
        })
    })?;
    rows.collect::<rusqlite::Result<_>>().with_context(context)
}

/// The characters of each account that were spoken in some time, or are being spoken.
pub(crate) fn spoken(path: &Path, time: Range<Timestamp>) -> anyhow::Result<Vec<(Account, u64)>> {
    let context = || path.display().to_string();
    let connection = open_to_read(path).with_context(context)?;
    let mut statement = connection.prepare(
        "SELECT account, sum(characters) FROM requests
         WHERE started_ms >= ?1 AND started_ms < ?2
         AND outcome IN ('started', 'complete', 'left', 'interrupted')
         GROUP BY account",
    )?;
    let span = params![time.start.as_millisecond(), time.end.as_millisecond()];
    let rows = statement.query_map(span, |row| {
        let account: String = row.get(0)?;
        let characters: i64 = row.get(1)?;
        Ok((Account(account.into()), u64::try_from(characters).unwrap_or_default()))
    })?;
    rows.collect::<rusqlite::Result<_>>().with_context(context)
}

/// Opens the database to read it, also on a file system that cannot be written.
fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Readers share a file with writers, which is made where there is none.
    let shared = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    if shared.is_ok() || has_write_ahead_log(path) {
        return shared.map(|()| connection);
    }
    // Nobody writes, and everything is in the database itself: it may be read without that file.
    connection.close().map_err(|(_, error)| error)?;
    let name = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)
}

fn has_write_ahead_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

#[cfg(all(test, target_os = "linux"))]
mod power_loss;

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(account: &str) -> Entry {
        Entry {
            request_id: RequestId::new(),
            account: Account(account.into()),
            voice: Some("aria"),
            language: Some("en-US"),
            characters: 6,
        }
    }

    fn outcomes(path: &Path, account: &str) -> Vec<(String, i64, i64)> {
        let totals = totals(path, account, Timestamp::MIN..Timestamp::MAX).unwrap();
        totals.into_iter().map(|t| (t.outcome, t.requests, t.characters)).collect()
    }

    #[tokio::test]
    async fn a_request_is_there_once_and_as_it_ended() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let usage = Usage::open(&path).unwrap();
        let (first, second, third) = (entry("a"), entry("a"), entry("b"));
        let (one, two) =
            tokio::join!(usage.begin(first.clone()).wait(), usage.begin(second.clone()).wait());
        one.and(two).unwrap();
        assert_eq!(outcomes(&path, "a"), [("started".into(), 2, 12)]);
        assert_eq!(
            usage.begin(first.clone()).wait().await.unwrap_err().kind(),
            ErrorKind::Internal
        );
        usage.end(first.request_id, Outcome::Complete).await.unwrap();
        let refused = Entry { characters: 0, voice: None, language: None, ..third };
        usage.refuse(refused, ErrorKind::EmptyText).wait().await.unwrap();
        assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6), ("started".into(), 1, 6)]);
        assert_eq!(outcomes(&path, "b"), [("empty_text".into(), 1, 0)]);
        assert!(Usage::open(&path).unwrap_err().to_string().contains("another process"));
        drop(usage);
        drop(Usage::open(&path).unwrap());
        assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6), ("interrupted".into(), 1, 6)]);
        let none = Timestamp::MIN..Timestamp::UNIX_EPOCH;
        assert_eq!(totals(&path, "a", none).unwrap(), []);
    }

    #[tokio::test]
    async fn an_outcome_that_cannot_be_written_is_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let usage = Usage::open(&path).unwrap();
        let request = entry("a");
        usage.begin(request.clone()).wait().await.unwrap();
        // Another process writes, for longer than a transaction waits.
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let refused = usage.begin(entry("b")).wait().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Internal);
        let ended = usage.end(request.request_id, Outcome::Complete);
        let released = async {
            tokio::time::sleep(BUSY_TIMEOUT + RETRY).await;
            other.execute_batch("ROLLBACK").unwrap();
        };
        tokio::join!(ended, released).0.unwrap();
        assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6)]);
        assert_eq!(outcomes(&path, "b"), []);
    }
}
