//! Runs every `sh` block of the README and the documentation with the real program. It uses the
//! real voice bundle, except for `speech bench`, which would take a minute with it.

use std::process::Command;

use speech_tests::pages;

/// The blocks of a kind in all pages.
fn blocks(kind: &str) -> Vec<String> {
    let of =
        |page: pages::Page| page.blocks(kind).into_iter().map(str::to_owned).collect::<Vec<_>>();
    pages::all().into_iter().flat_map(of).collect()
}

#[test]
fn the_commands_of_the_readme_run() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("book.txt"), "A short book. It has two sentences.\n").unwrap();
    std::fs::write(path("long.txt"), "A sentence of a long text. ".repeat(50)).unwrap();
    // A player in place of a sound card, which stores its input.
    std::fs::create_dir(path("bin")).unwrap();
    for (program, played) in [("aplay", "played.pcm"), ("paplay", "morning.pcm")] {
        std::fs::write(path("bin").join(program), format!("#!/bin/sh\ncat > {played}\n")).unwrap();
    }
    std::fs::create_dir(path("fake")).unwrap();
    speech_tests::fake_model::write(&path("fake")).unwrap();
    let (fake, program) = (path("fake"), env!("CARGO_BIN_EXE_speech"));
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = bench ]; then export SPEECH_BUNDLE='{}'; fi\nexec '{program}' \"$@\"\n",
        fake.display()
    );
    std::fs::write(path("bin/speech"), script).unwrap();
    for program in ["aplay", "paplay", "speech"] {
        let mut executable = Command::new("chmod");
        assert!(executable.arg("+x").arg(path("bin").join(program)).status().unwrap().success());
    }

    let system = std::env::var_os("PATH").unwrap();
    let paths = [path("bin")].into_iter().chain(std::env::split_paths(&system));
    let search = std::env::join_paths(paths).unwrap();
    let blocks = blocks("sh");
    assert!(!blocks.is_empty());
    for block in blocks {
        let output = Command::new("sh")
            .args(["-eu", "-c", &block])
            .env("PATH", &search)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{block}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    for wav in ["morning.wav", "input.wav", "mausam.wav"] {
        assert!(hound::WavReader::open(path(wav)).unwrap().duration() > 11_025, "{wav}");
    }
    for pcm in ["played.pcm", "morning.pcm"] {
        assert!(std::fs::metadata(path(pcm)).unwrap().len() > 22_050, "{pcm}");
    }
}

/// The tests of other kinds of blocks. `rust`: doctests of the core. `console`: commands that steps
/// of `cargo xtask test` run. `c`, `cpp` and `bash`: tests/tests/readme.rs. `shell`: the service's
/// tests. `python`: bindings/python/tests/test_readme.py. `js`:
/// bindings/node/tests/readme.voices.test.mjs. `java` and `kotlin`: bindings/jvm/*/src/test. `objc`
/// and `swift`: below.
const KINDS: [&str; 13] = [
    "sh", "shell", "rust", "console", "c", "cpp", "bash", "python", "js", "java", "kotlin", "objc",
    "swift",
];

/// Kinds on a single page, which a test of the core reads.
const OF_SSML: [&str; 2] = ["xml", "text"];

/// Kinds on a single page; the tests of the ledger run its query, and bindings/python/tests/clusters
/// its programs.
const OF_SCALE: [&str; 3] = ["sql", "python ray", "python spark"];

/// Kinds on a single page, which the tests of the telephone bridges read.
const OF_TELEPHONE: [&str; 2] = ["caddyfile", "ini"];

/// A kind on a single page; a test of the service sends its messages.
const OF_LIVE: [&str; 1] = ["json"];

/// Clang parses the example's Objective-C in `cargo xtask xcframework`; nothing here compiles
/// Swift.
#[test]
fn blocks_for_apple_are_those_of_the_example() {
    let lines = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    for (kind, example) in [
        ("objc", include_str!("../../ios/Speaker.m")),
        ("swift", include_str!("../../ios/Speaker.swift")),
    ] {
        let blocks = blocks(kind);
        assert_eq!(blocks.len(), 1, "{kind}");
        assert!(lines(example).contains(&lines(&blocks[0])), "{kind}: {}", blocks[0]);
    }
}

#[test]
fn every_block_is_of_a_kind_that_is_tested() {
    for page in pages::all() {
        let more = match &*page.path {
            "docs/scale.md" => &OF_SCALE[..],
            "docs/ssml.md" => &OF_SSML,
            "docs/telephone.md" => &OF_TELEPHONE,
            "docs/live-service.md" => &OF_LIVE,
            _ => &[],
        };
        let kinds = page.kinds();
        let unknown: Vec<_> = kinds
            .into_iter()
            .filter(|kind| !KINDS.contains(kind) && !more.contains(kind))
            .collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", page.path);
    }
    assert_eq!(
        pages::one("README.md").blocks("console"),
        ["$ cargo xtask say \"Hello, world.\" -o hello.wav\n$ cargo xtask test\n"]
    );
}

#[test]
fn the_core_runs_the_programs_in_rust_of_every_page() {
    let listed = include_str!("../../../core/api/src/lib.rs");
    let pages = pages::all();
    let missing: Vec<_> = pages
        .iter()
        .filter(|page| page.kinds().contains(&"rust"))
        .filter(|page| !listed.contains(&format!(": \"{}\",", page.path)))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_readme_is_read_in_two_minutes() {
    let lines = pages::one("README.md").text.lines().count();
    assert!(lines <= 200, "{lines} lines");
}
