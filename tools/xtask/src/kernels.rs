//! `cargo xtask kernels`: the kernels of other processors against the specification, on emulated ones.

use crate::dist::platform::cargo_variable;
use crate::needs::{Need, require};
use crate::prelude::*;

/// A kind of processor.
struct Architecture {
    triple: &'static str,
    /// With what Debian and Ubuntu call its package.
    linker: (&'static str, &'static str),
    emulator: &'static str,
    /// Where the cross compiler has its C library.
    root: &'static str,
    processors: &'static [Processor],
    /// Other crates whose tests run on the first of them.
    others: &'static [(&'static str, &'static [&'static str])],
}

/// A processor that is emulated.
struct Processor {
    name: &'static str,
    /// The tests of the kernels that run on it: all of them if there are no names.
    tests: &'static [&'static str],
    /// The sets of kernels that it has, which no test may skip.
    kernels: &'static str,
}

/// On processors that lack instructions: that none is used that there is not.
const OF_OTHER_PROCESSORS: &[&str] = &["self_check", "tests::int", "the_kernels_that_must_run_do"];

const ARCHITECTURES: [Architecture; 3] = [
    Architecture {
        triple: "aarch64-unknown-linux-gnu",
        linker: ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
        emulator: "qemu-aarch64",
        root: "/usr/aarch64-linux-gnu",
        processors: &[
            // All instructions, those of Armv8.6 for products of bfloat16 and 8-bit matrices among them.
            Processor { name: "max", tests: &[], kernels: "neon,neon-dotprod,neon-i8mm,neon-bf16" },
            // Products of bytes (Armv8.2).
            Processor {
                name: "cortex-a76",
                tests: OF_OTHER_PROCESSORS,
                kernels: "neon,neon-dotprod",
            },
            // Neither.
            Processor { name: "cortex-a72", tests: OF_OTHER_PROCESSORS, kernels: "neon" },
        ],
        others: &[],
    },
    // The portable kernels, and the limits of sizes in 32 bits.
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

/// What this needs.
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
