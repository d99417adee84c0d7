//! American English.

pub(crate) mod normalize;
pub(crate) mod phonemize;
