//! The decoder: features at 40 frames a second to hidden rows at 80, through five residual blocks.

use std::ops::Range;

use crate::Result;
use crate::acoustic::Features;
use crate::acoustic::kernels::Kernels;
use crate::acoustic::network::convolve::{Convolver, Source};
use crate::acoustic::network::layers::{Convolution, WeightFile, damaged};
use crate::acoustic::network::norms::Norms;
use crate::acoustic::network::residual::{Block, Form};
use crate::acoustic::network::signal::Signal;

#[derive(Debug)]
pub(super) struct Decoder {
    pitch: Curve,
    energy: Curve,
    text: Convolution,
    encode: Block,
    blocks: [Block; 4],
}

/// A convolution of one channel, with a step of two.
#[derive(Debug)]
struct Curve {
    weight: Vec<f32>,
    bias: f32,
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
        let encode = Block::read(file, "decoder.encode", Form::Shortcut, place)?;
        let mut block =
            |i: usize, form| Block::read(file, &format!("decoder.blocks.{i}"), form, place);
        let blocks = [
            block(0, Form::Shortcut)?,
            block(1, Form::Shortcut)?,
            block(2, Form::Shortcut)?,
            block(3, Form::Doubling)?,
        ];
        Self {
            pitch: curve("pitch")?,
            energy: curve("energy")?,
            text: file.convolution("decoder.text", 1)?,
            encode,
            blocks,
        }
        .checked()
    }

    /// Refuses layers that do not fit each other.
    fn checked(self) -> Result<Self> {
        let Self { text, encode, blocks, .. } = &self;
        // The pitch and the energy are beside them, and zeros.
        let padded = |channels: usize| (channels + 2).next_multiple_of(32);
        let mut fits = encode.inputs() == padded(text.shape.inputs);
        let mut hidden = encode.outputs();
        for block in blocks {
            fits &= block.inputs() == padded(hidden + text.shape.outputs);
            hidden = block.outputs();
        }
        if fits { Ok(self) } else { Err(damaged("decoder")) }
    }

    /// Channels of the hidden rows.
    pub(super) fn outputs(&self) -> usize {
        self.blocks[3].outputs()
    }

    /// Channels of the text that it reads.
    pub(super) fn inputs(&self) -> usize {
        self.text.shape.inputs
    }

    /// Hidden rows [2 frames, 512] of some frames of an utterance.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        features: &Features,
        frames: Range<usize>,
    ) -> Result<Signal> {
        let curves: Vec<[f32; 2]> = frames
            .clone()
            .map(|t| [self.pitch.at(&features.pitch, t), self.energy.at(&features.energy, t)])
            .collect();
        let text = convolver.part_of(&features.text, frames);
        let frames = text.rows();
        let residual = convolver.apply(&self.text, &Source::plain(&text))?;
        let beside = |channels, parts: &[&Signal]| {
            let mut input = convolver.signal(frames, channels);
            for (t, row) in input.values.chunks_exact_mut(channels).enumerate() {
                let mut rest = row;
                for numbers in parts.iter().map(|part| part.row(t)).chain([&curves[t][..]]) {
                    let (start, end) = rest.split_at_mut(numbers.len());
                    start.copy_from_slice(numbers);
                    rest = end;
                }
                rest.fill(0.0);
            }
            input
        };
        let input = beside(self.encode.inputs(), &[&text]);
        convolver.free(text);
        let mut hidden = self.encode.run(convolver, norms, &input)?;
        convolver.free(input);
        for block in &self.blocks {
            let input = beside(block.inputs(), &[&hidden, &residual]);
            convolver.free(hidden);
            hidden = block.run(convolver, norms, &input)?;
            convolver.free(input);
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
