//! The C interface of `speech-core`: what `include/speech.h` declares.
//!
//! The header is made from this crate (`cargo xtask header`), and its conventions stand in
//! `conventions.h`. How the promises there are kept:
//!
//! - A handle is a number in the clothes of a pointer, looked up in a registry (`handle.rs`): one that was
//!   freed, or never was one, is told apart and never followed.
//! - What is a pointer is converted in one file (`pointer.rs`).
//! - Every function runs inside one boundary (`boundary.rs`), where a panic becomes an error.
#![allow(non_camel_case_types, reason = "the names of C")]
#![expect(clippy::missing_safety_doc, reason = "the header's conventions are the safety contract")]

// The order of the header.
mod version;

mod error;

mod status;

mod options;

mod engine;

mod cancel;

mod request;

mod audio;

mod stream;

mod chunk;

mod text;

mod segmenter;

mod voices;

mod tiers;

mod boundary;
mod getters;
mod handle;
mod log;
mod names;
mod pointer;

pub use audio::*;
pub use cancel::*;
pub use chunk::*;
pub use engine::*;
pub use error::*;
pub use getters::*;
pub use handle::speech_object_count;
pub use log::*;
pub use options::*;
pub use request::*;
pub use segmenter::*;
pub use status::*;
pub use stream::*;
pub use text::*;
pub use tiers::*;
pub use version::*;
pub use voices::*;
