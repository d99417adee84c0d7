//! The inverse short-time Fourier transform: a spectrum of 11 bins, a row every 5 samples, to sound.
//!
//! The windows are not divided by what their squares sum to, 1.5: the published model's loudness is without it.

use crate::Result;
use crate::acoustic::kernels::{Kernels, Shape};
use crate::acoustic::network::convolve::{Convolver, Sink, Source};
use crate::acoustic::network::layers::Convolution;
use crate::acoustic::network::signal::Signal;
use crate::acoustic::network::stft::{BINS, HOP, SECOND, WIDTH, WINDOW, hann};

#[derive(Debug)]
pub(super) struct InverseStft {
    /// A row of real and imaginary parts to one of windowed samples.
    basis: Convolution,
}

impl InverseStft {
    pub(super) fn new() -> Self {
        let shape = Shape { taps: 1, inputs: WIDTH, outputs: WIDTH, dilation: 1 };
        let weight = |row: usize, sample: usize| {
            let (imaginary, bin) = (row >= SECOND, row % SECOND);
            if bin >= BINS || sample >= WINDOW {
                return 0.0;
            }
            let turn = std::f64::consts::TAU / WINDOW as f64;
            let angle = turn * (bin * sample) as f64;
            // A real signal's other bins are the conjugates of these, but of the first and the last.
            let times = if bin == 0 || bin == BINS - 1 { 1.0 } else { 2.0 };
            let wave = if imaginary { -angle.sin() } else { angle.cos() };
            (times * wave * hann(sample) / WINDOW as f64) as f32
        };
        let bytes = (0..WIDTH)
            .flat_map(|row| (0..WIDTH).flat_map(move |sample| weight(row, sample).to_le_bytes()))
            .collect();
        Self { basis: Convolution::in_memory(shape, bytes, vec![0.0; WIDTH], 0) }
    }

    /// The samples of a spectrum of n rows: [`HOP`] (n - 1) of them.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        mut spectrum: Signal,
    ) -> Result<Vec<f32>> {
        let rows = spectrum.rows();
        convolver.threads.for_each_chunk(&mut spectrum.values, 1024 * WIDTH, |_, rows| {
            convolver.kernels.polar_to_complex(rows);
        });
        let mut windows = convolver.signal(rows, WIDTH);
        let source = Source::plain(&spectrum);
        convolver.convolve(&self.basis, &source, &mut windows, Sink::default())?;
        convolver.free(spectrum);
        let mut sums = vec![0.0; HOP * (rows.max(1) - 1) + WINDOW];
        for (t, window) in windows.values.chunks_exact(WIDTH).enumerate() {
            for (sum, sample) in sums[t * HOP..].iter_mut().zip(&window[..WINDOW]) {
                *sum += sample;
            }
        }
        convolver.free(windows);
        // Half a window at both ends is beyond the sound.
        sums.truncate(sums.len() - WINDOW / 2);
        sums.drain(..WINDOW / 2);
        Ok(sums)
    }
}
