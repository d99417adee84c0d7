//! The web package as npm installs it: the library in TypeScript, and the WebAssembly module in three builds. And its tests, which
//! run it in Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use super::{pack_npm, show};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::digest;
use crate::dist::licences;
use crate::dist::pack::recompress;
use crate::dist::platform::{missing_standard_libraries, rustc};
use crate::dist::tree::Tree;
use crate::lock::Lock;
use crate::npm;
use crate::process;
use crate::progress::{Item, note};
use crate::workspace::Workspace;

/// The name of the package.
const NAME: &str = "libspeech-sdk-web";

/// The file of the voices beside it.
const VOICES: &str = "libspeech-voices-compact.tar.gz";

/// The most memory that threads can share, in bytes: the address space is set aside, and memory as it is used.
const MAX_MEMORY: u32 = 1 << 30;

/// A build of the module.
struct Build {
    file: &'static str,
    target: &'static str,
    features: &'static str,
}

/// In the order in which a browser that has everything would rather not have them.
const BUILDS: [Build; 3] = [
    Build { file: "speech.wasm", target: "wasm32-wasip1", features: "+simd128" },
    Build {
        file: "speech-relaxed.wasm",
        target: "wasm32-wasip1",
        features: "+simd128,+relaxed-simd",
    },
    Build {
        file: "speech-threads.wasm",
        target: "wasm32-wasip1-threads",
        features: "+simd128,+relaxed-simd",
    },
];

#[derive(Args)]
pub(crate) struct Web {
    /// Test the package in Chromium, too.
    #[arg(long)]
    test: bool,
    /// Take the package that was made before.
    #[arg(long, requires = "test")]
    made: bool,
}

impl Web {
    /// Makes the package and the file of the voices, and tests them.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let _lock = Lock::acquire(&workspace.target().join("web.lock"))?;
        if !self.made {
            make(workspace, cache)?;
        }
        if self.test { test(workspace) } else { Ok(()) }
    }
}

/// Where everything is put together and tested.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("web")
}

fn make(workspace: &Workspace, cache: &Cache) -> Result<()> {
    if let Some(install) = missing_standard_libraries(BUILDS.map(|build| build.target))? {
        anyhow::bail!("Rust for WebAssembly is missing: run `{install}` and the command again");
    }
    let out = folder(workspace);
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let voices = voices(workspace, cache, &out.join(VOICES))?;
    let sources = workspace.root().join("bindings/web");
    let tree = Tree::begin(&out.join("stage").join(NAME))?;
    for build in &BUILDS {
        tree.copy(&compile(workspace, build)?, &format!("lib/{}", build.file))?;
    }
    let tools = tools(workspace)?;
    let item = Item::start("TypeScript of the web package");
    let mut tsc = Command::new(tools.join("node_modules/.bin/tsc"));
    tsc.arg("--project").arg(&sources).arg("--outDir").arg(tree.path("lib")?);
    process::quiet(&mut tsc, &item)?;
    item.finish("");
    // The voices that belong to the version, by which a page checks what it has fetched.
    tree.write("lib/release.js", &voices.module())?;
    for file in ["package.json", "README.md"] {
        tree.copy(&sources.join(file), file)?;
    }
    licences::write_own(&tree, "licenses", workspace)?;
    let package = pack_npm(&tree.finish()?, out.join("packed"), &out)?;
    show(&[package, out.join(VOICES)])
}

/// Compiles a build of the module, and gives its file.
fn compile(workspace: &Workspace, build: &Build) -> Result<PathBuf> {
    let Build { file, target, features } = build;
    note(&format!("compiling {file}"));
    // Builds of one target with other features would take the place of each other.
    let out = folder(workspace).join("cargo").join(file.trim_end_matches(".wasm"));
    let libraries = PathBuf::from(rustc(&["--print", "target-libdir", "--target", target])?);
    let mut cargo = workspace.cargo("rustc");
    cargo.args(["--package", "speech-web", "--profile", "dist", "--locked", "--target", target]);
    let root = workspace.root().display();
    let flags =
        [format!("-Ctarget-feature={features}"), format!("--remap-path-prefix={root}=/libspeech")];
    cargo.arg("--target-dir").arg(&out).env_remove("RUSTFLAGS");
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    let link = |flag: &str| format!("-Clink-arg={flag}");
    // What begins a library that is called many times, and does not end with the first call; a cdylib has none of itself.
    let begin = libraries.join("self-contained").join("crt1-reactor.o");
    cargo.arg("--").arg(link(&begin.display().to_string())).arg(link("--export=_initialize"));
    if target.ends_with("-threads") {
        let shared = ["--import-memory", "--export-memory", "--shared-memory"];
        cargo.args(shared.map(link)).arg(link(&format!("--max-memory={MAX_MEMORY}")));
    }
    process::shown(&mut cargo)?;
    Ok(out.join(target).join("dist").join("speech_web.wasm"))
}

/// What is known of the file of the voices.
struct Voices {
    bytes: u64,
    sha256: String,
    unpacked: u64,
}

impl Voices {
    fn module(&self) -> String {
        let Self { bytes, sha256, unpacked } = self;
        format!(
            "/** The voices of this version. */\nexport const VOICES = {{ bytes: {bytes}, sha256: \"{sha256}\", unpacked: {unpacked} }};\n"
        )
    }
}

/// Makes the file of the voices.
fn voices(workspace: &Workspace, cache: &Cache, file: &Path) -> Result<Voices> {
    let _lock = cache.lock()?;
    let bundle = Bundle::ensure(workspace, cache, None)?.compacted(workspace)?;
    let tar = file.with_extension("");
    bundle.write_tar(&tar)?;
    let unpacked = fs::metadata(&tar)?.len();
    recompress(workspace, &tar)?;
    fs::remove_file(&tar)?;
    let sha256 = digest::of_file(file)?.context("the voices were not written")?;
    Ok(Voices { bytes: fs::metadata(file)?.len(), sha256, unpacked })
}

/// Installs what builds and tests the package, and gives its folder.
fn tools(workspace: &Workspace) -> Result<PathBuf> {
    let tools = folder(workspace).join("tools");
    npm::install("tools for the web package", &workspace.xtask().join("web"), &tools)?;
    Ok(tools)
}

/// Runs the tests in Chromium, on the packed package.
fn test(workspace: &Workspace) -> Result<()> {
    let out = folder(workspace);
    let tools = tools(workspace)?;
    let mut node = Command::new("node");
    node.arg("--test").arg(workspace.root().join("bindings/web/tests"));
    node.env("WEB_PACKAGE", out.join("stage").join(NAME));
    node.env("WEB_VOICES", out.join(VOICES)).env("WEB_TOOLS", tools.join("node_modules"));
    process::shown(&mut node)
}
