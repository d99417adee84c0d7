//! Compiles the library as it is shipped, with the profile of the workspace, and with no path of this machine in it.

use std::env;
use std::ffi::{OsStr, OsString};

use super::gates::{self, Kind};
use super::library::SharedLibrary;
use super::link::Linker;
use super::packages::Packages;
use super::platform::{self, Platform};
use super::{archive, library, licences, sbom};
use crate::prelude::*;

/// What the compiler made.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) shared: PathBuf,
    /// The static library, as it is shipped.
    pub(crate) archive: PathBuf,
    /// What a program for Windows is linked with in the place of the shared library.
    pub(crate) import_library: Option<PathBuf>,
    /// What a program that takes in the static library links too, such as `-lm`.
    pub(crate) native_libraries: String,
}

/// Compiles, or finds that everything is up to date. A library for several processors is compiled for each, and joined.
pub(crate) fn compile(platform: &Platform, packages: &Packages) -> Result<Compiled> {
    let parts = platform.parts()?;
    let mut compiled = Vec::new();
    for part in &parts {
        compiled.push(compile_one(part, packages)?);
    }
    if let [_] = parts[..] {
        return Ok(compiled.remove(0));
    }
    let directory = directory(platform)?;
    let join = |name: String, file: fn(&Compiled) -> &PathBuf| -> Result<PathBuf> {
        let mut files = Vec::new();
        for (part, compiled) in parts.iter().zip(&compiled) {
            let file = file(compiled);
            let bytes = fs::read(file)?;
            files.push((part.processor(), bytes));
        }
        let joined = directory.join(name);
        fs::write(&joined, library::join(&files)?)?;
        Ok(joined)
    };
    Ok(Compiled {
        shared: join(platform.built_library(), |compiled| &compiled.shared)?,
        archive: join("libspeech.a".to_owned(), |compiled| &compiled.archive)?,
        import_library: None,
        native_libraries: compiled.remove(0).native_libraries,
    })
}

/// Compiles the static library alone, as it is shipped: it needs no linker. Where rustup has no standard library for the platform,
/// that is compiled too.
pub(crate) fn static_library(platform: &Platform, packages: &Packages) -> Result<PathBuf> {
    let mut directory = directory(platform)?;
    let mut cargo = cargo(platform, packages)?;
    cargo.args(["--package", "speech-ffi", "--profile", workspace::profile(), "--locked"]);
    cargo.args(["--crate-type", "staticlib"]);
    if !platform::has_standard_library(platform.triple())? {
        // A compiler that is not a nightly one takes the option with this variable alone. Build scripts ask for it too: in the folder of
        // the others, cargo would run them again each time, and compile everything.
        let target = target().join("standard-library");
        cargo.arg("-Zbuild-std=std,panic_unwind").env("RUSTC_BOOTSTRAP", "1");
        cargo.env("CARGO_TARGET_DIR", &target);
        directory = target.join(platform.triple()).join(workspace::profile());
    }
    process::shown(cargo.arg("--").args(whole_program()))?;
    let archive = directory.join("libspeech-static.a");
    archive::finish(platform, &directory.join("libspeech.a"), &archive)?;
    Ok(archive)
}

fn compile_one(platform: &Platform, packages: &Packages) -> Result<Compiled> {
    let directory = directory(platform)?;
    let libraries = directory.join("native-static-libs");
    let mut cargo = cargo(platform, packages)?;
    cargo
        .args(["--package", "speech-ffi", "--profile", workspace::profile(), "--locked"])
        // Without the rlib: cargo leaves link-time optimisation out where there is one.
        .args(["--crate-type", "cdylib", "--crate-type", "staticlib", "--"])
        .arg(format!("--print=native-static-libs={}", libraries.display()))
        .args(whole_program());
    process::shown(&mut cargo)?;
    let native = fs::read_to_string(&libraries)?;
    // A compiler links its own unwinder, which for `-static` is another library.
    let native = native.split_whitespace().filter(|library| *library != "-lgcc_s");
    let archive = directory.join("libspeech-shipped.a");
    archive::finish(platform, &directory.join("libspeech.a"), &archive)?;
    Ok(Compiled {
        shared: directory.join(platform.built_library()),
        archive,
        import_library: platform.is_windows().then(|| directory.join("libspeech.dll.a")),
        native_libraries: native.collect::<Vec<_>>().join(" "),
    })
}

/// Has the C library optimised as a whole where the profile leaves that out.
fn whole_program() -> Option<&'static str> {
    workspace::is_for_tests().then_some("-Clto=thin")
}

/// Where cargo puts what it makes for a platform.
fn directory(platform: &Platform) -> Result<PathBuf> {
    let directory = target().join(platform.triple()).join(workspace::profile());
    fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// The library of a package that is a module of another language, which was checked.
pub(crate) struct Module {
    pub(crate) platform: Platform,
    pub(crate) path: PathBuf,
    packages: Packages,
}

impl Module {
    /// Compiles it, and checks it.
    pub(crate) fn new(platform: &Platform, package: &str, kind: Kind<'_>) -> Result<Self> {
        let packages = Packages::of_library(platform, package)?;
        let mut cargo = cargo(platform, &packages)?;
        cargo.args(["--package", package, "--profile", workspace::profile(), "--locked"]);
        process::shown(&mut cargo)?;
        let path = directory(platform)?.join(platform.built_module(package));
        let bytes = fs::read(&path)?;
        gates::no_private_paths(kind.title(), &bytes, &private_directories())?;
        gates::shared_library(platform, &SharedLibrary::read(&bytes)?, kind)?;
        Ok(Module { platform: platform.clone(), path, packages })
    }

    /// Writes into folders of a package under which licences it is, and what is in it.
    pub(crate) fn document(&self, tree: &Tree, texts: &str, list: &str) -> Result<()> {
        licences::write(tree, texts, &self.platform, &self.packages)?;
        tree.write(list, &sbom::of_module(&self.platform, &self.packages)?)
    }
}

fn cargo(platform: &Platform, packages: &Packages) -> Result<Command> {
    let mut cargo = workspace::cargo("rustc");
    cargo.args(["--target", platform.triple()]);
    set_up(&mut cargo, platform, packages)?;
    Ok(cargo)
}

/// Tells cargo, or a program that runs it, what links for a platform, and has the compiler name no path of this machine in what it
/// makes.
pub(crate) fn set_up(
    command: &mut Command,
    platform: &Platform,
    packages: &Packages,
) -> Result<()> {
    let Linker { environment, mut flags } = Linker::of(platform)?;
    flags.extend(renaming_flags(packages)?);
    if workspace::is_for_tests() {
        // Cargo leaves out what a library needs that is optimised as a whole.
        flags.push("-Cembed-bitcode=yes".into());
    }
    let host = Platform::of_host()?;
    if host.has_glibc() && host != *platform {
        // Build scripts are linked by what links for this machine. Where that is not always the same, cargo runs them again, and
        // compiles all that depends on them.
        command.envs(Linker::of(&host)?.environment);
    }
    command.envs(environment).env_remove("RUSTFLAGS");
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join(OsStr::new("\u{1f}")));
    Ok(())
}

/// Has the compiler name no path of this machine.
pub(crate) fn renaming_flags(
    packages: &Packages,
) -> Result<impl Iterator<Item = OsString> + use<>> {
    Ok(renamings(packages)?.into_iter().map(|(from, to)| {
        let mut flag = OsString::from("--remap-path-prefix=");
        flag.push(from);
        flag.push("=");
        flag.push(to);
        flag
    }))
}

/// Paths of this machine and what stands for them in panic messages; of two that fit, the compiler
/// takes the later one.
fn renamings(packages: &Packages) -> Result<Vec<(PathBuf, &'static str)>> {
    let sysroot = PathBuf::from(platform::rustc(&["--print", "sysroot"])?);
    let mut renamings = vec![
        (root().to_path_buf(), "/libspeech"),
        (target().to_path_buf(), "/target"),
        (sysroot.join("lib/rustlib/src/rust"), "/rustc"),
    ];
    renamings.extend(packages.source_directories().into_iter().map(|path| (path, "/crates")));
    Ok(renamings)
}

/// Directories that must not be named in the library.
pub(crate) fn private_directories() -> Vec<PathBuf> {
    let home = env::home_dir();
    let cargo = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| home.as_ref().map(|home| home.join(".cargo")));
    let directories = [home, cargo].into_iter().flatten();
    directories
        .chain([root().to_path_buf(), target().to_path_buf()])
        .filter(|directory| directory.parent().is_some())
        .collect()
}
