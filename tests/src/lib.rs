//! Code shared by the tests of libspeech across crates.

pub mod cases;
pub mod checkpoint;
pub mod dist;
pub mod fake_model;
pub mod http;
pub mod inferences;
pub mod pages;
pub mod properties;
