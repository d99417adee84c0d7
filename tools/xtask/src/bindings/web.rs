//! Builds the web package: the library in TypeScript, and the WebAssembly module in three builds.
//! Tests it in Chromium and Firefox. Assembles the page of `examples/web` with the package and the
//! voices.

use std::ffi::OsString;

use super::{all, pack_npm, show, typescript};
use crate::dist::packages::Packages;
use crate::dist::platform::rustc;
use crate::dist::{VERSION, compile, gates, licences, sbom, toolchain};
use crate::needs::{self, Need, require, set_browser};
use crate::prelude::*;

/// The Rust package of the module.
const LIBRARY: &str = "speech-web";

/// The name of the npm package.
pub(crate) const NAME: &str = "libspeech-sdk-web";

/// The bundles that the package downloads, each as one file.
pub(crate) const BUNDLES: [&str; 2] = ["compact", "light"];

/// The file in the package with the sizes and checksums of those bundles.
pub(crate) const RELEASE: &str = "lib/release.js";

/// The maximum memory in bytes of the build with threads. Its address space is reserved, and memory
/// is allocated on use.
const MAX_MEMORY: u32 = 1 << 30;

/// A build of the module.
pub(crate) struct Build {
    file: &'static str,
    pub(crate) target: &'static str,
    features: &'static str,
}

/// In ascending order of preference for a browser that supports all of them.
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
    /// Also test the package in Chromium and Firefox.
    #[arg(long)]
    test: bool,
    /// Use the existing package.
    #[arg(long, requires = "test")]
    made: bool,
}

impl Web {
    /// The command that builds and tests the package.
    pub(crate) fn tested() -> Self {
        Web { test: true, made: false }
    }

    /// The requirements for building the package, and for testing it.
    pub(crate) fn needs(test: bool) -> Vec<Need> {
        let mut needs = BUILDS.map(|build| Need::Rust(build.target)).to_vec();
        needs.extend([needs::NODE, needs::NPM]);
        needs.extend([needs::CHROMIUM, needs::FIREFOX].iter().filter(|_| test));
        // The tests give Firefox a sound card, without which it plays nothing.
        needs.extend((test && cfg!(target_os = "linux")).then_some(needs::PULSEAUDIO));
        needs
    }

    /// Builds the package and the voice files, and tests them.
    pub(crate) fn run(&self) -> Result<()> {
        let _lock = Lock::of("web")?;
        if !self.made {
            make()?;
        }
        if self.test { test() } else { Ok(()) }
    }
}

/// The folder for building and testing.
fn folder() -> PathBuf {
    target().join("web")
}

fn make() -> Result<()> {
    require(&Web::needs(false))?;
    let out = folder();
    fs::create_dir_all(&out)?;
    let voices = voices()?;
    let sources = root().join("bindings/web");
    let tree = Tree::begin(&staged())?;
    // All builds have the same Rust packages, which do not depend on the features.
    let packages = Packages::of_target(BUILDS[0].target, LIBRARY)?;
    let parts = toolchain::parts_of_wasi()?;
    for build in &BUILDS {
        tree.copy(&build_module(build, &packages)?, &format!("lib/{}", build.file))?;
    }
    let tools = tools()?;
    let staged = typescript("web", folder().join("sources"))?;
    let mut tsc = Command::new(tools.join("node_modules/.bin/tsc"));
    tsc.arg("--project").arg(&staged).arg("--rootDir").arg(staged.join("ts"));
    tsc.arg("--outDir").arg(tree.path("lib")?);
    process::titled("TypeScript of the web package", &mut tsc)?;
    // The voices of this version, with which a page verifies its downloads.
    tree.write(RELEASE, &release(&voices))?;
    for file in ["package.json", "README.md"] {
        tree.copy(&sources.join(file), file)?;
    }
    licences::write_with(&tree, "licenses", &parts, &packages)?;
    tree.write("sbom.cdx.json", &sbom::of_target(BUILDS[0].target, parts, &packages)?)?;
    let packages = target().join("npm");
    fs::create_dir_all(&packages)?;
    let staged = tree.finish()?;
    let page = demo(&staged)?;
    let mut made = vec![pack_npm(&staged, out.join("packed"), &packages)?];
    made.extend(voices_files());
    show(&made)?;
    note(&format!("to serve the page: python3 -m http.server --directory {}", page.display()));
    Ok(())
}

/// Assembles the page of `examples/web` in `target/web/demo`, and returns its folder.
fn demo(package: &Path) -> Result<PathBuf> {
    let page = Tree::begin(&folder().join("demo"))?;
    let sources = root().join("examples/web");
    for file in all(&sources, "")? {
        if file.extension().is_none_or(|extension| extension != "md") {
            page.copy(&file, &name_of(&file))?;
        }
    }
    // Browsers need no type declarations.
    for file in all(&package.join("lib"), "")? {
        let name = name_of(&file);
        if !name.ends_with(".d.ts") {
            page.copy(&file, &format!("libspeech/lib/{name}"))?;
        }
    }
    for file in voices_files() {
        page.copy(&file, &name_of(&file))?;
    }
    page.finish()
}

/// The folder of an existing package, and its files of the [`BUNDLES`].
pub(crate) fn made() -> Result<(PathBuf, [PathBuf; 2])> {
    let (package, voices) = (staged(), voices_files());
    let is_made = package.is_dir() && voices.iter().all(|file| file.is_file());
    ensure!(is_made, "the web package is not built: run `cargo xtask web`");
    Ok((package, voices))
}

/// The folder of the package before packing.
fn staged() -> PathBuf {
    folder().join("stage").join(NAME)
}

/// The file name of a bundle.
pub(crate) fn voices_file(bundle: &str) -> String {
    format!("libspeech-voices-{bundle}.tar.gz")
}

/// The paths of the [`BUNDLES`], beside the other files of a release.
fn voices_files() -> [PathBuf; 2] {
    BUNDLES.map(|bundle| target().join("dist").join(voices_file(bundle)))
}

/// Compiles a build of the module, and returns its file.
fn build_module(build: &Build, packages: &Packages) -> Result<PathBuf> {
    let Build { file, target, features } = build;
    note(&format!("compiling {file}"));
    // Builds for one target with other features would overwrite each other.
    let out = folder().join("cargo").join(file.trim_end_matches(".wasm"));
    let libraries = PathBuf::from(rustc(&["--print", "target-libdir", "--target", target])?);
    let mut cargo = workspace::cargo("rustc");
    cargo.args(["--package", LIBRARY, "--profile", "dist", "--locked", "--target", target]);
    let mut flags = OsString::from(format!("-Ctarget-feature={features}"));
    for flag in compile::renaming_flags(packages)? {
        flags.push("\u{1f}");
        flags.push(flag);
    }
    cargo.arg("--target-dir").arg(&out).env_remove("RUSTFLAGS");
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags);
    let link = |flag: &str| format!("-Clink-arg={flag}");
    // The start code of a library that stays initialized between calls; a cdylib has none by
    // default.
    let begin = libraries.join("self-contained/crt1-reactor.o");
    cargo.arg("--").arg(link(&begin.display().to_string())).arg(link("--export=_initialize"));
    if target.ends_with("-threads") {
        let shared = ["--import-memory", "--export-memory", "--shared-memory"];
        cargo.args(shared.map(link)).arg(link(&format!("--max-memory={MAX_MEMORY}")));
    }
    process::shown(&mut cargo)?;
    let module = out.join(target).join("dist/speech_web.wasm");
    let bytes = fs::read(&module)?;
    gates::no_private_paths(file, &bytes, &compile::private_directories())?;
    Ok(module)
}

/// A voice file, as recorded in the package.
struct Voices {
    bytes: usize,
    sha256: String,
    unpacked: u32,
}

impl Voices {
    fn of(file: &Path) -> Result<Self> {
        let bytes = fs::read(file)?;
        // RFC 1952, 2.3.1: a gzip file ends with the length of its uncompressed content.
        let length = bytes.last_chunk().context("the file of the voices is too short")?;
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

/// Writes the voice files.
fn voices() -> Result<Vec<Voices>> {
    let _lock = cache::lock()?;
    let whole = Bundle::ensure(None)?;
    let [compact, light] = voices_files();
    let folder = target().join("dist");
    fs::create_dir_all(&folder)?;
    whole.compacted()?.write_to(&compact)?;
    whole.with_qualities(&["light".to_owned()])?.write_to(&light)?;
    [compact, light].iter().map(|file| Voices::of(file)).collect()
}

/// Installs the tools that build and test the package, and returns their folder.
fn tools() -> Result<PathBuf> {
    let tools = folder().join("tools");
    npm::install("tools for the web package", &root().join("tools/xtask/web"), &tools)?;
    Ok(tools)
}

/// The path of the packed package.
fn packed() -> PathBuf {
    target().join("npm").join(format!("{NAME}-{VERSION}.tgz"))
}

/// Runs the tests of the packed package in Chromium and Firefox.
fn test() -> Result<()> {
    let (package, [compact, light]) = made()?;
    let tools = tools()?;
    let mut node = Command::new("node");
    set_browser(&mut node, needs::CHROMIUM)?;
    set_browser(&mut node, needs::FIREFOX)?;
    // File names, because versions of Node treat a folder differently.
    let files = all(&root().join("bindings/web/tests"), ".test.mjs")?;
    node.arg("--test").args(files);
    node.env("WEB_PACKAGE", package)
        .env("WEB_VOICES", compact)
        .env("WEB_VOICES_LIGHT", light)
        .env("WEB_TOOLS", tools.join("node_modules"))
        .env("WEB_PACKED", packed())
        .env("WEB_DEMO", folder().join("demo"));
    process::shown(&mut node)
}
