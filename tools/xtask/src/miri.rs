//! `cargo xtask miri` and `model`: unsafe code on an interpreter that finds undefined behaviour, and threads in many orders.

use crate::needs::{Need, require};
use crate::nightly;
use crate::prelude::*;

/// The tests that are run of the crate that all others share: calls of the system, and what threads share. Files cannot be
/// mapped there, and `rayon` breaks the rules that Miri assumes (<https://github.com/crossbeam-rs/crossbeam/issues/545>).
const BASE: [&str; 5] = ["request_id", "cancel", "fair_queue", "fair_semaphore", "prefetch"];

/// What Miri needs.
pub(crate) const NEEDS: &[Need] = &[Need::Nightly("miri"), Need::Nightly("rust-src")];

/// Runs the unit tests of the C interface (pointers, handles, the boundary that stops panics), of the kernels and of what
/// threads share. The front end is safe code. Nothing there speaks, which would take Miri too long.
pub(crate) fn run() -> Result<()> {
    require(NEEDS)?;
    let miri = |package| {
        let mut cargo = nightly::cargo(&target().join("nightly"));
        // Errors have the time in their identifier, and property tests take their seed from the system.
        cargo.env("MIRIFLAGS", "-Zmiri-disable-isolation");
        cargo.args(["miri", "test", "--package", package, "--lib"]);
        cargo
    };
    process::shown(&mut miri("speech-ffi"))?;
    process::shown(&mut miri("speech-bindings"))?;
    process::shown(miri("speech-base").arg("--").args(BASE))?;
    // It compares values, with operations that others test, and takes many minutes.
    process::shown(miri("speech-kernels").args(["--", "--skip", "self_check"]))
}

/// Runs the model checks of `speech-base` and of the C interface under Shuttle, whose locks they are compiled with.
pub(crate) fn model() -> Result<()> {
    let mut cargo = workspace::cargo("test");
    cargo
        .args(["--release", "--package", "speech-base", "--package", "speech-ffi", "--lib"])
        .args(["model_checks", "--", "--nocapture", "--test-threads=1"])
        .env("CARGO_TARGET_DIR", target().join("model"))
        .env("RUSTFLAGS", "--cfg shuttle");
    process::shown(&mut cargo)
}
