//! The C interface of `speech-core`, as declared in `include/speech.h`.
//!
//! The header is generated from this crate (`cargo xtask header`); `conventions.h` has its
//! conventions. They are enforced as follows:
//!
//! - Handles are integers with a pointer type, looked up in a registry (`handle.rs`). A handle that
//!   was freed or never existed is an error, and is never dereferenced.
//! - Real pointers (outputs, texts, arrays) have their own types (`pointers.rs`), which state the
//!   caller's obligations and end with the call. A function is `unsafe` only if its parameters have
//!   joint obligations beyond those of each type: an array with its length, or a callback with its
//!   data.
//! - Every function that may panic runs inside one boundary (`boundary.rs`), which turns errors
//!   into status codes, and panics into errors.
#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![expect(clippy::missing_safety_doc, reason = "the header's conventions are the safety contract")]

// In the order of the header.
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
