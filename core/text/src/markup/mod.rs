//! Markup: a text as it was sent becomes passages of plain text, with what is said of their parts. `pls.rs` reads lexicons.

mod passage;
mod pauses;
mod pls;

pub mod ssml;

pub use passage::{Inline, Passage, SourceMap};
pub use pauses::check_pauses;
pub use pauses::plain_passage;
