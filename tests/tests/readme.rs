//! The C and C++ snippets of the README, from the package, as a newcomer does it.

use std::fs;
use std::path::Path;
use std::process::Command;

use speech_tests::dist::{self, expect_success};

const README: &str = include_str!("../../README.md");

fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    README.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// A program in a folder of its own, with the package beside it.
fn follow(dir: &Path, script: &str) -> String {
    let mut shell = Command::new("bash");
    shell.args(["-eu", "-c", script]).current_dir(dir);
    dist::without_settings(&mut shell);
    // Nothing of this machine's: neither what `cargo xtask` keeps, nor a place to leave anything.
    fs::create_dir_all(dir.join("home")).unwrap();
    let played = expect_success(shell.env("HOME", dir.join("home")));
    assert_eq!(fs::read_dir(dir.join("home")).unwrap().count(), 0, "something was left behind");
    played
}

#[test]
fn the_c_and_cpp_programs_speak_from_the_package() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let package = dist::package();
    let link = dir.path().join(package.file_name().unwrap());
    fs::hard_link(&package, &link).or_else(|_| fs::copy(&package, &link).map(|_| ())).unwrap();
    let [hello, stream, live, soon] = blocks("c")[..] else { panic!("four programs in C") };
    let [cpp] = blocks("cpp")[..] else { panic!("a program in C++") };
    let [commands] = blocks("bash")[..] else { panic!("one list of commands") };
    fs::write(dir.path().join("hello.c"), hello).unwrap();
    fs::write(dir.path().join("stream.c"), stream).unwrap();
    fs::write(dir.path().join("live.c"), live).unwrap();
    fs::write(dir.path().join("soon.c"), soon).unwrap();
    fs::write(dir.path().join("hello.cpp"), cpp).unwrap();
    let wav_seconds = || {
        let wav = fs::read(dir.path().join("hello.wav")).unwrap();
        fs::remove_file(dir.path().join("hello.wav")).unwrap();
        assert!(wav[44..].iter().any(|byte| *byte != 0));
        (wav.len() - 44) as f64 / 44_100.0
    };

    follow(dir.path(), commands);
    assert!(wav_seconds() > 0.7);

    let with = "PKG_CONFIG_PATH=\"$PWD/sdk/lib/pkgconfig\" && export PKG_CONFIG_PATH\n\
                flags=$(pkg-config --cflags --libs libspeech)\n\
                warnings='-Wall -Wextra -Wpedantic -Werror'\n";
    let words = follow(
        dir.path(),
        &format!("{with} c++ -std=c++17 $warnings hello.cpp $flags -o hello && ./hello"),
    );
    assert!(wav_seconds() > 0.7);
    assert_eq!(words.lines().count(), 4, "{words}");
    assert!(words.lines().next().unwrap().ends_with(" s  First"), "{words}");
    for name in ["stream", "live", "soon"] {
        let build = format!("cc -std=c11 $warnings {name}.c $flags -o {name}");
        follow(dir.path(), &format!("{with} {build} && ./{name} > {name}.pcm"));
        assert!(fs::metadata(dir.path().join(format!("{name}.pcm"))).unwrap().len() > 44_100);
    }
}

#[test]
fn the_program_at_the_top_of_the_header_is_that_of_the_readme() {
    let header = include_str!("../../include/speech.h");
    let (_, program) = header.split_once("A whole program:\n *\n").unwrap();
    let (program, _) = program.split_once("\n *\n * CONVENTIONS").unwrap();
    let lines = program.lines().map(|line| line.strip_prefix(" *   ").unwrap_or_default());
    let program: String = lines.map(|line| line.to_owned() + "\n").collect();
    assert_eq!(program, blocks("c")[0]);
}
