//! Pronunciations that a caller gives: a lexicon on the engine, or inline in the text.

mod inline;
mod lexicon;
mod symbols;

pub(crate) use inline::{check_inline, inline};
pub use lexicon::Lexicon;
pub(crate) use lexicon::Replacement;
