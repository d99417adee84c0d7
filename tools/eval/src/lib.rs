//! How well the text front end reads: scores on tables of cases, with every row that fails.
//!
//! The tables are in `data/`, with their sources and licences in its README; the sentences are those that
//! the library is tested with. `cargo xtask eval` prints the reports; the tests hold them to their bars.

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
