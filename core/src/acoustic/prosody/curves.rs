//! The predictors of the fundamental frequency and of the energy over time: two values a frame.

use crate::Result;
use crate::acoustic::kernels::Kernels;
use crate::acoustic::network::convolve::Convolver;
use crate::acoustic::network::layers::WeightFile;
use crate::acoustic::network::norms::AdainContext;
use crate::acoustic::network::residual::{AdainBlock, BlockKind};
use crate::acoustic::network::signal::Signal;

/// The predictor of one curve: residual blocks, the second of which doubles the time steps, and a projection to one channel.
#[derive(Debug)]
pub(super) struct CurvePredictor {
    blocks: [AdainBlock; 3],
    weight: Vec<f32>,
    bias: f32,
}

impl CurvePredictor {
    pub(super) fn read(file: &WeightFile<'_>, name: &str) -> Result<Self> {
        // The offsets are not used: these normalizations always take the statistics of the utterance.
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

    /// Two values for each time step of the input.
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
