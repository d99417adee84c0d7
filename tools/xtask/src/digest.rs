//! SHA-256 of files, and stamp files that record it.

use std::collections::BTreeMap;
use std::io::Read as _;

use sha2::{Digest, Sha256};

use crate::prelude::*;

/// The SHA-256 of some bytes, in hexadecimal.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 of a file.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let mut file = fs::File::open(path)?;
    let mut digest = Sha256::new();
    let mut block = vec![0; 1 << 18];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex(&digest.finalize())),
            read => digest.update(&block[..read]),
        }
    }
}

/// The SHA-256 of each file that [`files::within`] lists.
pub(crate) fn of_folder(
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, String>> {
    let files = files::within(folder, wanted)?.into_iter();
    files.map(|name| Ok((name.clone(), of_file(&folder.join(name))?))).collect()
}

/// Combines the names and digests of files into one SHA-256.
pub(crate) fn of_listing(digests: &BTreeMap<String, String>) -> String {
    let listing: String =
        digests.iter().map(|(name, digest)| format!("{digest} {name}\n")).collect();
    of_bytes(listing.as_bytes())
}

/// Records the SHA-256 of a finished file beside it. A file without a stamp is unfinished.
pub(crate) fn stamp(path: &Path) -> Result<()> {
    Ok(fs::write(files::with_ending(path, ".sha256"), of_file(path)?)?)
}

/// Whether a file still matches its stamp.
pub(crate) fn matches_stamp(path: &Path) -> bool {
    let stamp = fs::read_to_string(files::with_ending(path, ".sha256"));
    stamp.is_ok_and(|expected| of_file(path).is_ok_and(|found| found == expected))
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
        assert!(of_file(&path).unwrap_err().to_string().contains("abc"));
        fs::write(&path, "abc").unwrap();
        assert_eq!(of_file(&path).unwrap(), ABC);
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
        assert!(!matches_stamp(&path), "no stamp");
        stamp(&path).unwrap();
        assert!(matches_stamp(&path));
        fs::write(&path, "abd").unwrap();
        assert!(!matches_stamp(&path), "altered");
        fs::remove_file(&path).unwrap();
        assert!(!matches_stamp(&path), "missing");
    }
}
