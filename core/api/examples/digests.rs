//! Prints a digest of what is heard of each request of `core/api/tests/determinism`, by the fastest kernels and by the portable ones:
//! `cargo xtask determinism` compares those of several builds.
#![allow(clippy::print_stdout, reason = "a program: printing is what it does")]

#[path = "../tests/determinism/cases.rs"]
mod cases;

use cases::{cases, digest, load};
use speech_core::KernelSet;

fn main() {
    let cases = cases();
    // The portable kernels are what a compiler may vectorize in its own way, and are slow.
    for (kernels, step) in [(KernelSet::Auto, 1), (KernelSet::Portable, 10)] {
        let engine = load(1, 1, kernels);
        for (i, case) in cases.iter().enumerate().step_by(step) {
            println!("{kernels:?} {i} {}", digest(&engine, case));
        }
    }
}
