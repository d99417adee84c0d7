//! Samples as bytes.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The samples as 16-bit little-endian `bytes`, without a copy in between.
pub(crate) fn bytes<'py>(py: Python<'py>, samples: &[i16]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(samples), |bytes| {
        for (bytes, sample) in bytes.chunks_exact_mut(size_of::<i16>()).zip(samples) {
            bytes.copy_from_slice(&sample.to_le_bytes());
        }
        Ok(())
    })
}

/// A RIFF/WAVE file of 16-bit little-endian bytes.
#[pyfunction]
pub(crate) fn wav<'py>(py: Python<'py>, pcm: &[u8]) -> Bound<'py, PyBytes> {
    let samples: Vec<i16> =
        pcm.as_chunks().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect();
    PyBytes::new(py, &speech_core::wav(&samples))
}
