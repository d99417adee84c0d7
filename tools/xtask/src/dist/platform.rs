//! The platforms of the packages and their names in each package system, from `platforms.json`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::header::Abi;
use super::link::{IOS, MACOS};
use crate::prelude::*;

/// macOS on both of its processors, which share one universal library. It is not a Rust target.
pub(crate) const UNIVERSAL: &str = "universal-apple-darwin";

/// A platform of packages.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Platform {
    triple: &'static str,
    system: System,
    processor: Processor,
    /// Its name in Node and npm packages, if they support it.
    node: Option<&'static str>,
    /// Its name in the JVM packages.
    jvm: Option<&'static str>,
    /// Its platform tag in wheels.
    wheel: Option<&'static str>,
    /// Its Android ABI: the folder of its libraries in an AAR.
    android: Option<&'static str>,
    /// Its zig target. zig has no Android headers; those of musl fit best.
    #[serde(default)]
    pub(super) zig: &'static str,
}

/// Determines the C library and the format of library files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) enum System {
    /// Linux with glibc, which has versioned symbols.
    Glibc,
    /// Linux with musl, such as Alpine.
    Musl,
    MacOs,
    Ios,
    /// The iOS simulator of Xcode.
    IosSimulator,
    Windows,
    Android,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Processor {
    X86_64,
    Aarch64,
    /// 32 bits, with hardware floating point.
    Armv7,
    /// Both processors of Macs.
    Universal,
}

static PLATFORMS: LazyLock<Vec<Platform>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../platforms.json")).expect("a test reads the table")
});

/// The platforms of the packages for desktops and servers.
pub(crate) fn published() -> Vec<Platform> {
    let is_published = |it: &&Platform| it.has_c_package() || it.has_modules();
    PLATFORMS.iter().filter(is_published).cloned().collect()
}

/// The target triples of all platforms.
#[cfg(test)]
pub(crate) fn triples() -> impl Iterator<Item = &'static str> {
    PLATFORMS.iter().map(Platform::triple).filter(|triple| *triple != UNIVERSAL)
}

/// The platforms of Android, which share one package.
pub(crate) fn android() -> Vec<Platform> {
    PLATFORMS.iter().filter(|it| it.system == System::Android).cloned().collect()
}

impl Platform {
    /// The platform of the compiler. Windows has one kind of package for every linker.
    pub(crate) fn of_host() -> Result<Self> {
        let host = host()?;
        let windows =
            host.split_once("-windows-").map(|(prefix, _)| format!("{prefix}-windows-gnullvm"));
        Self::named(&windows.unwrap_or(host))
    }

    /// The platform of a target triple.
    pub(crate) fn named(triple: &str) -> Result<Self> {
        let found = PLATFORMS.iter().find(|platform| platform.triple == triple);
        found.cloned().with_context(|| {
            let names: Vec<_> = published().iter().map(Self::triple).collect();
            format!(
                "no packages are built for {triple}; the supported targets are {}",
                names.join(", ")
            )
        })
    }

    /// The target triple, which is also in the names of the packages.
    pub(crate) fn triple(&self) -> &'static str {
        self.triple
    }

    pub(crate) fn system(&self) -> System {
        self.system
    }

    pub(crate) fn processor(&self) -> Processor {
        self.processor
    }

    /// Whether its programs run on this machine.
    pub(crate) fn is_host(&self) -> Result<bool> {
        Ok(Self::of_host()? == *self)
    }

    /// The platforms to compile for it: itself, or one for each processor.
    pub(crate) fn parts(&self) -> Vec<Platform> {
        if self.processor != Processor::Universal {
            return vec![self.clone()];
        }
        let is_part = |it: &&Platform| it.system == self.system && it != &self;
        PLATFORMS.iter().filter(is_part).cloned().collect()
    }

    /// Whether the C library has a package for it. That for macOS is universal.
    pub(crate) fn has_c_package(&self) -> bool {
        match self.system {
            System::MacOs => self.processor == Processor::Universal,
            System::Android | System::Ios | System::IosSimulator => false,
            _ => true,
        }
    }

    /// The platform of the C library's package for it.
    pub(crate) fn of_c_package(&self) -> Result<Platform> {
        if self.has_c_package() { Ok(self.clone()) } else { Self::named(UNIVERSAL) }
    }

    /// Whether it has packages for Python, Node and the JVM.
    pub(crate) fn has_modules(&self) -> bool {
        self.node.is_some()
    }

    /// Whether library files are ELF files.
    pub(crate) fn has_elf(&self) -> bool {
        !self.is_apple() && !self.is_windows()
    }

    /// Whether the C library is glibc, which has versioned symbols.
    pub(crate) fn has_glibc(&self) -> bool {
        self.system == System::Glibc
    }

    /// Whether it is an Apple system, with Mach-O library files.
    pub(crate) fn is_apple(&self) -> bool {
        self.system == System::MacOs || self.is_ios()
    }

    pub(crate) fn is_ios(&self) -> bool {
        matches!(self.system, System::Ios | System::IosSimulator)
    }

    pub(crate) fn is_windows(&self) -> bool {
        self.system == System::Windows
    }

    /// The oldest supported version of an Apple system.
    pub(crate) fn oldest(&self) -> Option<&'static str> {
        match (self.system, self.processor) {
            (System::MacOs, _) => Some(MACOS),
            // The first iOS simulators for this processor.
            (System::IosSimulator, Processor::Aarch64) => Some("14.0"),
            (System::Ios | System::IosSimulator, _) => Some(IOS),
            _ => None,
        }
    }

    pub(crate) fn pointer_bytes(&self) -> usize {
        if self.processor == Processor::Armv7 { 4 } else { 8 }
    }

    /// The file name of the shared library in cargo's output.
    pub(crate) fn built_library(&self) -> String {
        self.built_module("speech")
    }

    /// The file name of a package's shared library in cargo's output.
    pub(crate) fn built_module(&self, package: &str) -> String {
        let name = package.replace('-', "_");
        match self.system {
            System::Windows => format!("{name}.dll"),
            _ if self.is_apple() => format!("lib{name}.dylib"),
            _ => format!("lib{name}.so"),
        }
    }

    /// The folder of the shared library. On Windows it is that of programs, which load it from
    /// their own folder.
    pub(crate) fn library_folder(&self) -> &'static str {
        if self.is_windows() { "bin" } else { "lib" }
    }

    /// The file of the shared library. Its name has the full version of the interface; symbolic
    /// links have other versions.
    pub(crate) fn library(&self, abi: Abi) -> String {
        self.versioned(&format!("{}.{}", abi.major, abi.minor))
    }

    /// The file name that a linked program loads.
    pub(crate) fn library_at_run_time(&self, abi: Abi) -> String {
        self.versioned(&abi.major.to_string())
    }

    /// The soname or install name of the library. On macOS, programs search it in their run paths.
    pub(crate) fn library_name(&self, abi: Abi) -> String {
        let name = self.library_at_run_time(abi);
        if self.is_apple() { format!("@rpath/{name}") } else { name }
    }

    fn versioned(&self, version: &str) -> String {
        match self.system {
            System::Windows => "speech.dll".to_owned(),
            _ if self.is_apple() => format!("libspeech.{version}.dylib"),
            _ => format!("libspeech.so.{version}"),
        }
    }

    /// The name of the platform in Node and npm packages.
    pub(crate) fn of_node(&self) -> Result<&'static str> {
        self.node.with_context(|| format!("there is no Node package for {}", self.triple))
    }

    /// The name of the platform in the JVM packages.
    pub(crate) fn of_jvm(&self) -> Result<&'static str> {
        self.jvm.with_context(|| format!("there is no JVM package for {}", self.triple))
    }

    /// The platform tag in wheels.
    pub(crate) fn of_wheel(&self) -> Result<&'static str> {
        self.wheel.with_context(|| format!("there is no wheel for {}", self.triple))
    }

    /// The Android ABI.
    pub(crate) fn of_android(&self) -> Result<&'static str> {
        self.android.with_context(|| format!("there is no Android package for {}", self.triple))
    }
}

/// The environment variable of a cargo setting for a platform, such as its `LINKER`.
pub(crate) fn cargo_variable(triple: &str, name: &str) -> String {
    format!("CARGO_TARGET_{}_{name}", triple.replace('-', "_").to_uppercase())
}

/// Whether Rust's standard library for a platform is installed.
pub(crate) fn has_standard_library(triple: &str) -> Result<bool> {
    Ok(Path::new(&rustc(&["--print", "target-libdir", "--target", triple])?).is_dir())
}

/// Whether the sources of the standard library are installed, from which it can be compiled.
pub(crate) fn has_standard_sources() -> Result<bool> {
    let sources = Path::new(&rustc(&["--print", "sysroot"])?).join("lib/rustlib/src/rust/library");
    Ok(sources.join("std/Cargo.toml").is_file())
}

/// The target triple of the compiler.
pub(super) fn host() -> Result<String> {
    rustc_says("host: ")
}

/// The value of this key in the output of `rustc -vV`.
pub(super) fn rustc_says(key: &str) -> Result<String> {
    let description = rustc(&["-vV"])?;
    let value = description.lines().find_map(|line| line.strip_prefix(key));
    Ok(value.with_context(|| format!("the output of rustc has no {key}"))?.to_owned())
}

/// The output of rustc for some arguments.
pub(crate) fn rustc(arguments: &[&str]) -> Result<String> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    process::text(Command::new(program).args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::gates::GLIBC;

    #[test]
    fn names_per_system() {
        let abi = Abi { major: 1, minor: 4 };
        for (triple, library, file, at_run_time) in [
            (PLATFORMS[0].triple, "libspeech.so", "libspeech.so.1.4", "libspeech.so.1"),
            (UNIVERSAL, "libspeech.dylib", "libspeech.1.4.dylib", "libspeech.1.dylib"),
            ("x86_64-pc-windows-gnullvm", "speech.dll", "speech.dll", "speech.dll"),
        ] {
            let platform = Platform::named(triple).unwrap();
            assert_eq!(platform.built_library(), library);
            assert_eq!(platform.library(abi), file);
            assert_eq!(platform.library_at_run_time(abi), at_run_time);
        }
    }

    #[test]
    fn a_platform_has_the_names_of_its_packages() {
        let error = Platform::named("x86_64-pc-windows-msvc").unwrap_err().to_string();
        assert!(error.contains("windows-msvc") && error.contains("windows-gnullvm"), "{error}");
        for it in PLATFORMS.iter() {
            let names = [it.node, it.jvm, it.wheel].map(|name| name.is_some());
            assert_eq!(names, [it.has_modules(); 3], "{}", it.triple);
            assert_eq!(it.android.is_some(), it.system == System::Android, "{}", it.triple);
            assert_eq!(it.zig.is_empty(), it.is_ios() || it.triple == UNIVERSAL, "{}", it.triple);
            let wheel = it.wheel.unwrap_or_default().replace('_', ".");
            assert!(!it.has_glibc() || wheel.contains(GLIBC) || wheel.is_empty(), "{wheel}");
            assert!(!wheel.starts_with("macosx") || wheel.contains(MACOS), "{wheel}");
        }
        let parts = Platform::named(UNIVERSAL).unwrap().parts();
        let parts: Vec<_> = parts.iter().map(Platform::triple).collect();
        assert_eq!(parts, ["x86_64-apple-darwin", "aarch64-apple-darwin"]);
        assert_eq!((published().len(), android().len()), (10, 3));
    }
}
