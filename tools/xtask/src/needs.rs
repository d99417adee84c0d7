//! Requirements on the machine in addition to Rust. One message names everything that is missing,
//! with the commands that install it.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use crate::dist::platform::{has_standard_library, has_standard_sources};
use crate::nightly;
use crate::prelude::*;

/// A requirement of a step or a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// A program, its package in Debian and Ubuntu, and its package in Homebrew. The program is
    /// found by running it with `--version`, or with the argument that follows its name after a
    /// space.
    Program(&'static str, &'static str, &'static str),
    /// One of these files, and its Debian package.
    File(&'static [&'static str], &'static str),
    /// A browser: the environment variable for its path, its program names, and its Debian package.
    Browser(&'static str, &'static [&'static str], &'static str),
    /// Any Python interpreter that is new enough for the tools of this repository.
    AnyPython,
    /// A Python of this minor version for tests, such as 12 for Python 3.12.
    Python(u32),
    /// Rust's standard library for a target triple.
    Rust(&'static str),
    /// Rust's standard library for a target triple, or its sources, from which it can be compiled.
    RustOrSources(&'static str),
    /// A component of nightly Rust.
    Nightly(&'static str),
}

pub(crate) const CC: Need = Need::Program("cc", "build-essential", "gcc");
pub(crate) const CLANG: Need = Need::Program("clang", "clang", "llvm");
pub(crate) const ESPEAK: Need = Need::Program("espeak-ng", "espeak-ng", "espeak-ng");
pub(crate) const FFMPEG: Need = Need::Program("ffmpeg -version", "ffmpeg", "ffmpeg");
pub(crate) const NODE: Need = Need::Program("node", "nodejs", "node");
pub(crate) const NPM: Need =
    Need::Program(if cfg!(windows) { "npm.cmd" } else { "npm" }, "npm", "node");
pub(crate) const GO: Need = Need::Program("go version", "golang", "go");
pub(crate) const POSTGRES: Need = Need::File(
    &[
        "/usr/lib/postgresql/18/bin/postgres",
        "/usr/lib/postgresql/17/bin/postgres",
        "/usr/lib/postgresql/16/bin/postgres",
        "/usr/lib/postgresql/15/bin/postgres",
    ],
    "postgresql",
);
pub(crate) const CURL: Need = Need::Program("curl", "curl", "curl");
const TAR: Need = Need::Program("tar", "tar", "gnu-tar");
const PKG_CONFIG: Need = Need::Program("pkg-config", "pkg-config", "pkgconf");

/// The build tools of the C and C++ tests.
pub(crate) const C: &[Need] = &[
    CC,
    Need::Program("c++", "build-essential", "gcc"),
    Need::Program("make", "build-essential", "make"),
    Need::Program("nm", "binutils", "binutils"),
    Need::Program("cmake", "cmake", "cmake"),
    PKG_CONFIG,
    TAR,
];
pub(crate) const FOR_GO: &[Need] = &[GO, CC, PKG_CONFIG];
pub(crate) const JDK: Need = Need::Program("javac", "openjdk-17-jdk", "openjdk");
pub(crate) const MAVEN: &[Need] =
    &[JDK, Need::Program(if cfg!(windows) { "mvn.cmd" } else { "mvn" }, "maven", "maven")];
pub(crate) const CHROMIUM: Need =
    Need::Browser("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"], "chromium");
pub(crate) const FIREFOX: Need =
    Need::Browser("FIREFOX", &["firefox", "firefox-esr"], "firefox-esr");
pub(crate) const PULSEAUDIO: Need = Need::Program("pulseaudio", "pulseaudio", "pulseaudio");
pub(crate) const SPEECH_DISPATCHER: &[Need] = &[
    Need::Program("speech-dispatcher", "speech-dispatcher", "speech-dispatcher"),
    Need::Program("spd-say", "speech-dispatcher", "speech-dispatcher"),
];

/// Fails unless all requirements are met.
pub(crate) fn require(needs: &[Need]) -> Result<()> {
    let mut missing = BTreeSet::new();
    let mut installs = BTreeMap::<String, BTreeSet<&str>>::new();
    for need in needs {
        if !need.is_met()? {
            missing.insert(need.name());
            let (command, package) = need.install(env::consts::OS);
            installs.entry(command).or_default().extend(package);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let install = |(command, packages): (String, BTreeSet<&str>)| {
        [command.as_str()].into_iter().chain(packages).collect::<Vec<_>>().join(" ")
    };
    bail!(
        "missing requirements: {}. Install them and run the command again:\n\n    {}",
        missing.into_iter().collect::<Vec<_>>().join(", "),
        installs.into_iter().map(install).collect::<Vec<_>>().join(" && ")
    )
}

/// Gives a script the path of a browser in its environment variable, unless the user has set that.
pub(crate) fn set_browser(command: &mut Command, browser: Need) -> Result<()> {
    require(&[browser])?;
    if let Need::Browser(variable, names, _) = browser
        && env::var_os(variable).is_none()
    {
        command.envs(on_path(names).map(|path| (variable, path)));
    }
    Ok(())
}

impl Need {
    fn is_met(self) -> Result<bool> {
        match self {
            Need::Program(command, ..) => {
                let (program, argument) = command.split_once(' ').unwrap_or((command, "--version"));
                process::exists(Command::new(program).arg(argument))
            }
            Need::File(files, _) => Ok(files.iter().any(|file| Path::new(file).exists())),
            Need::Browser(variable, names, _) => {
                Ok(env::var_os(variable).is_some() || on_path(names).is_some())
            }
            Need::AnyPython => Ok(python::find().is_some()),
            Need::Python(minor) => crate::bindings::python::has(minor),
            Need::Rust(triple) => has_standard_library(triple),
            Need::RustOrSources(triple) => {
                Ok(has_standard_sources()? || has_standard_library(triple)?)
            }
            Need::Nightly(component) => Ok(nightly::has(component)),
        }
    }

    fn name(self) -> String {
        match self {
            Need::Program(command, ..) => command.split(' ').next().unwrap_or(command).to_owned(),
            Need::File(files, _) => files[0].to_owned(),
            Need::Browser(_, names, _) => names[0].to_owned(),
            Need::AnyPython => format!("Python 3.{} or newer", python::OLDEST),
            Need::Python(minor) => format!("Python 3.{minor} (on the PATH, or of pyenv or uv)"),
            Need::Rust(triple) | Need::RustOrSources(triple) => format!("Rust for {triple}"),
            Need::Nightly(component) => format!("the component {component} of nightly Rust"),
        }
    }

    /// The command that installs the requirement, and its argument. Requirements with the same
    /// command are installed together.
    fn install(self, system: &str) -> (String, Option<&'static str>) {
        let python = ["3.11", "3.12", "3.13", "3.14"];
        match self {
            Need::Program(_, _, brew) if system == "macos" => ("brew install".into(), Some(brew)),
            Need::Program(.., "node") if system == "windows" => {
                ("winget install OpenJS.NodeJS.LTS".into(), None)
            }
            Need::Program(_, apt, _) | Need::File(_, apt) => ("apt-get install".into(), Some(apt)),
            Need::Browser(.., apt) if system == "macos" => {
                ("brew install --cask".into(), Some(apt.trim_end_matches("-esr")))
            }
            Need::Browser(.., apt) => ("apt-get install".into(), Some(apt)),
            Need::AnyPython => match system {
                "macos" => ("brew install".into(), Some("python")),
                "windows" => ("winget install Python.Python.3.13".into(), None),
                _ => ("apt-get install python3-venv".into(), Some("python3")),
            },
            Need::Python(minor) => (
                "uv python install".into(),
                python.into_iter().find(|version| version.ends_with(&minor.to_string())),
            ),
            Need::Rust(triple) | Need::RustOrSources(triple) => {
                ("rustup target add".into(), Some(triple))
            }
            Need::Nightly(component) => (
                "rustup toolchain install nightly".into(),
                Some(if component == "miri" { "--component miri" } else { "--component rust-src" }),
            ),
        }
    }
}

/// The first of some programs on the PATH.
fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_missing_is_named_at_once_with_one_command() {
        let needs = [
            Need::Program("libspeech-no-1", "essential", "essential"),
            Need::Program("libspeech-no-2 version", "essential", "essential"),
            Need::File(&["/no/such/file", "/nor/this"], "qemu-user"),
            Need::Rust("sparc64-unknown-linux-gnu"),
            Need::Program("cargo version", "cargo", "cargo"),
        ];
        let error = require(&needs).unwrap_err().to_string();
        let missing =
            "/no/such/file, Rust for sparc64-unknown-linux-gnu, libspeech-no-1, libspeech-no-2.";
        assert!(error.contains(missing), "{error}");
        let command = "install essential qemu-user && rustup target add sparc64-unknown-linux-gnu";
        assert!(error.ends_with(command) || cfg!(target_os = "macos"), "{error}");
        require(&needs[4..]).unwrap();
        assert_eq!(NPM.install("macos"), ("brew install".to_owned(), Some("node")));
        assert_eq!(Need::Python(12).install("linux").1, Some("3.12"));
    }
}
