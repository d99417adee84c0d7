//! Predicts the fundamental frequency and the energy over time, two values per frame.

use speech_base::error::Result;
use speech_kernels::Kernels;

use crate::LEAD_FRAMES;
use crate::TokenControl;
use crate::network::convolve::Convolver;
use crate::network::layers::WeightFile;
use crate::network::norms::AdainContext;
use crate::network::residual::{AdainBlock, BlockKind};
use crate::network::signal::Signal;

/// The predictor of one curve: residual blocks, the second of which doubles the time steps, and a
/// projection to one channel.
#[derive(Debug)]
pub(super) struct CurvePredictor {
    blocks: [AdainBlock; 3],
    weight: Vec<f32>,
    bias: f32,
}

impl CurvePredictor {
    pub(super) fn read(file: &WeightFile<'_>, name: &str) -> Result<Self> {
        // The offsets are unused: these normalizations always take the utterance's own statistics.
        let mut statistics_offset = 0;
        let mut block = |i: usize, kind| {
            AdainBlock::read(file, &format!("{name}.blocks.{i}"), kind, &mut statistics_offset)
        };
        let blocks = [
            block(0, BlockKind::Identity)?,
            block(1, BlockKind::Upsampling)?,
            block(2, BlockKind::Identity)?,
        ];
        let channels = blocks[2].inputs();
        Ok(Self {
            weight: file.floats(&format!("{name}.output.weight"), channels)?,
            bias: file.floats(&format!("{name}.output.bias"), 1)?[0],
            blocks,
        })
    }

    /// Channels of the input.
    pub(super) fn inputs(&self) -> usize {
        self.blocks[0].inputs()
    }

    /// Two values per time step of the input.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &AdainContext<'_>,
        shared: &Signal,
    ) -> Result<Vec<f32>> {
        let [first, second, third] = &self.blocks;
        let mut signal = first.run(convolver, norms, shared)?;
        for block in [second, third] {
            let output = block.run(convolver, norms, &signal)?;
            convolver.release(std::mem::replace(&mut signal, output));
        }
        let sum =
            |row: &[f32]| row.iter().zip(&self.weight).map(|(x, weight)| x * weight).sum::<f32>();
        let curve = signal.values.chunks_exact(signal.channels).map(|row| sum(row) + self.bias);
        let curve = curve.collect();
        convolver.release(signal);
        Ok(curve)
    }
}

/// The pitch values over which the factor glides from one token to the next: 50 ms.
const GLIDE: usize = 4;

/// Multiplies each token's pitch by its factor, and glides between tokens. Padding tokens take the
/// factor of their neighbor.
pub(crate) fn scale(pitch: &mut [f32], durations: &[usize], controls: &[TokenControl]) {
    if controls.iter().all(|control| control.pitch == 1.0) {
        return;
    }
    // Padding takes the factor of the token next to it.
    let ends = [controls[0].pitch, controls[controls.len() - 1].pitch];
    let factors = controls.iter().map(|control| control.pitch);
    let factors = [ends[0]].into_iter().chain(factors).chain([ends[1]]);
    let steps =
        factors.zip(durations).flat_map(|(factor, frames)| std::iter::repeat_n(factor, 2 * frames));
    // A token is heard before its frames begin.
    let steps: Vec<f32> =
        steps.skip(2 * LEAD_FRAMES).chain(std::iter::repeat_n(ends[1], 2 * LEAD_FRAMES)).collect();
    for (at, pitch) in pitch.iter_mut().enumerate() {
        let near = &steps[at.saturating_sub(GLIDE / 2)..steps.len().min(at + GLIDE / 2 + 1)];
        *pitch *= near.iter().sum::<f32>() / near.len() as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pitch_of_a_word_is_raised_and_glides() {
        let control = |pitch| TokenControl { pitch, ..TokenControl::default() };
        let controls = [control(1.0), control(1.5)];
        let mut pitch = vec![100.0; 2 * 24];
        scale(&mut pitch, &[2, 10, 10, 2], &controls);
        // Two frames before the second token begins.
        assert!(pitch[..18].iter().all(|value| *value == 100.0), "{pitch:?}");
        assert!(pitch[22..].iter().all(|value| (value - 150.0).abs() < 0.01), "{pitch:?}");
        assert!(pitch[17..23].is_sorted());
        let mut same = vec![99.0; 8];
        scale(&mut same, &[1, 2, 1], &[control(1.0)]);
        assert_eq!(same, vec![99.0; 8]);
    }
}
