//! The native module of the Node package, which only that package uses.
//!
//! It never blocks the event loop: whatever takes time runs on a thread of the module's own and resolves a promise. An
//! error of the core is a value too, a `NativeError`, which the package throws as a `SpeechError`. Offsets in a text are in
//! UTF-16 code units, as JavaScript counts them.
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
