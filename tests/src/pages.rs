//! The README and the documentation pages, with their code blocks, which tests run.

use std::fs;
use std::path::{Path, PathBuf};

/// A document.
#[derive(Debug)]
pub struct Page {
    /// Its path in the repository.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Page {
    /// Its code blocks of one kind. Blocks of included documents are tested in those documents.
    pub fn blocks(&self, kind: &str) -> Vec<&str> {
        let blocks = self.fenced().into_iter();
        blocks.filter(|(found, _)| *found == kind).map(|(_, code)| code).collect()
    }

    /// The kinds of its code blocks.
    pub fn kinds(&self) -> Vec<&str> {
        self.fenced().into_iter().map(|(kind, _)| kind).collect()
    }

    /// Each code block with its kind.
    fn fenced(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((_, opened)) = rest.split_once("```") {
            let (kind, code) = opened.split_once('\n').unwrap();
            let (code, after) = code.split_once("```").unwrap();
            found.push((kind, code));
            rest = after;
        }
        found
    }
}

/// README.md, followed by all pages of `docs`.
pub fn all() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = vec![root.join("README.md")];
    markdown(&root.join("docs"), &mut files);
    let page = |file: PathBuf| Page {
        path: file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"),
        text: fs::read_to_string(&file).unwrap(),
    };
    files.into_iter().map(page).collect()
}

/// The document at this path.
pub fn one(path: &str) -> Page {
    all().into_iter().find(|page| page.path == path).unwrap()
}

fn markdown(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            markdown(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}
