//! The native library of the JVM package, which only that package uses.
//!
//! Its functions are the native methods of the class `io.libspeech.Native`. They take and give byte arrays, in the layout of
//! `wire.rs`, so that no more of JNI is used than every virtual machine has. Objects stay on this side, in tables: Java holds
//! their numbers, and a number that is in no table any more is refused (`handles.rs`). What takes time runs on a thread of the
//! library's own and answers a callback, so that Java's threads wait where they can be interrupted (`task.rs`). An error of the
//! core is an answer too, which Java throws (`boundary.rs`). Offsets in a text are in UTF-16 code units, as Java counts them.
#![allow(unreachable_pub, reason = "what the virtual machine looks up must be public")]

mod wire;

mod boundary;
mod handles;

mod task;

mod request;

mod audio;

mod stream;

mod engine;

mod error;
mod inspect;
mod text;
mod tiers;
mod voices;
