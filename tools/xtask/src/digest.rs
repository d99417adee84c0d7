//! SHA-256 of files, and the stamps that remember it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 of a file, or `None` where there is no such file.
pub(crate) fn of_file(path: &Path) -> Result<Option<String>> {
    let context = || format!("cannot read {}", path.display());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(context),
    };
    let mut digest = Sha256::new();
    let mut block = vec![0; 1 << 18];
    loop {
        match file.read(&mut block).with_context(context)? {
            0 => return Ok(Some(hex(&digest.finalize()))),
            read => digest.update(&block[..read]),
        }
    }
}

/// The SHA-256 of each file in a folder and the folders in it, by its path from there with slashes. `wanted` chooses: it is
/// asked for each folder too, by its path with a slash at the end.
pub(crate) fn of_folder(
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, String>> {
    let mut digests = BTreeMap::new();
    let mut unread = vec![(folder.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = unread.pop() {
        let context = || format!("cannot read {}", folder.display());
        for entry in fs::read_dir(&folder).with_context(context)? {
            let path = entry.with_context(context)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let end = if path.is_dir() { "/" } else { "" };
            let relative = format!("{prefix}{name}{end}");
            if !wanted(&relative) {
                continue;
            }
            if path.is_dir() {
                unread.push((path, relative));
            } else {
                digests.insert(relative, of_file(&path)?.with_context(context)?);
            }
        }
    }
    Ok(digests)
}

/// One SHA-256 for files of these names and digests.
pub(crate) fn of_listing(digests: &BTreeMap<String, String>) -> String {
    let listing: String =
        digests.iter().map(|(name, digest)| format!("{digest} {name}\n")).collect();
    of_bytes(listing.as_bytes())
}

/// Records a finished file's SHA-256 beside it. A file without a stamp is an unfinished one.
pub(crate) fn stamp(path: &Path) -> Result<()> {
    let digest = of_file(path)?.with_context(|| format!("{} is missing", path.display()))?;
    let stamp = stamp_path(path);
    fs::write(&stamp, digest).with_context(|| format!("cannot write {}", stamp.display()))
}

/// Whether a file is what it was when it was stamped.
pub(crate) fn matches_stamp(path: &Path) -> Result<bool> {
    match fs::read_to_string(stamp_path(path)) {
        Ok(expected) => Ok(of_file(path)?.is_some_and(|found| found == expected)),
        Err(_) => Ok(false),
    }
}

fn stamp_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sha256");
    PathBuf::from(name)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn digests() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("abc");
        assert_eq!(of_bytes(b"abc"), ABC);
        assert_eq!(of_file(&path).unwrap(), None);
        fs::write(&path, "abc").unwrap();
        assert_eq!(of_file(&path).unwrap().as_deref(), Some(ABC));
    }

    #[test]
    fn files_of_a_folder() {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir_all(scratch.path().join("a/.hidden")).unwrap();
        for name in ["b", "a/b", "a/.hidden/b"] {
            fs::write(scratch.path().join(name), "abc").unwrap();
        }
        let abc = ABC.to_owned();
        let found = of_folder(scratch.path(), |path| !path.contains('.')).unwrap();
        assert_eq!(found, [("a/b".to_owned(), abc.clone()), ("b".to_owned(), abc)].into());
        let listing = format!("{ABC} a/b\n{ABC} b\n");
        assert_eq!(of_listing(&found), of_bytes(listing.as_bytes()));
    }

    #[test]
    fn a_stamp_tells_damage() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("library.so.1");
        fs::write(&path, "abc").unwrap();
        assert!(!matches_stamp(&path).unwrap(), "no stamp");
        stamp(&path).unwrap();
        assert!(matches_stamp(&path).unwrap());
        fs::write(&path, "abd").unwrap();
        assert!(!matches_stamp(&path).unwrap(), "altered");
        fs::remove_file(&path).unwrap();
        assert!(!matches_stamp(&path).unwrap(), "missing");
    }
}
