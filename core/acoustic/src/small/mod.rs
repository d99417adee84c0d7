//! Small networks in place of the prosody and the vocoder, at a twentieth of their cost.
//!
//! The architecture is that of `hibari-tts` 0.2.1 (Apache-2.0): ConvNeXt blocks (Liu et al. 2022),
//! each with a scale and a shift by the style (FiLM, Perez et al. 2018). `research/student` trains
//! them.

mod block;
mod decoder;
mod product;
mod prosody;
mod pulses;
mod synthesis;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use self::decoder::SmallDecoder;
pub(crate) use self::prosody::SmallProsody;

/// Added to a variance before the division by its square root.
const EPSILON: f32 = 1e-5;
