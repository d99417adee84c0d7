//! The text side of the fake model: the tone of a token passes through all layers unchanged, and
//! becomes the pitch.
//!
//! There is a channel for each tone and one for the pad. The channel of the token is 1 and the
//! others are 0 in all layers:
//!
//! - the weight and bias of every normalization over channels undo its effect on such a row;
//! - the attention and feed-forward layers of BERT add zeros;
//! - an LSTM with open input and output gates and a closed forget gate turns a 1 into its
//!   hyperbolic tangent, and a normalization follows;
//! - the residual blocks of the pitch pass their input on, divided by the root of 2.
//!
//! The pitch output has one weight per channel: its tone in hertz. The sigmoids of a duration
//! always add up to 2. The text features and the energy are zeros.

use std::f32::consts::SQRT_2;
use std::io;

use super::weights::Weights;

/// Channels of all layers except the embedding and the last blocks of a curve.
pub(super) const CHANNELS: usize = 64;

/// Channels of the embedding and of the last blocks of a curve, and states of an LSTM per
/// direction.
const HALF: usize = CHANNELS / 2;

const TOKENS: usize = 178;
const POSITIONS: usize = 512;

/// The elements of a style vector that the prosody uses.
const STYLE: usize = 128;

/// The number of channels in use: one for the pad, and one for each tone.
const KINDS: usize = 17;

/// The pitch of the pad in hertz. Values up to 10 are silent.
const SILENT: f32 = 5.0;

/// The number of frames per token, which is the sum of the sigmoids.
const FRAMES: f32 = 2.0;
const SIGMOIDS: usize = 50;

/// The harmonics of the source, and the amplitude of the first. A sine of ten times the linear
/// range of a hyperbolic tangent is nearly a square wave.
const HARMONICS: usize = 9;
const AMPLITUDE: f32 = 10.0;

/// A gate input that opens the gate; its negative closes the gate.
const OPEN: f32 = 20.0;

/// Added to the variance by normalizations over channels that depend on a style.
const EPSILON: f32 = 1e-5;

/// The file of weights.
///
/// # Errors
///
/// None are known.
pub(super) fn weights() -> io::Result<Vec<u8>> {
    let mut weights = Weights::default();
    bert(&mut weights);
    text(&mut weights);
    durations(&mut weights);
    lstm(&mut weights, "curves.lstm", CHANNELS + STYLE, true);
    curve(&mut weights, "pitch", Some(&(0..KINDS).map(hertz).collect::<Vec<_>>()));
    curve(&mut weights, "energy", None);
    let mut harmonics = [0.0; HARMONICS];
    harmonics[0] = AMPLITUDE;
    weights.floats("source.weight", &[HARMONICS], &harmonics);
    weights.floats("source.bias", &[1], &[0.0]);
    weights.into_file()
}

/// The channel of a token.
fn kind(token: usize) -> usize {
    if token == 0 { 0 } else { 1 + token % (KINDS - 1) }
}

/// The pitch for a channel.
fn hertz(kind: usize) -> f32 {
    if kind == 0 { SILENT } else { 50.0 + 20.0 * (kind - 1) as f32 }
}

/// The weights of a layer that passes the channels on.
fn kept(weight: f32) -> Vec<(usize, usize, f32)> {
    (0..KINDS).map(|kind| (kind, kind, weight)).collect()
}

/// The mean and the variance of a row with a 1 in one channel.
fn statistics(channels: usize) -> (f32, f32) {
    let mean = (channels as f32).recip();
    (mean, mean - mean * mean)
}

/// A normalization over channels that returns its input.
fn norm(weights: &mut Weights, name: &str, channels: usize) {
    let (mean, variance) = statistics(channels);
    let [scale, shift] = [variance.sqrt(), mean].map(|value| vec![value; channels]);
    weights.floats(&format!("{name}.weight"), &[channels], &scale);
    weights.floats(&format!("{name}.bias"), &[channels], &shift);
}

fn bert(weights: &mut Weights) {
    let mut rows = vec![0.0; TOKENS * HALF];
    for (token, row) in rows.chunks_exact_mut(HALF).enumerate() {
        row[kind(token)] = 1.0;
    }
    weights.floats("bert.embedding.token.weight", &[TOKENS, HALF], &rows);
    weights.zeros("bert.embedding.position.weight", &[POSITIONS, HALF]);
    weights.floats("bert.embedding.bias", &[HALF], &[0.0; HALF]);
    norm(weights, "bert.embedding.norm", HALF);
    weights.product("bert.input", HALF, &kept(1.0), &[0.0; CHANNELS]);
    weights.nothing("bert.attention.input", 1, CHANNELS, 3 * CHANNELS);
    weights.nothing("bert.attention.output", 1, CHANNELS, CHANNELS);
    norm(weights, "bert.attention.norm", CHANNELS);
    weights.nothing("bert.ffn.input", 1, CHANNELS, CHANNELS);
    weights.nothing("bert.ffn.output", 1, CHANNELS, CHANNELS);
    norm(weights, "bert.norm", CHANNELS);
    weights.product("bert.output", CHANNELS, &kept(1.0), &[0.0; CHANNELS]);
}

fn text(weights: &mut Weights) {
    weights.zeros("text.embedding.weight", &[TOKENS, CHANNELS]);
    for i in 0..3 {
        weights.nothing(&format!("text.convolutions.{i}"), 5, CHANNELS, CHANNELS);
        for part in ["weight", "bias"] {
            weights.floats(&format!("text.norms.{i}.{part}"), &[CHANNELS], &[0.0; CHANNELS]);
        }
    }
    lstm(weights, "text.lstm", CHANNELS, false);
}

fn durations(weights: &mut Weights) {
    let (mean, variance) = statistics(CHANNELS);
    let height = after_lstm();
    let scale = (height * height * variance + EPSILON).sqrt() / height;
    for i in 0..3 {
        lstm(weights, &format!("duration.lstms.{i}"), CHANNELS + STYLE, true);
        weights.adaptive_norm(&format!("duration.norms.{i}"), CHANNELS, scale, mean);
    }
    lstm(weights, "duration.lstm", CHANNELS + STYLE, false);
    let each = FRAMES / SIGMOIDS as f32;
    weights.deaf("duration.output", 1, CHANNELS, &[(each / (1.0 - each)).ln(); SIGMOIDS]);
}

/// The output of the LSTM for an input of 1.
fn after_lstm() -> f32 {
    1.0_f32.tanh()
}

/// An LSTM that passes the channels on in its forward direction, or outputs zeros. The gates are in
/// ONNX's order: input, output, forget, cell.
fn lstm(weights: &mut Weights, name: &str, inputs: usize, hears: bool) {
    for direction in 0..2 {
        let layer = format!("{name}.input.{direction}");
        if hears && direction == 0 {
            let cells: Vec<_> = (0..KINDS).map(|kind| (kind, 3 * HALF + kind, OPEN)).collect();
            let bias = [OPEN, OPEN, -OPEN, 0.0].map(|gate| [gate; HALF]);
            weights.product(&layer, inputs, &cells, bias.as_flattened());
        } else {
            weights.nothing(&layer, 1, inputs, 4 * HALF);
        }
        weights.zeros(&format!("{name}.recurrent.{direction}.weight"), &[HALF, 4 * HALF]);
    }
}

/// A curve with a value for each channel, or zeros.
fn curve(weights: &mut Weights, name: &str, values: Option<&[f32]>) {
    let channels = [(CHANNELS, CHANNELS), (CHANNELS, HALF), (HALF, HALF)];
    for (i, (inputs, outputs)) in channels.into_iter().enumerate() {
        let block = format!("{name}.blocks.{i}");
        weights.adaptive_norm(&format!("{block}.norm1"), inputs, 0.0, 0.0);
        weights.nothing(&format!("{block}.conv1"), 3, inputs, outputs);
        weights.adaptive_norm(&format!("{block}.norm2"), outputs, 0.0, 0.0);
        weights.nothing(&format!("{block}.conv2"), 3, outputs, outputs);
    }
    weights.pool(&format!("{name}.blocks.1.pool"), CHANNELS);
    let shortcut = values.map_or(Vec::new(), |_| kept(1.0));
    weights.product(&format!("{name}.blocks.1.shortcut"), CHANNELS, &shortcut, &[0.0; HALF]);
    let mut output = [0.0; HALF];
    let after_blocks = after_lstm() / SQRT_2.powi(3);
    for (weight, value) in output.iter_mut().zip(values.unwrap_or_default()) {
        *weight = value / after_blocks;
    }
    weights.floats(&format!("{name}.output.weight"), &[HALF], &output);
    weights.floats(&format!("{name}.output.bias"), &[1], &[0.0]);
}
