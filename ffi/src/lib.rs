//! The C interface of `speech-core`: what `include/speech.h` declares.
//!
//! The header is made from this crate (`cargo xtask header`), and its conventions stand in
//! `conventions.h`. How the promises there are kept:
//!
//! - Handles are integers with the type of a pointer, looked up in a registry (`handle.rs`): one that was freed
//!   or never existed is an error, and is never followed.
//! - Real pointers (outputs, texts, arrays) have types of their own (`pointers.rs`), which say what the caller
//!   promises and end with the call. A function is `unsafe` only if its parameters promise more together than each
//!   type does: a length beside an array, a callback with its data.
//! - Every function that may panic runs inside one boundary (`boundary.rs`), where errors become status codes, and panics become
//!   errors.
#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![expect(clippy::missing_safety_doc, reason = "the header's conventions are the safety contract")]

// The order of the header.
mod version;

mod error;

mod status;

mod options;

mod engine;

mod cancel;

mod lexicon;

mod request;

mod timings;

mod audio;

mod stream;

mod text;

mod segmenter;

mod voices;

mod tiers;

mod backend;
mod boundary;
mod getters;
mod handle;
mod log;
mod pointers;

pub use audio::*;
pub use cancel::*;
pub use engine::*;
pub use error::*;
pub use handle::speech_object_count;
pub use lexicon::*;
pub use log::*;
pub use options::*;
pub use pointers::{Array, Output, StringPointer, Text};
pub use request::*;
pub use segmenter::*;
pub use status::*;
pub use stream::*;
pub use text::*;
pub use tiers::*;
pub use timings::*;
pub use version::*;
pub use voices::*;
