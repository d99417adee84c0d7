//! Samples as bytes.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error;

const _: () = assert!(
    cfg!(target_endian = "little"),
    "NumPy and memoryview read the bytes as they are in memory"
);

/// The samples as 16-bit little-endian `bytes`, without an intermediate copy.
pub(crate) fn bytes<'py>(py: Python<'py>, samples: &[i16]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, 2 * samples.len(), |bytes| {
        for (place, sample) in bytes.as_chunks_mut().0.iter_mut().zip(samples) {
            *place = sample.to_le_bytes();
        }
        Ok(())
    })
}

/// Converts 16-bit little-endian bytes into another encoding.
#[pyfunction]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    pcm: &[u8],
    encoding: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let encoding = encoding.parse().map_err(error::to_pyerr)?;
    Ok(PyBytes::new(py, &speech_core::encode(&samples(pcm), encoding)))
}

/// A RIFF/WAVE file, in an encoding, from 16-bit little-endian bytes.
#[pyfunction]
pub(crate) fn wav<'py>(
    py: Python<'py>,
    pcm: &[u8],
    sample_rate: u32,
    encoding: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let encoding = encoding.parse().map_err(error::to_pyerr)?;
    Ok(PyBytes::new(py, &speech_core::wav(&samples(pcm), sample_rate, encoding)))
}

fn samples(pcm: &[u8]) -> Vec<i16> {
    pcm.as_chunks().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect()
}
