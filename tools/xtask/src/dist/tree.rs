//! The directory that becomes the package: made beside its place, and put there when it is whole.

use crate::prelude::*;

/// A directory that is being filled.
#[derive(Debug)]
pub(crate) struct Tree {
    place: PathBuf,
    partial: PathBuf,
}

impl Tree {
    /// Begins an empty one that will be at `place`.
    pub(crate) fn begin(place: &Path) -> Result<Self> {
        let partial = clear(files::with_ending(place, ".partial"))?;
        Ok(Tree { place: place.to_path_buf(), partial })
    }

    /// Where a file of the tree is to be written, in a directory that is there.
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
        ensure!(from.is_file(), "{} is missing, and goes into the package", from.display());
        fs::copy(from, self.path(name)?)?;
        Ok(())
    }

    /// Makes a link to another file of the same directory. There are no packages for systems without such links.
    pub(crate) fn link(&self, name: &str, target: &str) -> Result<()> {
        let path = self.path(name)?;
        #[cfg(unix)]
        return Ok(fs::os::unix::fs::symlink(target, path)?);
        #[cfg(not(unix))]
        bail!("cannot make the link {} to {target}", path.display())
    }

    /// Puts the directory in its place and removes what was there.
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
