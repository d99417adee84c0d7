//! The engine: loaded once, shared by every thread.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::acoustic::{
    AcousticModel, Backend, BackendOptions, KernelSet, MODEL_RATE, Model, ModelOptions, Precision,
    VoiceStyle,
};
use crate::bundle::discovery;
use crate::bundle::{Bundle, BundleInput, ModelFormat};
use crate::cancel::CancelToken;
use crate::phonemize::{MAX_TOKENS, Phonemizer, vocab};
use crate::pronunciation::Lexicon;
use crate::request::{Language, Request};
use crate::session::{Speech, Stream};
use crate::threads;
use crate::voice::Voice;
use crate::{Error, Result};

/// The most threads that are worth it by default; a sentence has no more work to share.
const MAX_DEFAULT_THREADS: usize = 4;

/// The most threads or max_concurrency that are taken for meant.
const MAX_THREADS: usize = 256;

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
    pub(crate) lexicon: Lexicon,
    pub(crate) model: Box<dyn AcousticModel>,
    /// By voice, then language, each in the order of its `ALL`.
    styles: Vec<Arc<VoiceStyle>>,
    threads: usize,
}

/// How to load an [`Engine`]. Every option has a default.
#[derive(Clone, Debug, Default)]
pub struct EngineBuilder {
    bundle: Option<BundleInput>,
    threads: Option<usize>,
    max_concurrency: Option<usize>,
    backend: BackendOptions,
    lexicon: Lexicon,
}

impl EngineBuilder {
    /// The voice bundle: its directory, or one uncompressed tar file of what is in it. By default
    /// `SPEECH_BUNDLE`, `share/libspeech/voices` beside the folder of the library or the program, or the
    /// one that `cargo xtask bundle` made.
    ///
    /// The last of `bundle`, [`bundle_memory`](Self::bundle_memory) and
    /// [`bundle_file`](Self::bundle_file) counts. The library never writes a bundle, and nobody may
    /// while an engine that was loaded from it, or one of its streams, lives.
    #[must_use]
    pub fn bundle(mut self, path: impl Into<PathBuf>) -> Self {
        self.bundle = Some(BundleInput::Path(path.into()));
        self
    }

    /// The voice bundle as the bytes of a tar file. They are not copied, and dropped when the library
    /// needs them no longer.
    #[must_use]
    pub fn bundle_memory(mut self, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        self.bundle = Some(BundleInput::Memory(Arc::new(bytes)));
        self
    }

    /// The voice bundle as a tar file that is open, or as a part of an open file: `length` bytes from
    /// `offset`, or all to the end. An Android asset that is stored uncompressed is one.
    ///
    /// The file is mapped into memory, so it must be one that can be.
    #[must_use]
    pub fn bundle_file(mut self, file: File, offset: u64, length: Option<u64>) -> Self {
        self.bundle = Some(BundleInput::File { file: Arc::new(file), offset, length });
        self
    }

    /// The threads that one sentence is computed with, 1 to 256. By default `SPEECH_THREADS`, or the
    /// processor's, but 4 at most.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How many sentences may be computed at once, 1 to 256; others wait their turn. By default 1.
    ///
    /// Each costs the memory of another session. For a server: as many max_concurrency as cores, one thread each.
    #[must_use]
    pub fn max_concurrency(mut self, max_concurrency: usize) -> Self {
        self.max_concurrency = Some(max_concurrency);
        self
    }

    /// The instructions that speech is computed with. By default the fastest that the processor has.
    #[must_use]
    pub fn kernels(mut self, kernels: KernelSet) -> Self {
        self.backend.kernels = kernels;
        self
    }

    /// What the vocoder's products are computed in. By default bfloat16 where the processor has fast instructions for
    /// it, which cannot be heard, else 32 bits.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.backend.precision = precision;
        self
    }

    /// Words that the engine is to read as the caller says. By default none.
    #[must_use]
    pub fn lexicon(mut self, lexicon: Lexicon) -> Self {
        self.lexicon = lexicon;
        self
    }

    /// Adds an entry to the lexicon, as [`Lexicon::insert`].
    ///
    /// # Errors
    ///
    /// As [`Lexicon::insert`].
    pub fn pronunciation(mut self, words: &str, reading: &str) -> Result<Self> {
        self.lexicon.insert(words, reading)?;
        Ok(self)
    }

    /// Loads the engine.
    ///
    /// # Errors
    ///
    /// `model_error` if the bundle is missing, damaged or of the wrong version;
    /// `invalid_request` for an option out of range, or instructions that the processor does not have.
    pub fn load(self) -> Result<Engine> {
        let started = Instant::now();
        let threads = self.chosen_threads()?;
        let max_concurrency = in_range("max_concurrency", self.max_concurrency.unwrap_or(1))?;
        let (backend, lexicon) = (self.backend, self.lexicon);
        let bundle = self.bundle.map_or_else(discovery::bundle, Ok)?;
        log::debug!("loading {bundle:?}");
        // What is no bundle is refused before anything else is loaded.
        let format = ModelFormat {
            sample_rate: MODEL_RATE,
            max_tokens: MAX_TOKENS,
            vocabulary: vocab::symbols(),
        };
        let bundle = Bundle::open(bundle, &format)?;
        // The lexicon and the model load beside each other.
        let (phonemizer, model) = threads::beside(Phonemizer::new, || {
            let bundle = bundle.verify()?;
            let styles = styles(&bundle)?;
            let options = ModelOptions { threads, max_concurrency, backend };
            let model = Model::load(bundle.prosody(), bundle.vocoder(), &options)?;
            Ok::<_, Error>((model, styles))
        })?;
        let (model, styles) = model?;
        if styles.iter().any(|style| style.averages.channels() != model.statistics_channels()) {
            return Err(Error::model(
                "the voice statistics of the voice bundle are of another model",
            ));
        }
        log::info!(
            "engine loaded in {} ms: threads {threads}, max_concurrency {max_concurrency}",
            started.elapsed().as_millis()
        );
        Ok(Engine(Arc::new(Parts { phonemizer, lexicon, model: Box::new(model), styles, threads })))
    }

    fn chosen_threads(&self) -> Result<usize> {
        if let Some(threads) = self.threads {
            return in_range("threads", threads);
        }
        if let Some(threads) =
            std::env::var_os("SPEECH_THREADS").filter(|threads| !threads.is_empty())
        {
            let threads = threads.to_str().and_then(|threads| threads.parse().ok()).unwrap_or(0);
            return in_range("SPEECH_THREADS", threads);
        }
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(available.min(MAX_DEFAULT_THREADS))
    }
}

fn in_range(name: &str, value: usize) -> Result<usize> {
    if (1..=MAX_THREADS).contains(&value) {
        Ok(value)
    } else {
        let message = format!("{name} must be a whole number from 1 to {MAX_THREADS}");
        Err(Error::invalid_request(message))
    }
}

fn styles(bundle: &Bundle) -> Result<Vec<Arc<VoiceStyle>>> {
    let pairs =
        Voice::ALL.into_iter().flat_map(|voice| Language::ALL.map(|language| (voice, language)));
    let style = |(voice, language): (Voice, Language)| {
        let name = format!("{}/{}", voice.id(), language.tag());
        let gain_db = bundle.gain_db(voice, language)?;
        VoiceStyle::read(&bundle.styles(), &name, gain_db).map(Arc::new)
    };
    pairs.map(style).collect()
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

    /// Speaks a few words and forgets them, so that the first request finds everything in memory.
    ///
    /// # Errors
    ///
    /// `internal` if the inference fails.
    pub fn warm_up(&self) -> Result<()> {
        self.synthesize(&Request::new("This is how it sounds, to begin with.")).map(drop)
    }

    /// What speech is computed with.
    pub fn backend(&self) -> Backend {
        self.0.model.backend()
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
