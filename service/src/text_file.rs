//! Reads and replaces text files that the operator names, each as a whole.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use same_file::Handle;
use tempfile::Builder;

/// The longest file, in bytes.
const MAX_BYTES: usize = 8 << 20;

/// Reads a regular file of at most 8 MiB. A pipe or a device might have no end, or no writer.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    check_regular(path)?;
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    check_length(bytes.len())?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

fn check_length(bytes: usize) -> io::Result<()> {
    if bytes > MAX_BYTES {
        let message = format!("its size would exceed the limit of {} MiB", MAX_BYTES >> 20);
        return Err(io::Error::other(message));
    }
    Ok(())
}

/// The error for a file with a second name (a hard link), which says what replacing it would do.
pub(crate) fn check_one_name(path: &Path, harm: &str) -> anyhow::Result<()> {
    if links(path).is_ok_and(|links| links > 1) {
        bail!("it has a second name (a hard link), {harm}: remove that link");
    }
    Ok(())
}

#[cfg(unix)]
fn links(path: &Path) -> io::Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&fs::metadata(path)?))
}

#[cfg(not(unix))]
fn links(_: &Path) -> io::Result<u64> {
    Ok(1)
}

/// The error for a path that is not a regular file.
pub(crate) fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(io::Error::other("it is not a regular file")),
        _ => Ok(()),
    }
}

/// Adds a line to a file whose text passes a check. If there is no file, creates one that only its
/// owner may read. Calls `before` when the new file is complete and only its renaming is left; an
/// error of `before` leaves the old file unchanged.
///
/// A new file with the same owner and permissions replaces the old one atomically: readers, and the
/// disk after a power failure, have either the old or the new text. Concurrent callers wait. A
/// symbolic link stays, and its target is replaced. A file with a second name (a hard link) is an
/// error, because the other name would keep the old text.
pub(crate) fn add_line(
    path: &Path,
    line: &str,
    check: impl Fn(&str) -> anyhow::Result<()>,
    before: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let is_new = !fs::exists(path)?;
    let (path, lock) = lock(path)?;
    let added = add_to_locked(&path, &lock, line, check, before);
    if added.is_err() && is_new && lock.metadata().is_ok_and(|file| file.len() == 0) {
        let _ = fs::remove_file(&path);
    }
    added
}

fn add_to_locked(
    path: &Path,
    lock: &File,
    line: &str,
    check: impl Fn(&str) -> anyhow::Result<()>,
    before: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut text = read(path)?;
    check(&text)?;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
    text.push('\n');
    check_length(text.len())?;
    replace(path, lock, &text, before)
}

/// Opens and locks a file, and creates it if needed. Returns it with its path without symbolic
/// links.
fn lock(path: &Path) -> anyhow::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        check_regular(path)?;
        let file = options.open(path)?;
        file.lock().context("it cannot be locked")?;
        let found = fs::canonicalize(path).and_then(|path| Ok((Handle::from_path(&path)?, path)));
        // The previous holder of the lock has replaced or removed the file.
        if let Ok((handle, path)) = found
            && handle == Handle::from_file(file.try_clone()?)?
        {
            check_one_name(&path, "which would keep the old text")?;
            return Ok((path, file));
        }
    }
}

fn replace(
    path: &Path,
    old: &File,
    text: &str,
    before: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let folder = path.parent().context("its path has no folder")?;
    // The lock makes one name enough for all runs; the next run removes what a killed run has left.
    let mut name = OsString::from(".");
    name.push(path.file_name().context("its path has no file name")?);
    name.push(".new");
    let _ = fs::remove_file(folder.join(&name));
    let mut new = Builder::new().prefix(&name).rand_bytes(0).tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    keep_owner(old, new.as_file()).context("the new file cannot have the same owner")?;
    new.as_file().set_permissions(old.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    before()?;
    new.persist(path).context("the line was not added")?;
    // The new name is on the disk only after the folder is synchronized.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

#[cfg(unix)]
fn keep_owner(old: &File, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (old, now) = (old.metadata()?, new.metadata()?);
    if (old.uid(), old.gid()) == (now.uid(), now.gid()) {
        return Ok(());
    }
    fchown(new, Some(old.uid()), Some(old.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}
