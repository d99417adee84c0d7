//! The storage of a voice bundle: a directory, or an archive in a file or in memory.
//!
//! The archive is an uncompressed POSIX tar (IEEE 1003.1, ustar) of the same files. Each file is
//! contiguous at an offset, so nothing is unpacked.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use memmap2::MmapOptions;
use speech_base::error::{Error, ErrorDetail, Result};
use speech_base::system::{FileIdentity, Memory, file_identity, read_at};

/// Bytes at a fixed address while they are shared.
type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A voice bundle as given by the caller.
#[derive(Clone)]
pub enum BundleInput {
    /// A directory, or an archive file.
    Path(PathBuf),
    /// An archive in memory.
    Memory(Bytes),
    /// An archive within an open file; without a length, it extends to the end of the file.
    File {
        /// The file, opened for reading.
        file: Arc<File>,
        /// The offset of the archive, in bytes.
        offset: u64,
        /// The length of the archive, in bytes.
        length: Option<u64>,
    },
}

impl std::fmt::Debug for BundleInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Path(path) => f.debug_tuple("Path").field(path).finish(),
            Self::Memory(bytes) => {
                f.debug_tuple("Memory").field(&bytes.as_ref().as_ref().len()).finish()
            }
            Self::File { offset, length, .. } => {
                f.debug_struct("File").field("offset", offset).field("length", length).finish()
            }
        }
    }
}

/// The files of a bundle.
#[derive(Debug)]
pub(super) enum Source {
    Directory(PathBuf),
    Archive(Archive),
}

/// The bytes of one file.
#[derive(Clone)]
pub struct Blob {
    bytes: Bytes,
    range: Range<usize>,
    is_mapped: bool,
}

/// A weak reference to the bytes of one file.
pub(super) struct WeakBlob {
    bytes: Weak<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
    pub(super) is_mapped: bool,
}

impl Blob {
    /// Bytes in memory.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self::in_memory(0..bytes.len(), Arc::new(bytes))
    }

    fn in_memory(range: Range<usize>, bytes: Bytes) -> Self {
        Self { bytes, range, is_mapped: false }
    }

    pub(super) fn downgrade(&self) -> WeakBlob {
        let Self { bytes, range, is_mapped } = self;
        WeakBlob { bytes: Arc::downgrade(bytes), range: range.clone(), is_mapped: *is_mapped }
    }
}

impl WeakBlob {
    pub(super) fn upgrade(&self) -> Option<Blob> {
        let Self { bytes, range, is_mapped } = self;
        Some(Blob { bytes: bytes.upgrade()?, range: range.clone(), is_mapped: *is_mapped })
    }
}

impl Deref for Blob {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes.as_ref().as_ref()[self.range.clone()]
    }
}

impl std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Blob").field(&self.range).finish()
    }
}

/// Storage of bytes that are not in memory yet, or that the caller keeps in memory.
#[derive(Clone)]
enum Store {
    File(Arc<File>),
    Memory(Bytes),
}

/// A range of a store: an archive, or one file of a bundle.
#[derive(Clone)]
pub(super) struct Part {
    store: Store,
    range: Range<u64>,
}

/// Larger files are mapped if the caller allows it. Others are read, so that later changes to the
/// file do not matter.
const MAX_READ_BYTES: u64 = 16 << 20;

impl Part {
    /// A range of a regular file; without a length, it extends to the end of the file.
    fn of_file(file: Arc<File>, offset: u64, length: Option<u64>) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let end = length.map_or(Some(metadata.len()), |length| offset.checked_add(length));
        let end = end.filter(|end| (offset..=metadata.len()).contains(end));
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        Ok(Self { store: Store::File(file), range: offset..end })
    }

    fn of_memory(bytes: Bytes) -> Self {
        let range = 0..bytes.as_ref().as_ref().len() as u64;
        Self { store: Store::Memory(bytes), range }
    }

    pub(super) fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// The identity of the file; none for memory, and on systems without file identities.
    pub(super) fn identity(&self) -> Option<FileIdentity> {
        match &self.store {
            Store::File(file) => file_identity(file),
            Store::Memory(_) => None,
        }
    }

    /// Loads the whole range: mapped if it is large and mapping is allowed, read otherwise.
    fn load(&self, may_map: bool) -> io::Result<Blob> {
        let in_memory = |value: u64| usize::try_from(value).map_err(|_| ErrorKind::FileTooLarge);
        let len = in_memory(self.len())?;
        let file = match &self.store {
            Store::File(file) => file,
            Store::Memory(bytes) => {
                let start = in_memory(self.range.start)?;
                return Ok(Blob::in_memory(start..start + len, Arc::clone(bytes)));
            }
        };
        if may_map && self.len() > MAX_READ_BYTES {
            let mut options = MmapOptions::new();
            // SAFETY: the bundle is read-only data that nobody writes while it is in use, as the
            // engine's documentation requires of callers who allow mapping. Its content is verified
            // before it is trusted.
            let map = unsafe { options.offset(self.range.start).len(len).map(&**file) }?;
            return Ok(Blob { bytes: Arc::new(map), range: 0..len, is_mapped: true });
        }
        let mut memory = Memory::allocate(len).ok_or(ErrorKind::OutOfMemory)?;
        self.reader().read_exact(&mut memory[..len])?;
        Ok(Blob::in_memory(0..len, Arc::new(memory)))
    }

    fn reader(&self) -> Reader<'_> {
        Reader { part: self, position: 0 }
    }
}

/// Reads a range without moving the position of the caller's file.
struct Reader<'a> {
    part: &'a Part,
    position: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.part.len().saturating_sub(self.position);
        let len = usize::try_from(rest).map_or(buffer.len(), |rest| rest.min(buffer.len()));
        let at = self.part.range.start + self.position;
        let read = match &self.part.store {
            Store::File(file) => read_at(file, &mut buffer[..len], at)?,
            Store::Memory(bytes) => {
                let from = usize::try_from(at).map_err(|_| ErrorKind::FileTooLarge)?;
                buffer[..len].copy_from_slice(&bytes.as_ref().as_ref()[from..from + len]);
                len
            }
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Reader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.part.len().checked_add_signed(offset),
        };
        // Positions past the end are the end.
        self.position = position.ok_or(ErrorKind::InvalidInput)?.min(self.part.len());
        Ok(self.position)
    }
}

impl Source {
    pub(super) fn open(input: BundleInput) -> Result<Self> {
        let (name, path, part) = match input {
            BundleInput::Path(path) if !path.is_file() => return Ok(Self::Directory(path)),
            BundleInput::Path(path) => {
                (path.display().to_string(), Some(path.clone()), open(&path))
            }
            BundleInput::Memory(bytes) => {
                ("the voice bundle in memory".into(), None, Ok(Part::of_memory(bytes)))
            }
            BundleInput::File { file, offset, length } => {
                let part = Part::of_file(file, offset, length);
                ("the voice bundle's open file".into(), None, part)
            }
        };
        let part = part.map_err(|e| unreadable(&name, path.clone(), e))?;
        Archive::read(name, path, part).map(Self::Archive)
    }

    /// Finds a file.
    pub(super) fn find(&self, name: &str) -> Result<Part> {
        let part = match self {
            Self::Directory(dir) => open(&dir.join(name)),
            Self::Archive(archive) => archive.find(name).ok_or(ErrorKind::NotFound.into()),
        };
        part.map_err(|e| self.unreadable(name, e))
    }

    /// Loads the bytes of a file: mapped if it is large and mapping is allowed, read otherwise.
    pub(super) fn load(&self, name: &str, part: &Part, may_map: bool) -> Result<Blob> {
        part.load(may_map).map_err(|e| self.unreadable(name, e))
    }

    fn unreadable(&self, name: &str, error: io::Error) -> Error {
        unreadable(&self.place(name), self.path(name), error)
    }

    /// The name of a file in messages.
    pub(super) fn place(&self, name: &str) -> String {
        match self {
            Self::Directory(dir) => dir.join(name).display().to_string(),
            Self::Archive(archive) => format!("{name} in {}", archive.name),
        }
    }

    /// The path of a file, or of the archive that contains it.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Directory(dir) => Some(dir.join(name)),
            Self::Archive(archive) => archive.path.clone(),
        }
    }
}

/// An archive, and the ranges of its files.
pub(super) struct Archive {
    /// The archive's name in messages.
    name: String,
    /// The archive's path, if the caller gave one.
    path: Option<PathBuf>,
    part: Part,
    files: BTreeMap<PathBuf, Range<u64>>,
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("name", &self.name).field("files", &self.files).finish()
    }
}

impl Archive {
    fn read(name: String, path: Option<PathBuf>, part: Part) -> Result<Self> {
        let files = files(&part).map_err(|e| {
            Error::damaged(format!(
                "{name} is damaged, or is not a voice bundle: it cannot be read as tar"
            ))
            .with_path(path.clone())
            .with_source(e)
        })?;
        Ok(Self { name, path, part, files })
    }

    fn find(&self, name: &str) -> Option<Part> {
        self.files.get(Path::new(name)).map(|range| {
            let Part { store, range: whole } = &self.part;
            Part { store: store.clone(), range: whole.start + range.start..whole.start + range.end }
        })
    }
}

/// The ranges of an archive's files.
fn files(part: &Part) -> io::Result<BTreeMap<PathBuf, Range<u64>>> {
    let mut archive = tar::Archive::new(part.reader());
    let mut files = BTreeMap::new();
    for entry in archive.entries_with_seek()? {
        let entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let start = entry.raw_file_position();
        let end = start.checked_add(entry.size()).filter(|end| *end <= part.len());
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        // Archives of a folder have `./` before each name.
        let path = entry.path()?;
        files.insert(path.strip_prefix(".").unwrap_or(&path).to_owned(), start..end);
    }
    Ok(files)
}

/// Opens a regular file. Other kinds are rejected unopened: opening a pipe would block until
/// somebody writes to it.
fn open(path: &Path) -> io::Result<Part> {
    if fs::metadata(path)?.is_file() {
        Part::of_file(Arc::new(File::open(path)?), 0, None)
    } else {
        Err(ErrorKind::InvalidInput.into())
    }
}

fn unreadable(place: &str, path: Option<PathBuf>, error: io::Error) -> Error {
    let (why, detail) = match error.kind() {
        ErrorKind::NotFound => ("is missing", ErrorDetail::FileMissing),
        ErrorKind::UnexpectedEof => ("is truncated", ErrorDetail::FileDamaged),
        _ => ("cannot be read", ErrorDetail::FileUnreadable),
    };
    let error = Error::model(format!("{place} {why}")).with_source(error);
    error.with_detail(detail).with_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_ustar();
            // Unchanged: `append_data` would strip a leading `./`.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            archive.append(&header, *bytes).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn memory(bytes: Vec<u8>) -> Result<Source> {
        Source::open(BundleInput::Memory(Arc::new(bytes)))
    }

    fn read(source: &Source, name: &str) -> Result<Blob> {
        source.load(name, &source.find(name)?, true)
    }

    #[test]
    fn files_are_found_in_an_archive() {
        let source = memory(archive(&[("a", b"first"), ("b", b""), ("./c", b"third")])).unwrap();
        assert_eq!(&*read(&source, "a").unwrap(), b"first");
        assert_eq!(&*read(&source, "b").unwrap(), b"");
        assert_eq!(&*read(&source, "c").unwrap(), b"third");
        let error = read(&source, "d").unwrap_err();
        assert_eq!(error.message(), "d in the voice bundle in memory is missing");
    }

    #[test]
    fn a_part_of_a_file_is_an_archive() {
        let inner = archive(&[("a", b"inside")]);
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &[&[1; 777][..], &inner, &[2; 99]].concat()).unwrap();
        let file = Arc::new(file);
        let open = |offset, length| {
            Source::open(BundleInput::File { file: Arc::clone(&file), offset, length })
        };
        let source = open(777, Some(inner.len() as u64)).unwrap();
        assert_eq!(&*read(&source, "a").unwrap(), b"inside");
        let past_the_end = [
            (777, Some(inner.len() as u64 + 100)),
            (1 << 40, None),
            (0, Some(u64::MAX)),
            (u64::MAX, Some(1)),
        ];
        for (offset, length) in past_the_end {
            let error = open(offset, length).unwrap_err();
            assert_eq!(error.message(), "the voice bundle's open file is truncated");
        }
    }

    #[test]
    fn bytes_that_are_no_archive_are_refused() {
        let whole = archive(&[("a", &[7; 3000])]);
        for bytes in [b"not an archive".repeat(100), whole[..2000].to_vec()] {
            let error = memory(bytes).unwrap_err();
            assert_eq!(error.kind(), speech_base::error::ErrorKind::ModelError);
            assert!(error.message().starts_with("the voice bundle in memory"), "{error}");
        }
        // Empty memory is an empty archive: its manifest is missing.
        let error = read(&memory(Vec::new()).unwrap(), "bundle.json").unwrap_err();
        assert_eq!(error.message(), "bundle.json in the voice bundle in memory is missing");
    }
}
