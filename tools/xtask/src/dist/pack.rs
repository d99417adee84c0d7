//! Packs a directory into one file, reproducibly.

use std::collections::BTreeMap;

use crate::prelude::*;

/// A packed directory.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) path: PathBuf,
    /// The approximate size of each file in the archive, in bytes.
    pub(crate) shares: BTreeMap<String, u64>,
}

/// Packs a directory into a file beside it, with the ending `.tar.gz` or `.zip`.
pub(crate) fn pack(directory: &Path, ending: &str) -> Result<Packed> {
    pack_as(directory, files::with_ending(directory, ending))
}

/// Packs a directory in the format that the name of the file implies, which may also be `.aar` for
/// an Android library. A package for tests is compressed less, which is faster. Runs Python: every
/// platform has it, and its standard library saves compiling dependencies.
pub(crate) fn pack_as(directory: &Path, path: PathBuf) -> Result<Packed> {
    let item = Item::start("packing");
    let mut python = python::system()?;
    python.arg(root().join("tools/xtask/pack.py")).arg(directory).arg(&path);
    if workspace::is_for_tests() {
        python.arg("1");
    }
    let shares = serde_json::from_slice(&process::printed(&mut python)?)?;
    item.finish("");
    Ok(Packed { path, shares })
}

/// Recompresses a package of voices to a smaller one (see `recompress.py`), and returns its path.
/// Keeps a package for tests unchanged.
pub(crate) fn recompress(package: &Path) -> Result<PathBuf> {
    if workspace::is_for_tests() {
        return Ok(package.to_owned());
    }
    let item = Item::start("compressing the voices");
    let mut script = python::system()?;
    let place = process::text(script.arg(root().join("tools/xtask/recompress.py")).arg(package))?;
    item.finish("");
    Ok(place.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn directory(root: &Path, names: [&str; 3], mode: u32) -> PathBuf {
        let directory = root.join("package");
        fs::create_dir_all(directory.join("lib")).unwrap();
        for name in names {
            let path = directory.join("lib").join(name);
            fs::write(&path, name).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        }
        directory
    }

    #[test]
    fn the_bytes_follow_from_the_contents() {
        for (ending, begin) in [(".tar.gz", &b"\x1f\x8b"[..]), (".zip", b"PK"), (".aar", b"PK")] {
            let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let first = pack(&directory(one.path(), ["a", "b", "c"], 0o600), ending).unwrap();
            let second = pack(&directory(two.path(), ["c", "a", "b"], 0o664), ending).unwrap();
            let bytes = fs::read(&first.path).unwrap();
            assert!(bytes.starts_with(begin) && bytes == fs::read(&second.path).unwrap());
            assert_eq!(first.path, one.path().join(format!("package{ending}")));
            assert_eq!(first.shares.into_keys().collect::<Vec<_>>(), ["lib/a", "lib/b", "lib/c"]);
            // A zip file stores names uncompressed; an AAR stores them without the directory.
            let name = b"package/lib/b";
            let is_named = bytes.windows(name.len()).any(|window| window == name);
            assert_eq!(is_named, ending == ".zip");
        }
    }

    #[test]
    fn an_archive_has_links_and_modes() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = directory(scratch.path(), ["a", "b", "c"], 0o600);
        std::os::unix::fs::symlink("a", directory.join("lib/link")).unwrap();
        let packed = pack(&directory, ".tar.gz").unwrap();
        let out = made(scratch.path().join("out")).unwrap();
        let mut tar = Command::new("tar");
        process::shown(tar.arg("-xzf").arg(packed.path).arg("-C").arg(&out)).unwrap();
        assert_eq!(fs::read_to_string(out.join("package/lib/link")).unwrap(), "a");
        let mode = fs::metadata(out.join("package/lib/b")).unwrap().permissions().mode();
        assert_eq!(mode & 0o755, 0o644);
    }
}
