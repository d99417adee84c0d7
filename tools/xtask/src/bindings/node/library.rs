//! The package of the library: TypeScript, compiled.

use std::path::PathBuf;

use anyhow::Result;

use super::{Workshop, folder};
use crate::bindings::typescript;
use crate::dist::tree::Tree;
use crate::process;
use crate::progress::Item;

/// Compiles and packs it.
pub(super) fn make(shop: &Workshop<'_>) -> Result<PathBuf> {
    let sources = shop.workspace.node_package();
    let tree = Tree::begin(&shop.stage("libspeech-sdk"))?;
    let item = Item::start("TypeScript of the library");
    let staged = typescript(shop.workspace, "node", folder(shop.workspace).join("sources"))?;
    let mut tsc = shop.program("tsc");
    tsc.arg("--project").arg(&staged).arg("--rootDir").arg(staged.join("ts"));
    tsc.arg("--outDir").arg(tree.path("lib")?);
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use crate::dist::{PUBLISHED, Platform, VERSION};

    #[test]
    fn the_packages_name_this_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/node");
        let read = |name: &str| -> Value {
            serde_json::from_str(&fs::read_to_string(root.join(name)).unwrap()).unwrap()
        };
        let (library, voices) = (read("package.json"), read("voices/package.json"));
        let mut versions = vec![library["version"].clone(), voices["version"].clone()];
        for kind in ["optionalDependencies", "peerDependencies"] {
            versions.extend(library[kind].as_object().unwrap().values().cloned());
        }
        assert!(versions.iter().all(|version| version == VERSION), "{versions:?}");
        let platforms = PUBLISHED.iter().map(|triple| Platform::named(triple).unwrap());
        let modules: BTreeSet<_> = platforms
            .filter_map(|platform| Some(format!("libspeech-sdk-{}", platform.of_node().ok()?)))
            .collect();
        let named = library["optionalDependencies"].as_object().unwrap().keys().cloned();
        assert_eq!(named.collect::<BTreeSet<_>>(), modules);
    }
}
