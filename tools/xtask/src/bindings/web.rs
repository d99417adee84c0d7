//! The web package as npm installs it: the library in TypeScript, and the WebAssembly module in three builds. And its tests, which
//! run it in Chromium and Firefox. And the page of `examples/web`, with the package and the voices beside it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::{all, pack_npm, show, typescript};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::digest;
use crate::dist::packages::Packages;
use crate::dist::platform::{missing_standard_libraries, rustc};
use crate::dist::tree::Tree;
use crate::dist::{VERSION, compile, gates, licences, sbom, toolchain};
use crate::lock::Lock;
use crate::npm;
use crate::process;
use crate::programs;
use crate::progress::{Item, note};
use crate::workspace::Workspace;

/// The Rust package.
const LIBRARY: &str = "speech-web";

/// The name of the package.
pub(crate) const NAME: &str = "libspeech-sdk-web";

/// The bundles that it fetches, each of which is a file.
pub(crate) const BUNDLES: [&str; 2] = ["compact", "light"];

/// In the package, what is known of those files.
pub(crate) const RELEASE: &str = "lib/release.js";

/// The most memory that threads can share, in bytes: the address space is set aside, and memory as it is used.
const MAX_MEMORY: u32 = 1 << 30;

/// A build of the module.
pub(crate) struct Build {
    file: &'static str,
    pub(crate) target: &'static str,
    features: &'static str,
}

/// In the order in which a browser that has everything would rather not have them.
pub(crate) const BUILDS: [Build; 3] = [
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
    /// Test the package in Chromium and Firefox, too.
    #[arg(long)]
    test: bool,
    /// Take the package that was made before.
    #[arg(long, requires = "test")]
    made: bool,
}

impl Web {
    /// Makes the package, and tests it.
    pub(crate) fn tested() -> Self {
        Web { test: true, made: false }
    }

    /// Makes the package and the files of the voices, and tests them.
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
    let voices = voices(workspace, cache)?;
    let sources = workspace.root().join("bindings/web");
    let tree = Tree::begin(&staged(workspace))?;
    // The packages are those of all builds: they depend on none of the features.
    let packages = Packages::of_target(workspace, BUILDS[0].target, LIBRARY)?;
    let parts = toolchain::parts_of_wasi(workspace)?;
    for build in &BUILDS {
        tree.copy(&build_module(workspace, build, &packages)?, &format!("lib/{}", build.file))?;
    }
    let tools = tools(workspace)?;
    let item = Item::start("TypeScript of the web package");
    let staged = typescript(workspace, "web", folder(workspace).join("sources"))?;
    let mut tsc = Command::new(tools.join("node_modules/.bin/tsc"));
    tsc.arg("--project").arg(&staged).arg("--rootDir").arg(staged.join("ts"));
    tsc.arg("--outDir").arg(tree.path("lib")?);
    process::quiet(&mut tsc, &item)?;
    item.finish("");
    // The voices that belong to the version, by which a page checks what it has fetched.
    tree.write(RELEASE, &release(&voices))?;
    for file in ["package.json", "README.md"] {
        tree.copy(&sources.join(file), file)?;
    }
    licences::write_with(&tree, "licenses", workspace, &parts, &packages)?;
    tree.write("sbom.cdx.json", &sbom::of_target(BUILDS[0].target, parts, &packages)?)?;
    let packages = workspace.target().join("npm");
    fs::create_dir_all(&packages).with_context(|| packages.display().to_string())?;
    let staged = tree.finish()?;
    let page = demo(workspace, &staged)?;
    let mut made = vec![pack_npm(&staged, out.join("packed"), &packages)?];
    made.extend(voices_files(workspace));
    show(&made)?;
    note(&format!("the page: python3 -m http.server --directory {}", page.display()));
    Ok(())
}

/// Puts the page of `examples/web` together as it is served, in `target/web/demo`, and gives its folder.
fn demo(workspace: &Workspace, package: &Path) -> Result<PathBuf> {
    let page = Tree::begin(&folder(workspace).join("demo"))?;
    let sources = workspace.root().join("examples/web");
    for file in all(&sources, "")? {
        if file.extension().is_none_or(|extension| extension != "md") {
            page.copy(&file, &name_of(&file)?)?;
        }
    }
    // Without the types, which a browser has no use for.
    for file in all(&package.join("lib"), "")? {
        let name = name_of(&file)?;
        if !name.ends_with(".d.ts") {
            page.copy(&file, &format!("libspeech/lib/{name}"))?;
        }
    }
    for file in voices_files(workspace) {
        page.copy(&file, &name_of(&file)?)?;
    }
    page.finish()
}

fn name_of(file: &Path) -> Result<String> {
    let name = file.file_name().and_then(|name| name.to_str());
    Ok(name.with_context(|| format!("{} has no name", file.display()))?.to_owned())
}

/// The folder of the package and the files of the [`BUNDLES`], which were made before.
pub(crate) fn made(workspace: &Workspace) -> Result<(PathBuf, [PathBuf; 2])> {
    let (package, voices) = (staged(workspace), voices_files(workspace));
    let is_made = package.is_dir() && voices.iter().all(|file| file.is_file());
    ensure!(is_made, "there is no web package: run `cargo xtask web`");
    Ok((package, voices))
}

/// The folder of the package, before it is packed.
fn staged(workspace: &Workspace) -> PathBuf {
    folder(workspace).join("stage").join(NAME)
}

/// The name of the file of a bundle.
pub(crate) fn voices_file(bundle: &str) -> String {
    format!("libspeech-voices-{bundle}.tar.gz")
}

/// Where the files of the [`BUNDLES`] are put: with the others of a release.
fn voices_files(workspace: &Workspace) -> [PathBuf; 2] {
    BUNDLES.map(|bundle| workspace.target().join("dist").join(voices_file(bundle)))
}

/// Compiles a build of the module, and gives its file.
fn build_module(workspace: &Workspace, build: &Build, packages: &Packages) -> Result<PathBuf> {
    let Build { file, target, features } = build;
    note(&format!("compiling {file}"));
    // Builds of one target with other features would take the place of each other.
    let out = folder(workspace).join("cargo").join(file.trim_end_matches(".wasm"));
    let libraries = PathBuf::from(rustc(&["--print", "target-libdir", "--target", target])?);
    let mut cargo = workspace.cargo("rustc");
    cargo.args(["--package", LIBRARY, "--profile", "dist", "--locked", "--target", target]);
    let mut flags = OsString::from(format!("-Ctarget-feature={features}"));
    for flag in compile::renaming_flags(workspace, packages)? {
        flags.push("\u{1f}");
        flags.push(flag);
    }
    cargo.arg("--target-dir").arg(&out).env_remove("RUSTFLAGS");
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags);
    let link = |flag: &str| format!("-Clink-arg={flag}");
    // What begins a library that is called many times, and does not end with the first call; a cdylib has none of itself.
    let begin = libraries.join("self-contained").join("crt1-reactor.o");
    cargo.arg("--").arg(link(&begin.display().to_string())).arg(link("--export=_initialize"));
    if target.ends_with("-threads") {
        let shared = ["--import-memory", "--export-memory", "--shared-memory"];
        cargo.args(shared.map(link)).arg(link(&format!("--max-memory={MAX_MEMORY}")));
    }
    process::shown(&mut cargo)?;
    let module = out.join(target).join("dist").join("speech_web.wasm");
    let bytes = fs::read(&module).with_context(|| module.display().to_string())?;
    gates::no_private_paths(file, &bytes, &compile::private_directories(workspace))?;
    Ok(module)
}

/// A file of voices, as the package knows it.
struct Voices {
    bytes: usize,
    sha256: String,
    unpacked: u32,
}

impl Voices {
    fn of(file: &Path) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        // RFC 1952, 2.3.1: a gzip file ends with the length of what is in it.
        let length = bytes.last_chunk().context("the voices were not written")?;
        let unpacked = u32::from_le_bytes(*length);
        Ok(Voices { bytes: bytes.len(), sha256: digest::of_bytes(&bytes), unpacked })
    }
}

/// The text of [`RELEASE`].
fn release(voices: &[Voices]) -> String {
    let line = |(bundle, voices): (&str, &Voices)| {
        let Voices { bytes, sha256, unpacked } = voices;
        format!("  {bundle}: {{ bytes: {bytes}, sha256: \"{sha256}\", unpacked: {unpacked} }},\n")
    };
    let lines: String = BUNDLES.into_iter().zip(voices).map(line).collect();
    format!("/** The voices of this version. */\nexport const VOICES = {{\n{lines}}};\n")
}

/// Makes the files of the voices.
fn voices(workspace: &Workspace, cache: &Cache) -> Result<Vec<Voices>> {
    let _lock = cache.lock()?;
    let whole = Bundle::ensure(workspace, cache, None)?;
    let [compact, light] = voices_files(workspace);
    let folder = workspace.target().join("dist");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    whole.compacted(workspace)?.write_to(workspace, &compact)?;
    whole.with_qualities(workspace, &["light".to_owned()])?.write_to(workspace, &light)?;
    [compact, light].iter().map(|file| Voices::of(file)).collect()
}

/// Installs what builds and tests the package, and gives its folder.
fn tools(workspace: &Workspace) -> Result<PathBuf> {
    let tools = folder(workspace).join("tools");
    npm::install("tools for the web package", &workspace.xtask().join("web"), &tools)?;
    Ok(tools)
}

/// The packed package.
fn packed(workspace: &Workspace) -> PathBuf {
    workspace.target().join("npm").join(format!("{NAME}-{VERSION}.tgz"))
}

/// Runs the tests in Chromium and Firefox, on the packed package.
fn test(workspace: &Workspace) -> Result<()> {
    let (package, [compact, light]) = made(workspace)?;
    let tools = tools(workspace)?;
    let mut node = Command::new("node");
    programs::set_chromium(&mut node)?;
    programs::set_firefox(&mut node)?;
    // By their names: a folder means other things to other versions of Node.
    let files = all(&workspace.root().join("bindings/web/tests"), ".test.mjs")?;
    node.arg("--test").args(files);
    node.env("WEB_PACKAGE", package)
        .env("WEB_VOICES", compact)
        .env("WEB_VOICES_LIGHT", light)
        .env("WEB_TOOLS", tools.join("node_modules"))
        .env("WEB_PACKED", packed(workspace))
        .env("WEB_DEMO", folder(workspace).join("demo"));
    process::shown(&mut node)
}
