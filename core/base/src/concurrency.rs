//! Locks, channels and threads: those of the standard library, or under `cargo xtask model` those of a model checker, which
//! tries many orders of what threads do.

#[cfg(shuttle)]
pub use shuttle::{sync, thread};
#[cfg(not(shuttle))]
pub use std::{sync, thread};
