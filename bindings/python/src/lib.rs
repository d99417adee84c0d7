//! The native module of the Python package: `libspeech._libspeech`, which only that package uses.
//!
//! It holds no thread of Python up. Whatever takes time is begun here and done on a thread of the module's own, without
//! the GIL; when it is done, a function of the caller's is called with what came of it. The package waits for that with
//! Python's own means, which is why Ctrl-C, cancellation by asyncio and the end of the interpreter work as in any
//! Python program.
//!
//! It imports into the main interpreter alone: threads of its own attach to that one.

mod request;

mod engine;

mod stream;

mod results;

mod text;

mod tiers;

mod voices;

mod error;
mod local;
mod pcm;
mod samples;
mod work;

use pyo3::prelude::*;

/// What `libspeech` is made of.
#[pymodule(gil_used = true)]
mod _libspeech {
    use pyo3::exceptions::PyImportError;
    use pyo3::ffi;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::error::{raise_by, request_id};
    #[pymodule_export]
    use crate::pcm::wav;
    #[pymodule_export]
    use crate::request::{check_request, validate};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::text::{Segmenter, split_text};
    #[pymodule_export]
    use crate::tiers::{charge, charge_samples, rank_tiers, resolve_tier, tiers};
    #[pymodule_export]
    use crate::voices::voices;
    #[pymodule_export]
    use crate::work::{Cancel, end};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        refuse_subinterpreters()?;
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("SAMPLE_RATE", speech_core::SAMPLE_RATE)?;
        module.add("MAX_CHARACTERS", speech_core::MAX_CHARACTERS)?;
        module.add("ERROR_KINDS", crate::error::kinds(module.py())?)?;
        module.add("TIERS", crate::tiers::table(module.py())?)?;
        module.add("SampleBuffer", crate::samples::class(module.py())?)
    }

    /// PyO3 does so where it can tell.
    #[cfg(windows)]
    fn refuse_subinterpreters() -> PyResult<()> {
        Ok(())
    }

    #[cfg(not(windows))]
    fn refuse_subinterpreters() -> PyResult<()> {
        // SAFETY: whoever initialises a module is attached to an interpreter. The first one is the main one.
        let interpreter = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
        if interpreter == 0 {
            return Ok(());
        }
        let message = "libspeech does not support subinterpreters: use threads, or processes";
        Err(PyImportError::new_err(message))
    }
}
