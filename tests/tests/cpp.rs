//! Tests `speech.hpp` completely, in both C++ standards and under the sanitizers.

use std::fs;
use std::path::Path;

use speech_tests::dist::{self, expect_success};
use speech_tests::fake_model;

/// Compiles `cpp/exercise.cpp` in one standard with a second unit in another, and runs it with the
/// fake model.
fn exercise(standard: &str, other: &str, flags: &[&str]) {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bundle = dir.path().join("bundle");
    fs::create_dir(&bundle).unwrap();
    fake_model::write(&bundle).unwrap();
    let archive = dir.path().join("bundle.tar");
    fs::write(&archive, fake_model::archive(&bundle).unwrap()).unwrap();

    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp");
    let object = |name: &str, standard: &str| {
        let object = dir.path().join(name).with_extension("o");
        let mut compiler = dist::cxx_compiler();
        compiler
            .args(["-g", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"])
            .arg(format!("-std={standard}"))
            .args(flags)
            .arg("-I")
            .arg(dist::tree().join("include"))
            .arg("-c")
            .arg(sources.join(name))
            .arg("-o")
            .arg(&object);
        expect_success(&mut compiler);
        object
    };
    let program = dist::program_file(dir.path(), "exercise");
    let mut compiler = dist::cxx_compiler();
    compiler.args(flags).arg("-pthread").arg("-o").arg(&program);
    compiler.args([object("exercise.cpp", standard), object("exercise_link.cpp", other)]);
    dist::link_shared(&mut compiler);
    expect_success(&mut compiler);
    let mut run = dist::run(&program);
    dist::without_settings(&mut run);
    assert!(expect_success(run.arg(dist::path_of(&archive))).contains("all of speech.hpp works"));
}

#[test]
fn cpp_17_with_a_unit_of_cpp_20() {
    exercise("c++17", "c++20", &["-O1"]);
}

#[test]
fn cpp_20_with_a_unit_of_cpp_17_under_the_sanitizers() {
    exercise("c++20", "c++17", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
}
