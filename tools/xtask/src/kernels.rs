//! `cargo xtask kernels`: tests the kernels of other processors against the specification, under
//! emulation.

use crate::dist::platform::cargo_variable;
use crate::needs::{Need, require};
use crate::prelude::*;

/// An instruction set architecture.
struct Architecture {
    triple: &'static str,
    /// The linker, and its package in Debian and Ubuntu.
    linker: (&'static str, &'static str),
    emulator: &'static str,
    /// The folder of the cross compiler's C library.
    root: &'static str,
    processors: &'static [Processor],
    /// Other crates, whose tests run on the first processor.
    others: &'static [(&'static str, &'static [&'static str])],
}

/// An emulated processor.
struct Processor {
    name: &'static str,
    /// The kernel tests for it; an empty list means all tests.
    tests: &'static [&'static str],
    /// The kernel sets that it supports; their tests must not be skipped.
    kernels: &'static str,
}

/// For processors with fewer instructions: the tests that unsupported instructions are never used.
const OF_OTHER_PROCESSORS: &[&str] = &["self_check", "tests::int", "the_kernels_that_must_run_do"];

const ARCHITECTURES: [Architecture; 3] = [
    Architecture {
        triple: "aarch64-unknown-linux-gnu",
        linker: ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
        emulator: "qemu-aarch64",
        root: "/usr/aarch64-linux-gnu",
        processors: &[
            // All instructions, including those of Armv8.6 for bfloat16 products and 8-bit
            // matrices.
            Processor { name: "max", tests: &[], kernels: "neon,neon-dotprod,neon-i8mm,neon-bf16" },
            // Byte products (Armv8.2).
            Processor {
                name: "cortex-a76",
                tests: OF_OTHER_PROCESSORS,
                kernels: "neon,neon-dotprod",
            },
            // Without these extensions.
            Processor { name: "cortex-a72", tests: OF_OTHER_PROCESSORS, kernels: "neon" },
        ],
        others: &[],
    },
    // The portable kernels, and sizes near the 32-bit limit.
    Architecture {
        triple: "armv7-unknown-linux-gnueabihf",
        linker: ("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf"),
        emulator: "qemu-arm",
        root: "/usr/arm-linux-gnueabihf",
        processors: &[Processor { name: "max", tests: &[], kernels: "portable" }],
        others: &[("speech-base", &["system"]), ("speech-acoustic", &["bundle"])],
    },
    Architecture {
        triple: "riscv64gc-unknown-linux-gnu",
        linker: ("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"),
        emulator: "qemu-riscv64",
        root: "/usr/riscv64-linux-gnu",
        processors: &[Processor { name: "rv64", tests: &[], kernels: "portable" }],
        others: &[],
    },
];

/// Runs the unit tests of the kernels.
pub(crate) fn run() -> Result<()> {
    require(&needs())?;
    for architecture in &ARCHITECTURES {
        for processor in architecture.processors {
            architecture.run_on(processor, "speech-kernels", processor.tests)?;
        }
        for (package, tests) in architecture.others {
            let processor = &architecture.processors[0];
            architecture.run_on(processor, package, tests)?;
        }
    }
    Ok(())
}

/// The requirements of this command.
pub(crate) fn needs() -> Vec<Need> {
    let of = |architecture: &Architecture| {
        let (linker, package) = architecture.linker;
        let emulator = Need::Program(architecture.emulator, "qemu-user", "qemu");
        [Need::Program(linker, package, package), emulator, Need::Rust(architecture.triple)]
    };
    ARCHITECTURES.iter().flat_map(of).collect()
}

impl Architecture {
    fn run_on(&self, processor: &Processor, package: &str, tests: &[&str]) -> Result<()> {
        let mut cargo = workspace::cargo("test");
        cargo
            .args(["--target", self.triple, "--package", package, "--lib", "--"])
            .args(tests)
            .env("REQUIRE_KERNELS", processor.kernels)
            .env(cargo_variable(self.triple, "LINKER"), self.linker.0)
            .env(
                cargo_variable(self.triple, "RUNNER"),
                format!("{} -cpu {} -L {}", self.emulator, processor.name, self.root),
            );
        process::shown(&mut cargo)
    }
}
