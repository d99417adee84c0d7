//! `cargo xtask miri` and `model`: runs unsafe code in an interpreter that detects undefined
//! behavior, and threads in many orders.

use crate::needs::{Need, require};
use crate::nightly;
use crate::prelude::*;

/// The tests to run of `speech-base`, which all other crates use: system calls, and data shared by
/// threads. Miri cannot map files, and `rayon` breaks the rules that Miri assumes
/// (<https://github.com/crossbeam-rs/crossbeam/issues/545>).
const BASE: [&str; 5] = ["request_id", "cancel", "fair_queue", "fair_semaphore", "prefetch"];

/// The requirements of Miri.
pub(crate) const NEEDS: &[Need] = &[Need::Nightly("miri"), Need::Nightly("rust-src")];

/// Runs the unit tests of the C interface (pointers, handles, the panic boundary), of the kernels
/// and of data shared by threads. The front end is safe code. No test computes speech, which would
/// take Miri too long.
pub(crate) fn run() -> Result<()> {
    require(NEEDS)?;
    let miri = |package| {
        let mut cargo = nightly::cargo(&target().join("nightly"));
        // Errors have the time in their identifier, and property tests take their seed from the
        // system.
        cargo.env("MIRIFLAGS", "-Zmiri-disable-isolation");
        cargo.args(["miri", "test", "--package", package, "--lib"]);
        cargo
    };
    process::shown(&mut miri("speech-ffi"))?;
    process::shown(&mut miri("speech-bindings"))?;
    process::shown(miri("speech-base").arg("--").args(BASE))?;
    // The self check compares values of operations that other tests cover, and takes many minutes.
    process::shown(miri("speech-kernels").args(["--", "--skip", "self_check"]))
}

/// Runs the model checks of `speech-base` and of the C interface under Shuttle, compiled with its
/// locks.
pub(crate) fn model() -> Result<()> {
    let mut cargo = workspace::cargo("test");
    cargo
        .args(["--release", "--package", "speech-base", "--package", "speech-ffi", "--lib"])
        .args(["model_checks", "--", "--nocapture", "--test-threads=1"])
        .env("CARGO_TARGET_DIR", target().join("model"))
        .env("RUSTFLAGS", "--cfg shuttle");
    process::shown(&mut cargo)
}
