//! Markup: a text as it was sent becomes passages of plain text, with what is said of their parts.

mod passage;
mod pauses;

pub(crate) use passage::{Inline, Passage, Piece, SourceMap};
pub(crate) use pauses::{MAX_PAUSE_MS, plain_passage};
