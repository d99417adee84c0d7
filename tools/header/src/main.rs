//! Prints `include/speech.h`, generated from the C interface's crate; `cargo xtask header` writes
//! it.
#![allow(clippy::print_stdout, reason = "a command-line tool: printing is what it does")]

mod swift;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cbindgen::{Builder, Config};

fn main() -> Result<()> {
    print!("{}", header()?);
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The complete header.
fn header() -> Result<String> {
    let ffi = root().join("ffi");
    let mut config = Config::from_file(ffi.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    let conventions = std::fs::read_to_string(ffi.join("conventions.h"))
        .context("cannot read ffi/conventions.h")?;
    config.header = Some(conventions.trim_end().to_owned());
    config.after_includes = Some(macros(env!("CARGO_PKG_VERSION")));
    let bindings = Builder::new().with_crate(ffi).with_config(config).generate()?;
    let mut header = Vec::new();
    bindings.write(&mut header);
    let header = with_plain_pointers(&String::from_utf8(header)?);
    let header = with_plain_enumerations(&header)?;
    let header = swift::with_names_of_values(&header)?;
    let header = with_end(&header)?;
    with_headings(&swift::with_nullability(&header)?)
}

/// The parts that Rust cannot express.
fn macros(version: &str) -> String {
    let mut numbers = version.split(['.', '-']);
    let mut number = || numbers.next().unwrap_or("0").to_owned();
    let (major, minor, patch) = (number(), number(), number());
    format!(
        r#"
// The version of this header; speech_version() returns the library's.
#define SPEECH_VERSION "{version}"
#define SPEECH_VERSION_MAJOR {major}
#define SPEECH_VERSION_MINOR {minor}
#define SPEECH_VERSION_PATCH {patch}

// Checks that the running library is compatible with this header: see speech_abi_check().
#define SPEECH_ABI_CHECK(error) speech_abi_check(SPEECH_ABI_MAJOR, SPEECH_ABI_MINOR, (error))

// The length of a text that ends at its first NUL byte.
#define SPEECH_NUL_TERMINATED SIZE_MAX

// On Windows, imports functions from a DLL. Define SPEECH_STATIC to link statically.
#if defined(_WIN32) && !defined(SPEECH_STATIC)
#define SPEECH_API __declspec(dllimport)
#else
#define SPEECH_API
#endif
{macros}

{begin}"#,
        macros = swift::MACROS,
        begin = swift::BEGIN,
    )
}

/// Moves the end of the declarations inside the include guard, so that including the header twice
/// is valid.
fn with_end(header: &str) -> Result<String> {
    let guard = header.rfind("#endif").context("the header has no guard")?;
    let (declarations, guard) = header.split_at(guard);
    Ok(format!("{declarations}{}\n\n{guard}", swift::END))
}

/// Replaces cbindgen's type definitions for the crate's pointer types by plain pointers: `size_t *`
/// for `Output_usize`.
fn with_plain_pointers(header: &str) -> String {
    let definition = |paragraph: &str| {
        let pointer = paragraph.lines().last()?.strip_prefix("typedef ")?.strip_suffix(';')?;
        let (pointee, name) = pointer.rsplit_once('*')?;
        (!name.contains(')')).then(|| (format!("{name} "), format!("{pointee}*")))
    };
    let paragraphs = header.split("\n\n");
    let (definitions, others): (Vec<_>, Vec<_>) =
        paragraphs.partition(|it| definition(it).is_some());
    let definitions: Vec<_> = definitions.into_iter().filter_map(definition).collect();
    let others = others.join("\n\n");
    let lines = others.lines().map(|line| {
        let is_comment = line.starts_with("//") || line.starts_with(" *");
        let of_line = definitions.iter().filter(|(name, _)| !is_comment && line.contains(name));
        of_line.fold(line.to_owned(), |line, (name, pointer)| {
            line.replace(&format!("const {name}"), &format!("{pointer}const "))
                .replace(&format!("({name}"), &format!("({pointer}"))
                .replace(&format!(" {name}"), &format!(" {pointer}"))
        })
    });
    lines.map(|line| line + "\n").collect()
}

/// Replaces cbindgen's dozen lines per enumeration by `SPEECH_ENUM`.
fn with_plain_enumerations(header: &str) -> Result<String> {
    let mut plain = header.to_owned();
    while let Some(start) = plain.find("\nenum ") {
        let name = plain[start + 6..].lines().next().unwrap_or_default().to_owned();
        let before = format!(
            "enum {name}\n\
             #if defined(__cplusplus) || __STDC_VERSION__ >= 202311L\n  : int32_t\n\
             #endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L\n {{\n"
        );
        let after = format!(
            "#ifndef __cplusplus\n#if __STDC_VERSION__ >= 202311L\ntypedef enum {name} {name};\n\
             #else\ntypedef int32_t {name};\n#endif // __STDC_VERSION__ >= 202311L\n\
             #endif // __cplusplus\n"
        );
        let found = plain.contains(&before) && plain.contains(&after);
        ensure!(found, "cbindgen writes the enumeration {name} in another way");
        plain = plain
            .replace(&before, &format!("SPEECH_ENUM({name}, {}) {{\n", swift::type_name(&name)))
            .replace(&after, "");
    }
    Ok(plain)
}

/// The first function of each section, and its heading.
const SECTIONS: [(&str, &str); 12] = [
    ("speech_version", "VERSIONS"),
    ("speech_error_status", "ERRORS"),
    ("speech_engine_options_new", "ENGINE OPTIONS"),
    ("speech_engine_load", "ENGINES"),
    ("speech_cancel_token_new", "CANCELLATION"),
    ("speech_request_new", "REQUESTS"),
    ("speech_audio_samples", "AUDIO: a whole text, or a chunk of a stream"),
    ("speech_stream_next", "STREAMS: a text, one sentence at a time"),
    ("speech_text_characters", "TEXTS"),
    ("speech_voices_list", "VOICES"),
    ("speech_tiers_new", "LATENCY TIERS of the audio-to-text side"),
    ("speech_object_count", "FOR TESTS"),
];

/// Inserts a heading above the comment of each section's first function.
fn with_headings(header: &str) -> Result<String> {
    let mut lines: Vec<String> = header.lines().map(str::to_owned).collect();
    for (function, heading) in SECTIONS {
        let declares = |line: &String| line.contains(&format!("{function}("));
        let is_code = |line: &String| !line.starts_with("//") && !line.starts_with(" *");
        let place = lines.iter().position(|line| declares(line) && is_code(line));
        let place = place.with_context(|| format!("the header has no function {function}"))?;
        let blank = lines[..place].iter().rposition(String::is_empty).unwrap_or_default();
        lines.insert(blank + 1, format!("/* ---- {heading} ---- */\n"));
    }
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_end_inside_the_guard() {
        let header = "#ifndef A\nBEGIN\n#ifdef B\n}\n#endif // B\n\n#endif  /* A */\n";
        let ended = with_end(header).unwrap();
        assert!(
            ended.ends_with("#endif // B\n\nSPEECH_DECLARATIONS_END\n\n#endif  /* A */\n"),
            "{ended}"
        );
        assert!(with_end("int a;").is_err());
    }

    #[test]
    fn the_checked_in_header_is_up_to_date() {
        let checked_in = std::fs::read_to_string(root().join("include/speech.h")).unwrap();
        // Not assert_eq, which would print a thousand lines twice.
        assert!(checked_in == header().unwrap(), "run `cargo xtask header` and commit the result");
    }
}
