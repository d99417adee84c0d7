//! Compares a sentence in a real voice on another platform with the portable kernels on this
//! machine.

use super::emulator::Runner;
use crate::dist::{Platform, link};
use crate::prelude::*;

const TEXT: &str = "Hello, world.";

/// The recording of a sentence.
pub(super) struct Spoken {
    pub(super) kernels: String,
    /// The similarity to the recording of the portable kernels.
    pub(super) nearness: String,
    /// The file of 16-bit samples.
    pub(super) file: PathBuf,
}

/// Compares two recordings, and returns their similarity. C libraries differ in the last bits of
/// sines and exponentials.
pub(super) fn compare(found: &Path, expected: &Path) -> Result<String> {
    python::BUNDLE.ensure()?;
    let mut spectra = python::BUNDLE.python();
    spectra.arg(root().join("tools/xtask/spectra.py"));
    process::text(spectra.args([found, expected]))
}

/// Runs a C program that speaks with the fastest kernels of the emulated processor.
pub(super) fn speak(
    artifacts: &Artifacts,
    platform: &Platform,
    runner: &Runner,
    dist: &Path,
) -> Result<Spoken> {
    let folder = target().join("platforms").join(platform.triple());
    fs::create_dir_all(&folder)?;
    let reference = reference(artifacts, &folder)?;
    // The header counts function calls in tests; this program counts none.
    fs::write(folder.join("counted.h"), "")?;
    let program = folder.join(if platform.is_windows() { "sample.exe" } else { "sample" });
    let [compiler, _] = link::compilers(platform)?;
    let mut compiler = Command::new(compiler);
    compiler.args(["-std=c11", "-O1", "-I"]).arg(dist.join("include")).arg("-I").arg(&folder);
    compiler.arg(root().join("tests/c/sample.c"));
    compiler.arg("-L").arg(dist.join("lib")).arg("-lspeech").arg("-o").arg(&program);
    if platform.is_windows() {
        // Windows loads the library from the folder of the program.
        fs::copy(dist.join("bin/speech.dll"), folder.join("speech.dll"))?;
    } else {
        compiler.arg(format!("-Wl,-rpath,{}", dist.join("lib").display()));
    }
    process::shown(&mut compiler)?;
    let out = folder.join("samples");
    let mut speak = runner.command(&program);
    speak.arg(runner.path(artifacts.bundle())).args(["auto", TEXT]).arg(runner.path(&out));
    let item = Item::start(format!("{TEXT:?} for {}", platform.triple()));
    let kernels = process::text(&mut speak)?;
    item.finish("");
    Ok(Spoken { kernels, nearness: compare(&out, &reference)?, file: out })
}

/// The recording of this machine's program with one thread and the portable kernels.
fn reference(artifacts: &Artifacts, folder: &Path) -> Result<PathBuf> {
    let wav = folder.join("reference.wav");
    let mut speech = Command::new(workspace::release_program("speech"));
    speech.args(["say", "--kernels", "portable", "-o"]).arg(&wav).arg("--").arg(TEXT);
    process::titled(format!("{TEXT:?} with portable kernels"), artifacts.set_on(&mut speech))?;
    Ok(wav)
}
