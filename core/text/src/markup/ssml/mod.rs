//! Reads the subset of SSML 1.1 in `docs/ssml.md`, and rejects other content with its position.

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

/// The passages of a document. `voice` and `language` are the defaults for text without these
/// elements. The settings of elements are added to `base`.
///
/// # Errors
///
/// `invalid_request`, with line and column, for malformed or unsupported content.
pub fn passages(
    document: &str,
    voice: Voice,
    language: Language,
    base: ProsodySettings,
) -> Result<Vec<Passage>> {
    Reader::passages(&Document::parse(document, SSML)?, voice, language, base)
}

/// The visible text of a byte range: without markup, and with references resolved.
pub fn shown(document: &str, span: &Range<usize>) -> String {
    Document::parse(document, SSML).map_or_else(|_| String::new(), |document| document.shown(span))
}

#[cfg(test)]
mod spoken_tests;
#[cfg(test)]
mod tests;
