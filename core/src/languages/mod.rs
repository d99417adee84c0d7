//! The languages, a folder each.

pub(crate) mod en_us;
pub(crate) mod hi_in;
