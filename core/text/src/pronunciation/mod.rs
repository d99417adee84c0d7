//! Pronunciations from the caller: lexicons of the engine and the request, and inline notation.

mod inline;
mod ipa;
mod lexicon;

pub use inline::{check_inline, inline};
pub(crate) use ipa::IpaNotation;
pub use lexicon::{Lexicon, Lexicons};
pub(crate) use lexicon::{Replacement, as_in_text};
