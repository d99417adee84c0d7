//! Samples as bytes.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

const _: () = assert!(
    cfg!(target_endian = "little"),
    "NumPy and memoryview read the bytes as they are in memory"
);

/// The samples as 16-bit little-endian `bytes`, without a copy in between.
pub(crate) fn bytes<'py>(py: Python<'py>, samples: &[i16]) -> PyResult<Bound<'py, PyBytes>> {
    packed(py, samples.iter().map(|sample| sample.to_le_bytes()))
}

/// 16-bit little-endian bytes as 32-bit floating-point ones, from -1 to 1.
#[pyfunction]
pub(crate) fn float32<'py>(py: Python<'py>, pcm: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    packed(py, samples(pcm).map(|sample| (f32::from(sample) / 32_768.0).to_le_bytes()))
}

/// A RIFF/WAVE file of 16-bit little-endian bytes.
#[pyfunction]
pub(crate) fn wav<'py>(py: Python<'py>, pcm: &[u8]) -> Bound<'py, PyBytes> {
    let samples: Vec<i16> = samples(pcm).collect();
    PyBytes::new(py, &speech_core::wav(&samples))
}

fn samples(pcm: &[u8]) -> impl ExactSizeIterator<Item = i16> {
    pcm.as_chunks().0.iter().map(|sample| i16::from_le_bytes(*sample))
}

fn packed<'py, const N: usize>(
    py: Python<'py>,
    samples: impl ExactSizeIterator<Item = [u8; N]>,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, N * samples.len(), |bytes| {
        for (place, sample) in bytes.as_chunks_mut().0.iter_mut().zip(samples) {
            *place = sample;
        }
        Ok(())
    })
}
