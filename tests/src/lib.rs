//! What the tests of libspeech share that are not of one crate.

pub mod cases;
pub mod dist;
pub mod hum;
pub mod inferences;
