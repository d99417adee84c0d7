//! Scores the text front end on tables of cases, and lists every failing row.
//!
//! The tables are in `data/`, with their sources and licenses in its README; the sentences are
//! those of the library's tests. `cargo xtask eval` prints the reports; the tests enforce minimum
//! scores.

pub mod choices;
pub mod everyday;
pub mod g2p;
pub mod heteronyms;
pub mod live;
pub mod lost;
pub mod normalization;
pub mod pronunciation;
pub mod reading;
pub mod record;
mod report;
pub mod romanized;
pub mod segmentation;
mod table;

pub use report::{Report, Score};
