//! The native library of the JVM package, used by that package only.
//!
//! It has two native methods, those of the class `io.libspeech.Native`. A call is JSON, one of
//! the variants of the enum in `call.rs`. An answer is an object whose fields Java finds by name
//! (`wire.rs`). Only basic JNI is used, which every virtual machine has. Objects stay on the native
//! side, in a table: Java holds their numbers, and a number no longer in the table is rejected
//! (`handles.rs`). Slow work runs on the library's own threads and ends in a callback, with the
//! samples in a buffer beside the fields, so that Java threads can be interrupted while they wait
//! (`task.rs`). An error of the core is an answer too, which Java throws (`boundary.rs`). Offsets
//! in a text are in UTF-16 code units, as in Java.
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
