//! The native module of the Python package, `libspeech._libspeech`, for that package only.
//!
//! It never blocks a Python thread for long. Anything that takes time is computed without the GIL
//! on a thread of the module, which calls a callback with the result. The package waits for that
//! with Python's own means, so Ctrl-C, asyncio's cancellation and interpreter shutdown work as in
//! any Python program.
//!
//! Only the main interpreter can import it: the module's threads attach to that one.

mod batch;
mod lexicon;
mod request;

mod engine;

mod live;
mod stream;

mod results;

mod text;

mod tiers;

mod voices;

mod error;
mod modules;
mod pcm;
mod tasks;

use pyo3::prelude::*;

/// The members of the module.
#[pymodule(gil_used = true)]
mod _libspeech {
    use pyo3::prelude::*;
    use speech_core::{Advice, ErrorDetail};

    #[pymodule_export]
    use crate::batch::{Batch, check_batch};
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::error::{request_id, set_exception_factory};
    #[pymodule_export]
    use crate::lexicon::Lexicon;
    #[pymodule_export]
    use crate::live::LiveStream;
    #[pymodule_export]
    use crate::pcm::{encode, wav};
    #[pymodule_export]
    use crate::request::{check_format, check_json, validate};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::tasks::{CancelToken, shut_down};
    #[pymodule_export]
    use crate::text::{Segmenter, split_text};
    #[pymodule_export]
    use crate::tiers::{charge, charge_samples, rank_tiers, resolve_tier, tiers};
    #[pymodule_export]
    use crate::voices::voices;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        refuse_subinterpreters()?;
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("SAMPLE_RATE", speech_core::SAMPLE_RATE)?;
        module.add("MAX_CHARACTERS", speech_core::MAX_CHARACTERS)?;
        module.add("ERROR_KINDS", crate::error::kinds(module.py())?)?;
        module.add("ERROR_DETAILS", ErrorDetail::ALL.map(ErrorDetail::as_str))?;
        module.add("ADVICE", Advice::ALL.map(Advice::as_str))?;
        module.add("TIERS", crate::tiers::table(module.py())?)?;
        module.add("MODULES", crate::modules::imported(module.py()))
    }

    /// PyO3 rejects subinterpreters where it can detect them.
    #[cfg(windows)]
    fn refuse_subinterpreters() -> PyResult<()> {
        Ok(())
    }

    #[cfg(not(windows))]
    fn refuse_subinterpreters() -> PyResult<()> {
        use pyo3::exceptions::PyImportError;
        use pyo3::ffi;

        // SAFETY: the thread that initializes a module is attached to an interpreter, so the
        // current interpreter is not NULL. The main interpreter has the identifier 0.
        let interpreter = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
        if interpreter == 0 {
            return Ok(());
        }
        let message = "libspeech does not support subinterpreters: use threads, or processes";
        Err(PyImportError::new_err(message))
    }
}
