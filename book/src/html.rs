//! Converts HTML to blocks of text, and to chapters at its headings.

use crate::book::{Block, Book, Chapter};
use crate::markup::{Element, Event, read};

/// Elements that are skipped.
const SKIPPED: &[&str] = &[
    "audio", "canvas", "iframe", "nav", "noscript", "object", "rp", "rt", "script", "select",
    "style", "svg", "template", "textarea", "video",
];

/// Types and roles of skipped elements: note and page numbers, and tables of contents.
const SKIPPED_TYPES: &[&str] = &["landmarks", "noteref", "page-list", "pagebreak", "toc"];
const SKIPPED_ROLES: &[&str] = &["doc-noteref", "doc-pagebreak", "doc-toc"];

/// Inline elements. All others begin and end a block.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn",
    "em", "font", "i", "img", "input", "ins", "kbd", "label", "map", "mark", "q", "ruby", "rb",
    "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "td", "th", "time", "tt", "u",
    "var", "wbr",
];

/// Elements of the document head. Any other element ends a head without an end tag.
const HEAD: &[&str] = &["base", "head", "link", "meta", "title"];

/// The maximum length of a heading. A longer one, for example with a missing end tag, is a
/// paragraph.
const MAX_HEADING: usize = 300;

/// The items of a document in order.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) authors: Vec<String>,
    pub(crate) language: Option<String>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// The position of a wanted identifier.
    Anchor(String),
    /// A heading with its level, from 1 to 6.
    Heading(u8, String),
    Paragraph(String),
}

impl Item {
    /// Converts an item to a block with the heading's level, if it is a block.
    pub(crate) fn block(self) -> Option<(Option<u8>, Block)> {
        match self {
            Self::Anchor(_) => None,
            Self::Heading(level, text) => Some((Some(level), Block::Heading(text))),
            Self::Paragraph(text) => Some((None, Block::Paragraph(text))),
        }
    }
}

/// Parses a document, with the positions of the wanted identifiers.
pub(crate) fn document(html: &str, is_wanted: impl Fn(&str) -> bool) -> Document {
    let mut reader = Reader::default();
    read(html, |event| match event {
        Event::Start(element) => reader.start(element, &is_wanted),
        Event::End(name) => reader.end(name),
        Event::Text(text) => reader.text(text),
    });
    reader.flush();
    reader.document
}

#[derive(Default)]
struct Reader {
    document: Document,
    /// The text of the current block.
    block: String,
    /// The level of the current heading.
    heading: Option<u8>,
    /// The element being skipped, and the number of open elements of this name.
    skipped: Option<(String, usize)>,
    is_title: bool,
    is_head: bool,
    /// The number of open `pre` elements.
    preformatted: usize,
    /// The start of the text of a link within a document.
    link: Option<usize>,
}

impl Reader {
    fn start(&mut self, element: &Element, is_wanted: impl Fn(&str) -> bool) {
        let name = element.name();
        if let Some((skipped, open)) = &mut self.skipped {
            if !is_implied_end(skipped, name) {
                *open += usize::from(skipped.as_str() == name && !element.is_empty());
                return;
            }
            self.skipped = None;
        }
        let id =
            element.attribute("id").or_else(|| element.attribute("name").filter(|_| name == "a"));
        if let Some(id) = id.filter(|id| is_wanted(id)) {
            if self.heading.is_none() {
                self.flush();
            }
            self.document.items.push(Item::Anchor(id.to_owned()));
        }
        if is_skipped(element) {
            if !element.is_empty() {
                self.skipped = Some((name.to_owned(), 1));
            }
            return;
        }
        self.is_head &= HEAD.contains(&name);
        match name {
            "html" => {
                let language = element.attribute("lang").or_else(|| element.attribute("xml:lang"));
                self.document.language = language.map(str::to_owned);
            }
            "head" => self.is_head = true,
            "title" => self.is_title = !element.is_empty(),
            "meta" if element.has("name", &["author", "dc.creator", "DC.creator"]) => {
                self.document.authors.extend(element.attribute("content").map(str::to_owned));
            }
            "br" => self.line(),
            "td" | "th" => self.cell(),
            "a" => {
                let is_place = element.attribute("href").is_some_and(|it| it.contains('#'));
                self.link = is_place.then_some(self.block.len());
            }
            _ if INLINE.contains(&name) => (),
            _ => self.start_block(name, element),
        }
    }

    fn start_block(&mut self, name: &str, element: &Element) {
        let level = heading_level(name);
        if self.heading.is_some() && level.is_none() {
            self.text(" ");
            return;
        }
        self.flush();
        self.heading = level;
        self.preformatted += usize::from(name == "pre" && !element.is_empty());
    }

    fn end(&mut self, name: &str) {
        if let Some((skipped, open)) = &mut self.skipped {
            *open -= usize::from(skipped.as_str() == name);
            if *open == 0 || is_implied_end(skipped, name) {
                self.skipped = None;
            }
            return;
        }
        match name {
            "head" => self.is_head = false,
            "title" => self.is_title = false,
            "a" => self.end_link(),
            _ if INLINE.contains(&name) => (),
            _ if self.heading.is_some() && heading_level(name).is_none() => (),
            _ => {
                self.flush();
                self.preformatted -= usize::from(name == "pre" && self.preformatted > 0);
            }
        }
    }

    /// Removes the text of a link that is a note mark, such as `[1]`.
    fn end_link(&mut self) {
        let Some(start) = self.link.take().filter(|start| *start > 0) else { return };
        let Some(text) = self.block.get(start..).map(str::trim) else { return };
        let is_mark = |c: char| c.is_ascii_digit() || "[]()*†‡↩^↑\u{fe0e}".contains(c);
        if text.len() < 12 && text.chars().all(is_mark) {
            self.block.truncate(start);
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        if self.is_title {
            self.document.title.push_str(text);
        } else if !self.is_head {
            text.chars().for_each(|c| self.push(c));
        }
    }

    fn push(&mut self, c: char) {
        match c {
            '\n' if self.preformatted > 0 => self.line(),
            // A soft hyphen is invisible except at a line end.
            '\u{ad}' => (),
            _ if c.is_whitespace() => {
                if !self.block.is_empty() && !self.block.ends_with([' ', '\n']) {
                    self.block.push(' ');
                }
            }
            _ if c.is_control() => (),
            _ => self.block.push(c),
        }
    }

    fn line(&mut self) {
        self.block.truncate(self.block.trim_end().len());
        if !self.block.is_empty() {
            self.block.push(if self.heading.is_some() { ' ' } else { '\n' });
        }
    }

    /// Begins a table cell in the line of its row.
    fn cell(&mut self) {
        self.block.truncate(self.block.trim_end().len());
        if !self.block.is_empty() {
            self.block.push_str(if self.block.ends_with(char::is_alphanumeric) {
                ", "
            } else {
                " "
            });
        }
    }

    fn flush(&mut self) {
        self.link = None;
        let heading = self.heading.take();
        let text = self.block.trim().to_owned();
        self.block.clear();
        if text.is_empty() {
            return;
        }
        self.document.items.push(match heading {
            Some(level) if text.chars().count() <= MAX_HEADING => Item::Heading(level, text),
            _ => Item::Paragraph(text),
        });
    }
}

fn is_skipped(element: &Element) -> bool {
    SKIPPED.contains(&element.name())
        || element.attribute("hidden").is_some()
        || element.attribute("aria-hidden") == Some("true")
        || element.has("epub:type", SKIPPED_TYPES)
        || element.has("role", SKIPPED_ROLES)
}

/// Whether the start tag `name` ends an element with a missing end tag.
fn is_implied_end(skipped: &str, name: &str) -> bool {
    match skipped {
        "p" => !INLINE.contains(&name),
        "rp" | "rt" => matches!(name, "rp" | "rt" | "ruby"),
        _ => false,
    }
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

/// The book of a single document.
pub(crate) fn book(html: &str) -> Book {
    let Document { title, authors, language, items } = document(html, |_| false);
    let blocks: Vec<_> = items.into_iter().filter_map(Item::block).collect();
    let title = if title.trim().is_empty() { first_heading(&blocks) } else { title };
    Book { chapters: chapters(&title, blocks), title, authors, language, cover: None }
}

fn first_heading(blocks: &[(Option<u8>, Block)]) -> String {
    let heading = blocks.iter().find(|(level, _)| level.is_some());
    heading.map(|(_, block)| block.text().to_owned()).unwrap_or_default()
}

/// Divides blocks at the headings of the highest level that occurs more than once. Blocks before
/// the first have the title of the book.
pub(crate) fn chapters(title: &str, blocks: Vec<(Option<u8>, Block)>) -> Vec<Chapter> {
    let count = |level: u8| blocks.iter().filter(|(own, _)| *own == Some(level)).count();
    let level =
        (1..=6).find(|level| count(*level) > 1).or_else(|| (1..=6).find(|it| count(*it) > 0));
    let mut chapters = vec![Chapter { title: title.to_owned(), blocks: Vec::new() }];
    for (own, block) in blocks {
        if own.is_some() && own <= level {
            chapters.push(Chapter { title: block.text().to_owned(), blocks: Vec::new() });
        }
        chapters.last_mut().expect("it begins with one").blocks.push(block);
    }
    join_bare(chapters)
}

/// Joins chapters that contain only headings with the next chapter.
fn join_bare(chapters: Vec<Chapter>) -> Vec<Chapter> {
    let mut joined: Vec<Chapter> = Vec::new();
    for mut chapter in chapters {
        let is_bare =
            |it: &Chapter| it.blocks.iter().all(|block| matches!(block, Block::Heading(_)));
        if let Some(bare) = joined.pop_if(|last| is_bare(last)) {
            chapter.blocks.splice(0..0, bare.blocks);
        }
        joined.push(chapter);
    }
    joined
}
