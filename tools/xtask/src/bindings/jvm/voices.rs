//! The voices, which are one tar file in their jar.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{clear, folder, stage as place};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::dist::licences;
use crate::dist::tree::Tree;
use crate::progress::Item;
use crate::workspace::Workspace;

/// Puts together what the jar has.
pub(super) fn stage(workspace: &Workspace, cache: &Cache) -> Result<()> {
    let item = Item::start("voices for the JVM");
    let tree = Tree::begin(&place(workspace, "voices"))?;
    write(&tree, "io/libspeech/voices/bundle.tar", workspace, cache)?;
    tree.finish()?;
    item.finish("");
    Ok(())
}

/// Writes the voices as a tar file into a package, and their licences.
pub(super) fn write(tree: &Tree, file: &str, workspace: &Workspace, cache: &Cache) -> Result<()> {
    licences::write_own(tree, "META-INF/libspeech/voices", workspace)?;
    let copy = clear(folder(workspace).join("bundle"))?.join("bundle");
    let lock = cache.lock()?;
    Bundle::ensure(workspace, cache, None)?.copy_to(&copy)?;
    drop(lock);
    pack(&copy, &tree.path(file)?)
}

/// Writes the files of a folder into a tar file, which is the same bytes whenever it is made.
fn pack(folder: &Path, file: &Path) -> Result<()> {
    let context = || format!("cannot write {}", file.display());
    let mut archive = tar::Builder::new(fs::File::create(file).with_context(context)?);
    archive.mode(tar::HeaderMode::Deterministic);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        names.push(entry?.file_name());
    }
    names.sort();
    for name in names {
        archive.append_path_with_name(folder.join(&name), &name).with_context(context)?;
    }
    archive.finish().with_context(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_are_the_same_bytes() {
        let scratch = tempfile::tempdir().unwrap();
        let pack_as = |name: &str, files: &[&str]| {
            let folder = scratch.path().join(name);
            fs::create_dir(&folder).unwrap();
            for file in files {
                fs::write(folder.join(file), file).unwrap();
            }
            let tar = scratch.path().join(format!("{name}.tar"));
            pack(&folder, &tar).unwrap();
            fs::read(tar).unwrap()
        };
        assert_eq!(pack_as("one", &["a", "b"]), pack_as("other", &["b", "a"]));
    }
}
