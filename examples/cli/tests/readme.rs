//! Every `sh` block of the README runs as it stands, with the real program. It has the real voice bundle, but for
//! `speech bench`, which would measure that for a minute.

use std::process::Command;

const README: &str = include_str!("../../../README.md");

fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    README.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_commands_of_the_readme_run() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("book.txt"), "A short book. It has two sentences.\n").unwrap();
    std::fs::write(path("long.txt"), "A sentence of a long text. ".repeat(50)).unwrap();
    // A player that takes the place of a sound card, and keeps what it would have played.
    std::fs::create_dir(path("bin")).unwrap();
    std::fs::write(path("bin/aplay"), "#!/bin/sh\ncat > played.pcm\n").unwrap();
    std::fs::create_dir(path("fake")).unwrap();
    speech_tests::fake_model::write(&path("fake")).unwrap();
    let (fake, program) = (path("fake"), env!("CARGO_BIN_EXE_speech"));
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = bench ]; then export SPEECH_BUNDLE='{}'; fi\nexec '{program}' \"$@\"\n",
        fake.display()
    );
    std::fs::write(path("bin/speech"), script).unwrap();
    for program in ["aplay", "speech"] {
        let mut executable = Command::new("chmod");
        assert!(executable.arg("+x").arg(path("bin").join(program)).status().unwrap().success());
    }

    let system = std::env::var_os("PATH").unwrap();
    let paths = [path("bin")].into_iter().chain(std::env::split_paths(&system));
    let search = std::env::join_paths(paths).unwrap();
    let blocks = blocks("sh");
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let output = Command::new("sh")
            .args(["-eu", "-c", block])
            .env("PATH", &search)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{block}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    for wav in ["morning.wav", "input.wav", "mausam.wav"] {
        assert!(hound::WavReader::open(path(wav)).unwrap().duration() > 11_025, "{wav}");
    }
    assert!(std::fs::metadata(path("played.pcm")).unwrap().len() > 44_100);
}

/// `rust` blocks are doctests of the core; `console` is the commands that steps of `cargo xtask test` run; `c`, `cpp` and `bash` are
/// tests/tests/readme.rs, `shell` is the service's, `python` is bindings/python/tests/test_readme.py, `js` is
/// bindings/node/tests/readme.voices.test.mjs, `java`, `kotlin` and `xml` are bindings/jvm/*/src/test, `objc` and `swift` are below.
const KINDS: [&str; 14] = [
    "sh", "shell", "rust", "console", "c", "cpp", "bash", "python", "js", "java", "kotlin", "xml",
    "objc", "swift",
];

/// Clang parses the Objective-C of the example in `cargo xtask xcframework`; nothing here compiles Swift.
#[test]
fn blocks_for_apple_are_those_of_the_example() {
    let lines = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    for (kind, example) in [
        ("objc", include_str!("../../ios/Speaker.m")),
        ("swift", include_str!("../../ios/Speaker.swift")),
    ] {
        let blocks = blocks(kind);
        assert_eq!(blocks.len(), 1, "{kind}");
        assert!(lines(example).contains(&lines(blocks[0])), "{kind}: {}", blocks[0]);
    }
}

#[test]
fn every_block_is_of_a_kind_that_is_tested() {
    let kinds: Vec<_> = README.lines().filter_map(|line| line.strip_prefix("```")).collect();
    for kind in kinds.chunks(2) {
        assert!(KINDS.contains(&kind[0]) && kind[1..] == [""], "{kind:?}");
    }
    assert_eq!(
        blocks("console"),
        [
            "$ cargo xtask say \"Hello, world.\" -o hello.wav\n$ cargo xtask test\n",
            "$ pip install libspeech-sdk libspeech-sdk-voices\n",
            "$ npm install libspeech-sdk libspeech-sdk-voices\n",
            "$ cargo xtask serve\n",
        ]
    );
}
