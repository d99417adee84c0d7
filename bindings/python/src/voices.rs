//! The list of voices.

use pyo3::prelude::*;

/// The list of voices, as JSON for a service's response.
#[pyfunction]
pub(crate) fn voices() -> String {
    speech_core::voices().to_json()
}
