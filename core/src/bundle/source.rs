//! Where the bytes of a voice bundle are: in a directory, or in one archive that is a file or memory.
//!
//! The archive is an uncompressed POSIX tar (IEEE 1003.1, ustar) of the same files: each stands whole at an
//! offset, so that nothing is unpacked and a mapped file costs no memory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Cursor, ErrorKind, Read};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use memmap2::{Mmap, MmapOptions};

use super::verified;
use crate::error::{Error, ErrorDetail, Result};
use crate::system::{FileIdentity, file_identity};

/// Bytes that stay where they are while they are shared.
type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A voice bundle as the caller hands it over.
#[derive(Clone)]
pub(crate) enum BundleInput {
    /// A directory, or an archive file.
    Path(PathBuf),
    /// An archive in memory.
    Memory(Bytes),
    /// A part of an open file that is an archive: to its end if there is no length.
    File { file: Arc<File>, offset: u64, length: Option<u64> },
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
pub(crate) struct Blob {
    bytes: Bytes,
    range: Range<usize>,
}

/// The same, which does not keep them in memory.
pub(super) struct WeakBlob {
    bytes: Weak<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
}

/// The bytes of a file of a bundle, and whether they are known to be what the manifest says.
pub(super) struct Candidate {
    pub(super) blob: Blob,
    pub(super) is_verified: bool,
    /// None if the file has none, or is in an archive.
    pub(super) identity: Option<FileIdentity>,
}

impl Blob {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), bytes: Arc::new(bytes) }
    }

    pub(super) fn downgrade(&self) -> WeakBlob {
        WeakBlob { bytes: Arc::downgrade(&self.bytes), range: self.range.clone() }
    }
}

impl WeakBlob {
    pub(super) fn upgrade(&self) -> Option<Blob> {
        Some(Blob { bytes: self.bytes.upgrade()?, range: self.range.clone() })
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

impl Source {
    pub(super) fn open(input: BundleInput) -> Result<Self> {
        match input {
            BundleInput::Path(path) if path.is_file() => {
                let name = path.display().to_string();
                let map = open(&path).and_then(|file| map(&file, 0, None));
                let map = map.map_err(|e| unreadable(&name, Some(path.clone()), e))?;
                Archive::read(name, Some(path), Arc::new(map)).map(Self::Archive)
            }
            BundleInput::Path(path) => Ok(Self::Directory(path)),
            BundleInput::Memory(bytes) => {
                Archive::read("the voice bundle in memory".into(), None, bytes).map(Self::Archive)
            }
            BundleInput::File { file, offset, length } => {
                let name = "the voice bundle's open file";
                let map = map(&file, offset, length).map_err(|e| unreadable(name, None, e))?;
                Archive::read(name.into(), None, Arc::new(map)).map(Self::Archive)
            }
        }
    }

    /// The bytes of a file that is to have this SHA-256: those that another engine has in use, if the file is still the same.
    pub(super) fn find(&self, name: &str, sha256: &str) -> Result<Candidate> {
        let Self::Directory(dir) = self else {
            return Ok(Candidate { blob: self.read(name)?, is_verified: false, identity: None });
        };
        let found = open(&dir.join(name)).and_then(|file| {
            let identity = file_identity(&file);
            let verified = identity.and_then(|identity| verified::find(identity, sha256));
            let is_verified = verified.is_some();
            let blob = verified.map_or_else(|| read_or_map(&file), Ok)?;
            Ok(Candidate { blob, is_verified, identity })
        });
        found.map_err(|e| unreadable(&self.place(name), self.path(name), e))
    }

    /// The bytes of a file.
    pub(super) fn read(&self, name: &str) -> Result<Blob> {
        match self {
            Self::Directory(dir) => {
                let blob = open(&dir.join(name)).and_then(|file| read_or_map(&file));
                blob.map_err(|e| unreadable(&self.place(name), self.path(name), e))
            }
            Self::Archive(archive) => {
                let range = archive.files.get(Path::new(name)).ok_or_else(|| {
                    unreadable(&self.place(name), self.path(name), ErrorKind::NotFound.into())
                })?;
                Ok(Blob { range: range.clone(), bytes: Arc::clone(&archive.bytes) })
            }
        }
    }

    /// How messages call a file.
    pub(super) fn place(&self, name: &str) -> String {
        match self {
            Self::Directory(dir) => dir.join(name).display().to_string(),
            Self::Archive(archive) => format!("{name} in {}", archive.name),
        }
    }

    /// The path of a file, or of the archive that it is in.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Directory(dir) => Some(dir.join(name)),
            Self::Archive(archive) => archive.path.clone(),
        }
    }
}

/// An archive, and where in it the files are.
pub(super) struct Archive {
    /// How messages call it.
    name: String,
    /// Where it is, if the caller gave its path.
    path: Option<PathBuf>,
    bytes: Bytes,
    files: BTreeMap<PathBuf, Range<usize>>,
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("name", &self.name).field("files", &self.files).finish()
    }
}

impl Archive {
    fn read(name: String, path: Option<PathBuf>, bytes: Bytes) -> Result<Self> {
        let files = files(bytes.as_ref().as_ref()).map_err(|e| {
            Error::damaged(format!(
                "{name} is damaged or no voice bundle: it cannot be read as tar"
            ))
            .with_path(path.clone())
            .with_source(e)
        })?;
        Ok(Self { name, path, bytes, files })
    }
}

fn files(bytes: &[u8]) -> std::io::Result<BTreeMap<PathBuf, Range<usize>>> {
    let mut archive = tar::Archive::new(Cursor::new(bytes));
    let mut files = BTreeMap::new();
    for entry in archive.entries_with_seek()? {
        let entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let range = usize::try_from(entry.raw_file_position())
            .ok()
            .zip(usize::try_from(entry.size()).ok())
            .and_then(|(start, size)| Some(start..start.checked_add(size)?))
            .filter(|range| range.end <= bytes.len())
            .ok_or(ErrorKind::UnexpectedEof)?;
        // Archives of a folder have `./` before each name.
        let path = entry.path()?;
        files.insert(path.strip_prefix(".").unwrap_or(&path).to_owned(), range);
    }
    Ok(files)
}

/// Files of up to this many bytes are read, so that nothing that happens to them later matters; larger ones are mapped.
const MAX_READ_BYTES: u64 = 16 << 20;

/// Opens a regular file. Others are refused before they are opened: that of a pipe waits for somebody who writes to it.
fn open(path: &Path) -> std::io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(ErrorKind::InvalidInput.into())
    }
}

fn read_or_map(mut file: &File) -> std::io::Result<Blob> {
    if file.metadata()?.len() > MAX_READ_BYTES {
        let map = map(file, 0, None)?;
        return Ok(Blob { range: 0..map.len(), bytes: Arc::new(map) });
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Blob::of(bytes))
}

/// Maps a part of a file, to its end if there is no length.
fn map(file: &File, offset: u64, length: Option<u64>) -> std::io::Result<Mmap> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let rest = metadata.len().checked_sub(offset).ok_or(ErrorKind::UnexpectedEof)?;
    let length = length.unwrap_or(rest);
    if length > rest {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let length = usize::try_from(length).map_err(|_| ErrorKind::FileTooLarge)?;
    let mut options = MmapOptions::new();
    // SAFETY: the bundle is read-only data that nobody writes while it is in use, as the
    // documentation of the engine asks; nothing in it is trusted before it is verified.
    unsafe { options.offset(offset).len(length).map(file) }
}

fn unreadable(place: &str, path: Option<PathBuf>, error: std::io::Error) -> Error {
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
            // As it stands: `append_data` would take a leading `./` away.
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

    #[test]
    fn files_are_found_in_an_archive() {
        let source = memory(archive(&[("a", b"first"), ("b", b""), ("./c", b"third")])).unwrap();
        assert_eq!(&*source.read("a").unwrap(), b"first");
        assert_eq!(&*source.read("b").unwrap(), b"");
        assert_eq!(&*source.read("c").unwrap(), b"third");
        let error = source.read("d").unwrap_err();
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
        assert_eq!(&*source.read("a").unwrap(), b"inside");
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
            assert_eq!(error.kind(), crate::ErrorKind::ModelError);
            assert!(error.message().starts_with("the voice bundle in memory"), "{error}");
        }
        // Nothing at all is an empty archive: its manifest is missing.
        let error = memory(Vec::new()).unwrap().read("bundle.json").unwrap_err();
        assert_eq!(error.message(), "bundle.json in the voice bundle in memory is missing");
    }
}
