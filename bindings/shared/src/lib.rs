//! Code shared by the bindings to other languages: panics as errors, threads for tasks, and the
//! caller's open files.

mod descriptor;
mod panics;
mod threads;

pub use descriptor::duplicate;
pub use panics::catch_panic;
pub use threads::spawn;
