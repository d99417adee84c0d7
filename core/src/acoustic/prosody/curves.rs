//! The fundamental frequency and the energy over time, twice a frame.

use crate::Result;
use crate::acoustic::kernels::Kernels;
use crate::acoustic::network::convolve::Convolver;
use crate::acoustic::network::layers::WeightFile;
use crate::acoustic::network::norms::Norms;
use crate::acoustic::network::residual::{Block, Form};
use crate::acoustic::network::signal::Signal;

/// One of the curves: residual blocks, the second of which doubles the rows, and a sum of the channels.
#[derive(Debug)]
pub(super) struct Curve {
    blocks: [Block; 3],
    weight: Vec<f32>,
    bias: f32,
}

impl Curve {
    pub(super) fn read(file: &WeightFile<'_>, name: &str) -> Result<Self> {
        // Its statistics are always those of the utterance.
        let mut place = 0;
        let mut block =
            |i: usize, form| Block::read(file, &format!("{name}.blocks.{i}"), form, &mut place);
        let blocks = [block(0, Form::Plain)?, block(1, Form::Doubling)?, block(2, Form::Plain)?];
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

    /// Two numbers for each row.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        norms: &Norms<'_>,
        shared: &Signal,
    ) -> Result<Vec<f32>> {
        let [first, second, third] = &self.blocks;
        let mut signal = first.run(convolver, norms, shared)?;
        for block in [second, third] {
            let output = block.run(convolver, norms, &signal)?;
            convolver.free(std::mem::replace(&mut signal, output));
        }
        let sum =
            |row: &[f32]| row.iter().zip(&self.weight).map(|(x, weight)| x * weight).sum::<f32>();
        let curve = signal.values.chunks_exact(signal.channels).map(|row| sum(row) + self.bias);
        let curve = curve.collect();
        convolver.free(signal);
        Ok(curve)
    }
}
