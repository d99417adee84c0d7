//! The listing of voices.

use pyo3::prelude::*;

/// The voices listing of the contract, as JSON.
#[pyfunction]
pub(crate) fn voices() -> String {
    speech_core::voices().to_json()
}
