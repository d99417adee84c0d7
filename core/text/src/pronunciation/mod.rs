//! Pronunciations that a caller gives: a lexicon on the engine, or inline in the text.

mod inline;
mod ipa;
mod lexicon;

pub use inline::{check_inline, inline};
pub(crate) use ipa::IpaNotation;
pub use lexicon::Lexicon;
pub(crate) use lexicon::Replacement;
