//! The programs of the machine that the tests run, beside those that come with Rust.

use std::env;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// What Debian and Ubuntu call the package of each.
const PROGRAMS: [(&str, &str); 11] = [
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

/// Fails unless these are there, each with what Debian and Ubuntu call its package.
pub(crate) fn require(programs: &[(&str, &str)]) -> Result<()> {
    let mut missing = Vec::new();
    let mut packages = Vec::new();
    for (program, package) in programs {
        if process::exists(Command::new(program).arg("--version"))? {
            continue;
        }
        missing.push(*program);
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
        let programs =
            [("libspeech-no-1", "essential"), ("libspeech-no-2", "essential"), ("cargo", "cargo")];
        let error = require(&programs).unwrap_err().to_string();
        assert!(error.contains("libspeech-no-1, libspeech-no-2"), "{error}");
        assert!(error.contains("apt-get install essential)"), "{error}");
        require(&programs[2..]).unwrap();
    }
}
