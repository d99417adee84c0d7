//! The platform that a package is for, and what its files are called there.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::header::Abi;

/// The platform of the compiler that is in use: packages are made for the machine they are made on.
#[derive(Clone, Debug)]
pub(crate) struct Platform {
    triple: String,
    system: System,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Linux,
    MacOs,
}

impl Platform {
    /// Asks the compiler.
    pub(crate) fn of_host() -> Result<Self> {
        let description = rustc(&["-vV"])?;
        let triple = description.lines().find_map(|line| line.strip_prefix("host: "));
        Self::new(triple.context("rustc does not say what its host is")?)
    }

    fn new(triple: &str) -> Result<Self> {
        let system = if triple.contains("-linux-") {
            System::Linux
        } else if triple.ends_with("-apple-darwin") {
            System::MacOs
        } else {
            bail!("packages are made for Linux and macOS, not for {triple}");
        };
        Ok(Platform { triple: triple.to_owned(), system })
    }

    /// Rust's name of the platform, which is also in the names of the packages.
    pub(crate) fn triple(&self) -> &str {
        &self.triple
    }

    /// Whether library files are ELF files.
    pub(crate) fn has_elf(&self) -> bool {
        self.system == System::Linux
    }

    /// Whether the C library is glibc, whose symbols have versions.
    pub(crate) fn has_glibc(&self) -> bool {
        self.triple.ends_with("-linux-gnu")
    }

    /// What cargo calls the shared library.
    pub(crate) fn built_library(&self) -> &'static str {
        match self.system {
            System::Linux => "libspeech.so",
            System::MacOs => "libspeech.dylib",
        }
    }

    /// What cargo calls the shared library of another package.
    pub(crate) fn built_module(&self, package: &str) -> String {
        let ending = match self.system {
            System::Linux => "so",
            System::MacOs => "dylib",
        };
        format!("lib{}.{ending}", package.replace('-', "_"))
    }

    /// The file of the shared library: it has the whole version of the interface.
    pub(crate) fn library(&self, abi: Abi) -> String {
        self.versioned(&format!("{}.{}", abi.major, abi.minor))
    }

    /// The name that a program records when it is linked, and under which it looks for the library.
    pub(crate) fn library_at_run_time(&self, abi: Abi) -> String {
        self.versioned(&abi.major.to_string())
    }

    fn versioned(&self, version: &str) -> String {
        match self.system {
            System::Linux => format!("libspeech.so.{version}"),
            System::MacOs => format!("libspeech.{version}.dylib"),
        }
    }
}

/// What the compiler prints for some arguments.
pub(crate) fn rustc(arguments: &[&str]) -> Result<String> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(program).args(arguments).output().context("cannot run rustc")?;
    ensure!(output.status.success(), "`rustc {}` failed", arguments.join(" "));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_per_system() {
        let abi = Abi { major: 1, minor: 4 };
        let linux = Platform::new("x86_64-unknown-linux-gnu").unwrap();
        assert_eq!(linux.library(abi), "libspeech.so.1.4");
        assert_eq!(linux.library_at_run_time(abi), "libspeech.so.1");
        let mac = Platform::new("aarch64-apple-darwin").unwrap();
        assert_eq!(mac.library(abi), "libspeech.1.4.dylib");
        assert_eq!(mac.library_at_run_time(abi), "libspeech.1.dylib");
    }

    #[test]
    fn platforms_without_a_package_are_named() {
        let error = Platform::new("x86_64-pc-windows-msvc").unwrap_err();
        assert!(error.to_string().contains("x86_64-pc-windows-msvc"), "{error}");
        assert!(!Platform::new("x86_64-unknown-linux-musl").unwrap().has_glibc());
        assert!(Platform::new("aarch64-unknown-linux-gnu").unwrap().has_glibc());
    }
}
