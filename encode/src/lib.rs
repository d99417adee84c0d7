//! Encodes mono samples of 16 bits as Opus in Ogg and as FLAC.
//!
//! The service streams both. Batches and books write them to files, with metadata and lengths. The
//! same samples give the same bytes, no matter how a caller divides them.

mod flac;
mod opus;

pub use flac::{FlacFile, FlacFrames};
pub use opus::{OPUS_RATES, OggOpus, OpusPackets};
