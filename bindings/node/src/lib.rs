//! The native module of the Node package, used by that package only.
//!
//! It never blocks the event loop: slow work runs on the module's own threads and resolves a
//! promise. An error of the core is returned as a value, a `NativeError`, which the package throws
//! as a `SpeechError`. Offsets in a text are in UTF-16 code units, as in JavaScript.
#![allow(unreachable_pub, reason = "what JavaScript sees must be public")]

mod engine;

mod live;
mod stream;

mod lexicon;
mod request;

mod audio;

mod text;

mod tiers;

mod voices;

mod cancel;
mod error;
mod names;
mod task;
