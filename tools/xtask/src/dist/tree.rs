//! The directory that becomes the package: made beside its place, and put there when it is whole.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// A directory that is being filled.
#[derive(Debug)]
pub(crate) struct Tree {
    place: PathBuf,
    partial: PathBuf,
}

impl Tree {
    /// Begins an empty one that will be at `place`.
    pub(crate) fn begin(place: &Path) -> Result<Self> {
        let mut partial = place.as_os_str().to_owned();
        partial.push(".partial");
        let tree = Tree { place: place.to_path_buf(), partial: partial.into() };
        remove(&tree.partial)?;
        fs::create_dir_all(&tree.partial)
            .with_context(|| format!("cannot make {}", tree.partial.display()))?;
        Ok(tree)
    }

    /// Where a file of the tree is to be written, in a directory that is there.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf> {
        let path = self.partial.join(name);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot make {}", directory.display()))?;
        }
        Ok(path)
    }

    /// Writes a text file.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path(name)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Copies a file.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> Result<()> {
        ensure!(from.is_file(), "{} is missing, and goes into the package", from.display());
        fs::copy(from, self.path(name)?)
            .with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(())
    }

    /// Makes a link to another file of the same directory.
    #[cfg(unix)]
    pub(crate) fn link(&self, name: &str, target: &str) -> Result<()> {
        let path = self.path(name)?;
        std::os::unix::fs::symlink(target, &path)
            .with_context(|| format!("cannot make the link {}", path.display()))
    }

    /// There are no packages for systems without such links.
    #[cfg(not(unix))]
    pub(crate) fn link(&self, name: &str, _target: &str) -> Result<()> {
        anyhow::bail!("cannot make the link {name}")
    }

    /// Puts the directory in its place and removes what was there.
    pub(crate) fn finish(self) -> Result<PathBuf> {
        remove(&self.place)?;
        fs::rename(&self.partial, &self.place)
            .with_context(|| format!("cannot write {}", self.place.display()))?;
        Ok(self.place)
    }
}

/// Removes a directory, if it is there.
pub(crate) fn remove(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", directory.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_tree_changes_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("package");
        let tree = Tree::begin(&place).unwrap();
        tree.write("lib/a", "one").unwrap();
        tree.link("lib/b", "a").unwrap();
        tree.finish().unwrap();
        assert_eq!(fs::read_to_string(place.join("lib/b")).unwrap(), "one");

        let second = Tree::begin(&place).unwrap();
        second.write("lib/c", "two").unwrap();
        assert!(second.copy(&place.join("no-such-file"), "d").is_err());
        assert!(place.join("lib/a").exists());
        second.finish().unwrap();
        assert!(place.join("lib/c").exists() && !place.join("lib/a").exists());
    }
}
