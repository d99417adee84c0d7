//! The short-time Fourier transform of the model: of the harmonic source, and back to sound.

/// Samples of a window, and from one window to the next.
pub(crate) const WINDOW: usize = 20;
pub(crate) const HOP: usize = 5;

/// Bins of a window.
pub(crate) const BINS: usize = WINDOW / 2 + 1;

/// Numbers of a row of bins, and where their second parts begin: imaginary parts, or phases.
pub(crate) const WIDTH: usize = 32;
pub(crate) const SECOND: usize = WIDTH / 2;

/// The Hann window of a period of [`WINDOW`] samples.
pub(crate) fn hann(sample: usize) -> f64 {
    let angle = std::f64::consts::PI * sample as f64 / WINDOW as f64;
    angle.sin() * angle.sin()
}
