//! `cargo xtask tsan`: runs the C program that uses one engine from many threads, under
//! ThreadSanitizer.
//!
//! Compiles all Rust code with the sanitizer, including the standard library, which needs nightly
//! Rust. The C compiler instruments the program, and Rust provides the runtime: GCC and LLVM have
//! used the same runtime interface for many years.

use crate::dist::Platform;
use crate::needs::{self, Need, require};
use crate::nightly;
use crate::prelude::*;
use crate::soak;

#[derive(Args)]
pub(crate) struct Tsan {
    /// The number of rounds, each with new threads.
    #[arg(long, value_name = "N", default_value_t = 10)]
    rounds: u32,
}

impl Tsan {
    pub(crate) fn usual() -> Self {
        Tsan { rounds: 10 }
    }

    /// Compiles the library and the program, and runs the program with the fake model.
    pub(crate) fn run(&self) -> Result<()> {
        require(&[needs::CC, Need::Nightly("rust-src")])?;
        let platform = Platform::of_host()?;
        ensure!(
            platform.has_glibc(),
            "this command needs Linux with glibc; the host is {}",
            platform.triple()
        );
        let scratch = soak::scratch("tsan")?;
        let bundle = made(scratch.join("fake_model"))?;
        let mut writer = workspace::cargo("run");
        writer.args(["--quiet", "--release", "--package=speech-tests", "--bin=fake_model", "--"]);
        process::shown(writer.arg(&bundle))?;
        let library = compile_library(&platform, &scratch)?;
        let runtime = nightly::library(platform.triple(), "librustc-nightly_rt.tsan.a")?;
        let program = compile_program(&scratch, &[library, runtime])?;
        self.run_program(&program, &bundle)
    }

    fn run_program(&self, program: &Path, bundle: &Path) -> Result<()> {
        let mut threads = Command::new(program);
        threads.arg(bundle).arg(bundle).arg(self.rounds.to_string());
        threads.env_remove("SPEECH_THREADS").env("TSAN_OPTIONS", "second_deadlock_stack=1");
        process::shown(&mut threads)?;
        println!("{} rounds of 24 threads, no data race", self.rounds);
        Ok(())
    }
}

fn compile_library(platform: &Platform, scratch: &Path) -> Result<PathBuf> {
    let target = scratch.join("cargo");
    let mut cargo = nightly::cargo(&target);
    cargo
        .args(["rustc", "-Zbuild-std", "--release", "--target", platform.triple()])
        .args(["--package", "speech-ffi", "--lib", "--crate-type", "staticlib"])
        .env("RUSTFLAGS", "-Zsanitizer=thread");
    process::shown(&mut cargo)?;
    Ok(target.join(platform.triple()).join("release/libspeech.a"))
}

/// Compiles and links separately: linking with the flag would add the C compiler's runtime.
fn compile_program(scratch: &Path, libraries: &[PathBuf]) -> Result<PathBuf> {
    let object = scratch.join("threads.o");
    let mut compiler = soak::compiler(scratch, &root().join("include"));
    compiler.args(["-fsanitize=thread", "-c"]).arg(soak::source("threads"));
    process::shown(compiler.arg("-o").arg(&object))?;
    let program = scratch.join("threads");
    let mut linker = Command::new("cc");
    linker.arg("-o").arg(&program).arg(object).args(libraries);
    // The runtime interposes functions that the C library also calls.
    process::shown(linker.args(["-rdynamic", "-pthread", "-lm", "-ldl", "-lrt"]))?;
    Ok(program)
}
