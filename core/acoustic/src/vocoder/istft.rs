//! The inverse short-time Fourier transform: frames of 11 bins, every 5 samples, to audio by
//! overlap-add.
//!
//! The result is not divided by the sum of the squared windows, 1.5, because the published model
//! does not divide either.

use speech_base::error::Result;
use speech_kernels::{Elementwise, Kernels, Shape};

use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layers::Convolution;
use crate::network::signal::Signal;
use crate::network::stft::{BINS, FRAME_WIDTH, HOP, SECOND_HALF, WINDOW, hann};

#[derive(Debug)]
pub(super) struct InverseStft {
    /// Maps the real and imaginary parts of a frame to windowed samples.
    basis: Convolution,
}

impl InverseStft {
    pub(super) fn new() -> Self {
        let shape = Shape { taps: 1, inputs: FRAME_WIDTH, outputs: FRAME_WIDTH, dilation: 1 };
        let weight = |row: usize, sample: usize| {
            let (imaginary, bin) = (row >= SECOND_HALF, row % SECOND_HALF);
            if bin >= BINS || sample >= WINDOW {
                return 0.0;
            }
            let turn = std::f64::consts::TAU / WINDOW as f64;
            let angle = turn * (bin * sample) as f64;
            // The spectrum of a real signal is symmetric: each bin except the first and the last
            // stands for its conjugate too.
            let times = if bin == 0 || bin == BINS - 1 { 1.0 } else { 2.0 };
            let wave = if imaginary { -angle.sin() } else { angle.cos() };
            (times * wave * hann(sample) / WINDOW as f64) as f32
        };
        let bytes = (0..FRAME_WIDTH)
            .flat_map(|row| {
                (0..FRAME_WIDTH).flat_map(move |sample| weight(row, sample).to_le_bytes())
            })
            .collect();
        Self { basis: Convolution::in_memory(shape, bytes, vec![0.0; FRAME_WIDTH], 0) }
    }

    /// The samples of n frames of log magnitudes and phases: [`HOP`] (n - 1) of them.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        mut spectrum: Signal,
    ) -> Result<Vec<f32>> {
        let frames = spectrum.time_steps();
        convolver.threads.for_each_chunk(&mut spectrum.values, 1024 * FRAME_WIDTH, |_, rows| {
            convolver.kernels.fp32().polar_to_complex(rows);
        });
        let mut windows = convolver.signal(frames, FRAME_WIDTH)?;
        let input = Input::plain(&spectrum);
        convolver.convolve(&self.basis, &input, &mut windows, Sink::default())?;
        convolver.release(spectrum);
        let mut sums = vec![0.0; HOP * (frames.max(1) - 1) + WINDOW];
        for (t, window) in windows.values.chunks_exact(FRAME_WIDTH).enumerate() {
            for (sum, sample) in sums[t * HOP..].iter_mut().zip(&window[..WINDOW]) {
                *sum += sample;
            }
        }
        convolver.release(windows);
        // The first and the last half window are padding.
        sums.truncate(sums.len() - WINDOW / 2);
        sums.drain(..WINDOW / 2);
        Ok(sums)
    }
}
