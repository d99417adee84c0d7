//! Other ONNX Runtimes: one of the host's own in the same process, and one that uses the network.

use std::path::{Path, PathBuf};
use std::process::Command;

use speech_core::{Engine, ErrorKind};
use speech_tests::dist::{Mode, Programs, expect_success};
use speech_tests::hum;

fn hum_bundle() -> tempfile::TempDir {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    hum::write(dir.path()).unwrap();
    dir
}

#[test]
fn the_host_may_have_another_version() {
    let other = std::env::var_os("SPEECH_OTHER_ONNXRUNTIME")
        .expect("this test needs a second ONNX Runtime: run `cargo xtask test`");
    let hum = hum_bundle();
    let programs = Programs::new(Mode::Plain);
    let mut run = programs.command(&programs.compile("two_runtimes"));
    let version = expect_success(run.args([hum.path(), hum.path()]).arg(&other));
    assert!(PathBuf::from(other).to_string_lossy().contains(version.trim()), "{version}");
}

#[test]
fn one_that_reports_to_its_maker_is_refused() {
    let hum = hum_bundle();
    let library = hum.path().join("libonnxruntime.so.1");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c/newer_runtime.c");
    let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"];
    expect_success(Command::new("cc").args(flags).arg(source).arg("-o").arg(&library));
    let error = Engine::builder().bundle(hum.path()).onnxruntime(&library).load().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ModelError);
    assert!(error.message().starts_with("ONNX Runtime 1.31.1 at "), "{error}");
    assert!(error.message().contains("ORT_DISABLE_TELEMETRY=1"), "{error}");
    // The refusal does not settle on that library: another can be loaded.
    assert!(Engine::builder().bundle(hum.path()).load().is_ok());
}
