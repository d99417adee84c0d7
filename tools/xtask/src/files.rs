//! Folders, and files that are made once.

use std::collections::BTreeSet;

use crate::prelude::*;

/// Removes a folder with all that is in it, or a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path)?,
        Ok(_) => fs::remove_file(path)?,
        Err(_) => {}
    }
    Ok(())
}

/// Makes an empty folder, and returns its path.
pub(crate) fn clear(folder: PathBuf) -> Result<PathBuf> {
    remove(&folder)?;
    made(folder)
}

/// Makes a folder if it is not there, and returns its path.
pub(crate) fn made(folder: PathBuf) -> Result<PathBuf> {
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// What is in a folder, in the order of the names.
pub(crate) fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The files of a folder and the folders in it, by their paths from there with slashes. `wanted` chooses: it receives the path of each
/// folder too, with a slash at the end.
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

/// The name of a file, in a folder.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a folder whose names end so, of which there must be some.
pub(crate) fn all(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = listed(folder)?;
    found.retain(|path| name_of(path).ends_with(ending));
    ensure!(!found.is_empty(), "{} has no file *{ending}", folder.display());
    Ok(found)
}

/// The one file of a folder whose name ends so.
pub(crate) fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let mut found = all(folder, ending)?;
    ensure!(found.len() == 1, "{} must have one file *{ending}: {found:?}", folder.display());
    Ok(found.remove(0))
}

/// Copies a folder with all that is in it.
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

/// The path with more at the end of its name.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Does something unless a file records these inputs, and then records them. One that was interrupted is done again.
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
