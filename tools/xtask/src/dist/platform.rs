//! The platforms that packages are for, and what their files are called there.

use super::header::Abi;
use super::link::{IOS as IOS_VERSION, MACOS};
use crate::prelude::*;

/// The platforms of the packages that are published, by Rust's names.
pub(crate) const PUBLISHED: [&str; 10] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "armv7-unknown-linux-gnueabihf",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    UNIVERSAL,
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnullvm",
    "aarch64-pc-windows-gnullvm",
];

/// Those of Android, by Rust's names. There is one package for all of them.
pub(crate) const ANDROID: [&str; 3] =
    ["aarch64-linux-android", "armv7-linux-androideabi", "x86_64-linux-android"];

/// Those of iOS, by Rust's names. They are in one package with macOS.
pub(crate) const IOS: [&str; 3] =
    ["aarch64-apple-ios", "aarch64-apple-ios-sim", "x86_64-apple-ios"];

/// macOS on both of its processors, which one file of a library can be for. Rust has no such name.
pub(crate) const UNIVERSAL: &str = "universal-apple-darwin";

/// A platform that packages are made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Platform {
    triple: String,
    system: System,
    processor: Processor,
}

/// What the C library and the format of library files follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum System {
    /// Linux with glibc, whose symbols have versions.
    Glibc,
    /// Linux with musl, such as Alpine.
    Musl,
    MacOs,
    Ios,
    /// iOS in the simulator of Xcode, on a Mac.
    IosSimulator,
    Windows,
    Android,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Processor {
    X86_64,
    Aarch64,
    /// 32 bits, with floating point in registers.
    Armv7,
    /// Those of all Macs.
    Universal,
}

impl Platform {
    /// That of the compiler which is in use. Windows has one kind of packages, whatever its compilers link.
    pub(crate) fn of_host() -> Result<Self> {
        let host = host()?;
        let windows =
            host.split_once("-windows-").map(|(prefix, _)| format!("{prefix}-windows-gnullvm"));
        Self::named(&windows.unwrap_or(host))
    }

    /// The one of this name.
    pub(crate) fn named(triple: &str) -> Result<Self> {
        let processor = match triple.split('-').next() {
            Some("x86_64") => Some(Processor::X86_64),
            Some("aarch64") => Some(Processor::Aarch64),
            Some("armv7") => Some(Processor::Armv7),
            _ if triple == UNIVERSAL => Some(Processor::Universal),
            _ => None,
        };
        let ends = |endings: &[&str]| endings.iter().any(|ending| triple.ends_with(ending));
        let system = if ends(&["-linux-gnu", "-linux-gnueabihf"]) {
            Some(System::Glibc)
        } else if ends(&["-linux-musl"]) {
            Some(System::Musl)
        } else if ends(&["-apple-darwin"]) {
            Some(System::MacOs)
        } else if ends(&["-apple-ios-sim"]) || triple == "x86_64-apple-ios" {
            // No device has that processor.
            Some(System::IosSimulator)
        } else if ends(&["-apple-ios"]) {
            Some(System::Ios)
        } else if ends(&["-windows-gnullvm"]) {
            Some(System::Windows)
        } else if ends(&["-linux-android", "-linux-androideabi"]) {
            Some(System::Android)
        } else {
            None
        };
        match (processor, system) {
            (Some(processor), Some(system)) => {
                Ok(Platform { triple: triple.to_owned(), system, processor })
            }
            _ => {
                bail!("there are no packages for {triple}; there are for {}", PUBLISHED.join(", "))
            }
        }
    }

    /// Rust's name of the platform, which is also in the names of the packages.
    pub(crate) fn triple(&self) -> &str {
        &self.triple
    }

    pub(crate) fn system(&self) -> System {
        self.system
    }

    pub(crate) fn processor(&self) -> Processor {
        self.processor
    }

    /// Whether it is that of the compiler, so that its programs run here.
    pub(crate) fn is_host(&self) -> Result<bool> {
        Ok(Self::of_host()? == *self)
    }

    /// The platforms that are compiled for it: itself, or one for each processor.
    pub(crate) fn parts(&self) -> Result<Vec<Platform>> {
        if self.processor != Processor::Universal {
            return Ok(vec![self.clone()]);
        }
        ["x86_64-apple-darwin", "aarch64-apple-darwin"].map(Self::named).into_iter().collect()
    }

    /// Whether there is a package of the C library for it. That for macOS is for all Macs.
    pub(crate) fn has_c_package(&self) -> bool {
        match self.system {
            System::MacOs => self.processor == Processor::Universal,
            System::Android | System::Ios | System::IosSimulator => false,
            _ => true,
        }
    }

    /// The platform whose package of the C library is for it.
    pub(crate) fn of_c_package(&self) -> Result<Platform> {
        if self.has_c_package() { Ok(self.clone()) } else { Self::named(UNIVERSAL) }
    }

    /// Whether there are packages of Python, Node and the JVM for it.
    pub(crate) fn has_modules(&self) -> bool {
        self.of_node().is_ok()
    }

    /// Whether library files are ELF files.
    pub(crate) fn has_elf(&self) -> bool {
        matches!(self.system, System::Glibc | System::Musl | System::Android)
    }

    /// Whether the C library is glibc, whose symbols have versions.
    pub(crate) fn has_glibc(&self) -> bool {
        self.system == System::Glibc
    }

    /// Whether it is a system of Apple, whose library files are Mach-O files.
    pub(crate) fn is_apple(&self) -> bool {
        matches!(self.system, System::MacOs | System::Ios | System::IosSimulator)
    }

    /// The oldest version of a system of Apple that the library is compiled for.
    pub(crate) fn oldest(&self) -> Option<&'static str> {
        match (self.system, self.processor) {
            (System::MacOs, _) => Some(MACOS),
            // Apple's first simulators for this processor.
            (System::IosSimulator, Processor::Aarch64) => Some("14.0"),
            (System::Ios | System::IosSimulator, _) => Some(IOS_VERSION),
            _ => None,
        }
    }

    pub(crate) fn is_windows(&self) -> bool {
        self.system == System::Windows
    }

    pub(crate) fn pointer_bytes(&self) -> usize {
        if self.processor == Processor::Armv7 { 4 } else { 8 }
    }

    /// What cargo calls the shared library.
    pub(crate) fn built_library(&self) -> String {
        self.built_module("speech")
    }

    /// What cargo calls the shared library of a package.
    pub(crate) fn built_module(&self, package: &str) -> String {
        let name = package.replace('-', "_");
        match self.system {
            System::Glibc | System::Musl | System::Android => format!("lib{name}.so"),
            System::MacOs | System::Ios | System::IosSimulator => format!("lib{name}.dylib"),
            System::Windows => format!("{name}.dll"),
        }
    }

    /// The folder of the shared library: on Windows that of programs, which find it beside themselves.
    pub(crate) fn library_folder(&self) -> &'static str {
        if self.is_windows() { "bin" } else { "lib" }
    }

    /// The file of the shared library: it has the whole version of the interface, where links give it others.
    pub(crate) fn library(&self, abi: Abi) -> String {
        self.versioned(&format!("{}.{}", abi.major, abi.minor))
    }

    /// The file that a program which was linked with the library looks for.
    pub(crate) fn library_at_run_time(&self, abi: Abi) -> String {
        self.versioned(&abi.major.to_string())
    }

    /// What the library says that it is called: on macOS, programs look for it in the folders that they name.
    pub(crate) fn library_name(&self, abi: Abi) -> String {
        let name = self.library_at_run_time(abi);
        if self.is_apple() { format!("@rpath/{name}") } else { name }
    }

    fn versioned(&self, version: &str) -> String {
        match self.system {
            System::Glibc | System::Musl | System::Android => format!("libspeech.so.{version}"),
            System::MacOs | System::Ios | System::IosSimulator => {
                format!("libspeech.{version}.dylib")
            }
            System::Windows => "speech.dll".to_owned(),
        }
    }

    /// What Node calls the platform, and npm packages for it.
    pub(crate) fn of_node(&self) -> Result<String> {
        let processor = match self.processor {
            Processor::X86_64 => "x64",
            Processor::Aarch64 => "arm64",
            Processor::Armv7 | Processor::Universal => {
                bail!("there is no package of Node for {}", self.triple)
            }
        };
        Ok(match self.system {
            System::Glibc => format!("linux-{processor}-gnu"),
            System::Musl => format!("linux-{processor}-musl"),
            System::MacOs => format!("darwin-{processor}"),
            System::Windows => format!("win32-{processor}"),
            System::Ios | System::IosSimulator | System::Android => {
                bail!("there is no package of Node for {}", self.triple)
            }
        })
    }

    /// What the JVM packages call the platform.
    pub(crate) fn of_jvm(&self) -> Result<String> {
        let processor = match self.processor {
            Processor::X86_64 => "x86_64",
            Processor::Aarch64 => "aarch64",
            Processor::Armv7 | Processor::Universal => {
                bail!("there is no package of the JVM for {}", self.triple)
            }
        };
        let system = match self.system {
            System::Glibc => "linux",
            System::Musl => "linux-musl",
            System::MacOs => "macos",
            System::Windows => "windows",
            System::Ios | System::IosSimulator | System::Android => {
                bail!("{} has a package of its own", self.triple)
            }
        };
        Ok(format!("{system}-{processor}"))
    }

    /// What Android calls the interface of the processor: the folder of its libraries in a package.
    pub(crate) fn of_android(&self) -> Result<&'static str> {
        match (self.system, self.processor) {
            (System::Android, Processor::Aarch64) => Ok("arm64-v8a"),
            (System::Android, Processor::Armv7) => Ok("armeabi-v7a"),
            (System::Android, Processor::X86_64) => Ok("x86_64"),
            _ => bail!("there is no package of Android for {}", self.triple),
        }
    }
}

/// The platforms of [`PUBLISHED`].
pub(crate) fn published() -> Result<Vec<Platform>> {
    PUBLISHED.iter().map(|triple| Platform::named(triple)).collect()
}

/// The platforms of [`ANDROID`].
pub(crate) fn android() -> Result<Vec<Platform>> {
    ANDROID.iter().map(|triple| Platform::named(triple)).collect()
}

/// The variable of the environment that tells cargo something for a platform, such as its `LINKER`.
pub(crate) fn cargo_variable(triple: &str, name: &str) -> String {
    format!("CARGO_TARGET_{}_{name}", triple.replace('-', "_").to_uppercase())
}

/// Whether Rust's standard library is there for a platform.
pub(crate) fn has_standard_library(triple: &str) -> Result<bool> {
    Ok(Path::new(&rustc(&["--print", "target-libdir", "--target", triple])?).is_dir())
}

/// Whether the sources of the standard library are there, so that it can be compiled for a platform.
pub(crate) fn has_standard_sources() -> Result<bool> {
    let sources = Path::new(&rustc(&["--print", "sysroot"])?).join("lib/rustlib/src/rust/library");
    Ok(sources.join("std/Cargo.toml").is_file())
}

/// Rust's name of the platform of the compiler.
pub(super) fn host() -> Result<String> {
    let description = rustc(&["-vV"])?;
    let triple = description.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(triple.context("rustc does not say what its host is")?.to_owned())
}

/// What the compiler prints for some arguments.
pub(crate) fn rustc(arguments: &[&str]) -> Result<String> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    process::text(Command::new(program).args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_per_system() {
        let abi = Abi { major: 1, minor: 4 };
        let names = |triple: &str| {
            let platform = Platform::named(triple).unwrap();
            let node = platform.of_node().unwrap_or_default();
            [
                platform.built_library(),
                platform.library(abi),
                platform.library_at_run_time(abi),
                node,
            ]
        };
        let linux = ["libspeech.so", "libspeech.so.1.4", "libspeech.so.1", "linux-x64-gnu"];
        assert_eq!(names("x86_64-unknown-linux-gnu"), linux);
        let musl = ["libspeech.so", "libspeech.so.1.4", "libspeech.so.1", "linux-arm64-musl"];
        assert_eq!(names("aarch64-unknown-linux-musl"), musl);
        let mac = ["libspeech.dylib", "libspeech.1.4.dylib", "libspeech.1.dylib", "darwin-arm64"];
        assert_eq!(names("aarch64-apple-darwin"), mac);
        let windows = ["speech.dll", "speech.dll", "speech.dll", "win32-x64"];
        assert_eq!(names("x86_64-pc-windows-gnullvm"), windows);
        let arm = ["libspeech.so", "libspeech.so.1.4", "libspeech.so.1", ""];
        assert_eq!(names("armv7-unknown-linux-gnueabihf"), arm);
        let mac = ["libspeech.dylib", "libspeech.1.4.dylib", "libspeech.1.dylib", ""];
        assert_eq!(names(UNIVERSAL), mac);
    }

    #[test]
    fn platforms_without_a_package_are_named() {
        for triple in
            ["x86_64-pc-windows-msvc", "riscv64gc-unknown-linux-gnu", "thumbv7em-none-eabi"]
        {
            let error = Platform::named(triple).unwrap_err();
            assert!(error.to_string().contains(triple), "{error}");
        }
        for triple in PUBLISHED {
            let platform = Platform::named(triple).unwrap();
            assert_eq!(platform.triple(), triple);
            assert!(platform.has_c_package() || platform.has_modules());
            assert!(platform.of_android().is_err());
        }
        for triple in ANDROID {
            let platform = Platform::named(triple).unwrap();
            assert!(platform.of_android().is_ok());
            assert!(!platform.has_c_package() && !platform.has_modules());
        }
        for triple in IOS {
            let platform = Platform::named(triple).unwrap();
            assert!(platform.is_apple() && !platform.has_c_package() && !platform.has_modules());
        }
    }

    #[test]
    fn simulators_are_told_from_devices() {
        let oldest = |triple: &str| {
            let platform = Platform::named(triple).unwrap();
            (platform.system(), platform.oldest())
        };
        assert_eq!(oldest("aarch64-apple-ios"), (System::Ios, Some("13.0")));
        assert_eq!(oldest("aarch64-apple-ios-sim"), (System::IosSimulator, Some("14.0")));
        assert_eq!(oldest("x86_64-apple-ios"), (System::IosSimulator, Some("13.0")));
        assert_eq!(oldest(UNIVERSAL), (System::MacOs, Some("11.0")));
        assert_eq!(oldest("x86_64-unknown-linux-gnu").1, None);
    }
}
