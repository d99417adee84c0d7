//! Reads the files of a ZIP archive within limits.
//!
//! Writes no files, so that names in an archive cannot refer to other places.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use speech_batch::{Error, Result};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::book::{MAX_TEXT, refused};

/// The maximum uncompressed size of a file in bytes, far more than a chapter or a cover needs.
const MAX_FILE: u64 = 16 << 20;

/// The maximum number of bytes read to list the files, enough for about 100,000 files.
const MAX_DIRECTORY: u64 = 8 << 20;

/// An untrusted archive.
pub(crate) struct Archive {
    path: PathBuf,
    zip: ZipArchive<Limited<BufReader<File>>>,
    /// The number of bytes that may still be decompressed.
    left: u64,
}

impl Archive {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = BufReader::new(File::open(path).map_err(Error::io(path))?);
        let limit = Rc::new(Cell::new(MAX_DIRECTORY));
        let zip = ZipArchive::new(Limited { file, left: Rc::clone(&limit) });
        let zip = zip.map_err(|error| problem(path, error))?;
        limit.set(u64::MAX);
        Ok(Self { path: path.to_owned(), zip, left: MAX_TEXT as u64 })
    }

    /// The content of a file; `None` if it does not exist.
    pub(crate) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let file = self.zip.by_index(index).map_err(|error| problem(&self.path, error))?;
        let limit = MAX_FILE.min(self.left);
        let mut bytes = Vec::new();
        let read = file.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| problem(&self.path, error.into()))?;
        if bytes.len() as u64 > limit {
            let message = format!("{name:?} unpacks to more than the limit of {limit} bytes");
            return Err(refused(&self.path, message));
        }
        self.left -= bytes.len() as u64;
        Ok(Some(bytes))
    }

    /// The error for the book in this archive.
    pub(crate) fn refused(&self, problem: &str) -> Error {
        refused(&self.path, problem)
    }
}

fn problem(path: &Path, error: ZipError) -> Error {
    match error {
        // A failure of the disk. Other errors concern the content.
        ZipError::Io(error) if error.raw_os_error().is_some() => Error::io(path)(error),
        error => refused(path, format!("not a readable EPUB: {error}")),
    }
}

/// A reader that fails beyond a number of bytes.
struct Limited<R> {
    file: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left
            .set(left.ok_or_else(|| io::Error::other("the archive's list of files is too long"))?);
        Ok(read)
    }
}

impl<R: Seek> Seek for Limited<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
