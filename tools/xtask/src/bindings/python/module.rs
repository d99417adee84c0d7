//! The wheel of the library and its sources, which maturin makes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Workshop, only};
use crate::dist::compile;
use crate::dist::gates::GLIBC;
use crate::dist::packages::Packages;
use crate::dist::tree::Tree;
use crate::dist::{Platform, VERSION, licences, sbom};
use crate::process;
use crate::progress::Item;

/// Compiles the module with the profile `dist` and makes the wheel.
pub(super) fn make(shop: &Workshop<'_>) -> Result<PathBuf> {
    let packages = Packages::of_library(shop.workspace, shop.platform, "speech-python")?;
    write_licences(shop, &packages)?;
    let out = shop.folder("module")?;
    let list = list(shop, &packages, &out)?;
    let mut maturin = shop.program("maturin");
    maturin.args(["build", "--locked", "--manifest-path"]).arg(manifest(shop));
    maturin.arg("--out").arg(&out).arg("--sbom-include").arg(list);
    maturin.args(["--target", shop.platform.triple()]).current_dir(shop.workspace.root());
    maturin.env("CARGO_TARGET_DIR", shop.workspace.target());
    if shop.platform.has_glibc() {
        maturin.args(["--compatibility", &level(), "--auditwheel", "check"]);
    }
    compile::link(&mut maturin, shop.workspace, shop.platform)?;
    compile::keep_paths_out(&mut maturin, shop.workspace, &packages)?;
    process::shown(&mut maturin)?;
    only(&out, ".whl")
}

/// Writes the licence texts where the project has them.
fn write_licences(shop: &Workshop<'_>, packages: &Packages) -> Result<()> {
    let tree = Tree::begin(&shop.workspace.python_package().join("licenses"))?;
    licences::write(&tree, ".", shop.workspace, packages)?;
    tree.finish().map(drop)
}

/// Packs the sources.
pub(super) fn sources(shop: &Workshop<'_>) -> Result<PathBuf> {
    let out = shop.folder("sources")?;
    let item = Item::start("sources of the library");
    let mut maturin = shop.program("maturin");
    maturin.args(["sdist", "--manifest-path"]).arg(manifest(shop)).arg("--out").arg(&out);
    process::quiet(maturin.current_dir(shop.workspace.root()), &item)?;
    item.finish("");
    only(&out, ".tar.gz")
}

/// What a wheel for this platform is called.
pub(super) fn name(platform: &Platform) -> String {
    let processor = platform.triple().split('-').next().unwrap_or_default();
    format!("libspeech_sdk-{VERSION}-cp39-abi3-{}_{processor}.whl", level())
}

/// The level of the manylinux standard that goes with the glibc that everything shipped is linked against.
fn level() -> String {
    format!("manylinux_{}", GLIBC.replace('.', "_"))
}

fn manifest(shop: &Workshop<'_>) -> PathBuf {
    shop.workspace.python_package().join("Cargo.toml")
}

/// The list of components. That of maturin has paths of the machine in it.
fn list(shop: &Workshop<'_>, packages: &Packages, folder: &Path) -> Result<PathBuf> {
    let path = folder.join("sbom.cdx.json");
    fs::write(&path, sbom::of_module(shop.platform, packages)?)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
