//! The package of the voices, which has nothing in it that runs.

use std::path::PathBuf;

use anyhow::Result;

use super::{Workshop, small};
use crate::bindings::VOICES;
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::dist::licences;
use crate::dist::pack::recompress;
use crate::dist::tree::Tree;

/// Packs the voice bundle.
pub(super) fn make(shop: &Workshop<'_>, cache: &Cache) -> Result<PathBuf> {
    let sources = shop.workspace.node_package().join("voices");
    let tree = Tree::begin(&shop.stage("libspeech-sdk-voices"))?;
    for file in ["package.json", "README.md"] {
        tree.copy(&sources.join(file), file)?;
    }
    licences::write_own(&tree, "licenses", shop.workspace)?;
    let _lock = cache.lock()?;
    let bundle = Bundle::ensure(shop.workspace, cache, None)?;
    bundle.copy_to(&tree.path("bundle")?)?;
    let packed = recompress(shop.workspace, &shop.pack(&tree.finish()?)?)?;
    small(&packed, VOICES)?;
    Ok(packed)
}
