//! The decoder: features at 40 frames a second to hidden rows at 80, through five residual blocks.

use super::convolve::{Convolver, Sink, Source};
use super::kernels::{Activation, Kernels};
use super::layers::{Affine, Convolution, Normalization, WeightFile};
use super::norms::Norms;
use super::signal::Signal;
use crate::Result;
use crate::acoustic::Features;

const SLOPE: f32 = 0.2;

/// Channels of the text that every block gets beside its own, with the pitch and the energy.
const TEXT_RESIDUAL: usize = 64;

#[derive(Debug)]
pub(super) struct Decoder {
    pitch: Curve,
    energy: Curve,
    text: Convolution,
    encode: Block,
    blocks: [Block; 4],
    pool: Pool,
}

/// A convolution of one channel, with a step of two.
#[derive(Debug)]
struct Curve {
    weight: Vec<f32>,
    bias: f32,
}

#[derive(Debug)]
struct Block {
    norm1: Normalization,
    conv1: Convolution,
    norm2: Normalization,
    conv2: Convolution,
    shortcut: Convolution,
}

/// The transposed convolution of the last block, of each channel by itself: two rows for each.
#[derive(Debug)]
struct Pool {
    /// Three taps, one number a channel each.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Decoder {
    /// Reads the layers; `place` is where the statistics of the next normalization stand, and moves on.
    pub(super) fn read(file: &WeightFile<'_>, place: &mut usize) -> Result<Self> {
        let curve = |name: &str| {
            let weight = file.numbers(&format!("decoder.{name}.weight"), 3)?;
            Ok::<_, crate::Error>(Curve {
                weight,
                bias: file.floats(&format!("decoder.{name}.bias"), 1)?[0],
            })
        };
        let encode = Block::read(file, "decoder.encode", place)?;
        let mut block = |i: usize| Block::read(file, &format!("decoder.blocks.{i}"), place);
        let blocks = [block(0)?, block(1)?, block(2)?, block(3)?];
        let channels = blocks[3].norm1.channels;
        Ok(Self {
            pitch: curve("pitch")?,
            energy: curve("energy")?,
            text: file.convolution("decoder.text", 1)?,
            encode,
            blocks,
            pool: Pool {
                weight: file.floats("decoder.blocks.3.pool.weight", 3 * channels)?,
                bias: file.floats("decoder.blocks.3.pool.bias", channels)?,
            },
        })
    }

    /// Hidden rows [2 frames, 512] of an utterance.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        features: &Features,
    ) -> Result<Signal> {
        let frames = features.pitch.len() / 2;
        let curves: Vec<[f32; 2]> = (0..frames)
            .map(|t| [self.pitch.at(&features.pitch, t), self.energy.at(&features.energy, t)])
            .collect();
        let text = &features.text;
        let mut residual = convolver.signal(frames, TEXT_RESIDUAL);
        let plain = |signal| Source { signal, activation: Activation::None };
        convolver.convolve(&self.text, &plain(text), &mut residual, Sink::default())?;
        let beside = |channels, parts: &[&Signal]| {
            let mut input = convolver.signal(frames, channels);
            for (t, row) in input.values.chunks_exact_mut(channels).enumerate() {
                let numbers = parts.iter().flat_map(|part| part.row(t)).chain(&curves[t]);
                row.iter_mut()
                    .zip(numbers.chain(std::iter::repeat(&0.0)))
                    .for_each(|(x, y)| *x = *y);
            }
            input
        };
        let input = beside(self.encode.norm1.channels, &[text]);
        let mut hidden = self.encode.run(convolver, norms, input, None)?;
        for (i, block) in self.blocks.iter().enumerate() {
            let input = beside(block.norm1.channels, &[&hidden, &residual]);
            convolver.free(hidden);
            hidden = block.run(convolver, norms, input, (i == 3).then_some(&self.pool))?;
        }
        convolver.free(residual);
        Ok(hidden)
    }
}

impl Curve {
    fn at(&self, curve: &[f32], t: usize) -> f32 {
        let taps = self.weight.iter().zip(2 * t..).filter_map(|(weight, at)| {
            // One zero before the curve, and one after it.
            Some(weight * curve.get(at.checked_sub(1)?)?)
        });
        taps.sum::<f32>() + self.bias
    }
}

impl Block {
    fn read(file: &WeightFile<'_>, name: &str, place: &mut usize) -> Result<Self> {
        Ok(Self {
            norm1: file.normalization(&format!("{name}.norm1"), place)?,
            norm2: file.normalization(&format!("{name}.norm2"), place)?,
            conv1: file.convolution(&format!("{name}.conv1"), 1)?,
            conv2: file.convolution(&format!("{name}.conv2"), 1)?,
            shortcut: file.convolution(&format!("{name}.shortcut"), 1)?,
        })
    }

    /// Half the power of the input and half of two convolutions of it; with a pool, twice as many rows.
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        input: Signal,
        pool: Option<&Pool>,
    ) -> Result<Signal> {
        let outputs = self.conv2.shape.outputs;
        let first = norms.affine(&self.norm1, &convolver.moments(&input));
        let mut inner = convolver.signal(input.rows() * pool.map_or(1, |_| 2), outputs);
        let wanted = Sink { moments: true, ..Sink::default() };
        let moments = match pool {
            None => {
                let source = Source { signal: &input, activation: leaky(&first) };
                convolver.convolve(&self.conv1, &source, &mut inner, wanted)?
            }
            Some(pool) => {
                let pooled = pool.run(convolver, &input, &first);
                let source = Source { signal: &pooled, activation: Activation::None };
                let moments = convolver.convolve(&self.conv1, &source, &mut inner, wanted)?;
                convolver.free(pooled);
                moments
            }
        };
        let second = norms.affine(&self.norm2, &moments);
        let mut shortcut = convolver.signal(input.rows(), outputs);
        let source = Source { signal: &input, activation: Activation::None };
        convolver.convolve(&self.shortcut, &source, &mut shortcut, Sink::default())?;
        if pool.is_some() {
            shortcut = twice(convolver, shortcut);
        }
        let mut output = convolver.signal(inner.rows(), outputs);
        let sink = Sink {
            residual: Some(&shortcut),
            scale: Some(std::f32::consts::FRAC_1_SQRT_2),
            ..Sink::default()
        };
        let source = Source { signal: &inner, activation: leaky(&second) };
        convolver.convolve(&self.conv2, &source, &mut output, sink)?;
        [input, inner, shortcut].into_iter().for_each(|signal| convolver.free(signal));
        Ok(output)
    }
}

impl Pool {
    fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        input: &Signal,
        affine: &Affine,
    ) -> Signal {
        let channels = input.channels;
        let activated = |row: usize, channel: usize| {
            let z = affine.scale[channel] * input.row(row)[channel] + affine.shift[channel];
            z.max(SLOPE * z)
        };
        let [before, at, after] = [0, 1, 2].map(|tap| &self.weight[tap * channels..][..channels]);
        let mut output = convolver.signal(2 * input.rows(), channels);
        for (t, rows) in output.values.chunks_exact_mut(2 * channels).enumerate() {
            let (even, odd) = rows.split_at_mut(channels);
            for channel in 0..channels {
                let x = activated(t, channel);
                let next = if t + 1 < input.rows() { activated(t + 1, channel) } else { 0.0 };
                even[channel] = x * at[channel] + self.bias[channel];
                odd[channel] = x * after[channel] + next * before[channel] + self.bias[channel];
            }
        }
        output
    }
}

fn leaky(affine: &Affine) -> Activation<'_> {
    Activation::AffineLeakyRelu { scale: &affine.scale, shift: &affine.shift, slope: SLOPE }
}

/// Each row twice.
fn twice<K: Kernels>(convolver: &Convolver<'_, K>, signal: Signal) -> Signal {
    let mut output = convolver.signal(2 * signal.rows(), signal.channels);
    for (t, rows) in output.values.chunks_exact_mut(2 * signal.channels).enumerate() {
        let (even, odd) = rows.split_at_mut(signal.channels);
        even.copy_from_slice(signal.row(t));
        odd.copy_from_slice(signal.row(t));
    }
    convolver.free(signal);
    output
}
