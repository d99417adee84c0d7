//! Reads plain text and Markdown.

use pulldown_cmark::{Options, Parser, html::push_html};

use crate::book::{Block, Book};
use crate::html;

/// The maximum length of a heading in bytes.
const MAX_HEADING: usize = 80;

/// The first words of headings.
const NUMBERED: &[&str] =
    &["act", "book", "canto", "chapter", "part", "section", "volume", "अध्याय", "भाग"];
const UNNUMBERED: &[&str] =
    &["afterword", "conclusion", "epilogue", "foreword", "introduction", "preface", "prologue"];

/// The level of such headings.
const LEVEL_OF_CHAPTERS: u8 = 1;

/// Reads a Markdown document. Metadata in Pandoc's format may have its title, author and language.
pub(crate) fn markdown(text: &str) -> Book {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut page = String::new();
    push_html(&mut page, Parser::new_ext(text, options));
    let mut book = html::book(&page);
    let metadata = metadata(text);
    let value = |names: &[&str]| {
        let found = metadata.iter().find(|(name, _)| names.contains(name));
        found.map(|(_, value)| (*value).to_owned())
    };
    if let Some(title) = value(&["title"]) {
        book.title = title;
    }
    book.authors.extend(value(&["author"]));
    book.language = value(&["lang", "language"]).or(book.language);
    book
}

/// The lines `name: value` before a Markdown document.
fn metadata(text: &str) -> Vec<(&str, &str)> {
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Vec::new();
    }
    let lines = lines.take_while(|line| !matches!(line.trim_end(), "---" | "..."));
    let pairs = lines.filter_map(|line| line.split_once(':'));
    pairs.map(|(name, value)| (name, value.trim().trim_matches(['"', '\'']))).collect()
}

/// Reads a plain text. Blank lines separate paragraphs, and a separate line such as "Chapter 1"
/// begins a chapter. Removes the license from Project Gutenberg files.
pub(crate) fn plain(text: &str) -> Book {
    let (header, text) = without_license(text);
    let field = |name: &str| {
        let mut lines = header.lines().map(str::trim);
        lines.find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let blocks: Vec<_> = paragraphs
        .map(|lines| match lines {
            [line] if is_heading(line) => {
                (Some(LEVEL_OF_CHAPTERS), Block::Heading((*line).to_owned()))
            }
            // Lines are broken at the page width, or are verses: the front end distinguishes them.
            _ => (None, Block::Paragraph(without_controls(&lines.join("\n")))),
        })
        .collect();
    let title = field("Title:").unwrap_or_default();
    Book {
        chapters: html::chapters(&title, blocks),
        title,
        authors: field("Author:").into_iter().collect(),
        language: None,
        cover: None,
    }
}

fn without_controls(text: &str) -> String {
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

/// Whether a separate line is a chapter heading.
fn is_heading(line: &str) -> bool {
    let lower = line.to_lowercase();
    let mut words = lower.split([' ', '.', ':', '-', '—']).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let is_number = |word: &str| {
        word.chars().all(char::is_numeric)
            || word.chars().all(|c| "ivxlc".contains(c))
            || NUMBERS.contains(&word)
    };
    line.len() <= MAX_HEADING
        && (NUMBERED.contains(&first) && second.is_some_and(is_number)
            || UNNUMBERED.contains(&first) && second.is_none())
}

/// Chapter numbers in words.
const NUMBERS: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "the",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
];

/// The header of a Project Gutenberg file, and the text between its markers. Other files are
/// returned unchanged.
fn without_license(text: &str) -> (&str, &str) {
    let mark = |what: &str| {
        let at = text.find(&format!("*** {what} OF TH"))?;
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        Some((at, end))
    };
    let Some((start, begin)) = mark("START") else { return ("", text) };
    let end = mark("END").map_or(text.len(), |(at, _)| at);
    (&text[..start], text.get(begin..end).unwrap_or_default())
}
