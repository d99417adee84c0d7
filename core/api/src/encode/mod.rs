//! Samples to bytes.

mod pcm;
mod wav;

pub(crate) use pcm::pcm;
pub use wav::wav;
