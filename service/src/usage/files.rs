//! The files of the database: who writes them, and whether they are still those that were written.

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

/// The name of a database as SQLite takes it for that of a file, and not for a URI or for one in memory.
pub(super) fn file_name(path: &Path) -> anyhow::Result<PathBuf> {
    text_file::check_regular(path)?;
    text_file::check_one_name(path, "under which its write-ahead log would be missed")?;
    Ok(std::path::absolute(path)?)
}

/// What is added to the name of the database for that of the file that is locked. On Linux it is the database itself,
/// which is one file under all its names, also those of mounts: there such a lock (`flock`) and those of SQLite
/// (`fcntl`) do not see each other. Elsewhere they may.
pub(super) const LOCK: &str = if cfg!(target_os = "linux") { "" } else { ".lock" };

/// The files of the database, by which it is noticed that one of them is deleted, replaced or changed by another program:
/// what is written then is lost.
pub(super) struct Files {
    /// Without symbolic links, as SQLite makes the names of the others of it.
    database: PathBuf,
    seen: Vec<Seen>,
    /// The request whose change was committed last, and its outcome since.
    pub(super) last: Option<(String, String)>,
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
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let (database, seen) = (fs::canonicalize(path)?, vec![Seen::of(path.to_owned())?]);
        Ok(Self { database, seen, last: None, lock: None })
    }

    /// Sees to it that no other process writes, by whatever name it has the database.
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

    /// Notes the files that there are since the database was written.
    pub(super) fn look(&mut self) {
        for path in [LOCK, "-wal", "-shm"].map(|ending| self.beside(ending)) {
            self.seen.extend(Seen::of(path));
        }
        self.written();
    }

    /// Fails if something is gone. Another program may change the database and its log (`VACUUM` and a checkpoint do) if
    /// nothing is missing then.
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
                // It is mapped: to read what is missing would end the process.
                bail!(about());
            }
        }
        self.seen = now;
        Ok(())
    }

    /// Reads the whole database as somebody does who has nothing of it in memory.
    pub(super) fn check_whole(&self) -> anyhow::Result<()> {
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
