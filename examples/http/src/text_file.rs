//! Files of text that the operator names: read whole, and replaced whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use same_file::Handle;
use tempfile::NamedTempFile;

/// Reads a regular file. A pipe or a device might have no end, or no writer.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    check_regular(path)?;
    fs::read_to_string(path)
}

/// An error for what is there and is no regular file.
pub(crate) fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(io::Error::other("it is no regular file")),
        _ => Ok(()),
    }
}

/// Adds a line to a file whose text passes a check. Without a file, one is made that only its owner may read.
///
/// The file is replaced at once by a new one with the same owner and permissions: a reader has the text before or the text
/// after, and so has the disk. Who adds a line at the same time waits. A symbolic link stays, and its target is replaced.
pub(crate) fn add_line(
    path: &Path,
    line: &str,
    check: impl Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (path, lock) = lock(path)?;
    let mut text = read(&path)?;
    check(&text)?;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
    text.push('\n');
    replace(&path, &lock, &text)
}

/// Opens and locks a file, which is made if there is none; and its path without symbolic links.
fn lock(path: &Path) -> anyhow::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        check_regular(path)?;
        let file = options.open(path)?;
        file.lock().context("it cannot be locked")?;
        let path = fs::canonicalize(path)?;
        // Whoever had the lock before has replaced the file.
        if Handle::from_file(file.try_clone()?)? == Handle::from_path(&path)? {
            return Ok((path, file));
        }
    }
}

fn replace(path: &Path, old: &File, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().context("it is in no folder")?;
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    keep_owner(old, new.as_file()).context("its owner cannot be kept")?;
    new.as_file().set_permissions(old.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(path)?;
    // The name is on the disk once the folder is.
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
