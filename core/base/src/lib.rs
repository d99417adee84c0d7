//! The base of all other crates: errors, limits, the choices of a request, cancellation, threads,
//! and operating-system functions. It knows nothing of text or audio.
//!
//! Applications use `speech-core`, which exports the public items of this crate.

pub mod choice;
pub mod system;

pub mod fork;

mod request_id;

pub mod error;

pub mod concurrency;

pub mod cancel;
pub mod threads;

pub mod fair_queue;
pub mod fair_semaphore;
pub mod prefetch;

pub mod language;
pub mod limits;
pub mod prosody_settings;
pub mod quality;
pub mod tier;
pub mod voice;

pub use cancel::CancelToken;
pub use error::{Advice, Error, ErrorDetail, ErrorKind, Result};
pub use language::Language;
pub use limits::{MAX_CHARACTERS, count_characters};
pub use quality::Quality;
pub use request_id::RequestId;
pub use tier::{Tier, TierCatalogue, TierEntry, UseCase};
pub use voice::Voice;

#[cfg(all(test, shuttle))]
mod model_checks;
