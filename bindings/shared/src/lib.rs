//! What the bindings to other languages share: panics as errors, threads for tasks, and files that a caller has open.

mod descriptor;
mod panics;
mod threads;

pub use descriptor::duplicate;
pub use panics::catch_panic;
pub use threads::spawn;
