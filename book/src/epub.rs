//! EPUB 2 and 3: the package, its reading order, and its table of contents.
//!
//! <https://www.w3.org/TR/epub-33/>, and <https://idpf.org/epub/20/spec/OPF_2.0_final_spec.htm> for
//! the older form.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use percent_encoding::percent_decode_str;
use speech_batch::Result;

use crate::archive::Archive;
use crate::book::{Block, Book, Chapter, Cover, decoded};
use crate::html::{self, Item};
use crate::markup::{self, Element, Event};

/// The maximum depth of entries in the table of contents that are chapters.
const MAX_DEPTH: usize = 2;

/// Reads a book.
pub(crate) fn read(path: &Path) -> Result<Book> {
    let mut archive = Archive::open(path)?;
    let package = required(&mut archive, "META-INF/container.xml")?;
    let package = package_path(&package);
    let path = package.ok_or_else(|| archive.refused("META-INF/container.xml names no package"))?;
    let package = Package::new(&required(&mut archive, &path)?, &path);
    let encrypted = text(&mut archive, "META-INF/encryption.xml")?;
    let encrypted = encrypted_paths(&encrypted.unwrap_or_default());
    if package.spine.iter().any(|path| encrypted.contains(path)) {
        return Err(archive.refused("the book is encrypted (DRM)"));
    }
    let contents = package.contents(&mut archive)?;
    let chapters = match contents.is_empty() {
        true => chapters_by_headings(&mut archive, &package)?,
        false => chapters_by_contents(&mut archive, &package, &contents)?,
    };
    // Continues without a cover that cannot be read.
    let cover = package.cover.as_ref().and_then(|path| archive.read(path).ok().flatten());
    Ok(Book {
        title: package.title,
        authors: package.authors,
        language: package.language,
        cover: cover.and_then(Cover::new),
        chapters,
    })
}

/// The text of a file in the archive; `None` if it does not exist.
fn text(archive: &mut Archive, name: &str) -> Result<Option<String>> {
    let Some(bytes) = archive.read(name)? else { return Ok(None) };
    let text = decoded(bytes).map_err(|problem| archive.refused(&format!("{name:?}: {problem}")));
    text.map(Some)
}

fn required(archive: &mut Archive, name: &str) -> Result<String> {
    text(archive, name)?.ok_or_else(|| archive.refused(&format!("{name:?} is missing")))
}

fn package_path(container: &str) -> Option<String> {
    let mut path = None;
    starts(container, |element| {
        if element.name() == "rootfile" && path.is_none() {
            path = element.attribute("full-path").map(|href| resolved("", href).0);
        }
    });
    path
}

/// The files that `encryption.xml` names.
fn encrypted_paths(encryption: &str) -> HashSet<String> {
    let mut paths = HashSet::new();
    starts(encryption, |element| {
        if element.name() == "cipherreference" {
            paths.extend(element.attribute("uri").map(|href| resolved("", href).0));
        }
    });
    paths
}

fn starts(document: &str, mut each: impl FnMut(&Element)) {
    markup::read(document, |event| {
        if let Event::Start(element) = event {
            each(element);
        }
    });
}

/// Resolves a reference relative to a file: its path in the archive, and its fragment.
fn resolved(from: &str, href: &str) -> (String, Option<String>) {
    let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    let (path, fragment) = match href.split_once('#') {
        Some((path, fragment)) => (path, Some(decoded(fragment)).filter(|it| !it.is_empty())),
        None => (href, None),
    };
    if path.is_empty() {
        return (from.to_owned(), fragment);
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    let path = decoded(path);
    let base = if path.starts_with('/') { "" } else { folder };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => (),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    (parts.join("/"), fragment)
}

/// The content of the package document.
#[derive(Debug, Default)]
struct Package {
    title: String,
    authors: Vec<String>,
    language: Option<String>,
    cover: Option<String>,
    /// The documents in reading order.
    spine: Vec<String>,
    /// The table of contents of EPUB 3, and that of EPUB 2.
    nav: Option<String>,
    ncx: Option<String>,
}

/// The metadata element whose text is being read.
enum Field {
    Title,
    /// The type of the title with this identifier.
    TitleType(String),
    Author,
    Language,
}

/// The titles of a package with their identifiers, and the `title-type` of some identifiers.
/// EPUB 3 has a main title, a subtitle and others.
#[derive(Default)]
struct Titles {
    texts: Vec<(String, String)>,
    types: HashMap<String, String>,
}

impl Titles {
    fn of(&self, kind: &str) -> Option<&str> {
        let kind_of = |id| self.types.get(id).map_or("", |it| it.trim());
        let found = self.texts.iter().find(|(id, _)| kind_of(id) == kind);
        found.map(|(_, text)| text.trim())
    }

    /// The main title, then the subtitle. Without types, the first title is the main one.
    fn joined(&self) -> String {
        let first = self.texts.first().map(|(_, text)| text.trim());
        let main = self.of("main").or_else(|| self.of("")).or(first);
        let mut parts: Vec<_> = main.into_iter().chain(self.of("subtitle")).collect();
        parts.dedup();
        parts.join(": ")
    }
}

impl Package {
    fn new(document: &str, path: &str) -> Self {
        let mut package = Self::default();
        // Identifiers with their paths, and whether the files are documents.
        let mut manifest: HashMap<String, (String, bool)> = HashMap::new();
        let (mut order, mut cover, mut field) = (Vec::new(), None, None);
        let mut titles = Titles::default();
        markup::read(document, |event| match event {
            Event::Start(element) => match element.name() {
                "title" => {
                    let id = element.attribute("id").unwrap_or_default().to_owned();
                    titles.texts.push((id, String::new()));
                    field = Some(Field::Title);
                }
                "meta" if element.attribute("property") == Some("title-type") => {
                    let title = element.attribute("refines").and_then(|it| it.strip_prefix('#'));
                    field = title.map(|id| Field::TitleType(id.to_owned()));
                }
                "creator" => {
                    package.authors.push(String::new());
                    field = Some(Field::Author);
                }
                "language" if package.language.is_none() => {
                    package.language = Some(String::new());
                    field = Some(Field::Language);
                }
                "meta" if element.attribute("name") == Some("cover") => {
                    cover = element.attribute("content").map(str::to_owned);
                }
                "item" => package.add_item(element, path, &mut manifest),
                "itemref" if element.attribute("linear") != Some("no") => {
                    order.extend(element.attribute("idref").map(str::to_owned));
                }
                _ => (),
            },
            Event::End(_) => field = None,
            Event::Text(text) => match &field {
                Some(Field::Title) => titles.texts.last_mut().expect("it began").1.push_str(text),
                Some(Field::TitleType(id)) => {
                    titles.types.entry(id.clone()).or_default().push_str(text);
                }
                Some(Field::Author) => {
                    package.authors.last_mut().expect("it began").push_str(text.trim());
                }
                Some(Field::Language) => {
                    package.language.get_or_insert_default().push_str(text.trim());
                }
                None => (),
            },
        });
        package.title = titles.joined();
        let named = cover.and_then(|id| manifest.get(&id)).map(|(path, _)| path.clone());
        package.cover = package.cover.or(named);
        let mut seen = HashSet::new();
        let documents = order.iter().filter_map(|id| manifest.get(id));
        let documents = documents.filter(|(path, is_document)| {
            *is_document && package.nav.as_ref() != Some(path) && seen.insert(path.clone())
        });
        package.spine = documents.map(|(path, _)| path.clone()).collect();
        package
    }

    fn add_item(
        &mut self,
        element: &Element,
        package: &str,
        manifest: &mut HashMap<String, (String, bool)>,
    ) {
        let [id, href] = ["id", "href"].map(|name| element.attribute(name));
        let (Some(id), Some(href)) = (id, href) else { return };
        let (path, _) = resolved(package, href);
        let media_type = element.attribute("media-type").unwrap_or_default();
        if element.has("properties", &["nav"]) {
            self.nav = Some(path.clone());
        }
        if element.has("properties", &["cover-image"]) {
            self.cover = Some(path.clone());
        }
        if media_type == "application/x-dtbncx+xml" {
            self.ncx = Some(path.clone());
        }
        let is_document = matches!(media_type, "application/xhtml+xml" | "text/html");
        manifest.entry(id.to_owned()).or_insert((path, is_document));
    }

    /// The table of contents; empty if there is none, or if most entries refer to unknown files.
    fn contents(&self, archive: &mut Archive) -> Result<Vec<Entry>> {
        let spine: HashSet<&str> = self.spine.iter().map(String::as_str).collect();
        for (path, read) in [(&self.nav, nav as fn(&str, &str) -> _), (&self.ncx, ncx)] {
            let Some(path) = path else { continue };
            let entries: Vec<Entry> = read(&text(archive, path)?.unwrap_or_default(), path);
            let found = entries.iter().filter(|entry| spine.contains(entry.path.as_str())).count();
            // Some tools write invalid paths.
            if found > 0 && 2 * found >= entries.len() {
                return Ok(entries);
            }
        }
        Ok(Vec::new())
    }
}

/// An entry of the table of contents.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    title: String,
    path: String,
    fragment: Option<String>,
}

/// The table of contents of a navigation document.
fn nav(document: &str, path: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut is_contents, mut depth, mut is_link) = (false, 0_usize, false);
    markup::read(document, |event| match event {
        Event::Start(element) => match element.name() {
            "nav" => is_contents = element.has("epub:type", &["toc"]),
            "ol" => depth += 1,
            "a" if is_contents && depth <= MAX_DEPTH => {
                let Some(href) = element.attribute("href") else { return };
                let (path, fragment) = resolved(path, href);
                entries.push(Entry { title: String::new(), path, fragment });
                is_link = true;
            }
            _ => (),
        },
        Event::End("nav") => is_contents = false,
        Event::End("ol") => depth = depth.saturating_sub(1),
        Event::End("a") => is_link = false,
        Event::Text(text) if is_link => {
            entries.last_mut().expect("a link began").title.push_str(text);
        }
        _ => (),
    });
    entries
}

/// The table of contents of EPUB 2.
fn ncx(document: &str, path: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut depth, mut label, mut is_label) = (0_usize, String::new(), false);
    markup::read(document, |event| match event {
        Event::Start(element) => match element.name() {
            "navpoint" => depth += 1,
            "navlabel" => {
                label.clear();
                is_label = true;
            }
            "content" if (1..=MAX_DEPTH).contains(&depth) => {
                let Some(href) = element.attribute("src") else { return };
                let (path, fragment) = resolved(path, href);
                entries.push(Entry { title: label.clone(), path, fragment });
            }
            _ => (),
        },
        Event::End("navpoint") => depth = depth.saturating_sub(1),
        Event::End("navlabel") => is_label = false,
        Event::Text(text) if is_label => label.push_str(text),
        _ => (),
    });
    entries
}

/// The documents in reading order, with the positions of the wanted identifiers.
fn documents<'a>(
    archive: &'a mut Archive,
    package: &'a Package,
    is_wanted: impl Fn(&str, &str) -> bool + 'a,
) -> impl Iterator<Item = Result<(&'a str, Vec<Item>)>> + 'a {
    package.spine.iter().map(move |path| {
        let document = required(archive, path)?;
        Ok((path.as_str(), html::document(&document, |id| is_wanted(path, id)).items))
    })
}

/// Divides the book at the entries of the table of contents. The text before the first has the
/// title of the book.
fn chapters_by_contents(
    archive: &mut Archive,
    package: &Package,
    contents: &[Entry],
) -> Result<Vec<Chapter>> {
    let places: HashMap<(&str, Option<&str>), &str> = contents
        .iter()
        .map(|it| ((it.path.as_str(), it.fragment.as_deref()), it.title.as_str()))
        .collect();
    let chapter = |title: &str| Chapter { title: title.to_owned(), blocks: Vec::new() };
    let mut chapters = vec![chapter(&package.title)];
    let is_wanted = |path: &str, id: &str| places.contains_key(&(path, Some(id)));
    for document in documents(archive, package, is_wanted) {
        let (path, items) = document?;
        chapters.extend(places.get(&(path, None)).map(|title| chapter(title)));
        for item in items {
            if let Item::Anchor(id) = &item {
                chapters.extend(places.get(&(path, Some(id))).map(|title| chapter(title)));
            }
            let blocks = &mut chapters.last_mut().expect("it begins with one").blocks;
            blocks.extend(item.block().map(|(_, block)| block));
        }
    }
    Ok(chapters)
}

/// Divides the book at headings, or into one chapter per document if there are none.
fn chapters_by_headings(archive: &mut Archive, package: &Package) -> Result<Vec<Chapter>> {
    let mut documents_blocks: Vec<Vec<(Option<u8>, Block)>> = Vec::new();
    for document in documents(archive, package, |_, _| false) {
        documents_blocks.push(document?.1.into_iter().filter_map(Item::block).collect());
    }
    if documents_blocks.iter().flatten().any(|(level, _)| level.is_some()) {
        return Ok(html::chapters(
            &package.title,
            documents_blocks.into_iter().flatten().collect(),
        ));
    }
    let chapter = |blocks: Vec<(_, Block)>| Chapter {
        title: String::new(),
        blocks: blocks.into_iter().map(|(_, block)| block).collect(),
    };
    Ok(documents_blocks.into_iter().map(chapter).collect())
}
