//! The native library of the JVM package, which only that package uses.
//!
//! It has two native methods, those of the class `io.libspeech.Native`. A call is JSON: the enum of `call.rs` lists all of them. An
//! answer is an object whose fields Java finds by their names (`wire.rs`). No more of JNI is used than every virtual machine has.
//! Objects stay on this side, in a table: Java holds their numbers, and a number that is in no table any more is refused
//! (`handles.rs`). What takes time runs on a thread of the library's own and answers a callback, with the samples in a buffer beside
//! the fields, so that Java's threads wait where they can be interrupted (`task.rs`). An error of the core is an answer too, which
//! Java throws (`boundary.rs`). Offsets in a text are in UTF-16 code units, as Java counts them.
#![allow(unreachable_pub, reason = "what the virtual machine looks up must be public")]

mod wire;

mod boundary;
mod handles;

mod task;

mod request;

mod audio;

mod stream;

mod engine;

mod tables;
mod text;

mod call;
