//! Stability of the binary interface: programs compiled with an older header still run.

use std::fs;
use std::path::{Path, PathBuf};

use speech_tests::dist::{self, Mode, Programs, expect_success};

/// The folders of `abi/`, one for each minor version.
fn versions() -> Vec<PathBuf> {
    let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("abi")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    folders.collect()
}

/// The declarations of a header, each on one line: functions with arguments, structures with
/// fields, enumerations with values. Swift annotations are removed, because compiled programs do
/// not depend on them.
fn declarations(header: &str) -> Vec<String> {
    let is_code = |line: &&str| {
        !["//", " *", "/*"].iter().any(|start| line.trim_start_matches("  ").starts_with(start))
    };
    let code: Vec<_> = header.lines().filter(is_code).map(without_swift).collect();
    let blocks = code.join("\n");
    let blocks =
        blocks.split("\n\n").map(|block| block.split_whitespace().collect::<Vec<_>>().join(" "));
    blocks.filter(|block| block.contains("speech_") || block.contains("SPEECH_")).collect()
}

/// A line without its Swift annotations.
fn without_swift(line: &str) -> String {
    let mut line = line.replace("SPEECH_NULLABLE ", "").replace("SPEECH_NONNULL ", "");
    if line.starts_with("#define") {
        return line;
    }
    // `SPEECH_OK SPEECH_SWIFT_NAME(ok) = 0` and `SPEECH_ENUM(speech_status, SpeechStatus)`
    for (start, end) in [(" SPEECH_SWIFT_NAME(", ""), (", Speech", ")")] {
        if let Some((before, rest)) = line.split_once(start) {
            let (_, after) = rest.split_once(')').expect("the macro has an end");
            line = format!("{before}{end}{after}");
        }
    }
    line
}

#[test]
fn a_program_of_each_older_header_runs() {
    let versions = versions();
    assert!(!versions.is_empty());
    for version in versions {
        let programs = Programs::new(Mode::Plain);
        let program = programs.compile_with(&version, &version.join("client.c"));
        expect_success(&mut programs.command(&program));
    }
}

/// The declarations of an older header that the newer one lacks.
fn missing<'a>(older: &'a [String], newer: &[String]) -> Vec<&'a str> {
    let may_change = ["#define SPEECH_VERSION", "#define SPEECH_ABI_MINOR"];
    older
        .iter()
        .filter(|declaration| !may_change.iter().any(|start| declaration.starts_with(start)))
        // The newer enumeration may have more values.
        .map(|declaration| declaration.trim_end_matches(" };"))
        .filter(|declaration| !newer.iter().any(|now| now.starts_with(declaration)))
        .collect()
}

#[test]
fn what_an_older_header_declares_is_still_so() {
    let today = fs::read_to_string(dist::tree().join("include/speech.h")).unwrap();
    let today = declarations(&today);
    for version in versions() {
        let then = declarations(&fs::read_to_string(version.join("speech.h")).unwrap());
        let missing = missing(&then, &today);
        assert!(missing.is_empty(), "{}: {missing:#?}", version.display());
    }
}

#[test]
fn a_change_of_the_header_is_found() {
    let header = fs::read_to_string(versions()[0].join("speech.h")).unwrap();
    let then = declarations(&header);
    for (old, new) in [
        ("speech_status speech_engine_warm_up", "speech_status speech_engine_heat_up"),
        ("size_t max_concurrency,", "uint32_t max_concurrency,"),
        ("SPEECH_SWIFT_NAME(emptyText) = 1,", "SPEECH_SWIFT_NAME(emptyText) = 2,"),
        ("double end_seconds;\n} speech_word;", "double end_seconds;\n  int more;\n} speech_word;"),
    ] {
        assert_eq!(header.matches(old).count(), 1, "{old}");
        let changed = declarations(&header.replace(old, new));
        assert_eq!(missing(&then, &changed).len(), 1, "{old}");
    }
    // Additions are compatible.
    let longer = format!("{header}\n\nspeech_status speech_new_function(void);\n");
    assert!(missing(&then, &declarations(&longer)).is_empty());
}
