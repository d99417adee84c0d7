//! `cargo xtask miri`: the code that handles pointers, on an interpreter that finds undefined
//! behaviour.

use anyhow::Result;

use crate::nightly::{Component, Nightly};
use crate::process;
use crate::workspace::Workspace;

/// What is run of the core: the kernels that any machine runs, the product of matrices of the front end, which has AVX2, calls
/// of the system, and what threads share. Files cannot be mapped there, `rayon` breaks the rules that Miri assumes
/// (<https://github.com/crossbeam-rs/crossbeam/issues/545>), and all else is safe code.
const CORE: [&str; 7] = [
    "acoustic::kernels",
    "oov::matrix",
    "request_id",
    "panic_boundary",
    "cancel",
    "fair_semaphore",
    "prefetch",
];

/// Runs the unit tests of the C interface (pointers, handles, the boundary that stops panics) and of the core where code is
/// unsafe or threads meet. Nothing there speaks, which would take Miri too long.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let nightly = require(workspace)?;
    let miri = |package| {
        let mut cargo = nightly.cargo(&workspace.target().join("nightly"));
        // Errors have the time in their identifier, and property tests take their seed from the system.
        cargo.env("MIRIFLAGS", "-Zmiri-disable-isolation");
        cargo.args(["miri", "test", "--package", package, "--lib"]);
        cargo
    };
    process::shown(&mut miri("speech-ffi"))?;
    let mut cargo = miri("speech-core");
    cargo.arg("--").args(CORE);
    // The one compares values, with operations that others test, and takes many minutes; the others speak.
    process::shown(cargo.args(["--skip", "kernels::self_check", "--skip", "acoustic::tests"]))
}

/// The toolchain, which Miri comes with and what `cargo xtask tsan` compiles.
pub(crate) fn require(workspace: &Workspace) -> Result<Nightly<'_>> {
    Nightly::find(workspace, &[Component::Miri, Component::RustSrc])
}
