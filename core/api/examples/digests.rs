//! Prints a digest of the audio of each request in `core/api/tests/determinism`, with the fastest
//! kernels and with the portable ones. `cargo xtask determinism` compares the digests of several
//! builds.
#![allow(clippy::print_stdout, reason = "a program: printing is what it does")]

#[path = "../tests/determinism/cases.rs"]
mod cases;

use cases::{cases, digest, load};
use speech_core::KernelSet;

fn main() {
    let cases = cases();
    // Compilers may vectorize the portable kernels in different ways, so they are tested too; but
    // they are slow.
    for (kernels, step) in [(KernelSet::Auto, 1), (KernelSet::Portable, 10)] {
        let engine = load(1, 1, kernels);
        for (i, case) in cases.iter().enumerate().step_by(step) {
            println!("{kernels:?} {i} {}", digest(&engine, case));
        }
    }
}
