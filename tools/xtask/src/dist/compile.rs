//! Compiles the library: as it is shipped, optimised as a whole and with no path of this machine in it; or to be tested, of the crates
//! that were compiled for the tests in Rust, so that the core is compiled once.

use std::env;
use std::ffi::{OsStr, OsString};

use super::gates::{self, Kind};
use super::library::SharedLibrary;
use super::link::Linker;
use super::packages::Packages;
use super::platform::{self, Platform, cargo_variable};
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

/// Compiles the static library alone, as it is shipped: it needs no linker. Where rustup has no standard library for the platform,
/// that is compiled too.
pub(crate) fn static_library(platform: &Platform, packages: &Packages) -> Result<PathBuf> {
    let mut build = Build::of(platform, packages)?;
    let mut cargo = build.cargo("speech-ffi");
    cargo.args(["--crate-type", "staticlib"]);
    if !platform::has_standard_library(platform.triple())? {
        // A compiler that is not a nightly one takes the option with this variable alone. Build scripts ask for it too: in the folder of
        // the others, cargo would run them again each time, and compile everything.
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
    // Without the rlib: cargo leaves link-time optimisation out where there is one.
    cargo.args(["--crate-type", "cdylib", "--crate-type", "staticlib", "--"]);
    cargo.arg(format!("--print=native-static-libs={}", libraries.display())).args(build.last);
    process::shown(&mut cargo)?;
    let native = fs::read_to_string(&libraries)?;
    // A compiler links its own unwinder, which for `-static` is another library.
    let native = native.split_whitespace().filter(|library| *library != "-lgcc_s");
    // A library that was not optimised as a whole has what nothing calls, such as the name service, of which linkers warn in a
    // program without shared libraries.
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

/// The profile of what is shipped.
const PROFILE: &str = "dist";

/// How cargo, or a program that runs it, compiles for a platform.
pub(crate) struct Build {
    /// The options of cargo.
    pub(crate) options: Vec<String>,
    /// The flags of the compiler for the last crate alone.
    pub(crate) last: Vec<OsString>,
    /// Where cargo puts what it makes.
    folder: PathBuf,
    environment: Vec<(String, OsString)>,
    /// The flags of the compiler for all crates, if they are not those of the tests in Rust.
    flags: Option<Vec<OsString>>,
}

impl Build {
    pub(crate) fn of(platform: &Platform, packages: &Packages) -> Result<Self> {
        let Linker { mut environment, mut flags } = Linker::of(platform)?;
        let host = Platform::of_host()?;
        if workspace::is_for_tests() && *platform == host {
            // The linker is that of the last crate: cargo compiles all of them again for another linker.
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
            // Build scripts are linked by what links for this machine. Where that is not always the same, cargo runs them again, and
            // compiles all that depends on them.
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

    /// Sets the environment of cargo on a program that runs cargo.
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
        let build = Build::of(platform, &packages)?;
        process::shown(build.cargo(package).arg("--").args(&build.last))?;
        let path = build.folder.join(platform.built_module(package));
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

/// Flags with which the compiler names no path of this machine in panic messages. Of two that fit, it takes the later one.
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

/// Directories that must not be named in the library. What is only tested names some: it has no flags of its own.
pub(crate) fn private_directories() -> Vec<PathBuf> {
    if workspace::is_for_tests() {
        return Vec::new();
    }
    // Without CARGO_HOME cargo is at home.
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from);
    let found = [env::home_dir(), cargo, Some(root().into()), Some(target().into())];
    found.into_iter().flatten().filter(|directory| directory.parent().is_some()).collect()
}
