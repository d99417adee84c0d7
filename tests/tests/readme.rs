//! Runs the C and C++ snippets of the README and of the documentation with the package, as a new
//! user does.

use std::fs;
use std::path::Path;
use std::process::Command;

use speech_tests::dist::{self, expect_success};
use speech_tests::pages;

/// The page of the language. Its commands build its first program.
const PAGE: &str = "docs/start/c.md";

/// The code blocks of a kind on all other pages.
fn others(kind: &str) -> Vec<String> {
    let pages = pages::all().into_iter().filter(|page| page.path != PAGE);
    let of =
        |page: pages::Page| page.blocks(kind).into_iter().map(str::to_owned).collect::<Vec<_>>();
    pages.flat_map(of).collect()
}

/// Runs a script in a separate folder, beside the package.
fn follow(dir: &Path, script: &str) -> String {
    let mut shell = Command::new("bash");
    shell.args(["-eu", "-c", script]).current_dir(dir);
    dist::without_settings(&mut shell);
    // No files of this machine: neither the cache of `cargo xtask`, nor a folder to write to.
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
    let page = pages::one(PAGE);
    let [hello, ref streams @ ..] = page.blocks("c")[..] else { panic!("programs in C") };
    let [commands] = page.blocks("bash")[..] else { panic!("one list of commands") };
    assert_eq!(others("bash"), [""; 0], "commands that nobody runs");
    let streams = streams.iter().map(|program| (*program).to_owned()).chain(others("c"));
    let streams: Vec<_> = streams.collect();
    assert_eq!(streams.len(), 3, "programs in C that write samples");
    fs::write(dir.path().join("hello.c"), hello).unwrap();
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
    let mut words = String::new();
    let programs = others("cpp");
    assert!(!programs.is_empty(), "programs in C++");
    for program in programs {
        fs::write(dir.path().join("hello.cpp"), program).unwrap();
        words += &follow(
            dir.path(),
            &format!("{with} c++ -std=c++17 $warnings hello.cpp $flags -o hello && ./hello"),
        );
        assert!(wav_seconds() > 0.7);
    }
    assert_eq!(words.lines().count(), 4, "{words}");
    assert!(words.lines().next().unwrap().ends_with(" s  First"), "{words}");
    for (number, program) in streams.iter().enumerate() {
        let name = format!("stream{number}");
        fs::write(dir.path().join(format!("{name}.c")), program).unwrap();
        let build = format!("cc -std=c11 $warnings {name}.c $flags -o {name}");
        follow(dir.path(), &format!("{with} {build} && ./{name} > {name}.pcm"));
        assert!(fs::metadata(dir.path().join(format!("{name}.pcm"))).unwrap().len() > 44_100);
    }
}

#[test]
fn the_program_at_the_top_of_the_header_is_the_first_of_the_documentation() {
    let header = include_str!("../../include/speech.h");
    let (_, program) = header.split_once("A whole program:\n *\n").unwrap();
    let (program, _) = program.split_once("\n *\n * CONVENTIONS").unwrap();
    let lines = program.lines().map(|line| line.strip_prefix(" *   ").unwrap_or_default());
    let program: String = lines.map(|line| line.to_owned() + "\n").collect();
    assert_eq!(program, pages::one(PAGE).blocks("c")[0]);
}
