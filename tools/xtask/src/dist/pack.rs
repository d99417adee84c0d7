//! The package as one file, which has the same bytes whenever the directory has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::process;
use crate::progress::Item;
use crate::python;
use crate::workspace::Workspace;

/// A packed directory.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) path: PathBuf,
    /// About how many bytes each file takes up in it.
    pub(crate) shares: BTreeMap<String, u64>,
}

/// Packs a directory into a tar.gz of it, beside itself.
pub(crate) fn pack(script: &Path, directory: &Path) -> Result<Packed> {
    let mut path = directory.as_os_str().to_owned();
    path.push(".tar.gz");
    pack_as(script, directory, path.into())
}

/// Packs a directory into a file, whose name says the format: `.tar.gz`, `.zip`, or `.aar` for an Android library. Python does it: it is
/// there on every platform, and its standard library has what this program would otherwise be compiled with.
pub(crate) fn pack_as(script: &Path, directory: &Path, path: PathBuf) -> Result<Packed> {
    let item = Item::start("packing");
    let output = python::system()?
        .arg(script)
        .arg(directory)
        .arg(&path)
        .output()
        .context("cannot run Python")?;
    ensure!(
        output.status.success(),
        "{} could not be packed:\n{}",
        directory.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let shares = serde_json::from_slice(&output.stdout).context("cannot read the packed sizes")?;
    item.finish("");
    Ok(Packed { path, shares })
}

/// Compresses a package of voices again, so that it is smaller: `recompress.py` says how. Gives where it is.
pub(crate) fn recompress(workspace: &Workspace, package: &Path) -> Result<PathBuf> {
    let item = Item::start("compressing the voices");
    let mut script = python::system()?;
    script.arg(workspace.xtask().join("recompress.py")).arg(package);
    let place = process::printed(&mut script)?;
    item.finish("");
    Ok(PathBuf::from(String::from_utf8_lossy(&place).trim_end()))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;

    fn directory(root: &Path, names: [&str; 3], mode: u32) -> PathBuf {
        let directory = root.join("package");
        fs::create_dir_all(directory.join("lib")).unwrap();
        for name in names {
            let path = directory.join("lib").join(name);
            fs::write(&path, name).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        symlink("a", directory.join("lib/link")).unwrap();
        directory
    }

    #[test]
    fn the_bytes_follow_from_the_contents() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("pack.py");
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = pack(&script, &directory(one.path(), ["a", "b", "c"], 0o600)).unwrap();
        let second = pack(&script, &directory(two.path(), ["c", "a", "b"], 0o664)).unwrap();
        let bytes = fs::read(&first.path).unwrap();
        assert_eq!(bytes, fs::read(&second.path).unwrap());
        assert_eq!(first.path, one.path().join("package.tar.gz"));
        let names: Vec<_> = first.shares.keys().map(String::as_str).collect();
        assert_eq!(names, ["lib/a", "lib/b", "lib/c"]);

        let out = one.path().join("out");
        fs::create_dir(&out).unwrap();
        let mut tar = Command::new("tar");
        assert!(tar.arg("-xzf").arg(&first.path).arg("-C").arg(&out).status().unwrap().success());
        assert_eq!(fs::read_to_string(out.join("package/lib/link")).unwrap(), "a");
        let mode = fs::metadata(out.join("package/lib/b")).unwrap().permissions().mode();
        assert_eq!(mode & 0o755, 0o644);
    }

    #[test]
    fn an_aar_has_the_files_of_the_directory() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("pack.py");
        let scratch = tempfile::tempdir().unwrap();
        let aar = |name: &str, names: [&str; 3]| {
            let directory = directory(&scratch.path().join(name), names, 0o600);
            fs::remove_file(directory.join("lib/link")).unwrap();
            pack_as(&script, &directory, scratch.path().join(format!("{name}.aar"))).unwrap()
        };
        let (first, second) = (aar("one", ["a", "b", "c"]), aar("two", ["c", "a", "b"]));
        let bytes = fs::read(&first.path).unwrap();
        assert!(bytes.starts_with(b"PK\x03\x04"));
        assert_eq!(bytes, fs::read(&second.path).unwrap());
        assert_eq!(first.shares.into_keys().collect::<Vec<_>>(), ["lib/a", "lib/b", "lib/c"]);
    }

    #[test]
    fn a_zip_has_the_directory() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("pack.py");
        let scratch = tempfile::tempdir().unwrap();
        let zip = |name: &str, names: [&str; 3]| {
            let directory = directory(&scratch.path().join(name), names, 0o600);
            fs::remove_file(directory.join("lib/link")).unwrap();
            pack_as(&script, &directory, scratch.path().join(format!("{name}.zip"))).unwrap()
        };
        let (first, second) = (zip("one", ["a", "b", "c"]), zip("two", ["c", "a", "b"]));
        let bytes = fs::read(&first.path).unwrap();
        assert_eq!(bytes, fs::read(&second.path).unwrap());
        let name = b"package/lib/b";
        assert!(bytes.windows(name.len()).any(|window| window == name));
        assert_eq!(first.shares.into_keys().collect::<Vec<_>>(), ["lib/a", "lib/b", "lib/c"]);
    }
}
