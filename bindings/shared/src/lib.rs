//! What the bindings to other languages share: panics as errors, and files that a caller has open.

mod descriptor;
mod panics;

pub use descriptor::duplicate;
pub use panics::catch_panic;
