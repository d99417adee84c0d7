//! SSML 1.1: the part of it that `docs/ssml.md` lists, read strictly. What is not in it is refused, with its place.

mod builder;
mod document;
mod element;
mod reader;
mod references;
mod text;
mod values;

use std::ops::Range;

use self::document::Document;
use self::reader::Reader;
use super::passage::Passage;
use crate::error::Result;
use crate::language::Language;
use crate::prosody_settings::ProsodySettings;
use crate::voice::Voice;

/// The passages of a document. `voice` and `language` are those of what names none, and `base` is what the settings of
/// elements come on top of.
///
/// # Errors
///
/// `invalid_request` for what is not well-formed or not supported, with line and column.
pub(crate) fn passages(
    document: &str,
    voice: Voice,
    language: Language,
    base: ProsodySettings,
) -> Result<Vec<Passage>> {
    Reader::passages(&Document::parse(document)?, voice, language, base)
}

/// The text of a part of a document, as people read it: without markup, and with references resolved.
pub(crate) fn shown(document: &str, span: &Range<usize>) -> String {
    Document::parse(document).map_or_else(|_| String::new(), |document| document.shown(span))
}

#[cfg(test)]
mod spoken_tests;
#[cfg(test)]
mod tests;
