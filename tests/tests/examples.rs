//! The programs of `examples/c` and `examples/cpp`, built by CMake against the distribution.

use std::fs;
use std::path::Path;
use std::process::Command;

use speech_tests::dist::{self, expect_success};
use speech_tests::fake_model;

/// A text with an emoji, which is skipped.
const HELLO: &str = "Hello \u{1f44b} world.";

/// Builds an example folder; returns the folder of the programs.
fn build(example: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(example);
    let flags = "-Wall -Wextra -Wpedantic -Werror";
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(source).arg("-B").arg(dir.path());
    cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", dist::tree().display()));
    if dist::is_emulated() {
        let system = if dist::is_for_windows() { "Windows" } else { "Linux" };
        cmake.arg(format!("-DCMAKE_SYSTEM_NAME={system}"));
    }
    cmake.env("CC", dist::compiler().get_program());
    cmake.env("CXX", dist::cxx_compiler().get_program());
    expect_success(cmake.env("CFLAGS", flags).env("CXXFLAGS", flags));
    expect_success(Command::new("cmake").arg("--build").arg(dir.path()));
    dir
}

/// A program that finds the voices of the distribution by itself. On an emulator it gets the fake
/// model, because the voices take minutes; `cargo xtask platforms` tests them with one sentence.
fn program(dir: &Path, name: &str) -> Command {
    let mut command = dist::run(&dist::program_file(dir, name));
    dist::without_settings(&mut command);
    if dist::is_emulated() {
        let bundle = dir.join("bundle");
        if !bundle.exists() {
            fs::create_dir(&bundle).unwrap();
            fake_model::write(&bundle).unwrap();
        }
        command.env("SPEECH_BUNDLE", bundle);
    }
    command.current_dir(dir);
    command
}

fn seconds(wav: &Path) -> f64 {
    (fs::metadata(wav).unwrap().len() - 44) as f64 / 44_100.0
}

/// Runs the commands of a folder's README unchanged, in a copy of the folder.
fn follow_readme(example: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(example);
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    let readme = fs::read_to_string(dir.path().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("```sh\n").unwrap();
    let (commands, rest) = rest.split_once("```").unwrap();
    assert!(!rest.contains("```"), "one list of commands");
    // A replacement for the sound card's player that keeps the samples.
    let player = "aplay() { cat > played.pcm; }\n";
    let mut shell = Command::new("bash");
    shell.args(["-eu", "-o", "pipefail", "-c", &(player.to_owned() + commands)]);
    dist::without_settings(&mut shell);
    let output = shell.current_dir(dir.path()).env("DIST", dist::tree()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    dir
}

#[test]
fn the_readme_in_c() {
    let dir = follow_readme("c");
    assert!(seconds(&dir.path().join("hello.wav")) > 0.7);
    assert!(fs::metadata(dir.path().join("played.pcm")).unwrap().len() > 44_100);
    assert!(dir.path().join("whole").is_file());
}

#[test]
fn the_readme_in_cpp() {
    let dir = follow_readme("cpp");
    assert!(seconds(&dir.path().join("hello.wav")) > 0.7);
    assert!(dir.path().join("words.pcm").is_file() && dir.path().join("whole").is_file());
}

#[test]
fn in_c() {
    let dir = build("c");
    let dir = dir.path();
    let arguments = ["--voice", "leo", "--output", "hello.wav", HELLO];
    let printed = expect_success(program(dir, "whole").args(arguments));
    assert!(seconds(&dir.join("hello.wav")) > 0.7);
    // The arguments of `main` are not UTF-8 on Windows.
    if !dist::is_for_windows() {
        assert!(printed.contains("14 characters"), "{printed}");
        assert!(printed.contains("not said: bytes 6 to 10"), "{printed}");
    }
    let refused = program(dir, "whole").args(["--voice", "nobody"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let refused = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.starts_with("invalid_request: unsupported voice \"nobody\""), "{refused}");

    let tiers = expect_success(program(dir, "tiers").args(["turbo", "90"]));
    assert!(tiers.ends_with("90 s in turbo: 9000 millionths of a US dollar\n"), "{tiers}");
    let refused = program(dir, "tiers").arg("ultra").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains(r#""type":"invalid_tier""#));
    // On an emulator the rest takes too long.
    if dist::is_emulated() {
        return;
    }

    let streamed = program(dir, "stream").args(["--output", "all.pcm"]).output().unwrap();
    assert!(streamed.status.success());
    let said = String::from_utf8(streamed.stderr).unwrap();
    assert!(said.starts_with("first audio after "), "{said}");
    let all = fs::metadata(dir.join("all.pcm")).unwrap().len();
    assert!(all > 8 * 44_100);

    // Before the engine is loaded, so nothing is spoken.
    let cancelled = program(dir, "stream")
        .args(["--cancel-after", "1", "--output", "none.pcm"])
        .output()
        .unwrap();
    assert_eq!(cancelled.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&cancelled.stderr).contains("cancelled: "));
    assert!(fs::metadata(dir.join("none.pcm")).unwrap().len() < all);
}

#[test]
fn in_cpp() {
    let dir = build("cpp");
    let dir = dir.path();
    expect_success(program(dir, "whole").args(["Hello, world.", "hello.wav"]));
    assert!(seconds(&dir.join("hello.wav")) > 0.7);

    if dist::is_emulated() {
        return;
    }

    let words = program(dir, "stream").arg("words.pcm").output().unwrap();
    assert!(words.status.success(), "{words:?}");
    assert!(fs::metadata(dir.join("words.pcm")).unwrap().len() > 2 * 44_100);
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(words.lines().count() > 5, "{words}");

    assert!(program(dir, "voices").arg("hi-IN").output().unwrap().status.success());
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let voices: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "wav"))
        .filter(|path| !path.ends_with("hello.wav"))
        .collect();
    assert_eq!(voices.len(), 5, "{voices:?}");
    assert!(voices.iter().all(|wav| seconds(wav) > 0.7));
}
