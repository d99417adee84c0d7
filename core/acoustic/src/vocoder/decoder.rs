//! The decoder: turns features at 40 frames per second into a hidden signal at 80 time steps per
//! second, through five residual blocks.

use std::ops::Range;

use speech_base::error::{Error, Result};
use speech_kernels::Kernels;

use crate::Features;
use crate::network::convolve::{Convolver, Input};
use crate::network::layers::{Convolution, WeightFile, damaged};
use crate::network::norms::AdainContext;
use crate::network::residual::{AdainBlock, BlockKind};
use crate::network::signal::Signal;

#[derive(Debug)]
pub(super) struct Decoder {
    pitch: CurveConvolution,
    energy: CurveConvolution,
    text: Convolution,
    encode: AdainBlock,
    blocks: Box<[AdainBlock; 4]>,
}

/// A convolution of one channel with stride 2.
#[derive(Debug)]
struct CurveConvolution {
    weight: Vec<f32>,
    bias: f32,
}

impl Decoder {
    /// Reads the layers. `statistics_offset` is advanced past the channels of the normalizations.
    pub(super) fn read(file: &WeightFile<'_>, statistics_offset: &mut usize) -> Result<Self> {
        let curve = |name: &str| {
            let weight = file.decoded(&format!("decoder.{name}.weight"), 3)?;
            Ok::<_, speech_base::error::Error>(CurveConvolution {
                weight,
                bias: file.floats(&format!("decoder.{name}.bias"), 1)?[0],
            })
        };
        let encode =
            AdainBlock::read(file, "decoder.encode", BlockKind::Projection, statistics_offset)?;
        let mut block = |i: usize, kind| {
            AdainBlock::read(file, &format!("decoder.blocks.{i}"), kind, statistics_offset)
        };
        let blocks = Box::new([
            block(0, BlockKind::Projection)?,
            block(1, BlockKind::Projection)?,
            block(2, BlockKind::Projection)?,
            block(3, BlockKind::Upsampling)?,
        ]);
        Self {
            pitch: curve("pitch")?,
            energy: curve("energy")?,
            text: file.convolution("decoder.text", 1)?,
            encode,
            blocks,
        }
        .checked()
    }

    /// Rejects layers whose channel counts do not match.
    fn checked(self) -> Result<Self> {
        let Self { text, encode, blocks, .. } = &self;
        // The pitch, the energy and channels of zeros are appended.
        let padded = |channels: usize| (channels + 2).next_multiple_of(32);
        let mut fits = encode.inputs() == padded(text.shape.inputs);
        let mut hidden = encode.outputs();
        for block in blocks.iter() {
            fits &= block.inputs() == padded(hidden + text.shape.outputs);
            hidden = block.outputs();
        }
        if fits { Ok(self) } else { Err(damaged("decoder")) }
    }

    /// Channels of the hidden signal.
    pub(super) fn outputs(&self) -> usize {
        self.blocks[3].outputs()
    }

    /// Channels of the text features.
    pub(super) fn inputs(&self) -> usize {
        self.text.shape.inputs
    }

    /// The hidden signal of a range of frames of an utterance: two time steps per frame, 512
    /// channels each.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        features: &Features,
        frames: Range<usize>,
    ) -> Result<Signal> {
        let curves: Vec<[f32; 2]> = frames
            .clone()
            .map(|t| [self.pitch.at(&features.pitch, t), self.energy.at(&features.energy, t)])
            .collect();
        let text =
            features.text.as_ref().ok_or_else(|| Error::internal("the text is not encoded"))?;
        let text = convolver.copy_time_steps(text, frames)?;
        let frames = text.time_steps();
        let residual = convolver.apply(&self.text, &Input::plain(&text))?;
        let concat = |channels, parts: &[&Signal]| {
            let mut input = convolver.signal(frames, channels)?;
            for (t, row) in input.values.chunks_exact_mut(channels).enumerate() {
                let mut rest = row;
                for values in parts.iter().map(|part| part.frame(t)).chain([&curves[t][..]]) {
                    let (start, end) = rest.split_at_mut(values.len());
                    start.copy_from_slice(values);
                    rest = end;
                }
                rest.fill(0.0);
            }
            Ok::<_, speech_base::error::Error>(input)
        };
        let input = concat(self.encode.inputs(), &[&text])?;
        convolver.release(text);
        let mut hidden = self.encode.run(convolver, norms, &input)?;
        convolver.release(input);
        for block in self.blocks.iter() {
            let input = concat(block.inputs(), &[&hidden, &residual])?;
            convolver.release(hidden);
            hidden = block.run(convolver, norms, &input)?;
            convolver.release(input);
        }
        convolver.release(residual);
        Ok(hidden)
    }
}

impl CurveConvolution {
    fn at(&self, curve: &[f32], t: usize) -> f32 {
        let taps = self.weight.iter().zip(2 * t..).filter_map(|(weight, at)| {
            // The curve is zero-padded by one value at each end.
            Some(weight * curve.get(at.checked_sub(1)?)?)
        });
        taps.sum::<f32>() + self.bias
    }
}
