//! The modules of the package, kept for a second import.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// The imported modules by name: one dictionary for all imports in this process, which the package
/// fills.
pub(crate) fn imported(py: Python<'_>) -> &Bound<'_, PyDict> {
    static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    MODULES.get_or_init(py, || PyDict::new(py).unbind()).bind(py)
}
