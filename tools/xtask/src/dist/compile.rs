//! Compiles the library in one of two ways. For shipping: with link-time optimization and without
//! paths of this machine. For tests: from the crates that the Rust tests use, so that the core is
//! compiled once.

use std::env;
use std::ffi::{OsStr, OsString};

use super::gates::{self, Kind};
use super::library::SharedLibrary;
use super::link::Linker;
use super::packages::Packages;
use super::platform::{self, Platform, cargo_variable};
use super::{archive, library, licences, sbom};
use crate::prelude::*;

/// The compiled files.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) shared: PathBuf,
    /// The static library, as it is shipped.
    pub(crate) archive: PathBuf,
    /// The import library that Windows programs link with.
    pub(crate) import_library: Option<PathBuf>,
    /// The libraries that a program with the static library must also link, such as `-lm`.
    pub(crate) native_libraries: String,
}

/// Compiles if anything changed. A library for several processors is compiled for each, and joined.
pub(crate) fn compile(platform: &Platform, packages: &Packages) -> Result<Compiled> {
    let parts = platform.parts();
    let mut compiled = Vec::new();
    for part in &parts {
        compiled.push(compile_one(part, packages)?);
    }
    if let [_] = parts[..] {
        return Ok(compiled.remove(0));
    }
    let directory = target().join(platform.triple()).join(PROFILE);
    let join = |name: String, file: fn(&Compiled) -> &PathBuf| -> Result<PathBuf> {
        let mut files = Vec::new();
        for (part, compiled) in parts.iter().zip(&compiled) {
            let file = file(compiled);
            let bytes = fs::read(file)?;
            files.push((part.processor(), bytes));
        }
        let joined = made(directory.clone())?.join(name);
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

/// Compiles only the static library for shipping, which needs no linker. If rustup has no standard
/// library for the platform, compiles that too.
pub(crate) fn static_library(platform: &Platform, packages: &Packages) -> Result<PathBuf> {
    let mut build = Build::of(platform, packages)?;
    let mut cargo = build.cargo("speech-ffi");
    cargo.args(["--crate-type", "staticlib"]);
    if !platform::has_standard_library(platform.triple())? {
        // A stable compiler accepts the option only with this variable. Build scripts read the
        // variable too: in the usual folder cargo would run them again each time, and recompile
        // everything.
        let target = target().join("standard-library");
        cargo.arg("-Zbuild-std=std,panic_unwind").env("RUSTC_BOOTSTRAP", "1");
        cargo.env("CARGO_TARGET_DIR", &target);
        build.folder = target.join(platform.triple()).join(PROFILE);
    }
    process::shown(&mut cargo)?;
    let directory = build.folder;
    let archive = directory.join("libspeech-static.a");
    archive::finish(platform, &directory.join("libspeech.a"), &archive)?;
    Ok(archive)
}

fn compile_one(platform: &Platform, packages: &Packages) -> Result<Compiled> {
    let build = Build::of(platform, packages)?;
    let directory = made(build.folder.clone())?;
    let libraries = directory.join("native-static-libs");
    let mut cargo = build.cargo("speech-ffi");
    // Without the crate type rlib, with which cargo skips link-time optimization.
    cargo.args(["--crate-type", "cdylib", "--crate-type", "staticlib", "--"]);
    cargo.arg(format!("--print=native-static-libs={}", libraries.display())).args(build.last);
    process::shown(&mut cargo)?;
    let native = fs::read_to_string(&libraries)?;
    // The C compiler links its own unwinder, which for `-static` is another library.
    let native = native.split_whitespace().filter(|library| *library != "-lgcc_s");
    // Without link-time optimization, the library contains unused references, for example to the
    // name service. Linkers warn about those in static programs.
    let is_whole = !workspace::is_for_tests() || !platform.has_elf();
    let native = native.chain((!is_whole).then_some("-Wl,--no-warnings"));
    let archive = directory.join("libspeech-shipped.a");
    archive::finish(platform, &directory.join("libspeech.a"), &archive)?;
    Ok(Compiled {
        shared: directory.join(platform.built_library()),
        archive,
        import_library: platform.is_windows().then(|| directory.join("libspeech.dll.a")),
        native_libraries: native.collect::<Vec<_>>().join(" "),
    })
}

/// The profile for shipping.
const PROFILE: &str = "dist";

/// The settings of cargo, or of a program that runs it, for a platform.
pub(crate) struct Build {
    /// Command-line options of cargo.
    pub(crate) options: Vec<String>,
    /// Compiler flags for the last crate alone.
    pub(crate) last: Vec<OsString>,
    /// The output folder of cargo.
    folder: PathBuf,
    environment: Vec<(String, OsString)>,
    /// Compiler flags for all crates, unless they are those of the Rust tests.
    flags: Option<Vec<OsString>>,
}

impl Build {
    pub(crate) fn of(platform: &Platform, packages: &Packages) -> Result<Self> {
        let Linker { mut environment, mut flags } = Linker::of(platform)?;
        let host = Platform::of_host()?;
        if workspace::is_for_tests() && *platform == host {
            // Sets the linker for the last crate alone: with another linker, cargo would recompile
            // all crates.
            let linker = cargo_variable(platform.triple(), "LINKER");
            if let Some(place) = environment.iter().position(|(name, _)| *name == linker) {
                let mut flag = OsString::from("-Clinker=");
                flag.push(environment.remove(place).1);
                flags.push(flag);
            }
            flags.push("-Cstrip=symbols".into());
            let (options, folder) = (vec!["--release".to_owned()], target().join("release"));
            return Ok(Build { options, last: flags, folder, environment, flags: None });
        }
        flags.extend(renaming_flags(packages)?);
        if host.has_glibc() && host != *platform {
            // Links build scripts with this machine's linker. If that linker changed between runs,
            // cargo would run the scripts again and recompile everything that depends on them.
            environment.extend(Linker::of(&host)?.environment);
        }
        Ok(Build {
            options: ["--profile", PROFILE, "--target", platform.triple()]
                .map(str::to_owned)
                .into(),
            last: Vec::new(),
            folder: target().join(platform.triple()).join(PROFILE),
            environment,
            flags: Some(flags),
        })
    }

    /// Sets cargo's environment variables on a program that runs cargo.
    pub(crate) fn set_on(&self, command: &mut Command) {
        command.envs(self.environment.iter().cloned());
        if let Some(flags) = &self.flags {
            command.env_remove("RUSTFLAGS");
            command.env("CARGO_ENCODED_RUSTFLAGS", flags.join(OsStr::new("\u{1f}")));
        }
    }

    fn cargo(&self, package: &str) -> Command {
        let mut cargo = workspace::cargo("rustc");
        cargo.args(["--locked", "--package", package, "--lib"]).args(&self.options);
        self.set_on(&mut cargo);
        cargo
    }
}

/// The checked library of a native module for another language.
pub(crate) struct Module {
    pub(crate) platform: Platform,
    pub(crate) path: PathBuf,
    packages: Packages,
}

impl Module {
    /// Compiles and checks the library.
    pub(crate) fn new(platform: &Platform, package: &str, kind: Kind<'_>) -> Result<Self> {
        let packages = Packages::of_library(platform, package)?;
        let build = Build::of(platform, &packages)?;
        process::shown(build.cargo(package).arg("--").args(&build.last))?;
        let path = build.folder.join(platform.built_module(package));
        let bytes = fs::read(&path)?;
        gates::no_private_paths(kind.title(), &bytes, &private_directories())?;
        gates::shared_library(platform, &SharedLibrary::read(&bytes)?, kind)?;
        Ok(Module { platform: platform.clone(), path, packages })
    }

    /// Writes the license texts and the SBOM to folders of a package.
    pub(crate) fn document(&self, tree: &Tree, texts: &str, list: &str) -> Result<()> {
        licences::write(tree, texts, &self.platform, &self.packages)?;
        tree.write(list, &sbom::of_module(&self.platform, &self.packages)?)
    }
}

/// Compiler flags that replace paths of this machine in panic messages. If two match, the compiler
/// applies the later one.
pub(crate) fn renaming_flags(packages: &Packages) -> Result<Vec<OsString>> {
    let sysroot = PathBuf::from(platform::rustc(&["--print", "sysroot"])?);
    let mut renamings = vec![
        (root().to_path_buf(), "/libspeech"),
        (target().to_path_buf(), "/target"),
        (sysroot.join("lib/rustlib/src/rust"), "/rustc"),
    ];
    renamings.extend(packages.source_directories().into_iter().map(|path| (path, "/crates")));
    let flag = |(from, to): (PathBuf, &str)| {
        [OsStr::new("--remap-path-prefix="), from.as_os_str(), OsStr::new("="), OsStr::new(to)]
            .join(OsStr::new(""))
    };
    Ok(renamings.into_iter().map(flag).collect())
}

/// Directories that the library must not name. A library for tests may name some, because it has no
/// flags of its own.
pub(crate) fn private_directories() -> Vec<PathBuf> {
    if workspace::is_for_tests() {
        return Vec::new();
    }
    // The default of CARGO_HOME is in the home folder.
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from);
    let found = [env::home_dir(), cargo, Some(root().into()), Some(target().into())];
    found.into_iter().flatten().filter(|directory| directory.parent().is_some()).collect()
}
