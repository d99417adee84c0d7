//! Converts marked-up text to passages of plain text with settings. `pls.rs` reads lexicons.

mod passage;
mod pauses;
mod pls;

pub mod ssml;

pub use passage::{Inline, Passage, SourceMap};
pub use pauses::check_pauses;
pub use pauses::plain_passage;
