//! What the tests of libspeech share that are not of one crate.

pub mod cases;
pub mod checkpoint;
pub mod dist;
pub mod fake_model;
pub mod http;
pub mod inferences;
pub mod pages;
pub mod properties;
