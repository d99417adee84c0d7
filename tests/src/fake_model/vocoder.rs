//! The vocoder of the fake model: as few channels as there may be, and no work for most of its layers.
//!
//! All weights of the residual blocks are zeros, so they hand on what comes in. Nothing comes of the decoder. The first
//! channel of the source, the magnitude of its lowest bin, goes through the last stage of the generator as it is, and out
//! as the logarithm of the lowest bin; the others are silent.

use std::io;

use super::prosody;
use super::weights::Weights;

/// The channels of all that the real one has 128 to 1,090 of.
const CHANNELS: usize = 32;

/// Those that the decoder keeps of the text features, and those of the source.
const KEPT_TEXT: usize = 64;
const SOURCE: usize = 22;

/// The magnitude of the source's lowest bin where it stands still at 1: the sum of its window.
const STILL: f32 = 10.0;

/// The magnitude of a lowest bin that sounds at half of full scale: windows that overlap add up to a tenth of it.
const LOUDEST: f32 = 5.0;

/// What the logarithm of a magnitude gets of each unit of the source's: from the loudest to silence it is 20.
const STEEPNESS: f32 = 2.0;

/// The logarithm of the magnitude of the bins that are silent, and how many there are with the lowest.
const SILENT: f32 = -20.0;
const BINS: usize = 11;

/// Channels that go into the decoder's first block and into the others, which also get the text that is kept: with the
/// pitch and the energy, and zeros up to a multiple of 32.
const ENCODED: usize = (prosody::CHANNELS + 2).next_multiple_of(32);
const DECODED: usize = (CHANNELS + KEPT_TEXT + 2).next_multiple_of(32);

/// For how many channels there are normalizations: two in each block of the decoder, and six in each of the generator.
pub(super) const STATISTICS: usize = ENCODED + 4 * DECODED + (5 + 8 * 6) * CHANNELS;

/// The file of weights.
///
/// # Errors
///
/// None that is known of.
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

/// A block of the generator that hands on what comes in.
fn residual(weights: &mut Weights, name: &str) {
    for (number, pair) in (1..=2).flat_map(|number| (0..3).map(move |pair| (number, pair))) {
        weights.adaptive_norm(&format!("{name}.norm{number}.{pair}"), CHANNELS, 0.0, 0.0);
        weights.floats(&format!("{name}.alpha{number}.{pair}"), &[CHANNELS], &[1.0; CHANNELS]);
        weights.nothing(&format!("{name}.conv{number}.{pair}"), 1, CHANNELS, CHANNELS);
    }
}
