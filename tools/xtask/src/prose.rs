//! Checks the prose of documents for unclear phrases, long sentences, many passive sentences and
//! misspelled words. The style guide, `docs/project/style.md`, gives the reasons.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::check;
use crate::prelude::*;

/// The largest accepted number of words in a clause.
const MAX_WORDS: usize = 40;

/// A clause of fewer words is not counted as a sentence.
const MIN_WORDS: usize = 4;

/// A document of at least this many sentences may have at most a third of them in the passive voice.
const MIN_SENTENCES: usize = 15;

/// Forms of "to be".
const BE: [&str; 7] = ["is", "are", "was", "were", "be", "been", "being"];

/// Words between a form of "to be" and its participle, besides those in "-ly".
const ADVERBS: [&str; 6] = ["not", "never", "also", "always", "often", "then"];

/// Participles that do not end in "-ed".
const PARTICIPLES: [&str; 31] = [
    "built",
    "chosen",
    "done",
    "drawn",
    "driven",
    "found",
    "given",
    "held",
    "kept",
    "known",
    "left",
    "lost",
    "made",
    "meant",
    "paid",
    "put",
    "read",
    "run",
    "said",
    "seen",
    "sent",
    "set",
    "shown",
    "sold",
    "spent",
    "spoken",
    "taken",
    "thrown",
    "told",
    "understood",
    "written",
];

/// Unclear phrases in lower case, each with a better wording.
const PHRASES: &str = include_str!("../phrases.tsv");

/// Folders that are not checked: data, generated tables, and packages.
const LEFT_OUT: [&str; 4] = ["target/", "node_modules/", "data/", "tools/bundle/"];

/// The style guide quotes discouraged phrases.
const STYLE_GUIDE: &str = "docs/project/style.md";

/// Checks every Markdown file of the repository, and the spelling of its text files.
pub(crate) fn check() -> Result<()> {
    let documents = files::within(root(), is_checked)?;
    let mut faults = Vec::new();
    for name in documents.iter().filter(|name| *name != STYLE_GUIDE) {
        let text = fs::read_to_string(root().join(name))?;
        faults.extend(self::faults(&text).into_iter().map(|fault| format!("{name}:{fault}")));
    }
    ensure!(
        faults.is_empty(),
        "these sentences break the rules of {STYLE_GUIDE}:\n{}",
        faults.join("\n")
    );
    // The spelling checker has no package for Windows on ARM.
    if cfg!(all(windows, target_arch = "aarch64")) {
        return Ok(());
    }
    check::STYLE.ensure()?;
    let mut typos = Command::new(check::STYLE.program("typos"));
    process::shown(typos.args(["--config", "tools/xtask/typos.toml"]).current_dir(root()))
}

/// Whether to check a document, or to search a folder. `path` is relative to the root; that of a
/// folder ends with a slash.
fn is_checked(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if path.ends_with('/') {
        return !name.starts_with('.') && !LEFT_OUT.iter().any(|folder| path.ends_with(folder));
    }
    path.ends_with(".md") && !name.starts_with("table_")
}

/// The faults of a document with their lines.
fn faults(text: &str) -> Vec<String> {
    let (mut found, mut sentences, mut passive) = (Vec::new(), 0, 0);
    for (start, block) in blocks(text) {
        let line = text[..start].matches('\n').count() + 1;
        let lower = format!("{} ", block.to_lowercase());
        for (phrase, better) in PHRASES.lines().filter_map(|row| row.split_once('\t')) {
            let begins_word = |at: usize| !lower[..at].ends_with(|c: char| c.is_alphanumeric());
            let ends_word = |at: usize| {
                let rest = &lower[at + phrase.len()..];
                phrase.ends_with(' ') || !rest.starts_with(|c: char| c.is_alphanumeric())
            };
            if lower.match_indices(phrase).any(|(at, _)| begins_word(at) && ends_word(at)) {
                found.push(format!("{line}: \"{phrase}\": write {better}"));
            }
        }
        let words: Vec<_> = block.split_whitespace().collect();
        for clause in words.split_inclusive(|word| ends_clause(word)) {
            if clause.len() > MAX_WORDS {
                let beginning = clause[..6].join(" ");
                found.push(format!("{line}: {} words: {beginning} ...", clause.len()));
            }
            if clause.len() >= MIN_WORDS {
                sentences += 1;
                passive += usize::from(is_passive(clause));
            }
        }
    }
    if sentences >= MIN_SENTENCES && passive * 3 > sentences {
        found.push(format!("1: {passive} of {sentences} sentences are passive"));
    }
    found
}

/// Whether a sentence has a form of "to be" with a participle.
fn is_passive(sentence: &[&str]) -> bool {
    let words: Vec<_> = sentence.iter().map(|word| word.to_lowercase()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let is_adverb = |word: &&String| ADVERBS.contains(&&***word) || word.ends_with("ly");
        let next = words[at + 1..].iter().find(|word| !is_adverb(word));
        let next = next.map_or("", |word| word.trim_end_matches(|c: char| !c.is_alphabetic()));
        BE.contains(&&**word) && (next.ends_with("ed") || PARTICIPLES.contains(&next))
    })
}

/// Whether a word ends a clause.
fn ends_clause(word: &str) -> bool {
    word.trim_end_matches(['"', ')', '*']).ends_with(['.', '!', '?', ':', ';'])
}

/// The paragraphs, headings, items and cells of a document, each with its byte offset. Code counts
/// as one word.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut start, mut block, mut is_code) = (0, String::new(), false);
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let part = match &event {
            Event::Start(Tag::CodeBlock(_)) | Event::End(TagEnd::CodeBlock) => {
                is_code = matches!(event, Event::Start(_));
                continue;
            }
            Event::Text(part) if !is_code => part,
            Event::Code(_) => "code",
            Event::SoftBreak | Event::HardBreak => " ",
            Event::Start(tag) if is_inline(&tag.to_end()) => continue,
            Event::End(tag) if is_inline(tag) => continue,
            _ => {
                if !block.trim().is_empty() {
                    found.push((start, std::mem::take(&mut block)));
                }
                block.clear();
                continue;
            }
        };
        if block.is_empty() {
            start = range.start;
        }
        block.push_str(part);
    }
    found
}

fn is_inline(tag: &TagEnd) -> bool {
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_in_prose_and_not_in_code() {
        let text = "# Working\n\nIt is *forever*\nand for\never, `whoever` for everyone.\n\n\
                    ```text\nas it stands\n```\n\n- One\n- [As it\n  stands](a.md)\n\n\
                    | a | b |\n|---|---|\n| x | Likewise |\n";
        assert_eq!(
            faults(text),
            [
                "3: \"for ever\": write forever",
                "12: \"as it stands\": write as ordinary text",
                "17: \"likewise\": write also",
            ]
        );
    }

    #[test]
    fn long_clauses_are_found() {
        let short = "word ".repeat(MAX_WORDS - 1);
        assert_eq!(faults(&format!("{short}(end.) {short}\n")), [""; 0]);
        let clause = "word ".repeat(MAX_WORDS);
        let end = format!("{clause}end: {clause}\n");
        assert_eq!(faults(&end), ["1: 41 words: word word word word word word ..."]);
    }

    #[test]
    fn many_passive_sentences_are_found() {
        let active = "The parser reads the whole file. ";
        let passive = "The file is not always read. The text was parsed by it. ";
        assert_eq!(faults(&format!("{}{passive}", active.repeat(13))), [""; 0]);
        let half = format!("{}{}", active.repeat(8), passive.repeat(4));
        assert_eq!(faults(&half), ["1: 8 of 16 sentences are passive"]);
    }

    #[test]
    fn documents_are_checked_and_data_is_not() {
        let documents = ["README.md", "docs/", "docs/a.md", "bindings/go/README.md"];
        let others =
            ["target/", ".git/", "tools/eval/data/", "research/voices/table_en.md", "a.rs"];
        assert!(documents.iter().all(|path| is_checked(path)));
        assert!(!others.iter().any(|path| is_checked(path)));
    }
}
