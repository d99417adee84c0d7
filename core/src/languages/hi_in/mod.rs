//! Hindi.

pub(crate) mod normalize;
pub(crate) mod phonemize;
