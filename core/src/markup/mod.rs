//! Markup: a text as it was sent becomes passages of plain text, with what is said of their parts.

mod passage;
mod pauses;

pub(crate) mod ssml;

pub(crate) use passage::{Inline, Passage, SourceMap};
pub use pauses::check_pauses;
pub(crate) use pauses::plain_passage;
