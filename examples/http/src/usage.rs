//! Metering: every request of an account, in SQLite.
//!
//! One thread writes: it commits all waiting changes in one transaction, and those who wait go on when it is on the disk. A
//! request is recorded before the first byte of its response, and its outcome before the last. Requests that a killed
//! process left open are recorded as `interrupted` when the next one starts. The text of a request is not recorded.

use std::fs::{File, OpenOptions, TryLockError};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, params};
use serde::Serialize;
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::oneshot;

use crate::keys::Account;

/// The most changes in one transaction.
const MAX_BATCH: usize = 512;

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
    CREATE INDEX IF NOT EXISTS requests_of_account ON requests (account, started_ms);
    PRAGMA user_version = 1;";

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
    /// Only one process writes.
    _lock: File,
}

impl Usage {
    /// Opens the database, and makes it if there is none.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let lock = lock(path)?;
        let connection = Connection::open(path).with_context(|| path.display().to_string())?;
        prepare(&connection).with_context(|| path.display().to_string())?;
        let (changes, taken) = channel();
        let writer = thread::Builder::new()
            .name("usage".into())
            .spawn(move || write(connection, &taken))
            .context("no thread could be started")?;
        Ok(Self { changes: Some(changes), writer: Some(writer), _lock: lock })
    }

    /// Records that a request begins, before whatever is recorded after this call; what comes back is to be waited for.
    ///
    /// # Errors
    ///
    /// `internal` if that is not on the disk; then it must not be answered.
    pub(crate) fn begin(&self, entry: Entry) -> Recorded {
        self.change(entry.request_id, Change::Begin(entry))
    }

    /// Records how a request ended.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`].
    pub(crate) fn end(&self, id: RequestId, outcome: Outcome) -> Recorded {
        self.change(id, Change::End(id, outcome))
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
        done.map_err(|cause| {
            tracing::error!(request_id = %self.id, cause, "a request could not be recorded");
            let error = Error::new(ErrorKind::Internal, "the request could not be recorded");
            error.with_request_id(self.id)
        })
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

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    // In a write-ahead log only this waits for the disk at each commit.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch(SCHEMA)?;
    let left_open =
        "UPDATE requests SET outcome = 'interrupted', ended_ms = ?1 WHERE outcome = 'started'";
    match connection.execute(left_open, [Timestamp::now().as_millisecond()])? {
        0 => {}
        count => tracing::warn!(count, "requests were interrupted when the service last ended"),
    }
    Ok(())
}

/// Writes until all senders are gone.
fn write(mut connection: Connection, changes: &Receiver<PendingChange>) {
    while let Ok(first) = changes.recv() {
        let mut batch = vec![first];
        batch.extend(changes.try_iter().take(MAX_BATCH - 1));
        let done = commit(&mut connection, &batch).map_err(|error| error.to_string());
        for PendingChange(_, _, wait) in batch {
            // Nobody may wait any more.
            let _ = wait.send(done.clone());
        }
    }
}

fn commit(connection: &mut Connection, changes: &[PendingChange]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
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
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(context)?;
    connection.busy_timeout(Duration::from_secs(5))?;
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
        usage.end(first.request_id, Outcome::Complete).wait().await.unwrap();
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
}
