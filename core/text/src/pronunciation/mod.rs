//! Pronunciations that a caller gives: a lexicon of the engine or of the request, or inline in the text.

mod inline;
mod ipa;
mod lexicon;

pub use inline::{check_inline, inline};
pub(crate) use ipa::IpaNotation;
pub use lexicon::{Lexicon, Lexicons};
pub(crate) use lexicon::{Replacement, as_in_text};
