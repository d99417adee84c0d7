//! The licence texts in the wheel of the library: those of this repository, and of what is compiled in.

use anyhow::Result;

use super::Workshop;
use crate::dist::licences;
use crate::dist::packages::Packages;
use crate::dist::toolchain;
use crate::dist::tree::Tree;

/// Writes them where the project has them.
pub(super) fn write(shop: &Workshop<'_>, packages: &Packages) -> Result<()> {
    let tree = Tree::begin(&shop.workspace.python_package().join("licenses"))?;
    for text in ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"] {
        tree.copy(&shop.workspace.root().join(text), text)?;
    }
    tree.write("rust-packages.txt", &licences::collect(packages)?)?;
    for (name, path) in toolchain::licences(shop.workspace, shop.platform)? {
        tree.copy(&path, name)?;
    }
    tree.finish().map(drop)
}
