//! Code shared by the fuzz targets.

pub mod allocations;
pub mod calls;
pub mod front_end;
