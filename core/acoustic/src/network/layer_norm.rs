//! Layer normalization: normalizes each time step over its channels (Ba, Kiros and Hinton 2016).

use speech_base::error::Result;
use speech_kernels::{Elementwise, Kernels};

use super::convolve::Convolver;
use super::layers::{WeightFile, damaged};
use super::signal::Signal;

/// A layer normalization.
#[derive(Debug)]
pub(crate) struct LayerNorm {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) epsilon: f32,
}

impl LayerNorm {
    pub(crate) fn read(file: &WeightFile<'_>, name: &str, epsilon: f32) -> Result<Self> {
        let bias = file.bias(name)?;
        if !bias.len().is_multiple_of(16) {
            return Err(damaged(&format!("{name}.bias")));
        }
        let weight = file.floats(&format!("{name}.weight"), bias.len())?;
        Ok(Self { weight, bias, epsilon })
    }

    pub(crate) fn channels(&self) -> usize {
        self.bias.len()
    }

    /// Normalizes each time step.
    pub(crate) fn apply_to<K: Kernels>(&self, convolver: &Convolver<'_, K>, signal: &mut Signal) {
        let channels = signal.channels;
        convolver.threads.for_each_chunk(&mut signal.values, 64 * channels, |_, rows| {
            rows.chunks_exact_mut(channels).for_each(|row| self.apply(convolver.kernels, row));
        });
    }

    pub(crate) fn apply(&self, kernels: impl Kernels, row: &mut [f32]) {
        kernels.fp32().normalize(row, &self.weight, &self.bias, self.epsilon);
    }
}
