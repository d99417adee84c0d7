//! Code shared by the bindings to other languages: the chunks of a stream for any number of
//! threads, serializable results, panics as errors, threads for tasks, and the caller's open files.

mod chunks;
mod descriptor;
mod panics;
mod results;
mod threads;

pub use chunks::Chunks;
pub use descriptor::duplicate;
pub use panics::catch_panic;
pub use results::{ChunkFields, Note, SpeechFields, notes};
pub use threads::{drop_in_background, spawn};
