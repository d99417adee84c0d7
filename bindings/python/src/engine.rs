//! The engine: loaded once in a process, and once more in each of its forks that uses it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use speech_core::{Backend, CancelToken, EngineBuilder, Error, ErrorKind, Result};

use crate::error;
use crate::local::Local;
use crate::request::{Fields, read};
use crate::results;
use crate::stream::Stream;
use crate::work::{self, Cancel};

/// A voice bundle: where it is, or the bytes of a tar file.
#[derive(FromPyObject)]
pub(crate) enum Bundle {
    Memory(PyBackedBytes),
    Path(PathBuf),
}

/// A loaded voice bundle.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Engine {
    options: EngineBuilder,
    threads: usize,
    backend: Backend,
    loaded: Mutex<Option<Local<Arc<Loaded>>>>,
}

/// The engine of one process.
struct Loaded {
    /// None in a fork until it is used there.
    engine: Mutex<Option<speech_core::Engine>>,
    /// Stops all that it does.
    cancel: CancelToken,
}

impl Loaded {
    fn new(py: Python<'_>, engine: Option<speech_core::Engine>) -> Arc<Self> {
        Arc::new(Self { engine: Mutex::new(engine), cancel: work::token(py) })
    }

    fn engine(&self, options: &EngineBuilder) -> Result<speech_core::Engine> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*engine {
            return Ok(engine.clone());
        }
        Ok(engine.insert(options.clone().load()?).clone())
    }
}

#[pymethods]
impl Engine {
    /// Begins to load one.
    #[staticmethod]
    #[pyo3(signature = (bundle, threads, sessions, kernels, precision, pronunciations, done))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn load(
        py: Python<'_>,
        bundle: Option<Bundle>,
        threads: Option<usize>,
        sessions: Option<usize>,
        kernels: Option<&str>,
        precision: Option<&str>,
        pronunciations: Vec<(String, String)>,
        done: Py<PyAny>,
    ) -> PyResult<()> {
        let options = options(bundle, threads, sessions, kernels, precision)
            .and_then(|options| pronounced(options, &pronunciations))
            .map_err(error::raised)?;
        let load = options.clone();
        work::begin(
            py,
            done,
            || load.load(),
            |py, engine| {
                let (threads, backend) = (engine.threads(), engine.backend());
                let loaded = Mutex::new(Some(Local::new(Loaded::new(py, Some(engine)))));
                Ok(Py::new(py, Self { options, threads, backend, loaded })?.into_any())
            },
        )
    }

    /// What a request can be stopped by.
    fn cancel(&self, py: Python<'_>) -> PyResult<Cancel> {
        Ok(Cancel::new(self.here(py)?.cancel.child()))
    }

    /// Begins to speak a whole text.
    fn synthesize(
        &self,
        py: Python<'_>,
        request: Fields,
        cancel: &Cancel,
        done: Py<PyAny>,
    ) -> PyResult<()> {
        let (loaded, options, cancel) = (self.here(py)?, self.options.clone(), cancel.token());
        let work = move || {
            let engine = loaded.engine(&options)?;
            let text = request.0.clone();
            let started = Instant::now();
            let speech = engine.synthesize_with(&read(request)?, &cancel)?;
            Ok((text, speech, started.elapsed()))
        };
        work::begin(py, done, work, |py, (text, speech, elapsed)| {
            results::speech(py, &text, &speech, elapsed)
        })
    }

    /// Begins to speak a text by sentences: refuses it, or gives the stream.
    fn stream(&self, py: Python<'_>, request: Fields, cancel: &Cancel) -> PyResult<Stream> {
        let (loaded, cancel) = (self.here(py)?, cancel.token());
        let text = request.0.clone();
        let stream =
            py.detach(|| loaded.engine(&self.options)?.stream_with(&read(request)?, &cancel));
        Stream::new(&text, stream.map_err(error::raised)?, cancel)
    }

    /// Begins to speak a few words that nobody hears.
    fn warm_up(&self, py: Python<'_>, done: Py<PyAny>) -> PyResult<()> {
        let (loaded, options) = (self.here(py)?, self.options.clone());
        let work = move || loaded.engine(&options)?.warm_up();
        work::begin(py, done, work, |py, ()| Ok(py.None()))
    }

    /// Stops all that it does, and forgets what it has loaded.
    fn close(&self, py: Python<'_>) {
        let loaded = self.loaded().take();
        py.detach(move || {
            if let Some(loaded) = loaded.as_ref().and_then(Local::get) {
                loaded.cancel.cancel();
            }
            drop(loaded);
        });
    }

    #[getter]
    fn closed(&self) -> bool {
        self.loaded().is_none()
    }

    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    #[getter]
    fn kernels(&self) -> &'static str {
        self.backend.kernels.as_str()
    }

    #[getter]
    fn precision(&self) -> &'static str {
        self.backend.precision.as_str()
    }
}

impl Engine {
    /// The engine of this process.
    ///
    /// Only a thread that is attached to Python takes the lock, and `fork` is called by one: no fork finds it held.
    fn here(&self, py: Python<'_>) -> PyResult<Arc<Loaded>> {
        let mut loaded = self.loaded();
        let Some(local) = &*loaded else {
            let closed = Error::new(ErrorKind::InvalidRequest, "the engine is closed");
            drop(loaded);
            return Err(error::raised(closed));
        };
        if let Some(here) = local.get() {
            return Ok(Arc::clone(here));
        }
        let here = Loaded::new(py, None);
        *loaded = Some(Local::new(Arc::clone(&here)));
        Ok(here)
    }

    fn loaded(&self) -> MutexGuard<'_, Option<Local<Arc<Loaded>>>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn options(
    bundle: Option<Bundle>,
    threads: Option<usize>,
    sessions: Option<usize>,
    kernels: Option<&str>,
    precision: Option<&str>,
) -> Result<EngineBuilder> {
    let mut options = match bundle {
        None => EngineBuilder::default(),
        Some(Bundle::Path(path)) => EngineBuilder::default().bundle(path),
        Some(Bundle::Memory(bytes)) => EngineBuilder::default().bundle_memory(bytes),
    };
    if let Some(threads) = threads {
        options = options.threads(threads);
    }
    if let Some(sessions) = sessions {
        options = options.max_concurrency(sessions);
    }
    if let Some(name) = kernels {
        options = options.kernels(name.parse()?);
    }
    if let Some(name) = precision {
        options = options.precision(name.parse()?);
    }
    Ok(options)
}

fn pronounced(options: EngineBuilder, entries: &[(String, String)]) -> Result<EngineBuilder> {
    entries
        .iter()
        .try_fold(options, |options, (words, reading)| options.pronunciation(words, reading))
}
