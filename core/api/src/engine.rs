//! The engine: loaded once, shared by every thread.

#[cfg(test)]
mod longest_tests;

use std::fs::File;
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use speech_acoustic::MAX_TOKENS;
use speech_acoustic::bundle::{Bundle, BundleInput, ModelFormat, Unverified, discovery};
use speech_acoustic::{
    AcousticModel, Backend, BackendOptions, CachedModel, KernelSet, MODEL_RATE, Model,
    ModelOptions, Precision, VoiceStyle,
};
use speech_base::error::{Error, ErrorDetail, Result};
use speech_base::fair_semaphore::Tenant;
use speech_base::fork::ProcessLocal;
use speech_base::language::Language;
use speech_base::quality::Quality;
use speech_base::system;
use speech_base::threads;
use speech_base::voice::Voice;
use speech_text::front_end::FrontEnd;
use speech_text::pronunciation::Lexicon;
use speech_text::vocabulary;

use crate::loaded_engine::{EngineHandle, LoadedEngine, Speaker};
use crate::request::Request;
use crate::sample_rate::SampleRate;
use crate::speech::{Collector, Speech};
use crate::stream::{LiveText, Stream};
use crate::validate::ValidRequest;

/// The most threads used by default: one sentence gains nothing from more.
const MAX_DEFAULT_THREADS: usize = 4;

/// The largest accepted number of threads, and of sentences computed at once.
const MAX_THREADS: usize = 256;

/// Whether a bundle's large files are mapped by default: where the system refuses to truncate a
/// mapped file, and where they are in an application package, which nothing writes to.
const MAPS_BY_DEFAULT: bool = cfg!(any(
    windows,
    target_os = "android",
    all(target_vendor = "apple", not(target_os = "macos"))
));

/// A loaded voice bundle, ready to speak.
///
/// `Send` and `Sync`; a clone is another handle of the same engine. Load one, and share it. Results
/// do not depend on the number of concurrent requests. The engine is freed with its last handle and
/// its last [`Stream`].
///
/// A child process of `fork` must load its own engine: there, requests to engines, streams and
/// tokens made before the fork fail with `invalid_request`, and dropping them frees nothing.
#[derive(Clone)]
pub struct Engine(EngineHandle);

/// How to load an [`Engine`]. Every option has a default.
#[derive(Clone, Debug, Default)]
pub struct EngineBuilder {
    bundle: Option<BundleInput>,
    map_bundle: Option<bool>,
    threads: Option<usize>,
    max_concurrency: Option<usize>,
    backend: BackendOptions,
    lexicon: Lexicon,
    cache: usize,
    shares_cache: bool,
}

impl EngineBuilder {
    /// The voice bundle: its directory, or an uncompressed tar file of the same content. By default
    /// `SPEECH_BUNDLE`, then `share/libspeech/voices` next to the folder of the library or the
    /// program, then the bundle made by `cargo xtask bundle`.
    ///
    /// The last call of `bundle`, [`bundle_memory`](Self::bundle_memory) and
    /// [`bundle_file`](Self::bundle_file) counts. The library never writes to a bundle. Nobody else
    /// may do so while it loads, or while it is [mapped](Self::map_bundle).
    #[must_use]
    pub fn bundle(mut self, path: impl Into<PathBuf>) -> Self {
        self.bundle = Some(BundleInput::Path(path.into()));
        self
    }

    /// The voice bundle as the bytes of a tar file. They are not copied, and are dropped when the
    /// library no longer needs them.
    #[must_use]
    pub fn bundle_memory(mut self, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        self.bundle = Some(BundleInput::Memory(Arc::new(bytes)));
        self
    }

    /// The voice bundle as an open tar file, or as a part of an open file: `length` bytes from
    /// `offset`, or up to the end. An Android asset stored uncompressed is such a part.
    ///
    /// The file must be a regular file.
    #[must_use]
    pub fn bundle_file(mut self, file: File, offset: u64, length: Option<u64>) -> Self {
        self.bundle = Some(BundleInput::File { file: Arc::new(file), offset, length });
        self
    }

    /// Whether the bundle's large files (86 MB) are mapped into memory; otherwise they are read.
    ///
    /// Mapped files are shared by the processes that use them, and the system may evict unused
    /// pages. But if a file is truncated, or its disk or network fails, while an engine or one of
    /// its streams lives, the process dies (SIGBUS). Files that are read are memory of the process,
    /// shared by its engines; later changes to the files do not matter.
    ///
    /// By default files are mapped on Windows, which refuses to truncate a mapped file, and on
    /// Android and iOS, where they are in the application's package. Elsewhere they are read. This
    /// option has no effect on a bundle in memory.
    #[must_use]
    pub fn map_bundle(mut self, map: bool) -> Self {
        self.map_bundle = Some(map);
        self
    }

    /// The number of threads that compute one sentence, 1 to 256. By default `SPEECH_THREADS`, or
    /// the number of processors, but at most 4.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// The number of sentences that may be computed at once, 1 to 256; others wait their turn. By
    /// default 1.
    ///
    /// Each needs its own scratch memory. For a server: as many as the processor has cores, with
    /// one thread each.
    #[must_use]
    pub fn max_concurrency(mut self, max_concurrency: usize) -> Self {
        self.max_concurrency = Some(max_concurrency);
        self
    }

    /// The instruction set used to compute speech. By default the fastest that the processor
    /// supports.
    #[must_use]
    pub fn kernels(mut self, kernels: KernelSet) -> Self {
        self.backend.kernels = kernels;
        self
    }

    /// The precision of the vocoder's products. By default the fastest that the processor has
    /// instructions for, which is inaudible: see [`Precision::Auto`].
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.backend.precision = precision;
        self
    }

    /// The engine's lexicon: pronunciations used in every request. By default empty.
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

    /// Adds entries to the lexicon, as [`Lexicon::insert_all`].
    ///
    /// # Errors
    ///
    /// As [`Lexicon::insert_all`].
    pub fn pronunciations<W: AsRef<str>, R: AsRef<str>>(
        mut self,
        entries: impl IntoIterator<Item = (W, R)>,
    ) -> Result<Self> {
        self.lexicon.insert_all(entries)?;
        Ok(self)
    }

    /// Caches the audio of sentences, up to `bytes`, for requests that repeat them: 256 MiB hold 46
    /// minutes. By default 0, which disables the cache.
    ///
    /// A cached sentence has the same bytes as a computed one, and waits for no other request. The
    /// least recently used sentence is evicted first. A [tenant](Engine::tenant) gets only its own
    /// sentences, because fast results would reveal the texts of others. [`Engine::trim`] empties
    /// the cache.
    #[must_use]
    pub fn cache(mut self, bytes: usize) -> Self {
        self.cache = bytes;
        self
    }

    /// Whether all tenants share the [cache](Self::cache). By default they do not; tenants of the
    /// same owner may.
    #[must_use]
    pub fn share_cache(mut self, share: bool) -> Self {
        self.shares_cache = share;
        self
    }

    /// Loads the engine.
    ///
    /// # Errors
    ///
    /// `model_error` if the bundle is missing, damaged or of the wrong version; [`Error::detail`]
    /// and [`Error::path`] give the cause and the file. `invalid_request` for an option out of
    /// range, or for kernels or a precision that the processor does not support.
    pub fn load(self) -> Result<Engine> {
        let started = Instant::now();
        system::stay_loaded();
        let threads = self.chosen_threads()?;
        let max_concurrency = in_range("max_concurrency", self.max_concurrency.unwrap_or(1))?;
        let Self { backend, lexicon, cache, shares_cache, .. } = self;
        let may_map = self.map_bundle.unwrap_or(MAPS_BY_DEFAULT);
        let bundle = self.bundle.map_or_else(discovery::bundle, Ok)?;
        log::debug!("loading {bundle:?}");
        // Reject an invalid bundle before loading anything else.
        let bundle = open_bundle(bundle, may_map)?;
        // The front end and the model load in parallel.
        let (front_end, model) = threads::join(FrontEnd::load, || {
            let bundle = bundle.verify()?;
            let speakers = speakers(&bundle)?;
            let options = ModelOptions { threads, max_concurrency, backend };
            let model = Model::load(bundle.parts().clone(), &options)?;
            let bundle_sha256 = bundle.manifest_sha256().to_owned();
            Ok::<_, Error>((model, speakers, bundle_sha256, bundle.parts().size()))
        })?;
        let (model, speakers, bundle_sha256, weight_bytes) = model?;
        if let Some(channels) = model.statistics_channels() {
            let styles = speakers.iter().filter_map(|speaker| speaker.style.as_ref());
            let mut counts = styles.map(|style| style.averages.channels());
            if counts.any(|count| count > 0 && count != channels) {
                let message = "the voice statistics of the voice bundle are of another model";
                return Err(Error::model(message).with_detail(ErrorDetail::IncompatibleModel));
            }
        }
        log::info!(
            "engine loaded in {} ms: threads {threads}, max_concurrency {max_concurrency}",
            started.elapsed().as_millis()
        );
        let model: Box<dyn AcousticModel> = match cache {
            0 => Box::new(model),
            bytes => Box::new(CachedModel::new(model, bytes, shares_cache)),
        };
        let model = ProcessLocal::new(model);
        let loaded = LoadedEngine {
            front_end,
            lexicon,
            model,
            speakers,
            threads,
            bundle_sha256,
            weight_bytes,
        };
        let (tenant, quality, sample_rate) = Default::default();
        Ok(Engine(EngineHandle { loaded: Arc::new(loaded), tenant, quality, sample_rate }))
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

/// Opens a bundle for the acoustic model of this library.
///
/// # Errors
///
/// As [`Bundle::open`].
pub(crate) fn open_bundle(bundle: BundleInput, may_map: bool) -> Result<Unverified> {
    let format = ModelFormat {
        sample_rate: MODEL_RATE,
        max_tokens: MAX_TOKENS,
        vocabulary: vocabulary::symbols(),
    };
    Bundle::open(bundle, may_map, &format)
}

fn in_range(name: &str, value: usize) -> Result<usize> {
    if (1..=MAX_THREADS).contains(&value) {
        Ok(value)
    } else {
        let message = format!("{name} must be a whole number from 1 to {MAX_THREADS}");
        Err(Error::invalid_request(message))
    }
}

/// The speakers by voice, then language.
fn speakers(bundle: &Bundle) -> Result<Vec<Speaker>> {
    let pairs =
        Voice::ALL.into_iter().flat_map(|voice| Language::ALL.map(|language| (voice, language)));
    let speaker = |(voice, language): (Voice, Language)| {
        let qualities = bundle.qualities(voice, language);
        let is_there = !qualities.is_empty();
        let style = is_there.then(|| VoiceStyle::read(bundle, voice, language)).transpose()?;
        Ok(Speaker { qualities, style })
    };
    pairs.map(speaker).collect()
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

    /// Another handle of this engine for one of several tenants, such as the accounts of a service.
    ///
    /// A tenant's sentences are computed in the order of its requests, and the tenants take turns.
    /// So however much the others request, a tenant's next sentence waits for at most one of each.
    /// A turn is at most 16 s of audio; a longer sentence takes several. A loaded engine is a
    /// tenant of its own.
    ///
    /// ```no_run
    /// use speech_core::Engine;
    ///
    /// let engine = Engine::load()?;
    /// let speech = engine.tenant("account 7").synthesize("Hello.")?;
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    #[must_use]
    pub fn tenant(&self, name: impl Hash) -> Self {
        Self(EngineHandle { tenant: Tenant::new(name), ..self.0.clone() })
    }

    /// Speaks a whole text: a `&str`, or a [`Request`] with settings.
    ///
    /// A text with nothing speakable in it gives a short silence.
    ///
    /// # Errors
    ///
    /// Those of [`validate`](Self::validate); `invalid_request` for low latency, which is
    /// for streams; `cancelled` if the [token of the request](Request::cancel_token) is cancelled;
    /// `internal` if the inference fails.
    pub fn synthesize(&self, request: impl Into<Request>) -> Result<Speech> {
        self.collect(request)?.finish()
    }

    /// As [`synthesize`](Self::synthesize), one sentence at a time, for hosts without threads whose
    /// event loop must run between sentences.
    ///
    /// # Errors
    ///
    /// Those of a request.
    #[doc(hidden)]
    pub fn collect(&self, request: impl Into<Request>) -> Result<Collector> {
        let request = self.validate(request)?;
        request.check_whole()?;
        Ok(Collector::new(self.handle(request.quality(), request.output_rate()), &request))
    }

    /// Speaks a text one sentence at a time.
    ///
    /// ```no_run
    /// use speech_core::{Engine, Latency, Request};
    ///
    /// let engine = Engine::load()?;
    /// for chunk in engine.stream(Request::new("First this. Then that.").latency(Latency::Low))? {
    ///     let bytes = chunk?.to_pcm();
    ///     // Play or send them while the next sentence is computed.
    ///     # drop(bytes);
    /// }
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Immediately, the errors of [`validate`](Self::validate). A later failure is the stream's
    /// last item.
    pub fn stream(&self, request: impl Into<Request>) -> Result<Stream> {
        let request = self.validate(request)?;
        Ok(Stream::whole(self.handle(request.quality(), request.output_rate()), &request))
    }

    /// Speaks a text that arrives in pieces: push text into the [`LiveText`] from any thread, and
    /// read speech from the [`Stream`]. The request's text, which may be empty, is the first piece.
    /// The stream ends once the text is finished. Dropping the last `LiveText` finishes it too, so
    /// a loop over the stream that keeps a `LiveText` alive waits forever. If the rest of the text
    /// cannot be produced, cancel the stream.
    ///
    /// A sentence is spoken once it is decided, as described at [`Segmenter`](crate::Segmenter):
    /// later text never changes how it is read. With [`Latency::Low`](crate::Latency::Low), the
    /// beginning of a sentence is spoken before the rest has arrived if no other audio is left to
    /// play: a clause, or a phrase whose words are read the same with the words after it.
    ///
    /// ```no_run
    /// use speech_core::{Engine, Latency, Request};
    ///
    /// let engine = Engine::load()?;
    /// let (text, stream) = engine.live(Request::new("").latency(Latency::Low))?;
    /// std::thread::spawn(move || {
    ///     for token in ["It", " is", " four", " o'clock", "."] {
    ///         text.push(token)?;
    ///     }
    ///     Ok::<(), speech_core::Error>(()) // dropping the text finishes it
    /// });
    /// for chunk in stream {
    ///     let samples = chunk?.into_samples();
    ///     // Play them.
    ///     # drop(samples);
    /// }
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_request` for a NUL character in the text, for settings out of range, for SSML,
    /// which must be complete, and for a quality, a voice or a language that the voice bundle
    /// lacks.
    pub fn live(&self, request: impl Into<Request>) -> Result<(LiveText, Stream)> {
        let mut request = request.into();
        let id = request.identify();
        let rate = request.check_sample_rate().map_err(|error| error.with_request_id(id))?;
        Stream::live(self.handle(request.quality, rate), request)
    }

    /// Speaks a text of any length one sentence at a time: as [`live`](Self::live), with the whole
    /// text available.
    ///
    /// Spans count bytes of the whole text, so a chunk's span end divided by the text's length is
    /// the progress.
    ///
    /// # Errors
    ///
    /// Those of [`live`](Self::live); `empty_text`; `invalid_request` for pauses whose total
    /// exceeds [`MAX_PAUSE_SECONDS`](crate::MAX_PAUSE_SECONDS) for each started 1,000 characters of
    /// text.
    pub fn stream_long(&self, request: impl Into<Request>) -> Result<Stream> {
        self.live_long(request).map(|(_, stream)| stream)
    }

    /// As [`stream_long`](Self::stream_long), with the text's handle, for bindings that treat it as
    /// a live text.
    #[doc(hidden)]
    pub fn live_long(&self, request: impl Into<Request>) -> Result<(LiveText, Stream)> {
        let mut request = request.into();
        let id = request.identify();
        request.check_long().map_err(|error| error.with_request_id(id))?;
        let (text, stream) = self.live(request)?;
        text.finish();
        Ok((text, stream))
    }

    /// Makes the checks of [`synthesize`](Self::synthesize) and [`stream`](Self::stream), without
    /// computing speech.
    ///
    /// # Errors
    ///
    /// Those of [`Request::validate`], and `invalid_request` for a voice, a language or a
    /// quality that the voice bundle lacks.
    pub fn validate(&self, request: impl Into<Request>) -> Result<ValidRequest> {
        let request = request.into().into_valid()?;
        let id = request.request_id();
        let check = || {
            self.0.check()?;
            request.passages().iter().try_for_each(|passage| {
                self.0.style(request.quality(), passage.voice, passage.language).map(drop)
            })
        };
        check().map_err(|error: Error| error.with_request_id(id))?;
        Ok(request)
    }

    /// The handle for requests of a quality at a sample rate.
    fn handle(&self, quality: Quality, sample_rate: SampleRate) -> EngineHandle {
        EngineHandle { quality, sample_rate, ..self.0.clone() }
    }

    /// The qualities that the voice bundle has for a voice in a language, the best first: the
    /// allowed values of [`Request::quality`](Request::quality). Empty if it lacks the voice in
    /// this language.
    pub fn qualities(&self, voice: Voice, language: Language) -> Vec<Quality> {
        self.0.qualities(voice, language).to_vec()
    }

    /// Speaks a few words and discards them, so that the first request finds everything in memory.
    /// Computes nothing if the [cache](EngineBuilder::cache) has these words.
    ///
    /// # Errors
    ///
    /// `internal` if the inference fails.
    pub fn warm_up(&self) -> Result<()> {
        let request = Request::new("This is how it sounds, to begin with.");
        let voice =
            Voice::ALL.into_iter().find(|it| !self.qualities(*it, Language::EnUs).is_empty());
        let request = match voice {
            Some(voice) => request.voice(voice),
            None => request.language(Language::HiIn),
        };
        let qualities = self.qualities(request.voice, request.language);
        let speak = |quality| self.synthesize(request.clone().quality(quality)).map(drop);
        qualities.into_iter().try_for_each(speak)
    }

    /// Frees the scratch memory kept for the next request (up to about 64 MB), and empties the
    /// [cache](EngineBuilder::cache). The weights stay; the next request is a little slower.
    ///
    /// For when no request is expected for a while, or the system is short of memory. Running
    /// requests keep the memory they use.
    pub fn trim(&self) {
        self.0.trim();
    }

    /// The kernels and the precision in use.
    pub fn backend(&self) -> Backend {
        self.0.backend()
    }

    /// The number of threads that compute one sentence.
    pub fn threads(&self) -> usize {
        self.0.threads
    }

    /// The SHA-256 of the voice bundle, in hexadecimal digits. The same bundle,
    /// [`backend`](Self::backend), lexicon, request and [`SOUND_VERSION`](crate::SOUND_VERSION)
    /// give the same samples.
    pub fn bundle_sha256(&self) -> &str {
        &self.0.bundle_sha256
    }

    /// The size of the weights in bytes, which is most of the engine's memory.
    ///
    /// For bindings whose garbage collector needs to know an object's size.
    #[doc(hidden)]
    pub fn weight_bytes(&self) -> usize {
        self.0.weight_bytes
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("threads", &self.0.threads).finish_non_exhaustive()
    }
}
