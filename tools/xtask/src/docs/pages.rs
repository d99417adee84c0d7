//! Prepares the pages of the book: those of `docs`, with the documents that they include from
//! elsewhere in the repository. Rewrites links to lead to the same content on the site.
//!
//! A page includes a document by a line that consists of a link with the path as its text. Readers
//! of the repository follow the link.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Component;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::prelude::*;

/// The folder on the site for files of the repository that are not pages.
const SOURCE: &str = "source";

/// The pages and their included documents.
pub(super) struct Pages {
    root: PathBuf,
    /// Paths in `docs`, with slashes.
    files: Vec<String>,
    /// The page that includes each document of the repository.
    included: BTreeMap<PathBuf, String>,
}

impl Pages {
    /// Finds the pages.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let docs = root.join("docs");
        let files: Vec<_> = files::within(&docs, |_| true)?.into_iter().collect();
        let mut included = BTreeMap::from([(PathBuf::from("README.md"), "index.md".to_owned())]);
        for page in files.iter().filter(|file| is_markdown(file)) {
            let text = fs::read_to_string(docs.join(page)).with_context(|| page.clone())?;
            for document in text.lines().filter_map(included_in) {
                let path = normal(&Path::new("docs").join(page).with_file_name("").join(document))?;
                included.insert(path, page.clone());
            }
        }
        Ok(Self { root: root.to_path_buf(), files, included })
    }

    /// Writes the pages, and the files beside them, to a folder.
    pub(super) fn write(&self, to: &Path) -> Result<()> {
        let mut linked = BTreeSet::new();
        for file in &self.files {
            let (from, to) = (self.root.join("docs").join(file), to.join(file));
            fs::create_dir_all(to.parent().context("a path")?)?;
            if is_markdown(file) {
                fs::write(&to, self.page(file, &mut linked)?)?;
            } else {
                fs::copy(from, &to)?;
            }
        }
        for path in linked {
            let to = to.join(in_site(&path));
            fs::create_dir_all(to.parent().context("a path")?)?;
            fs::copy(self.root.join(&path), &to)?;
        }
        Ok(())
    }

    /// The text of a page for the book.
    fn page(&self, page: &str, linked: &mut BTreeSet<PathBuf>) -> Result<String> {
        let path = Path::new("docs").join(page);
        let text = self.document(&path)?;
        let (mut whole, mut own) = (String::new(), String::new());
        for line in text.split_inclusive('\n') {
            let Some(document) = included_in(line.trim_end()) else {
                own.push_str(line);
                continue;
            };
            whole += &self.with_links(&std::mem::take(&mut own), &path, page, linked)?;
            let document = normal(&path.with_file_name("").join(document))?;
            let text: String =
                self.document(&document)?.split_inclusive('\n').skip(TITLE_LINES).collect();
            whole += &self.with_links(&text, &document, page, linked)?;
        }
        whole += &self.with_links(&own, &path, page, linked)?;
        Ok(whole)
    }

    fn document(&self, path: &Path) -> Result<String> {
        Ok(fs::read_to_string(self.root.join(path))?)
    }

    /// The text of a document with links relative to a page.
    fn with_links(
        &self,
        text: &str,
        document: &Path,
        page: &str,
        linked: &mut BTreeSet<PathBuf>,
    ) -> Result<String> {
        let mut changed = text.to_owned();
        for (range, target) in links(text).into_iter().rev() {
            let context = || format!("{}: {target}", document.display());
            let to = self.target(&target, document, page, linked).with_context(context)?;
            changed.replace_range(range, &to);
        }
        Ok(changed)
    }

    /// The target on the site of a link in a document, relative to a page.
    fn target(
        &self,
        target: &str,
        document: &Path,
        page: &str,
        linked: &mut BTreeSet<PathBuf>,
    ) -> Result<String> {
        let (path, anchor) = target.find('#').map_or((target, ""), |at| target.split_at(at));
        let path = normal(&document.with_file_name("").join(path))?;
        let there = if let Some(page) = self.included.get(&path) {
            PathBuf::from(page)
        } else if let Ok(page) = path.strip_prefix("docs") {
            page.to_path_buf()
        } else if self.root.join(&path).is_file() {
            linked.insert(path.clone());
            in_site(&path)
        } else {
            bail!("the target is neither a page nor a file");
        };
        let up = "../".repeat(page.matches('/').count());
        let there: Vec<_> = there.iter().map(|part| part.to_string_lossy()).collect();
        Ok(format!("{up}{}{anchor}", there.join("/")))
    }
}

/// The number of lines for the title of an included document, which the page replaces by its own
/// title.
const TITLE_LINES: usize = 2;

/// The document that a line includes: `[bindings/node/README.md](../../bindings/node/README.md)`.
fn included_in(line: &str) -> Option<&str> {
    let (name, path) = line.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    (is_markdown(name) && path.strip_suffix(name)? == "../".repeat(path.matches("../").count()))
        .then_some(path)
}

fn is_markdown(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "md")
}

/// The path on the site. Every browser displays a file with this extension as text.
fn in_site(path: &Path) -> PathBuf {
    let shown = ["png", "svg", "html", "json"].map(Some);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = if shown.contains(&extension) { "" } else { ".txt" };
    let mut path = Path::new(SOURCE).join(path).into_os_string();
    path.push(name);
    path.into()
}

/// A path relative to the root of the repository, without `..`.
fn normal(path: &Path) -> Result<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir if normal.pop() => {}
            _ => bail!("the path {} leaves the repository", path.display()),
        }
    }
    Ok(normal)
}

/// The targets of the links and pictures of a document that lead to other files, with their ranges.
fn links(text: &str) -> Vec<(Range<usize>, String)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let Event::Start(
            Tag::Link { link_type: LinkType::Inline, dest_url, .. }
            | Tag::Image { link_type: LinkType::Inline, dest_url, .. },
        ) = event
        else {
            continue;
        };
        if dest_url.contains("://") || dest_url.starts_with('#') || dest_url.starts_with("mailto:")
        {
            continue;
        }
        // A link around a picture contains two targets; its own is the last.
        if let Some(at) = text[range.clone()].rfind(&format!("]({dest_url}")) {
            let start = range.start + at + 2;
            found.push((start..start + dest_url.len(), dest_url.into_string()));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &str)]) -> Result<(tempfile::TempDir, PathBuf)> {
        let scratch = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let pages = Pages::read(scratch.path())?;
        let out = scratch.path().join("out");
        pages.write(&out)?;
        Ok((scratch, out))
    }

    #[test]
    fn links_lead_where_the_same_is_on_the_site() {
        let (_scratch, out) = written(&[
            ("docs/index.md", "# Top\n[one](start/one.md#a) [web](https://a.invalid/b.md) `[no](x.md)`\n"),
            ("docs/start/one.md", "# One\n\n[bindings/one/README.md](../../bindings/one/README.md)\n"),
            (
                "bindings/one/README.md",
                "# one\n\n[top](../../README.md) [code](src/a.h) ![p](../two/p.svg) [here](#a) [two](../../docs/index.md)\n",
            ),
            ("bindings/one/src/a.h", "int a;\n"),
            ("bindings/two/p.svg", "<svg/>"),
            ("README.md", ""),
        ])
        .unwrap();
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        assert!(
            read("index.md")
                .contains("[one](start/one.md#a) [web](https://a.invalid/b.md) `[no](x.md)`")
        );
        assert_eq!(
            read("start/one.md"),
            "# One\n\n[top](../index.md) [code](../source/bindings/one/src/a.h.txt) \
             ![p](../source/bindings/two/p.svg) [here](#a) [two](../index.md)\n"
        );
        assert_eq!(read("source/bindings/one/src/a.h.txt"), "int a;\n");
        assert_eq!(read("source/bindings/two/p.svg"), "<svg/>");
    }

    #[test]
    fn a_link_to_nothing_is_named() {
        let error = written(&[("docs/a.md", "[b](../gone.md)\n")]).unwrap_err();
        assert!(format!("{error:#}").contains("docs/a.md: ../gone.md"), "{error:#}");
        assert!(written(&[("docs/a.md", "[b](../../gone.md)\n")]).is_err());
    }
}
