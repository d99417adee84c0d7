//! Lexicons, which requests can share.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::error;

/// Words and their pronunciations.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Lexicon(Arc<speech_core::Lexicon>);

#[pymethods]
impl Lexicon {
    /// Parses a lexicon with one entry per line.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        Self::read(py, text, speech_core::Lexicon::parse)
    }

    /// Parses a PLS document.
    #[staticmethod]
    fn from_pls(py: Python<'_>, document: &str) -> PyResult<Self> {
        Self::read(py, document, speech_core::Lexicon::from_pls)
    }

    /// The number of entries.
    fn entries(&self) -> usize {
        self.0.len()
    }
}

impl Lexicon {
    fn read(
        py: Python<'_>,
        text: &str,
        read: fn(&str) -> speech_core::Result<speech_core::Lexicon>,
    ) -> PyResult<Self> {
        let lexicon = py.detach(|| read(text)).map_err(error::to_pyerr)?;
        Ok(Self(Arc::new(lexicon)))
    }

    /// The core's lexicon.
    pub(crate) fn to_core(&self) -> Arc<speech_core::Lexicon> {
        Arc::clone(&self.0)
    }
}
