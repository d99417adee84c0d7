//! The package of the native module, which is of one platform.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Workshop, check, small};
use crate::bindings::MODULE;
use crate::dist::packages::Packages;
use crate::dist::tree::Tree;
use crate::dist::{Platform, VERSION, compile, licences, sbom};
use crate::workspace::Workspace;

const PACKAGE: &str = "speech-node";

/// Compiles the module and packs it.
pub(super) fn make(shop: &Workshop<'_>, platform: &Platform) -> Result<PathBuf> {
    let workspace = shop.workspace;
    let (packages, compiled) = compile(workspace, platform)?;
    let name = platform.of_node()?;
    let file = file(&name);
    let tree = Tree::begin(&shop.stage(&format!("libspeech-sdk-{name}")))?;
    tree.copy(&compiled, &file)?;
    tree.write("package.json", &format!("{:#}\n", description(&name)))?;
    tree.write("README.md", &readme(&name))?;
    licences::write(&tree, "licenses", workspace, platform, &packages)?;
    tree.write("sbom.cdx.json", &sbom::of_module(workspace, platform, &packages)?)?;
    let package = tree.finish()?;
    check::module(shop, platform, &fs::read(package.join(&file))?)?;
    let packed = shop.pack(&package)?;
    small(&packed, MODULE)?;
    Ok(packed)
}

/// Compiles the module, and says what is in it.
pub(super) fn compile(workspace: &Workspace, platform: &Platform) -> Result<(Packages, PathBuf)> {
    let packages = Packages::of_library(workspace, platform, PACKAGE)?;
    let compiled = compile::module(workspace, platform, &packages, PACKAGE)?;
    Ok((packages, compiled))
}

fn file(name: &str) -> String {
    format!("libspeech.{name}.node")
}

fn description(name: &str) -> Value {
    let mut parts = name.split('-');
    let (system, processor) = (parts.next(), parts.next());
    let mut description = json!({
        "name": format!("libspeech-sdk-{name}"),
        "version": VERSION,
        "description": format!("The native module of libspeech-sdk for {name}."),
        "license": "MIT OR Apache-2.0",
        "author": "The libspeech authors",
        "os": [system],
        "cpu": [processor],
        "engines": { "node": ">=18" },
        "main": file(name),
        "files": [file(name), "licenses", "sbom.cdx.json"],
    });
    if let Some(library) = parts.next() {
        let library = if library == "gnu" { "glibc" } else { library };
        description["libc"] = json!([library]);
    }
    description
}

fn readme(name: &str) -> String {
    format!(
        "# libspeech-sdk-{name}\n\n\
         The native module of `libspeech-sdk` for {name}. npm installs it with that package: ask for that one.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_installs_it_where_it_works() {
        let linux = description("linux-x64-gnu");
        assert_eq!(linux["os"], json!(["linux"]));
        assert_eq!(linux["cpu"], json!(["x64"]));
        assert_eq!(linux["libc"], json!(["glibc"]));
        assert_eq!(description("linux-arm64-musl")["libc"], json!(["musl"]));
        assert!(description("darwin-arm64").get("libc").is_none());
        assert_eq!(description("win32-x64")["os"], json!(["win32"]));
    }
}
