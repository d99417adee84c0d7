//! SSML 1.1: the part of it that `docs/ssml.md` lists, read strictly. What is not in it is refused, with its place.

mod builder;
pub(super) mod document;
mod element;
mod reader;
mod references;
mod text;
mod values;

use std::ops::Range;

use speech_base::error::Result;
use speech_base::language::Language;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::voice::Voice;

use self::document::{Document, SSML};
use self::reader::Reader;
use super::passage::Passage;

/// The passages of a document. `voice` and `language` are those of what names none, and `base` is what the settings of
/// elements come on top of.
///
/// # Errors
///
/// `invalid_request` for what is not well-formed or not supported, with line and column.
pub fn passages(
    document: &str,
    voice: Voice,
    language: Language,
    base: ProsodySettings,
) -> Result<Vec<Passage>> {
    Reader::passages(&Document::parse(document, SSML)?, voice, language, base)
}

/// The text of a part of a document, as people read it: without markup, and with references resolved.
pub fn shown(document: &str, span: &Range<usize>) -> String {
    Document::parse(document, SSML).map_or_else(|_| String::new(), |document| document.shown(span))
}

#[cfg(test)]
mod spoken_tests;
#[cfg(test)]
mod tests;
