//! Functions for folders and for files that are created once.

use std::collections::BTreeSet;

use crate::prelude::*;

/// Removes a file, or a folder with all its contents, if it exists.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path)?,
        Ok(_) => fs::remove_file(path)?,
        Err(_) => {}
    }
    Ok(())
}

/// Creates an empty folder, and returns its path.
pub(crate) fn clear(folder: PathBuf) -> Result<PathBuf> {
    remove(&folder)?;
    made(folder)
}

/// Creates a folder if it does not exist, and returns its path.
pub(crate) fn made(folder: PathBuf) -> Result<PathBuf> {
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The entries of a folder, sorted by name.
pub(crate) fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The paths of all files in a folder and its subfolders, relative to the folder, with slashes.
/// `wanted` filters them; it also receives the path of each subfolder with a trailing slash.
pub(crate) fn within(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut unread = vec![String::new()];
    while let Some(prefix) = unread.pop() {
        for path in listed(&folder.join(&prefix))? {
            let end = if path.is_dir() { "/" } else { "" };
            let relative = format!("{prefix}{}{end}", name_of(&path));
            if !wanted(&relative) {
            } else if path.is_dir() {
                unread.push(relative);
            } else {
                found.insert(relative);
            }
        }
    }
    Ok(found)
}

/// The file name of a path.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a folder with this name ending. Fails if there are none.
pub(crate) fn all(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = listed(folder)?;
    found.retain(|path| name_of(path).ends_with(ending));
    ensure!(!found.is_empty(), "{} has no file *{ending}", folder.display());
    Ok(found)
}

/// The only file of a folder with this name ending.
pub(crate) fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let mut found = all(folder, ending)?;
    ensure!(found.len() == 1, "{} must have one file *{ending}: {found:?}", folder.display());
    Ok(found.remove(0))
}

/// Copies a folder with all its contents.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for path in listed(from)? {
        let place = to.join(name_of(&path));
        if path.is_dir() {
            copy_all(&path, &place)?;
        } else {
            fs::copy(&path, &place)?;
        }
    }
    Ok(())
}

/// The path with `ending` appended to its name.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Runs `make` unless `record` contains these inputs, and then records them. Interrupted work is
/// repeated.
pub(crate) fn once(record: &Path, inputs: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
    if fs::read_to_string(record).is_ok_and(|recorded| recorded == inputs) {
        return Ok(());
    }
    remove(record)?;
    make()?;
    Ok(fs::write(record, inputs)?)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_one_file_is_found() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(only(scratch.path(), ".whl").is_err());
        for name in ["a.whl", "a.tar.gz"] {
            fs::write(scratch.path().join(name), "").unwrap();
        }
        assert_eq!(only(scratch.path(), ".whl").unwrap(), scratch.path().join("a.whl"));
        fs::write(scratch.path().join("b.whl"), "").unwrap();
        assert!(only(scratch.path(), ".whl").unwrap_err().to_string().contains("b.whl"));
    }

    #[test]
    fn what_was_done_is_not_done_again_unless_it_failed() {
        let scratch = tempfile::tempdir().unwrap();
        let record = scratch.path().join("record");
        let done = Cell::new(0);
        let make = |inputs, passes: bool| {
            once(&record, inputs, || {
                done.set(done.get() + 1);
                ensure!(passes, "it fails");
                Ok(())
            })
            .is_ok()
        };
        assert!(make("a", true) && make("a", true) && done.get() == 1);
        assert!(!make("b", false) && make("a", true) && done.get() == 3, "{done:?}");
    }
}
