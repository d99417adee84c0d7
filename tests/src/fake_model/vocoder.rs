//! The vocoder of the fake model, with the minimum number of channels and little work for most
//! layers.
//!
//! All weights of the residual blocks are zeros, so the blocks pass their input on. The decoder
//! outputs zeros. The first channel of the source, the magnitude of its lowest bin, passes through
//! the last stage of the generator unchanged, and becomes the logarithm of the lowest bin. The
//! other bins are silent.

use std::io;

use super::prosody;
use super::weights::Weights;

/// The number of channels where the real model has 128 to 1,090.
const CHANNELS: usize = 32;

/// Channels of the text features that the decoder keeps, and channels of the source.
const KEPT_TEXT: usize = 64;
const SOURCE: usize = 22;

/// The magnitude of the lowest bin of a source with the constant value 1: the sum of its window.
const STILL: f32 = 10.0;

/// The magnitude of the lowest bin that sounds at half of full scale: overlapping windows add up to
/// a tenth of it.
const LOUDEST: f32 = 5.0;

/// The factor from the source's magnitude to the logarithm of a magnitude. The range from the
/// loudest value to silence is 20.
const STEEPNESS: f32 = 2.0;

/// The log magnitude of silent bins, and the number of bins including the lowest.
const SILENT: f32 = -20.0;
const BINS: usize = 11;

/// Input channels of the decoder's first block and of the other blocks, which also receive the kept
/// text features: with the pitch and the energy, and zero-padded to a multiple of 32.
const ENCODED: usize = (prosody::CHANNELS + 2).next_multiple_of(32);
const DECODED: usize = (CHANNELS + KEPT_TEXT + 2).next_multiple_of(32);

/// The number of normalized channels: two normalizations in each block of the decoder, and six in
/// each of the generator.
pub(super) const STATISTICS: usize = ENCODED + 4 * DECODED + (5 + 8 * 6) * CHANNELS;

/// The file of weights.
///
/// # Errors
///
/// None are known.
pub(super) fn weights() -> io::Result<Vec<u8>> {
    let mut weights = Weights::default();
    decoder(&mut weights);
    generator(&mut weights);
    weights.into_file()
}

fn decoder(weights: &mut Weights) {
    for curve in ["pitch", "energy"] {
        weights.nothing(&format!("decoder.{curve}"), 3, 1, 1);
    }
    weights.nothing("decoder.text", 1, prosody::CHANNELS, KEPT_TEXT);
    let blocks = (0..4).map(|i| (format!("decoder.blocks.{i}"), DECODED));
    for (block, inputs) in blocks.chain([("decoder.encode".to_owned(), ENCODED)]) {
        weights.adaptive_norm(&format!("{block}.norm1"), inputs, 0.0, 0.0);
        weights.adaptive_norm(&format!("{block}.norm2"), CHANNELS, 0.0, 0.0);
        weights.nothing(&format!("{block}.conv1"), 1, inputs, CHANNELS);
        weights.nothing(&format!("{block}.conv2"), 1, CHANNELS, CHANNELS);
        weights.nothing(&format!("{block}.shortcut"), 1, inputs, CHANNELS);
    }
    weights.pool("decoder.blocks.3.pool", DECODED);
}

fn generator(weights: &mut Weights) {
    for (stage, stride) in [10, 6].into_iter().enumerate() {
        weights.upsampling(&format!("generator.upsample.{stage}"), stride, CHANNELS);
        residual(weights, &format!("generator.noise.{stage}.block"));
    }
    (0..6).for_each(|i| residual(weights, &format!("generator.blocks.{i}")));
    weights.nothing("generator.noise.0.conv", 12, SOURCE, CHANNELS);
    weights.product("generator.noise.1.conv", SOURCE, &[(0, 0, 1.0)], &[0.0; CHANNELS]);
    let mut bias = [0.0; CHANNELS];
    bias[0] = LOUDEST.ln() - STEEPNESS * STILL;
    bias[1..BINS].fill(SILENT);
    weights.product("generator.out", CHANNELS, &[(0, 0, STEEPNESS)], &bias);
}

/// A block of the generator that passes its input on.
fn residual(weights: &mut Weights, name: &str) {
    for (number, pair) in (1..=2).flat_map(|number| (0..3).map(move |pair| (number, pair))) {
        weights.adaptive_norm(&format!("{name}.norm{number}.{pair}"), CHANNELS, 0.0, 0.0);
        weights.floats(&format!("{name}.alpha{number}.{pair}"), &[CHANNELS], &[1.0; CHANNELS]);
        weights.nothing(&format!("{name}.conv{number}.{pair}"), 1, CHANNELS, CHANNELS);
    }
}
