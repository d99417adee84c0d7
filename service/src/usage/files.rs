//! The files of the database: only one process writes them, and it notices if they are replaced.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::BUSY_TIMEOUT;
use crate::text_file;

/// The name of a database that SQLite takes for a file, and not for a URI or a database in memory.
pub(super) fn file_name(path: &Path) -> anyhow::Result<PathBuf> {
    text_file::check_regular(path)?;
    text_file::check_one_name(path, "under which its write-ahead log would be missed")?;
    Ok(std::path::absolute(path)?)
}

/// The suffix of the locked file's name. On Linux the database itself is locked: it is one file
/// under all its names, also across mounts, and there a `flock` lock and SQLite's `fcntl` locks do
/// not see each other. Elsewhere they may.
pub(super) const LOCK: &str = if cfg!(target_os = "linux") { "" } else { ".lock" };

/// The files of the database. Changes are lost if another program deletes, replaces or modifies one
/// of the files, so the service notices that.
pub(super) struct Files {
    /// Without symbolic links: SQLite derives the names of the other files from this path.
    database: PathBuf,
    seen: Vec<Seen>,
    /// The request whose change was committed last, and its outcome since.
    pub(super) last: Option<(String, String)>,
    /// Only one process writes. Closing this file releases SQLite's locks on it.
    lock: Option<File>,
}

struct Seen {
    path: PathBuf,
    identity: Identity,
    length: u64,
    modified: SystemTime,
}

impl Files {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let (database, seen) = (fs::canonicalize(path)?, vec![Seen::of(path.to_owned())?]);
        Ok(Self { database, seen, last: None, lock: None })
    }

    /// Makes sure that no other process writes, whatever name it has for the database.
    pub(super) fn lock(&mut self) -> anyhow::Result<()> {
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

    /// Notes the files that exist since the database was written.
    pub(super) fn look(&mut self) {
        for path in [LOCK, "-wal", "-shm"].map(|ending| self.beside(ending)) {
            self.seen.extend(Seen::of(path));
        }
        self.written();
    }

    /// Fails if a change is lost. Another program may modify the database and its log, as `VACUUM`
    /// and a checkpoint do, if nothing is missing afterwards.
    pub(super) fn check(&mut self) -> anyhow::Result<()> {
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
                // SQLite maps this file: reading a missing part would terminate the process.
                bail!(about());
            }
        }
        self.seen = now;
        Ok(())
    }

    /// Reads the whole database without SQLite's cache.
    pub(super) fn check_whole(&self) -> anyhow::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let connection = Connection::open_with_flags(&self.database, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            bail!("{found}");
        }
        // Without its first page it would be an empty database.
        connection.query_row("SELECT count(*) FROM requests", [], |_| Ok(()))?;
        if let Some((id, outcome)) = &self.last {
            let sql = "SELECT 1 FROM requests WHERE request_id = ?1 AND outcome = ?2";
            let found = connection.query_row(sql, [id, outcome], |_| Ok(())).optional()?;
            found.with_context(|| format!("what was recorded last is missing: {id} {outcome}"))?;
        }
        Ok(())
    }

    /// Notes the last written change.
    pub(super) fn written(&mut self) {
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
        // Closing the file is not enough: a child process that is being started has it open until
        // its program runs.
        if let Some(lock) = &self.lock {
            let _ = lock.unlock();
        }
    }
}

/// Identifies an open file among all files that have its name later.
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
