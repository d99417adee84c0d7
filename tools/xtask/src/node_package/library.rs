//! The package of the library: TypeScript, compiled.

use std::path::PathBuf;

use anyhow::Result;

use super::Workshop;
use crate::dist::tree::Tree;
use crate::process;
use crate::progress::Item;

/// Compiles and packs it.
pub(super) fn make(shop: &Workshop<'_>) -> Result<PathBuf> {
    let sources = shop.workspace.node_package();
    let tree = Tree::begin(&shop.stage("libspeech-sdk"))?;
    let item = Item::start("TypeScript of the library");
    let mut tsc = shop.program("tsc");
    tsc.arg("--project").arg(&sources).arg("--outDir").arg(tree.path("lib")?);
    tsc.arg("--typeRoots").arg(shop.tools.join("node_modules").join("@types"));
    process::quiet(&mut tsc, &item)?;
    item.finish("");
    for file in ["package.json", "README.md"] {
        tree.copy(&sources.join(file), file)?;
    }
    for text in ["LICENSE-APACHE", "LICENSE-MIT"] {
        tree.copy(&shop.workspace.root().join(text), &format!("licenses/{text}"))?;
    }
    shop.pack(&tree.finish()?)
}
