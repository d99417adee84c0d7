//! The thread that writes: the schema, the transactions, and how it handles failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::files::Files;
use super::{BUSY_TIMEOUT, Change, Entry, PendingChange};

/// The most changes in one transaction.
const MAX_BATCH: usize = 512;
/// The pause between two attempts to write outcomes, and between two checks of an idle database.
pub(super) const RETRY: Duration = Duration::from_millis(500);
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
        ended_ms INTEGER,
        requests INTEGER NOT NULL,
        session TEXT,
        lexicons TEXT,
        idempotency_key BLOB,
        fingerprint BLOB
    ) STRICT;
    CREATE INDEX IF NOT EXISTS requests_of_account ON requests (account, started_ms);
    CREATE INDEX IF NOT EXISTS refusals ON requests (account, outcome, started_ms) WHERE voice IS NULL;";

/// The outcome of a request that has not ended.
const STARTED: &str = "started";

/// The version of the schema, in the file's `user_version`. A new file has 0.
const SCHEMA_VERSION: i64 = 4;

/// The period within which refusals share a row, in milliseconds.
const SUMMED: i64 = 60_000;

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
pub(super) struct Writer {
    /// Closed before the lock of the files is.
    pub(super) connection: Connection,
    pub(super) files: Files,
    pub(super) can_write: Arc<AtomicBool>,
}

impl Writer {
    /// Prepares the database for this process as the only writer.
    pub(super) fn prepare(&mut self) -> anyhow::Result<()> {
        self.files.lock()?;
        prepare(&self.connection)?;
        self.files.check_whole()?;
        let sql = "SELECT request_id, outcome FROM requests ORDER BY rowid DESC LIMIT 1";
        let last = self.connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
        self.files.last = last.optional()?;
        self.files.look();
        Ok(())
    }

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

    /// Whether the last write succeeded, and the files are as they were.
    fn is_fine(&mut self) -> bool {
        self.can_write.load(Ordering::Relaxed) && self.files.check().is_ok()
    }

    /// Writes changes, or checks whether it could. Returns those to try again; the others are
    /// answered.
    fn settle(&mut self, changes: Vec<PendingChange>) -> Vec<PendingChange> {
        let committed = self.files.check().and_then(|()| commit(&mut self.connection, &changes));
        self.can_write.store(committed.is_ok(), Ordering::Relaxed);
        let error = match committed {
            Ok(Committed { last, missing }) => {
                self.files.last = last.or(self.files.last.take());
                self.files.written();
                for (number, PendingChange(_, _, wait)) in changes.into_iter().enumerate() {
                    let is_missing = missing.contains(&number);
                    let result = if is_missing { Err(DELETED.into()) } else { Ok(()) };
                    // Their callers must not wait any longer.
                    let _ = wait.send(result);
                }
                return Vec::new();
            }
            Err(error) => error,
        };
        let is_outcome = |pending: &PendingChange| matches!(pending.0, Change::End(..));
        let (outcomes, beginnings): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_outcome);
        // A request that is not recorded is not answered.
        for PendingChange(_, _, wait) in beginnings {
            let _ = wait.send(Err(format!("{error:#}")));
        }
        let error = format!("{error:#}");
        tracing::warn!(error, outcomes = outcomes.len(), "nothing can be recorded; trying again");
        outcomes
    }
}

/// Changes that are on the disk.
struct Committed {
    /// The last request that has an outcome, and that outcome.
    last: Option<(String, String)>,
    /// The changes of turns that the record does not have, by their numbers.
    missing: Vec<usize>,
}

const DELETED: &str = "another program has deleted the request";

fn commit(connection: &mut Connection, changes: &[PendingChange]) -> anyhow::Result<Committed> {
    let transaction = connection.transaction()?;
    if changes.is_empty() {
        // Only a write shows whether the database can be written.
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    let (mut last, mut missing) = (None, Vec::new());
    for (number, PendingChange(change, at, _)) in changes.iter().enumerate() {
        let (id, outcome) = match change {
            Change::Begin(entry) => {
                insert(&transaction, entry, STARTED, *at, None)?;
                (entry.request_id, STARTED)
            }
            Change::Refuse(entry, outcome) => {
                if add_refusal(&transaction, entry, outcome.as_str(), *at)? {
                    continue;
                }
                insert(&transaction, entry, outcome.as_str(), *at, Some(*at))?;
                (entry.request_id, outcome.as_str())
            }
            Change::Raise(id, characters) => {
                let sql = "UPDATE requests SET characters = ?2 WHERE request_id = ?1";
                let values = params![id.to_string(), counted(*characters)];
                if transaction.prepare_cached(sql)?.execute(values)? == 0 {
                    missing.push(number);
                    continue;
                }
                (*id, STARTED)
            }
            Change::End(id, outcome, characters) => {
                let sql = "UPDATE requests SET outcome = ?2, ended_ms = ?3, characters = coalesce(?5, characters * ?4) \
                           WHERE request_id = ?1";
                let values = params![
                    id.to_string(),
                    outcome.as_str(),
                    at.as_millisecond(),
                    outcome.is_metered(),
                    characters.map(counted)
                ];
                if transaction.prepare_cached(sql)?.execute(values)? == 0 {
                    // Another program has deleted it.
                    continue;
                }
                (*id, outcome.as_str())
            }
        };
        last = Some((id.to_string(), outcome.to_owned()));
    }
    transaction.commit()?;
    Ok(Committed { last, missing })
}

/// Counts a refusal in the row of another one of the same minute, if there is one.
fn add_refusal(
    connection: &Connection,
    entry: &Entry,
    outcome: &str,
    at: Timestamp,
) -> rusqlite::Result<bool> {
    let sql = "UPDATE requests SET requests = requests + 1, ended_ms = ?4 WHERE request_id = (
                   SELECT request_id FROM requests WHERE voice IS NULL
                   AND account = ?1 AND outcome = ?2 AND started_ms BETWEEN ?3 AND ?4 LIMIT 1)";
    let now = at.as_millisecond();
    let values = params![&*entry.account.0, outcome, now - now.rem_euclid(SUMMED), now];
    Ok(connection.prepare_cached(sql)?.execute(values)? > 0)
}

fn insert(
    connection: &Connection,
    entry: &Entry,
    outcome: &str,
    started: Timestamp,
    ended: Option<Timestamp>,
) -> rusqlite::Result<()> {
    // Speech is free during preview.
    let sql =
        "INSERT INTO requests VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, 1, ?9, ?10, ?11, ?12)";
    connection.prepare_cached(sql)?.execute(params![
        entry.request_id.to_string(),
        &*entry.account.0,
        entry.voice,
        entry.language,
        counted(entry.characters),
        outcome,
        started.as_millisecond(),
        ended.map(Timestamp::as_millisecond),
        entry.session.map(|session| session.to_string()),
        entry.lexicons,
        entry.keyed.map(|keyed| keyed.key),
        entry.keyed.map(|keyed| keyed.fingerprint),
    ])?;
    Ok(())
}

/// A number of characters as an integer of SQLite.
fn counted(characters: usize) -> i64 {
    i64::try_from(characters).unwrap_or(i64::MAX)
}
