//! What the targets share.

pub mod allocations;
pub mod calls;
pub mod front_end;
