//! Locks, channels and threads: those of std, or, under `cargo xtask model`, those of the Shuttle
//! model checker, which explores many thread interleavings.

#[cfg(shuttle)]
pub use shuttle::{sync, thread};
#[cfg(not(shuttle))]
pub use std::{sync, thread};
