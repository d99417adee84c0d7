//! Metering: every request of an account, in SQLite.
//!
//! One thread writes: it commits all waiting changes in one transaction, and those who wait go on when it is on the disk. A
//! request is recorded before the first byte of its response, and its outcome before the last. An outcome that cannot be
//! written, because the disk is full or another process holds the database, is tried again until it can. Requests that a
//! killed process left open are recorded as `interrupted` when the next one starts. The text of a request is not recorded.
//!
//! A turn of a live session has the characters whose sound was sent: before a piece is sent, they are raised to cover it. So a killed
//! process leaves at least what was sent, and at most one piece more.
//!
//! Refusals, and turns of which nothing is sent, cost a client nothing, so their number must not fill the disk: those of an account that are for the same reason
//! within a minute have one row, which is named after the first and counts them.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::ops::Range;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde::Serialize;
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::oneshot;

use crate::idempotency::Keyed;
use crate::keys::Account;
use crate::text_file;

/// The most changes in one transaction.
const MAX_BATCH: usize = 512;
/// How long the database may be held by another process before a transaction fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Between two attempts to write outcomes, and two looks at the database while there is nothing to write.
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
        ended_ms INTEGER,
        requests INTEGER NOT NULL,
        session TEXT,
        lexicons TEXT,
        idempotency_key BLOB,
        fingerprint BLOB
    ) STRICT;
    CREATE INDEX IF NOT EXISTS requests_of_account ON requests (account, started_ms);
    CREATE INDEX IF NOT EXISTS refusals ON requests (account, outcome, started_ms) WHERE voice IS NULL;";

/// The outcome of a request that has none yet.
const STARTED: &str = "started";

/// The version of the schema, which the file has as its `user_version`. A new file has 0.
const SCHEMA_VERSION: i64 = 4;

/// For so long refusals are summed, in milliseconds.
const SUMMED: i64 = 60_000;

/// What is known of a request when it begins.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) request_id: RequestId,
    pub(crate) account: Account,
    pub(crate) voice: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    /// Those that are to be spoken. The record has none of a request that is refused or fails. Of a turn of a live session they are
    /// raised with each piece.
    pub(crate) characters: usize,
    /// The live session that it is a turn of.
    pub(crate) session: Option<RequestId>,
    /// The lexicons that it was read with: their names and versions.
    pub(crate) lexicons: Option<String>,
    /// Its `Idempotency-Key`, if it has one.
    pub(crate) keyed: Option<Keyed>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All of it was spoken.
    Complete,
    /// The client disconnected, or the service shut down before the end.
    Disconnected,
    /// The client interrupted it.
    Stopped,
    /// As much of it was computed as its length or the share of its account allows, and it was not at its end.
    TooMuchSpeech,
    /// It was refused, or it failed.
    Failed(ErrorKind),
}

impl Outcome {
    /// Whether the characters of a request count. Those of a turn count as they were sent, however it ends.
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
    /// A turn has so many characters now.
    Raise(RequestId, usize),
    /// With the characters of a turn; those of a request follow from its outcome.
    End(RequestId, Outcome, Option<usize>),
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
}

impl Usage {
    /// Opens the database, and makes it if there is none.
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
        self.end_with(id, outcome, None).await
    }

    /// The same of a turn, of which so many characters were sent.
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

    /// Records a request that was refused.
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
        // If the writer has ended, `done` is dropped, which the waiting side sees.
        let _ = changes.send(PendingChange(change, now, done));
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
    }
}

/// The name of a database as SQLite takes it for that of a file, and not for a URI or for one in memory.
fn file_name(path: &Path) -> anyhow::Result<PathBuf> {
    text_file::check_regular(path)?;
    text_file::check_one_name(path, "under which its write-ahead log would be missed")?;
    Ok(std::path::absolute(path)?)
}

/// What is added to the name of the database for that of the file that is locked. On Linux it is the database itself,
/// which is one file under all its names, also those of mounts: there such a lock (`flock`) and those of SQLite
/// (`fcntl`) do not see each other. Elsewhere they may.
const LOCK: &str = if cfg!(target_os = "linux") { "" } else { ".lock" };

/// The files of the database, by which it is noticed that one of them is deleted, replaced or changed by another program:
/// what is written then is lost.
struct Files {
    /// Without symbolic links, as SQLite makes the names of the others of it.
    database: PathBuf,
    seen: Vec<Seen>,
    /// The request whose change was committed last, and its outcome since.
    last: Option<(String, String)>,
    /// Only one process writes. Closing it gives up the locks that SQLite has on that file.
    lock: Option<File>,
}

struct Seen {
    path: PathBuf,
    identity: Identity,
    length: u64,
    modified: SystemTime,
}

impl Files {
    fn of(path: &Path) -> io::Result<Self> {
        let (database, seen) = (fs::canonicalize(path)?, vec![Seen::of(path.to_owned())?]);
        Ok(Self { database, seen, last: None, lock: None })
    }

    /// Sees to it that no other process writes, by whatever name it has the database.
    fn lock(&mut self) -> anyhow::Result<()> {
        let name = self.beside(LOCK);
        let file = OpenOptions::new().create(true).append(true).open(&name);
        let file = file.with_context(|| name.display().to_string())?;
        match file.try_lock() {
            Ok(()) => self.lock = Some(file),
            Err(TryLockError::WouldBlock) => bail!("another process records to it"),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| name.display().to_string());
            }
        }
        Ok(())
    }

    /// Notes the files that there are since the database was written.
    fn look(&mut self) {
        for path in [LOCK, "-wal", "-shm"].map(|ending| self.beside(ending)) {
            self.seen.extend(Seen::of(path));
        }
        self.written();
    }

    /// Fails if something is gone. Another program may change the database and its log (`VACUUM` and a checkpoint do) if
    /// nothing is missing then.
    fn check(&mut self) -> anyhow::Result<()> {
        let now: Vec<_> = self.seen.iter().map(Seen::again).collect::<anyhow::Result<_>>()?;
        let shared = self.beside("-shm");
        for (seen, now) in self.seen.iter().zip(&now) {
            let about = || format!("{} was changed by another program", seen.path.display());
            if seen.path != shared {
                if (seen.length, seen.modified) != (now.length, now.modified) {
                    self.check_whole().with_context(about)?;
                    break;
                }
            } else if now.length < seen.length {
                // It is mapped: to read what is missing would end the process.
                bail!(about());
            }
        }
        self.seen = now;
        Ok(())
    }

    /// Reads the whole database as somebody does who has nothing of it in memory.
    fn check_whole(&self) -> anyhow::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let connection = Connection::open_with_flags(&self.database, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            bail!("{found}");
        }
        // Without its first page it would be an empty one.
        connection.query_row("SELECT count(*) FROM requests", [], |_| Ok(()))?;
        if let Some((id, outcome)) = &self.last {
            let sql = "SELECT 1 FROM requests WHERE request_id = ?1 AND outcome = ?2";
            let found = connection.query_row(sql, [id, outcome], |_| Ok(())).optional()?;
            found.with_context(|| format!("what was recorded last is missing: {id} {outcome}"))?;
        }
        Ok(())
    }

    /// Takes notice of what was just written.
    fn written(&mut self) {
        for seen in &mut self.seen {
            if let Ok(found) = fs::metadata(&seen.path) {
                seen.length = found.len();
                seen.modified = found.modified().unwrap_or(seen.modified);
            }
        }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.database.as_os_str().to_owned();
        name.push(ending);
        name.into()
    }
}

impl Seen {
    fn of(path: PathBuf) -> io::Result<Self> {
        let found = fs::metadata(&path)?;
        let (identity, modified) = (identity(&found), found.modified()?);
        Ok(Self { identity, length: found.len(), modified, path })
    }

    fn again(&self) -> anyhow::Result<Self> {
        let now = Self::of(self.path.clone()).ok().filter(|now| now.identity == self.identity);
        now.with_context(|| format!("{} was deleted or replaced", self.path.display()))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that is being started has it open until its program runs.
        if let Some(lock) = &self.lock {
            let _ = lock.unlock();
        }
    }
}

/// Tells a file that is open from all others that have its name later.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// A file that is open cannot be deleted or replaced.
#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Identity {}

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
    /// Closed before the lock of the files is.
    connection: Connection,
    files: Files,
    can_write: Arc<AtomicBool>,
}

impl Writer {
    /// Makes the database fit to be written by this process alone.
    fn prepare(&mut self) -> anyhow::Result<()> {
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
    fn run(&mut self, changes: &Receiver<PendingChange>) {
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

    /// Whether there is no reason to try to write.
    fn is_fine(&mut self) -> bool {
        self.can_write.load(Ordering::Relaxed) && self.files.check().is_ok()
    }

    /// Writes changes, or finds out whether it could. Gives back those that must be tried again; the others are answered.
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
                    // Nobody may wait any more.
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
    /// The last request that has one, and its outcome.
    last: Option<(String, String)>,
    /// Those of turns that the record does not have, by their numbers.
    missing: Vec<usize>,
}

const DELETED: &str = "another program has deleted the request";

fn commit(connection: &mut Connection, changes: &[PendingChange]) -> anyhow::Result<Committed> {
    let transaction = connection.transaction()?;
    if changes.is_empty() {
        // Something must be written to know that it can be.
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

/// Counts a refusal in the row of another one, if there is one in the same minute.
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

/// Characters as SQLite counts.
fn counted(characters: usize) -> i64 {
    i64::try_from(characters).unwrap_or(i64::MAX)
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
        "SELECT outcome, voice, language, sum(requests), sum(characters), sum(charge_micros) FROM requests
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

/// The requests that have an `Idempotency-Key`, and began at some time or later, in their order: those that were not charged are not
/// among them.
pub(crate) fn keyed(
    path: &Path,
    since: Timestamp,
) -> anyhow::Result<Vec<(Account, Keyed, RequestId, Timestamp)>> {
    let context = || path.display().to_string();
    let connection = open_to_read(path).with_context(context)?;
    let mut statement = connection.prepare(
        "SELECT account, idempotency_key, fingerprint, request_id, started_ms FROM requests
         WHERE idempotency_key IS NOT NULL AND characters > 0 AND started_ms >= ?1 ORDER BY rowid",
    )?;
    let rows = statement.query_map([since.as_millisecond()], |row| {
        let (account, id, at): (String, String, i64) = (row.get(0)?, row.get(3)?, row.get(4)?);
        Ok((account, row.get(1)?, row.get(2)?, id, at))
    })?;
    let rows = rows.map(|row| {
        let (account, key, fingerprint, id, at) = row?;
        let (account, keyed) = (Account(account.into()), Keyed { key, fingerprint });
        Ok((account, keyed, id.parse()?, Timestamp::from_millisecond(at)?))
    });
    rows.collect::<anyhow::Result<_>>().with_context(context)
}

/// When the newest request began, if there is one.
pub(crate) fn newest(path: &Path) -> anyhow::Result<Option<Timestamp>> {
    let context = || path.display().to_string();
    let connection = open_to_read(path).with_context(context)?;
    let newest = connection.query_row("SELECT max(started_ms) FROM requests", [], |row| row.get(0));
    let newest: Option<i64> = newest.with_context(context)?;
    Ok(newest.map(Timestamp::from_millisecond).transpose()?)
}

/// The characters of each account that were spoken, or are being spoken, since the first request that began at some time or
/// later. They are taken in the order in which they were recorded, whatever the clock did.
pub(crate) fn spoken(path: &Path, since: Timestamp) -> anyhow::Result<Vec<(Account, u64)>> {
    let context = || path.display().to_string();
    let connection = open_to_read(path).with_context(context)?;
    let mut statement = connection.prepare(
        "SELECT account, sum(characters) FROM requests
         WHERE characters > 0 AND rowid >= (SELECT min(rowid) FROM requests WHERE started_ms >= ?1)
         GROUP BY account",
    )?;
    let rows = statement.query_map([since.as_millisecond()], |row| {
        let account: String = row.get(0)?;
        let characters: i64 = row.get(1)?;
        Ok((Account(account.into()), u64::try_from(characters).unwrap_or_default()))
    })?;
    rows.collect::<rusqlite::Result<_>>().with_context(context)
}

/// Opens the database to read it, also on a file system that cannot be written.
fn open_to_read(path: &Path) -> anyhow::Result<Connection> {
    let path = &file_name(path)?;
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Readers share a file with writers, which is made where there is none.
    let shared = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    if shared.is_ok() || has_write_ahead_log(path) {
        shared?;
        return Ok(connection);
    }
    // Nobody writes, and everything is in the database itself: it may be read without that file.
    connection.close().map_err(|(_, error)| error)?;
    let name = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Ok(Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)?)
}

fn has_write_ahead_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
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
mod tests {
    use super::*;

    fn entry(account: &str) -> Entry {
        Entry {
            request_id: RequestId::new(),
            account: Account(account.into()),
            voice: Some("aria"),
            language: Some("en-US"),
            characters: 6,
            lexicons: None,
            keyed: None,
            session: None,
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
        assert!(format!("{:#}", Usage::open(&path).unwrap_err()).contains("another process"));
        drop(usage);
        drop(Usage::open(&path).unwrap());
        assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6), ("interrupted".into(), 1, 6)]);
        let none = Timestamp::MIN..Timestamp::UNIX_EPOCH;
        assert_eq!(totals(&path, "a", none).unwrap(), []);
    }

    #[tokio::test]
    async fn refusals_of_a_minute_are_summed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let usage = Usage::open(&path).unwrap();
        let refuse = async |account: &str, outcome, seconds: i64| {
            let entry = Entry { characters: 0, voice: None, language: None, ..entry(account) };
            let change = Change::Refuse(entry.clone(), Outcome::Failed(outcome));
            let at = Timestamp::from_second(1_800_000_000 + seconds).unwrap();
            usage.change_at(entry.request_id, change, at).wait().await.unwrap();
        };
        // A request that was spoken, and failed, stands for itself.
        let failed = entry("a");
        usage.begin_at(&failed.account, 6, Timestamp::from_second(1_800_000_001).unwrap()).await;
        for seconds in [0, 1, 59, 60, 90, 30] {
            refuse("a", ErrorKind::EmptyText, seconds).await;
            refuse("a", ErrorKind::Overloaded, seconds).await;
            refuse("b", ErrorKind::EmptyText, seconds).await;
        }
        let expected = [("empty_text".into(), 6, 0), ("overloaded".into(), 6, 0)];
        assert_eq!(outcomes(&path, "a")[..2], expected);
        assert_eq!(outcomes(&path, "b"), expected[..1]);
        let rows: i64 = Connection::open(&path)
            .unwrap()
            .query_row("SELECT count(*) FROM requests", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1 + 3 * 2);
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

    /// Only the turn whose row is gone fails.
    #[tokio::test]
    async fn a_row_that_is_deleted_fails_no_other_change() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let usage = Usage::open(&path).unwrap();
        let (gone, turn) = (entry("a"), entry("b"));
        usage.begin(turn.clone()).wait().await.unwrap();
        let (raised, lost, begun) = tokio::join!(
            usage.raise(turn.request_id, 9).wait(),
            usage.raise(gone.request_id, 9).wait(),
            usage.begin(entry("c")).wait(),
        );
        raised.and(begun).unwrap();
        assert_eq!(lost.unwrap_err().kind(), ErrorKind::Internal);
        assert!(usage.can_write());
        assert_eq!(outcomes(&path, "b"), [("started".into(), 1, 9)]);
        assert_eq!(outcomes(&path, "c"), [("started".into(), 1, 6)]);
    }

    #[tokio::test]
    async fn what_is_refused_or_fails_has_no_characters() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let usage = Usage::open(&path).unwrap();
        let ends = [Outcome::Complete, Outcome::Disconnected].into_iter();
        for outcome in ends.chain(ErrorKind::ALL.map(Outcome::Failed)) {
            let request = entry(outcome.as_str());
            usage.begin(request.clone()).wait().await.unwrap();
            usage.end(request.request_id, outcome).await.unwrap();
            let characters = if outcome.is_metered() { 6 } else { 0 };
            let recorded = (outcome.as_str().to_owned(), 1, characters);
            assert_eq!(outcomes(&path, outcome.as_str()), [recorded]);
        }
        let spoken = spoken(&path, Timestamp::UNIX_EPOCH).unwrap();
        let mut spoken: Vec<_> = spoken.into_iter().map(|(it, count)| (it.0, count)).collect();
        spoken.sort();
        assert_eq!(spoken, [("complete".into(), 6), ("left".into(), 6)]);
    }

    /// Whatever name a second process has for the database, it does not touch what the first one records.
    #[cfg(unix)]
    #[tokio::test]
    async fn one_process_records_whatever_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let name = |name: &str| dir.path().join(name);
        fs::create_dir(name("folder")).unwrap();
        let usage = Usage::open(&name("usage.db")).unwrap();
        usage.begin(entry("a")).wait().await.unwrap();
        std::os::unix::fs::symlink(name("usage.db"), name("symbolic")).unwrap();
        std::os::unix::fs::symlink(dir.path(), name("folder/up")).unwrap();
        for path in ["usage.db", "symbolic", "folder/../usage.db", "folder/up/usage.db"] {
            let error = format!("{:#}", Usage::open(&name(path)).unwrap_err());
            assert!(error.contains("another process"), "{path}: {error}");
        }
        fs::hard_link(name("usage.db"), name("hard")).unwrap();
        for path in ["usage.db", "hard", "symbolic"] {
            let time = Timestamp::MIN..Timestamp::MAX;
            for error in
                [Usage::open(&name(path)).unwrap_err(), totals(&name(path), "a", time).unwrap_err()]
            {
                let error = format!("{error:#}");
                assert!(error.contains("hard link"), "{path}: {error}");
            }
        }
        // As a mount does, which shows no second name.
        #[cfg(target_os = "linux")]
        assert!(Files::of(&name("hard")).unwrap().lock().is_err(), "it is the same file");
        drop(usage);
        assert!(Usage::open(&name("usage.db")).is_err(), "it would miss what `hard` has");
        fs::remove_file(name("hard")).unwrap();
        assert_eq!(outcomes(&name("symbolic"), "a"), [("started".into(), 1, 6)]);
        drop(Usage::open(&name("symbolic")).unwrap());
        assert_eq!(outcomes(&name("usage.db"), "a"), [("interrupted".into(), 1, 6)]);
    }

    #[test]
    fn names_are_those_of_files() {
        for name in [":memory:", "file::memory:?cache=shared", "file:a?mode=memory", "file:a.db"] {
            let path = file_name(Path::new(name)).unwrap();
            assert!(path.is_absolute() && path.ends_with(name), "{name}");
        }
        // SQLite would forget what is in it.
        assert!(Usage::open(Path::new("")).is_err());
        let dir = tempfile::tempdir().unwrap();
        for path in [dir.path(), Path::new("/dev/null")] {
            assert!(Usage::open(path).is_err(), "{}", path.display());
            assert!(totals(path, "a", Timestamp::MIN..Timestamp::MAX).is_err());
        }
    }

    /// What is missing in a file is lost; what another program has moved from one to the other is not.
    #[cfg(unix)]
    #[tokio::test]
    async fn a_database_with_something_missing_takes_no_requests() {
        /// Of an early copy, a late one, and the file as it is, what comes to be in the file.
        type Fault = fn([Vec<u8>; 3]) -> Vec<u8>;
        let rows: [(&str, &str, Fault); 7] = [
            ("usage.db", "empty", |_| Vec::new()),
            ("usage.db", "cut", |[_, _, now]| now[..5000].to_vec()),
            ("usage.db-wal", "empty", |_| Vec::new()),
            ("usage.db-wal", "cut", |[_, _, now]| now[..5000].to_vec()),
            ("usage.db", "early copy", |[early, ..]| early),
            ("usage.db", "late copy", |[_, late, _]| late),
            ("usage.db", "late copy after a restart", |[_, late, _]| late),
        ];
        let mut missed = Vec::new();
        for (name, about, fault) in rows {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("usage.db");
            let mut usage = Usage::open(&path).unwrap();
            let begin = |usage: &Usage| usage.begin(entry("a")).wait();
            let other = Connection::open(&path).unwrap();
            let run = |sql| other.query_row(sql, [], |_| Ok(())).optional().unwrap();
            let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
            begin(&usage).await.unwrap();
            run(checkpoint);
            let early = fs::read(&path).unwrap();
            // More than the last transaction writes.
            let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                        INSERT INTO requests SELECT i, 'b', NULL, NULL, 0, 0, 'complete', 0, 0, 1, NULL, NULL, NULL, NULL FROM n";
            other.execute_batch(fill).unwrap();
            begin(&usage).await.unwrap();
            other
                .execute_batch("DELETE FROM requests WHERE account = 'b' AND request_id % 2")
                .unwrap();
            for sql in [checkpoint, "VACUUM", checkpoint] {
                run(sql);
                begin(&usage).await.unwrap();
            }
            run(checkpoint);
            let late = fs::read(&path).unwrap();
            begin(&usage).await.unwrap();
            run(checkpoint);
            if name == "usage.db-wal" {
                begin(&usage).await.unwrap();
            }
            if about.ends_with("restart") {
                drop(usage);
                usage = Usage::open(&path).unwrap();
            }
            tokio::time::sleep(2 * RETRY).await;
            assert!(usage.can_write(), "{name} {about}");
            let changed = dir.path().join(name);
            let now = fs::read(&changed).unwrap();
            if about.starts_with("late") {
                assert_eq!(late.len(), now.len());
            }
            let content = fault([early, late, now]);
            // In place, as `cp` does.
            let mut file = OpenOptions::new().write(true).open(changed).unwrap();
            io::Write::write_all(&mut file, &content).unwrap();
            file.set_len(content.len() as u64).unwrap();
            let noticed = async {
                while usage.can_write() {
                    tokio::time::sleep(RETRY / 10).await;
                }
            };
            let noticed = tokio::time::timeout(20 * RETRY, noticed).await;
            if noticed.is_err() || begin(&usage).await.is_ok() {
                missed.push((name, about));
            }
        }
        assert_eq!(missed, []);
    }

    /// What is written to a file that has no name any more is lost.
    #[cfg(unix)]
    #[tokio::test]
    async fn a_database_that_is_gone_takes_no_requests() {
        for name in ["", "-wal", "-shm", LOCK].map(|ending| format!("usage.db{ending}")) {
            let dir = tempfile::tempdir().unwrap();
            let (path, gone) = (dir.path().join("usage.db"), dir.path().join(&name));
            let usage = Usage::open(&path).unwrap();
            let begin = || usage.begin(entry("a")).wait();
            let becomes = async |can_write: bool| {
                while usage.can_write() != can_write {
                    tokio::time::sleep(RETRY / 10).await;
                }
            };
            begin().await.unwrap();
            let away = dir.path().join("away");
            fs::rename(&gone, &away).unwrap();
            becomes(false).await;
            assert_eq!(begin().await.unwrap_err().kind(), ErrorKind::Internal, "{name}");
            fs::copy(&away, &gone).unwrap();
            assert!(begin().await.is_err(), "{name} was replaced");
            // Nothing is lost where it comes back.
            fs::rename(&away, &gone).unwrap();
            becomes(true).await;
            begin().await.unwrap();
            assert_eq!(outcomes(&path, "a"), [("started".into(), 2, 12)], "{name}");
        }
    }
}
