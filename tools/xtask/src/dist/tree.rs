//! Builds a package directory beside its final place, and moves it there when it is complete.

use crate::prelude::*;

/// A directory under construction.
#[derive(Debug)]
pub(crate) struct Tree {
    place: PathBuf,
    partial: PathBuf,
}

impl Tree {
    /// Begins an empty directory that will be moved to `place`.
    pub(crate) fn begin(place: &Path) -> Result<Self> {
        let partial = clear(files::with_ending(place, ".partial"))?;
        Ok(Tree { place: place.to_path_buf(), partial })
    }

    /// The path of a file in the tree; creates its parent directory.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf> {
        let path = self.partial.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        Ok(path)
    }

    /// Writes a text file.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.path(name)?, text)?)
    }

    /// Copies a file.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> Result<()> {
        ensure!(from.is_file(), "{} is missing, but the package needs it", from.display());
        fs::copy(from, self.path(name)?)?;
        Ok(())
    }

    /// Makes a symbolic link to another file of the same directory. Packages for systems without
    /// such links have none.
    pub(crate) fn link(&self, name: &str, target: &str) -> Result<()> {
        let path = self.path(name)?;
        #[cfg(unix)]
        return Ok(fs::os::unix::fs::symlink(target, path)?);
        #[cfg(not(unix))]
        bail!("cannot make the link {} to {target}", path.display())
    }

    /// Moves the directory to its place, replacing an existing one.
    pub(crate) fn finish(self) -> Result<PathBuf> {
        remove(&self.place)?;
        fs::rename(&self.partial, &self.place)?;
        Ok(self.place)
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
