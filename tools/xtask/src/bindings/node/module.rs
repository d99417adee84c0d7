//! The package of the native module, which is of one platform.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::{Workshop, check, small};
use crate::bindings::MODULE;
use crate::dist::packages::Packages;
use crate::dist::tree::Tree;
use crate::dist::{Platform, VERSION, compile, licences, sbom};

/// Compiles the module with the profile `dist` and packs it.
pub(super) fn make(shop: &Workshop<'_>) -> Result<PathBuf> {
    let (workspace, platform) = (shop.workspace, shop.platform);
    let packages = Packages::of_library(workspace, platform, "speech-node")?;
    let compiled = compile::module(workspace, platform, &packages, "speech-node")?;
    let name = name(platform)?;
    let file = file(&name);
    let tree = Tree::begin(&shop.stage(&format!("libspeech-sdk-{name}")))?;
    tree.copy(&compiled, &file)?;
    tree.write("package.json", &format!("{:#}\n", description(&name)))?;
    tree.write("README.md", &readme(&name))?;
    licences::write(&tree, "licenses", workspace, &packages)?;
    tree.write("sbom.cdx.json", &sbom::of_module(platform, &packages)?)?;
    let package = tree.finish()?;
    check::module(shop, &fs::read(package.join(&file))?)?;
    let packed = shop.pack(&package)?;
    small(&packed, MODULE)?;
    Ok(packed)
}

/// What Node calls a platform.
pub(super) fn name(platform: &Platform) -> Result<String> {
    let triple = platform.triple();
    let processor = match triple.split('-').next() {
        Some("x86_64") => "x64",
        Some("aarch64") => "arm64",
        _ => bail!("there is no package of Node for {triple}"),
    };
    Ok(match platform.has_glibc() {
        true => format!("linux-{processor}-gnu"),
        false if platform.has_elf() => format!("linux-{processor}-musl"),
        false => format!("darwin-{processor}"),
    })
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
    }
}
