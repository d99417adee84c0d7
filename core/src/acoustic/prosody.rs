//! Tokens to features: the text encoder and the predictor of durations, pitch and energy, in ONNX Runtime. The only
//! file that names `ort`.

use std::collections::VecDeque;
use std::ffi::CStr;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ndarray::ArrayView2;
use once_cell::sync::OnceCell;
use ort::environment::Environment;
use ort::logging::LogLevel;
use ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use ort::session::{RunOptions, Session};
use ort::value::TensorRef;
use safetensors::SafeTensors;

use super::vocoder::{SOURCE, Signal, TEXT};
use super::weights;
use super::{Features, STYLE_SIZE};
use crate::bundle::Bundle;
use crate::cancel::CancelToken;
use crate::{Error, Result};

/// The oldest ONNX Runtime that serves.
const MIN_RUNTIME: &str = "1.22";

/// How the graph calls the file of its weights in 32 bits.
const WEIGHTS_FILE: &str = "prosody.f32";

/// What [`Prosody::load`] needs to know.
#[derive(Clone, Debug)]
pub(crate) struct ProsodyOptions {
    /// The threads that one inference uses.
    pub(crate) threads: usize,
    /// How many inferences may run at once.
    pub(crate) sessions: usize,
}

/// A pool of sessions over one set of weights.
pub(crate) struct Prosody {
    pool: Arc<Pool>,
}

/// The sessions that are free. ONNX Runtime's own `Run` could be shared; `ort` takes `&mut`.
struct Pool {
    free: Mutex<VecDeque<Session>>,
    returned: Condvar,
}

impl Prosody {
    /// Loads the graph of a bundle into as many sessions as the options say.
    pub(crate) fn load(bundle: &Bundle, options: &ProsodyOptions) -> Result<Self> {
        let runtime = std::env::var_os("SPEECH_ONNXRUNTIME").unwrap_or_default();
        let environment = environment(Path::new(&runtime))?;
        let weights = expand(bundle)?;
        let sessions: Result<_> = (0..options.sessions)
            .map(|_| {
                session(environment, bundle, &weights, options.threads).map_err(|error| {
                    Error::model("prosody.onnx of the voice bundle could not be loaded")
                        .with_source(error)
                })
            })
            .collect();
        let pool = Pool { free: Mutex::new(sessions?), returned: Condvar::new() };
        Ok(Self { pool: Arc::new(pool) })
    }

    /// Waits for the turn of an utterance: as many have theirs at once as there are sessions.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled.
    pub(crate) fn turn(&self, cancel: &CancelToken) -> Result<Turn<'_>> {
        self.pool.take(cancel)
    }
}

/// The weights in 32 bits, as the file that the graph refers to.
fn expand(bundle: &Bundle) -> Result<Arc<[u8]>> {
    let file = SafeTensors::deserialize(bundle.weights()).map_err(|e| {
        Error::model("prosody.safetensors of the voice bundle is damaged").with_source(e)
    })?;
    weights::expand(&file)
}

fn session(
    environment: &Environment,
    bundle: &Bundle,
    weights: &Arc<[u8]>,
    threads: usize,
) -> ort::Result<Session> {
    SessionBuilder::new(environment)?
        .with_optimization_level(GraphOptimizationLevel::All)?
        .with_intra_threads(threads)?
        .with_inter_threads(1)?
        // Idle threads sleep.
        .with_intra_op_spinning(false)?
        // Patterns are kept for each length ever seen: memory that grows with varied texts.
        .with_memory_pattern(false)?
        .with_deterministic_compute(true)?
        // Copied into the session: it arranges most of them anew and keeps no other copy.
        .with_external_initializer_file_in_memory(WEIGHTS_FILE, Arc::clone(weights))?
        .commit_from_memory(bundle.graph())
}

impl Turn<'_> {
    /// The features of 1 to 510 tokens in a style of 256 numbers.
    ///
    /// # Errors
    ///
    /// `cancelled` soon after the token is cancelled; `internal` if the inference fails.
    pub(crate) fn predict(
        &mut self,
        tokens: &[i64],
        style: &[f32],
        cancel: &CancelToken,
    ) -> Result<Features> {
        debug_assert_eq!(style.len(), STYLE_SIZE);
        let mut options = RunOptions::new().map_err(failed)?;
        // The vocoder needs the memory next.
        options.set("memory.enable_memory_arena_shrinkage", "cpu:0").map_err(failed)?;
        let options = Arc::new(options);
        let guard = cancel.on_cancel({
            let options = Arc::clone(&options);
            move || {
                // It fails only if the runtime is gone, and then nothing runs.
                let _ = options.terminate();
            }
        });
        let features = run(self.session(), tokens, style, &options);
        drop(guard);
        // A session that was told to stop says so as a failure of some operator.
        cancel.check()?;
        features.map_err(failed)?.ok_or_else(|| {
            Error::model("prosody.onnx of the voice bundle answers in another shape")
        })
    }
}

fn failed(error: ort::Error) -> Error {
    Error::internal("the acoustic model failed").with_source(error)
}

/// One inference; `None` if the answer does not fit the tokens.
fn run(
    session: &mut Session,
    tokens: &[i64],
    style: &[f32],
    options: &RunOptions,
) -> ort::Result<Option<Features>> {
    let mut padded = vec![0; tokens.len() + 2];
    padded[1..=tokens.len()].copy_from_slice(tokens);
    let row = |length: usize| [1, length];
    let (Ok(padded), Ok(style)) = (
        ArrayView2::from_shape(row(padded.len()), &padded),
        ArrayView2::from_shape(row(style.len()), style),
    ) else {
        return Ok(None);
    };
    let inputs = ort::inputs! {
        "tokens" => TensorRef::from_array_view(padded)?,
        "style" => TensorRef::from_array_view(style)?,
        "speed" => TensorRef::from_array_view(([1_usize], &[1.0_f32][..]))?,
    };
    let outputs = session.run_with_options(inputs, options)?;
    let floats = |name: &'static str| {
        let (_, values) = outputs[name].try_extract_tensor::<f32>()?;
        Ok::<_, ort::Error>(values)
    };
    let (_, durations) = outputs["durations"].try_extract_tensor::<i64>()?;
    let durations = durations.iter().filter_map(|frames| usize::try_from(*frames).ok()).collect();
    let features = Features {
        durations,
        text: Signal::of(floats("text")?, TEXT),
        pitch: floats("pitch")?.to_vec(),
        energy: floats("energy")?.to_vec(),
        source: Signal::of(floats("source")?, SOURCE),
    };
    Ok(features.fits(tokens.len()).then_some(features))
}

/// The turn of an utterance, with a session taken out of the pool; it goes back when this is dropped.
pub(crate) struct Turn<'a> {
    pool: &'a Pool,
    session: Option<Session>,
}

impl Turn<'_> {
    fn session(&mut self) -> &mut Session {
        self.session.as_mut().expect("taken until it is dropped")
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.pool.free().extend(self.session.take());
        self.pool.returned.notify_one();
    }
}

impl Pool {
    fn free(&self) -> MutexGuard<'_, VecDeque<Session>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a free session, or until the token is cancelled.
    fn take(self: &Arc<Self>, cancel: &CancelToken) -> Result<Turn<'_>> {
        let _guard = cancel.on_cancel({
            let pool = Arc::clone(self);
            move || {
                // With the lock held, so that no one misses it between looking and waiting.
                let _free = pool.free();
                pool.returned.notify_all();
            }
        });
        let mut free = self.free();
        loop {
            if cancel.is_cancelled() {
                // The wake-up may have been meant for another.
                self.returned.notify_one();
                return Err(Error::cancelled());
            }
            if let Some(session) = free.pop_front() {
                return Ok(Turn { pool: self, session: Some(session) });
            }
            free = self.returned.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The process's one ONNX Runtime: of the first engine that was loaded.
fn environment(runtime: &Path) -> Result<&'static Environment> {
    static ENVIRONMENT: OnceCell<Environment> = OnceCell::new();
    ENVIRONMENT.get_or_try_init(|| {
        let unusable = || {
            Error::model(format!(
                "ONNX Runtime ({MIN_RUNTIME} or newer) could not be loaded from {}; set SPEECH_ONNXRUNTIME to its library",
                runtime.display()
            ))
        };
        refuse_telemetry(runtime)?;
        ort::init_from(runtime)
            .map_err(|error| unusable().with_source(error))?
            .with_name("libspeech")
            .with_telemetry(false)
            .with_logger(Arc::new(|level, _category, _id, _location, message| {
                let level = match level {
                    LogLevel::Fatal | LogLevel::Error => log::Level::Error,
                    LogLevel::Warning => log::Level::Warn,
                    LogLevel::Info | LogLevel::Verbose => log::Level::Trace,
                };
                log::log!(target: "speech_core::onnxruntime", level, "{message}");
            }))
            .build()
            .map_err(|error| unusable().with_source(error))
    })
}

/// From this minor version on, the published libraries report to their maker over the network, from the
/// moment an environment is made; only this variable, set before, stops all of it.
const FIRST_WITH_TELEMETRY: u32 = 29;
const NO_TELEMETRY: &str = "ORT_DISABLE_TELEMETRY";

/// Refuses a library that would use the network. (On Windows it never does so by itself.)
fn refuse_telemetry(runtime: &Path) -> Result<()> {
    // SAFETY: loading a library runs its initialisers, which is what the caller asks for.
    let Ok(library) = (unsafe { libloading::Library::new(runtime) }) else {
        // `ort` tells why.
        return Ok(());
    };
    let opted_out = std::env::var_os(NO_TELEMETRY).is_some_and(|value| value == "1");
    match version(&library) {
        Some(version) if reports(&version) && !opted_out && cfg!(not(windows)) => {
            Err(Error::model(format!(
                "ONNX Runtime {version} at {} reports to its maker over the network: use a version from {MIN_RUNTIME} to 1.{}, or start the program with {NO_TELEMETRY}=1",
                runtime.display(),
                FIRST_WITH_TELEMETRY - 1,
            )))
        }
        _ => {
            // `ort` opens it again: closed in between, it would leave its initialisers' memory behind.
            std::mem::forget(library);
            Ok(())
        }
    }
}

fn reports(version: &str) -> bool {
    let minor = version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= FIRST_WITH_TELEMETRY)
}

/// What a library says of its version; `None` if it is no ONNX Runtime.
fn version(library: &libloading::Library) -> Option<String> {
    type GetApiBase = unsafe extern "C" fn() -> *const ort::sys::OrtApiBase;
    // SAFETY: this is the type of the function of that name in every version.
    let api_base = unsafe { library.get::<GetApiBase>(b"OrtGetApiBase") }.ok()?;
    // SAFETY: the function takes nothing, and what it points at lives as long as the library.
    let api_base = unsafe { api_base().as_ref() }?;
    // SAFETY: it gives a string that ends with a NUL byte and lives as long as the library.
    let version = unsafe { CStr::from_ptr((api_base.GetVersionString)()) };
    Some(version.to_str().ok()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_telemetry_are_known() {
        for (version, expected) in
            [("1.22.1", false), ("1.28.0", false), ("1.29.0", true), ("1.31.1", true), ("2", false)]
        {
            assert_eq!(reports(version), expected, "{version}");
        }
    }
}
