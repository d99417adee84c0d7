//! Checks the links of the Markdown files: the file exists, and has the heading. Also checks paths
//! in code spans, such as `core/src`. Ignores links to the web.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with files that are not part of this repository.
const FOREIGN: [&str; 3] = [".git", "node_modules", "target"];

/// Every Markdown file in a folder and its subfolders.
fn markdown_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        // The marker file of a Python environment.
        if path.is_symlink() || FOREIGN.contains(&&*name) || path.join("pyvenv.cfg").exists() {
            continue;
        }
        if path.is_dir() {
            markdown_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

/// The lines outside fenced code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let start = line.trim_start();
        match fence {
            Some(open) => {
                if start.starts_with(open) && start.trim_start_matches(&open[..1]).trim().is_empty()
                {
                    fence = None;
                }
                None
            }
            None => {
                fence = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
                fence.is_none().then_some((index + 1, line))
            }
        }
    })
}

/// A line with its code spans blanked, so that they are not parsed as links.
fn without_code(line: &str) -> String {
    let spans = line.split('`');
    spans.enumerate().map(|(index, span)| if index % 2 == 0 { span } else { " " }).collect()
}

/// The paths in the code spans of a line: those that begin with a folder of the repository's root.
fn code_paths<'a>(line: &'a str, root: &Path) -> Vec<&'a str> {
    let spans = line.split('`').skip(1).step_by(2);
    spans
        .filter(|span| span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)))
        .filter(|span| {
            let first = span.split_once('/').map(|(first, _)| first);
            first.is_some_and(|first| {
                let is_name = !["", ".", ".."].contains(&first);
                is_name && !FOREIGN.contains(&first) && root.join(first).is_dir()
            })
        })
        .collect()
}

/// Whether a path exists relative to the folder of a file, or to one of its parents.
fn leads_somewhere(file: &Path, path: &str, root: &Path) -> bool {
    let mut folders = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    folders.any(|folder| folder.join(path).exists())
}

/// The targets of the links and pictures in a line.
fn targets(line: &str) -> Vec<String> {
    let line = without_code(line);
    let mut targets: Vec<_> = line
        .split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0.split_whitespace().next()?.to_owned()))
        .collect();
    // A definition: `[name]: target`.
    if let Some((name, target)) = line.trim_start().split_once("]: ")
        && name.starts_with('[')
    {
        targets.extend(target.split_whitespace().next().map(str::to_owned));
    }
    targets
}

/// The text of a heading, without the targets of its links.
fn heading(line: &str) -> Option<String> {
    let text = line.trim_start_matches('#');
    if !(1..=6).contains(&(line.len() - text.len())) || !text.starts_with(' ') {
        return None;
    }
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    Some(plain.trim().trim_end_matches('#').trim().to_owned())
}

/// The anchors that GitHub generates for the headings of a file.
fn anchors(text: &str) -> Vec<String> {
    let mut seen = HashMap::<String, usize>::new();
    let headings = prose(text).filter_map(|(_, line)| heading(line));
    headings
        .map(|heading| {
            let kept = heading.to_lowercase().replace(' ', "-");
            let slug: String =
                kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
            let count = seen.entry(slug.clone()).or_default();
            *count += 1;
            if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
        })
        .collect()
}

/// The document that a page of the site includes: a link to it is the first line after the page's
/// title.
fn stands_for(page: &str) -> Option<&str> {
    let mut lines = page.lines().filter(|line| !line.is_empty() && !line.starts_with("<!--"));
    let (name, path) = lines.nth(1)?.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    (name.ends_with(".md") && path.ends_with(name)).then_some(name)
}

/// The fault of a link in a file, if any.
fn fault(file: &Path, text: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) =
        target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let to = if path.is_empty() { file.to_path_buf() } else { file.parent().unwrap().join(path) };
    if !to.exists() {
        return Some(format!("there is no {path}"));
    }
    let there = if path.is_empty() { text.to_owned() } else { fs::read_to_string(&to).ok()? };
    let is_contents = file.file_name().is_some_and(|name| name == "SUMMARY.md");
    if let Some(document) = stands_for(&there)
        && !is_contents
    {
        return Some(format!("{path} has nothing but a link to {document}"));
    }
    let anchor = anchor?;
    (!anchors(&there).iter().any(|name| name == anchor))
        .then(|| format!("{} has no #{anchor}", to.display()))
}

/// The broken links in a folder, each with its file and line; and the number of valid links.
fn broken(folder: &Path) -> (Vec<String>, usize) {
    let mut files = Vec::new();
    markdown_files(folder, &mut files);
    let (mut faults, mut count) = (Vec::new(), 0);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // The changelog names paths that no longer exist.
        let names_paths = file.file_name().is_some_and(|name| name != "CHANGELOG.md");
        for (number, line) in prose(&text) {
            if without_code(line).contains("{{") {
                faults.push(format!("{}:{number}: mdBook alone reads this", file.display()));
            }
            let paths = if names_paths { code_paths(line, folder) } else { Vec::new() };
            for path in paths.into_iter().filter(|path| !leads_somewhere(&file, path, folder)) {
                faults.push(format!("{}:{number}: there is no {path}", file.display()));
            }
            for target in targets(line) {
                count += 1;
                if let Some(fault) = fault(&file, &text, &target) {
                    faults.push(format!("{}:{number}: {fault}", file.display()));
                }
            }
        }
    }
    (faults, count)
}

#[test]
fn every_link_leads_somewhere() {
    let (faults, _) = broken(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_broken_link_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "b.md",
        "# One, two\n\n```sh\n# a comment\n```\n\n## One `two`\n\n## [Linked](a.md) words\n",
    );
    write(
        "a.md",
        "# Top\n\n\
         [right](b.md) [right](b.md#one-two) [right](b.md#one-two-1) [right](#top) [web](https://a.invalid/x)\n\
         `[code](gone.md)` [right](b.md#linked-words \"title\")\n\
         ```\n[code](gone.md)\n```\n\
         [wrong](gone.md) ![wrong](gone.png)\n\
         [wrong](b.md#a-comment) [wrong](#b)\n\
         [name]: gone.txt\n\
         `of/code` `of/gone.rs` `of/*.rs` `other/gone.rs` `cargo of/gone`\n",
    );
    fs::create_dir_all(folder.path().join("of/code")).unwrap();
    write("of/c.md", "`of/c.md` `code/gone.rs` `of/code/gone.rs`\n");
    write("CHANGELOG.md", "`of/gone.rs`\n");
    write("d.md", "# D\n\n{{#include b.md:3:}} `{{code}}`\n");
    write("e.md", "# E\n\n[of/c.md](of/c.md)\n");
    write("f.md", "[wrong](e.md)\n");
    write("SUMMARY.md", "[right](e.md)\n");
    fs::create_dir(folder.path().join("venv")).unwrap();
    write("venv/pyvenv.cfg", "");
    write("venv/d.md", "[wrong](gone.md)\n");
    let (mut faults, count) = broken(folder.path());
    faults.sort();
    let root = format!("{}/", folder.path().display());
    let faults: Vec<_> = faults.iter().map(|fault| fault.replace(&root, "")).collect();
    assert_eq!(
        faults,
        [
            "a.md:10: there is no gone.txt",
            "a.md:11: there is no of/gone.rs",
            "a.md:8: there is no gone.md",
            "a.md:8: there is no gone.png",
            "a.md:9: a.md has no #b",
            "a.md:9: b.md has no #a-comment",
            "d.md:3: mdBook alone reads this",
            "f.md:1: e.md has nothing but a link to of/c.md",
            "of/c.md:1: there is no of/code/gone.rs",
        ],
    );
    assert_eq!(count, 15);
}
