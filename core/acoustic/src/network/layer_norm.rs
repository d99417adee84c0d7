//! Layer normalization: of each time step over its channels (Ba, Kiros and Hinton 2016).

use speech_base::error::Result;
use speech_kernels::Kernels;

use super::convolve::Convolver;
use super::layers::WeightFile;
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
            rows.chunks_exact_mut(channels).for_each(|row| self.apply(row));
        });
    }

    pub(crate) fn apply(&self, row: &mut [f32]) {
        let count = row.len() as f32;
        let mean = sum(row, |x| x) / count;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
        let scale = (variance + self.epsilon).sqrt().recip();
        for ((x, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
            *x = (*x - mean) * scale * weight + bias;
        }
    }
}

/// The sum of `f` over a slice. It is computed in 16 lanes, which the compiler vectorizes.
fn sum(values: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += f(*x);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| f(*x)).sum::<f32>()
}
