//! The reference of the C interface, from the comments of `speech.h`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What the header says of one thing, and how it declares that.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    says: Vec<String>,
    declared: Vec<String>,
}

/// A part of the page.
enum Part {
    Section(String),
    Entry(Entry),
}

/// What the page says, in Markdown.
pub(super) fn page(header: &str) -> String {
    let parts = parts(header);
    let names: BTreeSet<_> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Entry(entry) => Some(entry.name.as_str()),
            Part::Section(_) => None,
        })
        .collect();
    let mut page = "## Conventions\n\n".to_owned();
    page.push_str(&with_links(&conventions(header), &names));
    for part in &parts {
        match part {
            Part::Section(title) => _ = write!(page, "\n## {title}\n"),
            Part::Entry(Entry { name, says, declared }) => {
                let says = with_links(&says.join("\n"), &names);
                _ = write!(page, "\n### {name}\n\n{says}\n\n```c\n{}\n```\n", declared.join("\n"));
            }
        }
    }
    page
}

/// The paragraphs under `CONVENTIONS` at the top.
fn conventions(header: &str) -> String {
    let text = header.split_once(" * CONVENTIONS").map_or("", |(_, rest)| rest);
    let text = text.split_once(" */").map_or(text, |(text, _)| text);
    let mut page = String::new();
    for line in text.lines() {
        let line = line.trim_start_matches(" *").trim();
        match line.split_once(". ") {
            // The first line of each begins with what it is about.
            Some((about, rest)) if page.ends_with("\n\n") => {
                _ = writeln!(page, "**{about}.** {rest}")
            }
            _ => _ = writeln!(page, "{line}"),
        }
    }
    page.trim().to_owned() + "\n"
}

fn parts(header: &str) -> Vec<Part> {
    let mut parts = vec![Part::Section("Constants and types".to_owned())];
    let mut says = Vec::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("//") {
            says.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
        } else if let Some(title) = line.strip_prefix("/* ---- ") {
            says.clear();
            parts.push(Part::Section(sentence_case(title.trim_end_matches(" ---- */"))));
        } else if line.is_empty() || says.is_empty() {
            says.clear();
        } else {
            let mut declared = vec![line.to_owned()];
            let ends = |line: &str| {
                line.starts_with('#') || line.starts_with("};") || line.ends_with(");")
            };
            let ends = |line: &str| ends(line) || line.starts_with("} ");
            let single = line.ends_with(';');
            while !single && !ends(&declared[declared.len() - 1]) {
                match lines.next() {
                    Some(line) => declared.push(line.to_owned()),
                    None => break,
                }
            }
            let says = std::mem::take(&mut says);
            if let Some(name) = name(&declared) {
                let declared =
                    declared.iter().map(|line| plain(line)).filter(|line| !line.is_empty());
                parts.push(Part::Entry(Entry { name, says, declared: declared.collect() }));
            }
        }
    }
    parts
}

/// What a declaration is of, if that is for callers.
fn name(declared: &[String]) -> Option<String> {
    let text = declared.join(" ");
    let word = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        Some(text[..end].to_owned()).filter(|name| !name.is_empty())
    };
    if let Some(rest) = text.strip_prefix("#define ") {
        return word(rest);
    }
    if let Some(rest) = text.strip_prefix("SPEECH_ENUM(") {
        return word(rest);
    }
    if text.starts_with('#') || text.starts_with("SPEECH_DECLARATIONS") {
        return None;
    }
    if let Some(rest) = text.strip_prefix("typedef struct ") {
        return word(rest.rsplit_once("} ").map_or(rest, |(_, name)| name));
    }
    if text.starts_with("typedef")
        && let Some((_, rest)) = text.split_once("(*")
    {
        return word(rest);
    }
    let before = &text[..text.find('(')?];
    before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().and_then(word)
}

/// A line of a declaration without what is for other compilers and languages.
fn plain(line: &str) -> String {
    let mut line = line.replace("SPEECH_API ", "");
    if line == "SPEECH_API" {
        return String::new();
    }
    while let Some(at) = line.find(" SPEECH_SWIFT_NAME(") {
        let Some(end) = line[at..].find(')') else { break };
        line.replace_range(at..=at + end, "");
    }
    if let Some(rest) = line.strip_prefix("SPEECH_ENUM(")
        && let Some((name, _)) = rest.split_once(',')
    {
        line = format!("enum {name} {{");
    }
    line
}

/// `speech_engine_load()` in a text becomes a link to where that is.
fn with_links(text: &str, names: &BTreeSet<&str>) -> String {
    let mut linked = String::new();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        linked.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if names.contains(word) && !linked.ends_with('`') {
            let called = if after.starts_with("()") { "()" } else { "" };
            _ = write!(linked, "[`{word}{called}`](#{})", word.to_lowercase());
            rest = after.strip_prefix(called).unwrap_or(after);
        } else {
            linked.push_str(&word.replace('_', "\\_"));
            rest = after;
        }
    }
    linked.push_str(rest);
    // In spans of code nothing is escaped.
    let spans = linked.split('`').enumerate();
    let spans = spans.map(|(index, span)| match index % 2 {
        0 => span.replace('<', "&lt;"),
        _ => span.replace("\\_", "_"),
    });
    spans.collect::<Vec<_>>().join("`")
}

fn sentence_case(title: &str) -> String {
    let lower = title.to_lowercase();
    let mut letters = lower.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_header_is_on_the_page() {
        let header = include_str!("../../../../include/speech.h");
        let page = page(header);
        let declared =
            header.lines().filter(|line| !line.starts_with("//") && !line.starts_with(" *"));
        let mut is_any = false;
        for line in declared {
            for at in line.match_indices("speech_").map(|(at, _)| at) {
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let rest = &line[at..];
                let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
                let called = rest[name.len()..].starts_with('(') && !line.starts_with("#define");
                if called {
                    is_any = true;
                    assert!(page.contains(&format!("\n### {name}\n")), "{name}");
                }
            }
        }
        assert!(is_any);
        assert!(page.contains("**Ownership.** A function that writes"));
        assert!(!page.contains("SPEECH_SWIFT_NAME") && !page.contains("SPEECH_API "));
    }

    #[test]
    fn an_entry_has_its_comment_and_its_declaration() {
        let header = "/* ---- ENGINES ---- */\n\n// Loads it, as speech_b() does.\n//\n// Threads: any.\nSPEECH_API\n\
                      speech_status speech_a(const char *path,\n                speech_error **error);\n\n\
                      // Another.\nSPEECH_API int speech_b(void);\n\n// A kind.\nSPEECH_ENUM(speech_c, C) {\n  // One.\n  \
                      SPEECH_ONE SPEECH_SWIFT_NAME(one) = 1,\n};\n\n// A pair.\ntypedef struct {\n  // The first.\n  \
                      size_t one;\n} speech_d;\n";
        let page = page(header);
        let (_, page) = page.split_once("## Engines\n\n").unwrap();
        assert_eq!(
            page,
            "### speech_a\n\nLoads it, as [`speech_b()`](#speech_b) does.\n\nThreads: any.\n\n```c\n\
             speech_status speech_a(const char *path,\n                speech_error **error);\n```\n\n\
             ### speech_b\n\nAnother.\n\n```c\nint speech_b(void);\n```\n\n\
             ### speech_c\n\nA kind.\n\n```c\nenum speech_c {\n  // One.\n  SPEECH_ONE = 1,\n};\n```\n\n\
             ### speech_d\n\nA pair.\n\n```c\ntypedef struct {\n  // The first.\n  size_t one;\n} speech_d;\n```\n"
        );
    }
}
