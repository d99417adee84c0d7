//! The engine: loaded once, shared by every thread.

use std::path::PathBuf;
use std::sync::Arc;

use crate::acoustic::{AcousticModel, OnnxModel, OnnxOptions};
use crate::bundle::{Bundle, VoiceStyle};
use crate::cancel::CancelToken;
use crate::locate;
use crate::phonemize::Phonemizer;
use crate::request::{Language, Request};
use crate::session::{Speech, Stream};
use crate::voice::Voice;
use crate::{Error, Result};

/// The most threads that are worth it by default; a sentence has no more work to share.
const MAX_DEFAULT_THREADS: usize = 4;

/// A loaded voice bundle, ready to speak.
///
/// It is `Send` and `Sync`, and a clone is another handle of the same engine: load one, and share it. What
/// it answers does not depend on how many threads ask at once. It is freed with its last handle and its
/// last [`Stream`].
#[derive(Clone)]
pub struct Engine(Arc<Parts>);

/// What a request needs of the engine.
pub(crate) struct Parts {
    pub(crate) phonemizer: Phonemizer,
    pub(crate) model: Box<dyn AcousticModel>,
    /// By voice, then language, each in the order of its `ALL`.
    styles: Vec<Arc<VoiceStyle>>,
    threads: usize,
}

/// How to load an [`Engine`]. Every option has a default.
#[derive(Clone, Debug, Default)]
pub struct EngineBuilder {
    bundle: Option<PathBuf>,
    runtime: Option<PathBuf>,
    threads: Option<usize>,
    sessions: Option<usize>,
}

impl EngineBuilder {
    /// The directory of the voice bundle. By default `SPEECH_BUNDLE`, or the one that `cargo xtask bundle`
    /// made.
    ///
    /// The library reads it while it loads and never writes it; nobody may write it meanwhile.
    #[must_use]
    pub fn bundle(mut self, dir: impl Into<PathBuf>) -> Self {
        self.bundle = Some(dir.into());
        self
    }

    /// The ONNX Runtime library. By default `SPEECH_ONNXRUNTIME`, a library beside the program, or the
    /// system's.
    ///
    /// A process has one: that of the first engine which loads.
    #[must_use]
    pub fn onnxruntime(mut self, library: impl Into<PathBuf>) -> Self {
        self.runtime = Some(library.into());
        self
    }

    /// The threads that one sentence is computed with, at least 1. By default `SPEECH_THREADS`, or the
    /// processor's, but 4 at most.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How many sentences may be computed at once, at least 1; others wait their turn. By default 1.
    ///
    /// Each costs the memory of another session. For a server: as many sessions as cores, one thread each.
    #[must_use]
    pub fn sessions(mut self, sessions: usize) -> Self {
        self.sessions = Some(sessions);
        self
    }

    /// Loads the engine.
    ///
    /// # Errors
    ///
    /// `model_error` if the bundle or ONNX Runtime is missing, damaged or of the wrong version;
    /// `invalid_request` for an option out of range.
    pub fn load(self) -> Result<Engine> {
        let threads = self.chosen_threads()?;
        let sessions = positive("sessions", self.sessions.unwrap_or(1))?;
        let runtime = locate::onnxruntime(self.runtime.as_deref());
        let dir = locate::bundle(self.bundle.as_deref())?;
        // The lexicon and the model load beside each other.
        let (phonemizer, model) = std::thread::scope(|scope| {
            let phonemizer = scope.spawn(Phonemizer::new);
            let model = Bundle::open(&dir).and_then(|bundle| {
                let styles = styles(&bundle)?;
                let model = OnnxModel::load(&bundle, &OnnxOptions { runtime, threads, sessions })?;
                Ok((model, styles))
            });
            (phonemizer.join(), model)
        });
        let (model, styles) = model?;
        let phonemizer = phonemizer.map_err(|_| Error::internal("loading the lexicon panicked"))?;
        Ok(Engine(Arc::new(Parts { phonemizer, model: Box::new(model), styles, threads })))
    }

    fn chosen_threads(&self) -> Result<usize> {
        if let Some(threads) = self.threads {
            return positive("threads", threads);
        }
        if let Some(threads) =
            std::env::var_os("SPEECH_THREADS").filter(|threads| !threads.is_empty())
        {
            let threads = threads.to_str().and_then(|threads| threads.parse().ok()).unwrap_or(0);
            return positive("SPEECH_THREADS", threads);
        }
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(available.min(MAX_DEFAULT_THREADS))
    }
}

fn positive(name: &str, value: usize) -> Result<usize> {
    if value == 0 {
        Err(Error::invalid_request(format!("{name} must be a whole number of at least 1")))
    } else {
        Ok(value)
    }
}

fn styles(bundle: &Bundle) -> Result<Vec<Arc<VoiceStyle>>> {
    let pairs =
        Voice::ALL.into_iter().flat_map(|voice| Language::ALL.map(|language| (voice, language)));
    pairs.map(|(voice, language)| bundle.style(voice, language).map(Arc::new)).collect()
}

impl Engine {
    /// Loads an engine with every option at its default.
    ///
    /// # Errors
    ///
    /// As [`EngineBuilder::load`].
    pub fn load() -> Result<Self> {
        Self::builder().load()
    }

    /// Options for loading an engine.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// Speaks a whole text.
    ///
    /// A text with nothing speakable in it gives a short silence.
    ///
    /// # Errors
    ///
    /// The refusals of [`Request::validate`]; `internal` if the inference fails.
    pub fn synthesize(&self, request: &Request) -> Result<Speech> {
        self.stream(request)?.collect_speech()
    }

    /// As [`synthesize`](Self::synthesize), until the token is cancelled: then `cancelled`, soon.
    pub fn synthesize_with(&self, request: &Request, cancel: &CancelToken) -> Result<Speech> {
        self.stream_with(request, cancel)?.collect_speech()
    }

    /// Starts to speak a text, a sentence at a time.
    ///
    /// ```no_run
    /// use speech_core::{Engine, Request};
    ///
    /// let engine = Engine::load()?;
    /// for chunk in engine.stream(&Request::new("First this. Then that.").format("pcm"))? {
    ///     let bytes = chunk?.to_pcm();
    ///     // Play or send them while the next sentence is computed.
    ///     # drop(bytes);
    /// }
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The refusals of [`Request::validate`], at once; a failure later comes as the stream's last item.
    pub fn stream(&self, request: &Request) -> Result<Stream> {
        self.stream_with(request, &CancelToken::new())
    }

    /// As [`stream`](Self::stream), until the token is cancelled: then the stream's last item is `cancelled`.
    pub fn stream_with(&self, request: &Request, cancel: &CancelToken) -> Result<Stream> {
        let request = request.validate()?;
        let style = &self.0.styles[style_index(request.voice(), request.language())];
        Ok(Stream::new(Arc::clone(&self.0), request, Arc::clone(style), cancel.clone()))
    }

    /// The threads that one sentence is computed with.
    pub fn threads(&self) -> usize {
        self.0.threads
    }
}

fn style_index(voice: Voice, language: Language) -> usize {
    let place = |found: Option<usize>| found.expect("ALL has every one");
    let voice = place(Voice::ALL.iter().position(|v| *v == voice));
    let language = place(Language::ALL.iter().position(|l| *l == language));
    voice * Language::ALL.len() + language
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("threads", &self.0.threads).finish_non_exhaustive()
    }
}
