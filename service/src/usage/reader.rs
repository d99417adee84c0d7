//! Readers of the record, while the service may write it.

use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, params};
use serde::Serialize;
use speech_core::RequestId;

use super::BUSY_TIMEOUT;
use super::files::file_name;
use crate::idempotency::Keyed;
use crate::keys::Account;

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

/// The totals of the account $1 from the time $2 to the time $3, for SQLite and Postgres. SQLite
/// numbers the parameters in their order.
pub(super) const TOTALS: &str = "
    SELECT outcome, voice, language, CAST(sum(requests) AS bigint), CAST(sum(characters) AS bigint),
        CAST(sum(charge_micros) AS bigint) FROM requests
    WHERE account = $1 AND started_ms >= $2 AND started_ms < $3
    GROUP BY outcome, voice, language ORDER BY outcome, voice, language";

/// The totals of an account in a period, while the service may write.
pub(super) fn totals(
    path: &Path,
    account: &str,
    time: Range<Timestamp>,
) -> anyhow::Result<Vec<Total>> {
    let connection = open_to_read(path)?;
    let mut statement = connection.prepare(TOTALS)?;
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
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The charged requests with an `Idempotency-Key` that began at some time or later, in their order.
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

/// The characters of each account that were spoken, or are being spoken, since the first request
/// that began at some time or later. The order is that of the rows, whatever the clock did.
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

/// Opens the database for reading, also on a read-only file system.
fn open_to_read(path: &Path) -> anyhow::Result<Connection> {
    let path = &file_name(path)?;
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Readers share a file with writers, and create it if it is missing.
    let shared = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    if shared.is_ok() || has_write_ahead_log(path) {
        shared?;
        return Ok(connection);
    }
    // Nobody writes, and everything is in the database itself, so that file is not needed.
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
