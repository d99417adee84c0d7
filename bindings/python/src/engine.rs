//! The engine: loaded once per process, and again in each fork that uses it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use speech_core::{
    Backend, EngineBuilder, Error, ErrorKind, ProcessLocal, Quality, Request, Result,
};

use crate::batch::{Batch, BatchOptions, Source};
use crate::error;
use crate::live::LiveStream;
use crate::request::{self, RequestFields};
use crate::results;
use crate::stream::Stream;
use crate::tasks::{self, CancelToken};

/// A voice bundle: its path, or the bytes of a tar file.
pub(crate) enum Bundle {
    Memory(PyBackedBytes),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for Bundle {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract() {
            Ok(bytes) => Ok(Self::Memory(bytes)),
            Err(_) => object.extract().map(Self::Path),
        }
    }
}

/// A loaded voice bundle.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Engine {
    options: EngineBuilder,
    threads: usize,
    backend: Backend,
    max_concurrency: usize,
    /// The pronunciations as lines of a lexicon.
    lexicon: String,
    /// None once it is closed.
    instance: Mutex<Option<ProcessLocal<Arc<Instance>>>>,
}

/// The engine of one process.
struct Instance {
    /// None in a fork until it is used there.
    engine: Mutex<Option<speech_core::Engine>>,
    /// Cancels every request of the engine.
    cancel: speech_core::CancelToken,
}

impl Instance {
    fn new(engine: Option<speech_core::Engine>) -> Arc<Self> {
        Arc::new(Self { engine: Mutex::new(engine), cancel: tasks::cancel_token() })
    }

    /// The engine; loads it if this process has not loaded it yet.
    fn engine(&self, options: &EngineBuilder) -> Result<speech_core::Engine> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*engine {
            return Ok(engine.clone());
        }
        Ok(engine.insert(options.clone().load()?).clone())
    }

    /// Does nothing if this process has not loaded the engine.
    fn trim(&self) {
        let engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(engine) = engine {
            engine.trim();
        }
    }
}

#[pymethods]
impl Engine {
    /// Starts loading an engine.
    #[staticmethod]
    #[pyo3(signature = (
        bundle, map_bundle, threads, max_concurrency, kernels, precision, pronunciations, cache, callback
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn load(
        bundle: Option<Bundle>,
        map_bundle: Option<bool>,
        threads: Option<usize>,
        max_concurrency: Option<usize>,
        kernels: Option<&str>,
        precision: Option<&str>,
        pronunciations: Vec<(String, String)>,
        cache: usize,
        callback: Py<PyAny>,
    ) -> PyResult<()> {
        let lexicon: String =
            pronunciations.iter().map(|(words, reading)| format!("{words}\t{reading}\n")).collect();
        let options = options(bundle, map_bundle, threads, max_concurrency, kernels, precision)
            .and_then(|options| options.cache(cache).pronunciations(pronunciations))
            .map_err(error::to_pyerr)?;
        let load = options.clone();
        tasks::spawn(
            callback,
            || load.load(),
            move |py, engine| {
                let (threads, backend) = (engine.threads(), engine.backend());
                let instance = ProcessLocal::new(Instance::new(Some(engine)));
                let instance = Mutex::new(Some(instance));
                let max_concurrency = max_concurrency.unwrap_or(1);
                let engine = Self { options, threads, backend, max_concurrency, lexicon, instance };
                Ok(Py::new(py, engine)?.into_any())
            },
        )
    }

    /// A new token for one request. Closing the engine cancels it too.
    fn cancel_token(&self, py: Python<'_>) -> PyResult<CancelToken> {
        Ok(CancelToken::new(self.instance(py)?.cancel.child()))
    }

    /// Starts synthesizing a whole text.
    fn synthesize(
        &self,
        py: Python<'_>,
        request: RequestFields,
        cancel: &CancelToken,
        callback: Py<PyAny>,
    ) -> PyResult<()> {
        let (instance, options) = (self.instance(py)?, self.options.clone());
        let cancel = cancel.to_core();
        let task = move || {
            let engine = instance.engine(&options)?;
            let text = request.0.clone();
            let start = Instant::now();
            let speech = engine.synthesize(request::request(request)?.cancel_token(&cancel))?;
            Ok((text, speech, start.elapsed()))
        };
        tasks::spawn(callback, task, |py, (text, speech, elapsed)| {
            results::speech(py, &text, &speech, elapsed)
        })
    }

    /// The stream of a text by sentences. An invalid request is rejected here.
    fn stream(&self, py: Python<'_>, request: RequestFields) -> PyResult<Stream> {
        let instance = self.instance(py)?;
        let text = request.0.clone();
        let stream = py.detach(|| {
            let request = request::request(request)?.cancel_token(&instance.cancel);
            instance.engine(&self.options)?.stream(request)
        });
        Ok(Stream::new(&text, stream.map_err(error::to_pyerr)?))
    }

    /// The stream of a live text that begins with the request's text. Invalid options are rejected
    /// here.
    fn live(&self, py: Python<'_>, request: RequestFields) -> PyResult<LiveStream> {
        self.start_live(py, request, speech_core::Engine::live)
    }

    /// The stream of a text of any length.
    fn stream_long(&self, py: Python<'_>, request: RequestFields) -> PyResult<LiveStream> {
        self.start_live(py, request, speech_core::Engine::live_long)
    }

    /// Starts speaking a table into a folder. Errors of the two are raised by the first `next`.
    fn batch(&self, py: Python<'_>, table: Source, options: BatchOptions) -> PyResult<Batch> {
        let instance = self.instance(py)?;
        let (builder, lexicon) = (self.options.clone(), self.lexicon.clone());
        let (jobs, cancel) = (self.max_concurrency, instance.cancel.child());
        Batch::start(cancel, move |cancel, show| {
            let engine = instance.engine(&builder)?;
            options.run(&engine, lexicon.as_bytes(), table, jobs, cancel, show)
        })
    }

    /// The qualities that the bundle has for a voice in a language, the best first.
    fn qualities(
        &self,
        py: Python<'_>,
        voice: &str,
        language: &str,
    ) -> PyResult<Vec<&'static str>> {
        let instance = self.instance(py)?;
        let qualities = py.detach(|| {
            let engine = instance.engine(&self.options)?;
            Ok(engine.qualities(voice.parse()?, language.parse()?))
        });
        let qualities = qualities.map_err(error::to_pyerr)?;
        Ok(qualities.into_iter().map(Quality::as_str).collect())
    }

    /// Starts synthesizing a few words that are discarded.
    fn warm_up(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<()> {
        let (instance, options) = (self.instance(py)?, self.options.clone());
        let task = move || instance.engine(&options)?.warm_up();
        tasks::spawn(callback, task, |py, ()| Ok(py.None()))
    }

    /// Frees the scratch memory kept for the next request.
    fn trim(&self, py: Python<'_>) -> PyResult<()> {
        let instance = self.instance(py)?;
        py.detach(|| instance.trim());
        Ok(())
    }

    /// Cancels every request, and releases the loaded engine.
    fn close(&self, py: Python<'_>) {
        let instance = self.lock().take();
        py.detach(move || {
            if let Some(instance) = instance.as_ref().and_then(ProcessLocal::get) {
                instance.cancel.cancel();
            }
            drop(instance);
        });
    }

    #[getter]
    fn closed(&self) -> bool {
        self.lock().is_none()
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
    fn start_live(
        &self,
        py: Python<'_>,
        fields: RequestFields,
        start: fn(
            &speech_core::Engine,
            Request,
        ) -> Result<(speech_core::LiveText, speech_core::Stream)>,
    ) -> PyResult<LiveStream> {
        let instance = self.instance(py)?;
        let stream = py.detach(|| {
            let text = fields.0.clone();
            let request = request::request(fields)?.cancel_token(&instance.cancel);
            let (live, stream) = start(&instance.engine(&self.options)?, request)?;
            Ok(LiveStream::new(&text, live, stream))
        });
        stream.map_err(error::to_pyerr)
    }

    /// The engine of this process; an error if it is closed.
    ///
    /// Only threads attached to Python take the lock, and an attached thread calls `fork`. So the
    /// lock is free in every fork.
    fn instance(&self, _attached: Python<'_>) -> PyResult<Arc<Instance>> {
        let mut slot = self.lock();
        let Some(local) = &*slot else {
            drop(slot);
            let closed = Error::new(ErrorKind::InvalidRequest, "the engine is closed");
            return Err(error::to_pyerr(closed));
        };
        if let Some(instance) = local.get() {
            return Ok(Arc::clone(instance));
        }
        let instance = Instance::new(None);
        *slot = Some(ProcessLocal::new(Arc::clone(&instance)));
        Ok(instance)
    }

    fn lock(&self) -> MutexGuard<'_, Option<ProcessLocal<Arc<Instance>>>> {
        self.instance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn options(
    bundle: Option<Bundle>,
    map_bundle: Option<bool>,
    threads: Option<usize>,
    max_concurrency: Option<usize>,
    kernels: Option<&str>,
    precision: Option<&str>,
) -> Result<EngineBuilder> {
    let mut options = match bundle {
        None => EngineBuilder::default(),
        Some(Bundle::Path(path)) => EngineBuilder::default().bundle(path),
        Some(Bundle::Memory(bytes)) => EngineBuilder::default().bundle_memory(bytes),
    };
    if let Some(map) = map_bundle {
        options = options.map_bundle(map);
    }
    if let Some(threads) = threads {
        options = options.threads(threads);
    }
    if let Some(sentences) = max_concurrency {
        options = options.max_concurrency(sentences);
    }
    if let Some(name) = kernels {
        options = options.kernels(name.parse()?);
    }
    if let Some(name) = precision {
        options = options.precision(name.parse()?);
    }
    Ok(options)
}
