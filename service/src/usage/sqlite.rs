//! The ledger in SQLite: the schema, and the transactions.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::files::{Files, file_name};
use super::{
    Answer, BUSY_TIMEOUT, Change, DELETED, Entry, Ledger, PendingChange, Refused, STARTED, SUMMED,
    check_version, counted,
};

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

/// The version of the schema, in the file's `user_version`. A new file has 0.
const SCHEMA_VERSION: i64 = 4;

fn prepare(connection: &Connection) -> anyhow::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    check_version(version, &[0, SCHEMA_VERSION])?;
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

/// The database, which only this process writes.
pub(super) struct Sqlite {
    /// Closed before the lock of the files is.
    connection: Connection,
    files: Files,
}

impl Sqlite {
    /// Opens the database for this process as the only writer, and creates it if there is none.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let path = file_name(path)?;
        let connection = Connection::open(&path)?;
        let mut files = Files::of(&path)?;
        files.lock()?;
        prepare(&connection)?;
        files.check_whole()?;
        let sql = "SELECT request_id, outcome FROM requests ORDER BY rowid DESC LIMIT 1";
        let last = connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
        files.last = last.optional()?;
        files.look();
        Ok(Self { connection, files })
    }
}

impl Ledger for Sqlite {
    fn check(&mut self) -> anyhow::Result<()> {
        self.files.check()
    }

    fn commit(&mut self, changes: &[PendingChange]) -> anyhow::Result<Vec<Answer>> {
        self.files.check()?;
        let transaction = self.connection.transaction()?;
        if changes.is_empty() {
            // Only a write shows whether the database can be written.
            transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        }
        let (mut last, mut answers) = (None, Vec::new());
        for PendingChange(change, at, _) in changes {
            let (changed, answer) = apply(&transaction, change, *at)?;
            last = changed.or(last);
            answers.push(answer);
        }
        transaction.commit()?;
        self.files.last = last.or(self.files.last.take());
        self.files.written();
        Ok(answers)
    }
}

/// The last request that was changed, and its outcome.
type Changed = Option<(String, String)>;

fn apply(
    transaction: &Connection,
    change: &Change,
    at: Timestamp,
) -> anyhow::Result<(Changed, Answer)> {
    let (id, outcome) = match change {
        Change::Begin(entry) => {
            insert(transaction, entry, STARTED, at, None)?;
            (entry.request_id, STARTED)
        }
        Change::Refuse(entry, outcome) => {
            if add_refusal(transaction, entry, outcome.as_str(), at)? {
                return Ok((None, Ok(None)));
            }
            insert(transaction, entry, outcome.as_str(), at, Some(at))?;
            (entry.request_id, outcome.as_str())
        }
        Change::Raise(_, id, characters) => {
            let sql = "UPDATE requests SET characters = ?2 WHERE request_id = ?1";
            let values = params![id.to_string(), counted(*characters)];
            if transaction.prepare_cached(sql)?.execute(values)? == 0 {
                return Ok((None, Err(Refused::Failed(DELETED.into()))));
            }
            (*id, STARTED)
        }
        Change::End(_, id, outcome, characters) => {
            let sql = "UPDATE requests SET outcome = ?2, ended_ms = ?3, characters = ?4 WHERE request_id = ?1";
            let (outcome, at) = (outcome.as_str(), at.as_millisecond());
            let values = params![id.to_string(), outcome, at, counted(*characters)];
            if transaction.prepare_cached(sql)?.execute(values)? == 0 {
                // Another program has deleted it.
                return Ok((None, Ok(None)));
            }
            (*id, outcome)
        }
        // The service knows all keys: nobody else writes.
        Change::Find(..) => return Ok((None, Ok(None))),
    };
    Ok((Some((id.to_string(), outcome.to_owned())), Ok(None)))
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
