//! Builds and tests the Node packages: the library in TypeScript, a native module for each
//! platform, and the voices. The tests install the packages as users do.

mod installed;

use serde_json::{Value, json};

use super::{MODULE, Make, VOICES, pack_npm, show, small, typescript};
use crate::dist::compile::Module;
use crate::dist::gates::Kind;
use crate::dist::pack::recompress;
use crate::dist::{Platform, VERSION, licences};
use crate::prelude::*;

pub(crate) use self::installed::{
    check_types, empty_project, install, project, test, test_memory, test_others,
};

/// The Rust package of the native module.
const RUST: &str = "speech-node";

/// `cargo xtask npm`: builds and checks the packages, and prints their sizes.
pub(crate) fn make(make: &Make) -> Result<()> {
    let platforms = make.platforms()?;
    let _lock = Lock::of("npm")?;
    tools()?;
    let out = make.out.clone().unwrap_or_else(packages);
    let inputs = inputs(make, &platforms)?;
    inputs.make("node-packages", (&out, &[".tgz"]), || {
        make.folder(out.clone())?;
        platforms.iter().try_for_each(|platform| make_module(platform, &out))?;
        make_library(&out)?;
        if make.without_voices { Ok(()) } else { make_voices(&out) }
    })?;
    show(&all(&out, ".tgz")?)
}

/// The inputs that determine the files.
fn inputs(make: &Make, platforms: &[Platform]) -> Result<Inputs> {
    let mut inputs = Inputs::new()?
        .sources(&["LICENSE-APACHE", "LICENSE-MIT", "NOTICE", "Cargo.lock"])?
        .sources(&["bindings/node", "bindings/typescript", "tools/xtask/node"])?
        .said_by(npm::command()?.arg("version"))?;
    for platform in platforms {
        inputs = inputs.built(&Module::new(platform, RUST, Kind::Node)?.path)?;
    }
    if make.without_voices {
        return Ok(inputs);
    }
    let _lock = cache::lock()?;
    Ok(inputs.named("voices", Bundle::ensure(None)?.directory().to_string_lossy()))
}

/// Builds the package of the native module for one platform.
fn make_module(platform: &Platform, out: &Path) -> Result<()> {
    let module = Module::new(platform, RUST, Kind::Node)?;
    let name = platform.of_node()?;
    let tree = Tree::begin(&stage(&format!("libspeech-sdk-{name}")))?;
    tree.copy(&module.path, &module_file(name))?;
    tree.write("package.json", &format!("{:#}\n", module_description(name)))?;
    tree.write(
        "README.md",
        &format!(
            "# libspeech-sdk-{name}\n\n\
             The native module of `libspeech-sdk` for {name}. npm installs it with that package: ask for that one.\n"
        ),
    )?;
    module.document(&tree, "licenses", "sbom.cdx.json")?;
    small(&pack(&tree.finish()?, out)?, MODULE)
}

fn module_file(name: &str) -> String {
    format!("libspeech.{name}.node")
}

fn module_description(name: &str) -> Value {
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
        "main": module_file(name),
        "files": [module_file(name), "licenses", "sbom.cdx.json"],
    });
    if let Some(library) = parts.next() {
        let library = if library == "gnu" { "glibc" } else { library };
        description["libc"] = json!([library]);
    }
    description
}

/// Compiles the package of the library, and checks that every form of import finds it and its
/// types.
fn make_library(out: &Path) -> Result<()> {
    let sources = root().join("bindings/node");
    let tree = Tree::begin(&stage("libspeech-sdk"))?;
    let staged = typescript("node", folder().join("sources"))?;
    let mut tsc = program("tsc");
    tsc.arg("--project").arg(&staged).arg("--rootDir").arg(staged.join("ts"));
    tsc.arg("--outDir").arg(tree.path("lib")?);
    tsc.arg("--typeRoots").arg(folder().join("tools/node_modules/@types"));
    process::titled("TypeScript of the library", &mut tsc)?;
    for file in ["package.json", "README.md"] {
        tree.copy(&sources.join(file), file)?;
    }
    for text in ["LICENSE-APACHE", "LICENSE-MIT"] {
        tree.copy(&root().join(text), &format!("licenses/{text}"))?;
    }
    let stage = tree.finish()?;
    let packed = pack(&stage, out)?;
    process::shown(program("publint").arg("--strict").arg(&stage))?;
    process::shown(program("attw").args(["--no-emoji", "--no-color"]).arg(packed))
}

/// Packs the voice bundle, which contains no code.
fn make_voices(out: &Path) -> Result<()> {
    let tree = Tree::begin(&stage("libspeech-sdk-voices"))?;
    for file in ["package.json", "README.md"] {
        tree.copy(&root().join("bindings/node/voices").join(file), file)?;
    }
    licences::write_own(&tree, "licenses")?;
    let _lock = cache::lock()?;
    Bundle::ensure(None)?.copy_to(&tree.path("bundle")?)?;
    small(&recompress(&pack(&tree.finish()?, out)?)?, VOICES)
}

/// The folder in which a package is assembled.
fn stage(name: &str) -> PathBuf {
    folder().join("stage").join(name)
}

fn pack(package: &Path, out: &Path) -> Result<PathBuf> {
    pack_npm(package, folder().join("packed"), out)
}

/// A command that runs one of the tools.
fn program(name: &str) -> Command {
    Command::new(folder().join("tools/node_modules/.bin").join(name))
}

/// Installs the tools that build and check the package, and returns their folder.
fn tools() -> Result<PathBuf> {
    let tools = folder().join("tools");
    npm::install("tools for Node", &root().join("tools/xtask/node"), &tools)?;
    Ok(tools)
}

/// Installs runtimes other than Node, and returns their folder.
fn runtimes() -> Result<PathBuf> {
    let runtimes = folder().join("runtimes");
    npm::install("Bun and Deno", &root().join("tools/xtask/runtimes"), &runtimes)?;
    Ok(runtimes)
}

/// Downloads the dependencies.
pub(crate) fn fetch() -> Result<()> {
    tools()?;
    runtimes().map(drop)
}

/// The folder for building and testing.
fn folder() -> PathBuf {
    target().join("node")
}

/// The default folder of the packages; `--out` names another one.
pub(crate) fn packages() -> PathBuf {
    target().join("npm")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dist::published;

    #[test]
    fn the_packages_name_this_version() {
        let read = |name: &str| -> Value {
            let path = root().join("bindings/node").join(name);
            serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
        };
        let (library, voices) = (read("package.json"), read("voices/package.json"));
        let mut versions = vec![library["version"].clone(), voices["version"].clone()];
        for kind in ["optionalDependencies", "peerDependencies"] {
            versions.extend(library[kind].as_object().unwrap().values().cloned());
        }
        assert!(versions.iter().all(|version| version == VERSION), "{versions:?}");
        let names = published().into_iter().filter_map(|it| it.of_node().ok());
        let modules: BTreeSet<_> = names.map(|name| format!("libspeech-sdk-{name}")).collect();
        let named = library["optionalDependencies"].as_object().unwrap().keys().cloned();
        assert_eq!(named.collect::<BTreeSet<_>>(), modules);
    }

    #[test]
    fn npm_installs_a_module_where_it_works() {
        let of = |name: &str| {
            let description = module_description(name);
            ["os", "cpu", "libc"].map(|key| description[key][0].as_str().unwrap_or("").to_owned())
        };
        assert_eq!(of("linux-x64-gnu"), ["linux", "x64", "glibc"]);
        assert_eq!(of("linux-arm64-musl"), ["linux", "arm64", "musl"]);
        assert_eq!(of("darwin-arm64"), ["darwin", "arm64", ""]);
        assert_eq!(of("win32-x64"), ["win32", "x64", ""]);
    }
}
