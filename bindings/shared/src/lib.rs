//! What the bindings to other languages share: the chunks of a stream for any number of threads, the fields of results, panics as
//! errors, threads for tasks, and files that a caller has open.

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
