//! The content of a book, and how it is read from a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use speech_batch::{Error, Result};
use speech_core::Language;

use crate::{epub, html, text};

/// The maximum size of a book's text in bytes: fifty times that of a long novel.
pub(crate) const MAX_TEXT: usize = 64 << 20;

/// The maximum length of a title or a name in characters. The rest is cut off.
const MAX_TITLE: usize = 200;

/// A book that can be spoken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Book {
    /// The title; the file name if the book has none.
    pub title: String,
    /// The authors, in order.
    pub authors: Vec<String>,
    /// The language tag of the book, if it has one.
    pub language: Option<String>,
    /// The cover, if audio files support its format.
    pub cover: Option<Cover>,
    /// The chapters in order. Each has at least one block.
    pub chapters: Vec<Chapter>,
}

/// The cover picture of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cover {
    /// The content of a JPEG or PNG file.
    pub bytes: Vec<u8>,
    /// `image/jpeg` or `image/png`.
    pub media_type: &'static str,
}

/// A chapter of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chapter {
    /// The title, from the table of contents or a heading.
    pub title: String,
    /// The text, including its heading if there is one.
    pub blocks: Vec<Block>,
}

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph, an item of a list, or a row of a table.
    Paragraph(String),
}

impl Block {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Heading(text) | Self::Paragraph(text) => text,
        }
    }
}

impl Chapter {
    /// The number of characters.
    pub fn characters(&self) -> usize {
        self.blocks.iter().map(|block| block.text().chars().count()).sum()
    }
}

impl Cover {
    /// A cover from the bytes of a JPEG or PNG file; `None` for other bytes.
    pub(crate) fn new(bytes: Vec<u8>) -> Option<Self> {
        let media_type = match &bytes[..] {
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
            _ => return None,
        };
        Some(Self { bytes, media_type })
    }
}

impl Book {
    /// Reads a book from a file: `.epub`, `.html`, `.htm`, `.xhtml`, `.md`, `.markdown` or `.txt`.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for other formats, for files that are damaged, encrypted, not UTF-8 or
    /// over a limit, and for a book without text. [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let book = match extension.to_ascii_lowercase().as_str() {
            "epub" => epub::read(path),
            "html" | "htm" | "xhtml" => text_of(path).map(|it| html::book(&it)),
            "md" | "markdown" => text_of(path).map(|it| text::markdown(&it)),
            "txt" => text_of(path).map(|it| text::plain(&it)),
            _ => return Err(refused(path, "a book is an .epub, .html, .md or .txt file")),
        }?;
        book.finished(path)
    }

    /// The language of the book if the library supports it. A book without a language is English.
    pub fn spoken_language(&self) -> Option<Language> {
        let tag = self.language.as_deref().unwrap_or("en").to_ascii_lowercase();
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Language::ALL
            .into_iter()
            .find(|language| language.as_str().split('-').next().is_some_and(|own| own == primary))
    }

    /// Removes text that cannot be spoken, and adds a missing title.
    fn finished(mut self, path: &Path) -> Result<Self> {
        for chapter in &mut self.chapters {
            chapter.blocks.retain(|block| block.text().contains(char::is_alphanumeric));
            chapter.title = title(&chapter.title);
        }
        self.chapters.retain(|chapter| !chapter.blocks.is_empty());
        if self.chapters.is_empty() {
            return Err(refused(path, "the book has no text"));
        }
        self.title = title(&self.title);
        if self.title.is_empty() {
            self.title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        self.authors =
            self.authors.iter().map(|it| title(it)).filter(|it| !it.is_empty()).collect();
        self.language = self.language.filter(|language| !language.trim().is_empty());
        for (number, chapter) in (1..).zip(&mut self.chapters) {
            if chapter.title.is_empty() {
                let heading = chapter.blocks.iter().find_map(|block| match block {
                    Block::Heading(text) => Some(title(text)),
                    Block::Paragraph(_) => None,
                });
                chapter.title = heading.unwrap_or_else(|| number.to_string());
            }
        }
        Ok(self)
    }
}

/// The error for a book. It contains none of the text.
pub(crate) fn refused(path: &Path, problem: impl std::fmt::Display) -> Error {
    Error::Refused(format!("{}: {problem}", path.display()))
}

/// Converts a text to one line of limited length.
fn title(text: &str) -> String {
    let line = crate::subtitles::one_line(text);
    line.chars().take(MAX_TITLE).collect()
}

/// The text of a file.
fn text_of(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::io(path))?;
    file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(Error::io(path))?;
    if bytes.len() > MAX_TEXT {
        return Err(refused(path, "the book is larger than 64 MiB"));
    }
    decoded(bytes).map_err(|problem| refused(path, problem))
}

/// Text from UTF-8, or from UTF-16 with a byte order mark.
pub(crate) fn decoded(bytes: Vec<u8>) -> std::result::Result<String, String> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.as_chunks().0.iter().map(|two| unit(*two));
        char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match &bytes[..] {
        [0xff, 0xfe, rest @ ..] => Ok(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Ok(utf16(rest, u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => decoded(rest.to_vec()),
        _ => String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            format!("the text is not UTF-8 at byte {at}; convert other encodings with iconv")
        }),
    }
}
