//! The voices, which are one tar file in their jar.

use anyhow::Result;

use super::stage as place;
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
    let _lock = cache.lock()?;
    Bundle::ensure(workspace, cache, None)?.write_tar(&tree.path(file)?)?;
    Ok(())
}
