//! The programs of the machine that the tests run, beside those that come with Rust.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// Each program, with the argument that it answers to if that is not `--version`, and what Debian and Ubuntu call its
/// package.
const PROGRAMS: [(&str, &str); 13] = [
    ("cc", "build-essential"),
    ("c++", "build-essential"),
    ("make", "build-essential"),
    ("nm", "binutils"),
    ("cmake", "cmake"),
    ("pkg-config", "pkg-config"),
    ("curl", "curl"),
    ("tar", "tar"),
    ("javac", "openjdk-17-jdk"),
    ("mvn", "maven"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("go version", "golang"),
];

/// What `cargo xtask full` runs beside those.
const MORE: [(&str, &str); 3] =
    [("clang", "clang"), ("espeak-ng", "espeak-ng"), ("valgrind", "valgrind")];

/// What one of its steps alone runs.
const SPEECH_DISPATCHER: [(&str, &str); 2] =
    [("speech-dispatcher", "speech-dispatcher"), ("spd-say", "speech-dispatcher")];

/// Fails unless all of them are there: the C programs among the tests need them, and the clients of the service. There
/// are none of the former for Windows yet.
pub(crate) fn require_all() -> Result<()> {
    if env::consts::OS == "windows" {
        return Ok(());
    }
    require(&PROGRAMS)
}

/// Fails unless those are there that `cargo xtask full` runs.
pub(crate) fn require_full() -> Result<()> {
    require(&[&PROGRAMS[..], &MORE, &SPEECH_DISPATCHER].concat())
}

/// The same for those of Speech Dispatcher alone.
pub(crate) fn require_speech_dispatcher() -> Result<()> {
    require(&SPEECH_DISPATCHER)
}

/// The same for the C compiler alone.
pub(crate) fn require_compiler() -> Result<()> {
    require(&PROGRAMS[..1])
}

/// The browsers of the tests: what names the program, what it may be called, and its Debian package.
const CHROMIUM: Browser =
    ("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"], "chromium");
const FIREFOX: Browser = ("FIREFOX", &["firefox", "firefox-esr"], "firefox-esr");

type Browser = (&'static str, &'static [&'static str], &'static str);

/// Tells a script of ours where Chromium is, by the environment variable that a user may set.
///
/// # Errors
///
/// Where there is none.
pub(crate) fn set_chromium(command: &mut Command) -> Result<()> {
    set_browser(command, CHROMIUM)
}

/// The same for Firefox.
pub(crate) fn set_firefox(command: &mut Command) -> Result<()> {
    set_browser(command, FIREFOX)
}

fn set_browser(command: &mut Command, (variable, names, package): Browser) -> Result<()> {
    if env::var_os(variable).is_some() {
        return Ok(());
    }
    let folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    let found = names.iter().find_map(|name| {
        folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    });
    let Some(path) = found else {
        bail!(
            "{} was not found: install it (Debian and Ubuntu: apt-get install {package}), or set \
             {variable} to its path",
            names[0],
        );
    };
    command.env(variable, path);
    Ok(())
}

/// Fails unless these are there, each with what Debian and Ubuntu call its package.
pub(crate) fn require(programs: &[(&str, &str)]) -> Result<()> {
    let mut missing = Vec::new();
    let mut packages = Vec::new();
    for (command, package) in programs {
        let (program, argument) = command.split_once(' ').unwrap_or((command, "--version"));
        if process::exists(Command::new(program).arg(argument))? {
            continue;
        }
        missing.push(program);
        if !packages.contains(package) {
            packages.push(package);
        }
    }
    if !missing.is_empty() {
        bail!(
            "programs that are needed were not found: {}. Install them \
             (Debian and Ubuntu: apt-get install {}) and run the command again",
            missing.join(", "),
            packages.join(" ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_missing_is_named_at_once() {
        let programs = [
            ("libspeech-no-1", "essential"),
            ("libspeech-no-2", "essential"),
            ("cargo version", "cargo"),
        ];
        let error = require(&programs).unwrap_err().to_string();
        assert!(error.contains("libspeech-no-1, libspeech-no-2"), "{error}");
        assert!(error.contains("apt-get install essential)"), "{error}");
        require(&programs[2..]).unwrap();
    }
}
