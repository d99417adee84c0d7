//! The parameters of the harmonic source's short-time Fourier transform (STFT), and of the output's
//! inverse STFT.

/// The samples of a window, and from one window to the next (the hop).
pub(crate) const WINDOW: usize = 20;
pub(crate) const HOP: usize = 5;

/// Frequency bins of a window.
pub(crate) const BINS: usize = WINDOW / 2 + 1;

/// The channels of an STFT frame, and the first channel of its second half, which holds imaginary
/// parts or phases. Channels past [`BINS`] in each half are padding.
pub(crate) const FRAME_WIDTH: usize = 32;
pub(crate) const SECOND_HALF: usize = FRAME_WIDTH / 2;

/// The periodic Hann window of [`WINDOW`] samples.
pub(crate) fn hann(sample: usize) -> f64 {
    let angle = std::f64::consts::PI * sample as f64 / WINDOW as f64;
    angle.sin() * angle.sin()
}
