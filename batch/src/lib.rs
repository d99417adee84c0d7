//! Speaks a table of texts into a folder, and resumes where it stopped.
//!
//! The same request, voice bundle, kernels, precision, lexicon and `SOUND_VERSION` give the same
//! samples. So the result of a row has a name before it exists: its *key*, the SHA-256 of the
//! request and of the job's [`Manifest`]. Resuming looks up the key. Therefore repeated rows,
//! overlapping shards and a second run write the same files.
//!
//! A row is finished once its `KEY.json` exists. That file is written after `KEY.wav` or
//! `KEY.flac`, and both are renamed to these names only when they are complete and flushed to the
//! disk. So a killed process loses only the rows in progress.

mod error;
mod folder;
mod job;
mod report;
mod row;
mod sound;

pub use error::{Error, Result};
pub use folder::{Done, Fault, Folder, Manifest, Outcome, hex, measure, write_whole};
pub use job::{Job, Progress, Shard};
pub use report::{Damage, Report};
pub use row::{Row, Table};
pub use sound::Container;
