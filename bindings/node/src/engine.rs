//! The engine.

use std::time::Instant;

use napi::bindgen_prelude::{Buffer, Object, ObjectFinalize};
use napi::{Either, Env, Result};
use napi_derive::napi;
use speech_bindings::drop_in_background;
use speech_core::{CancelToken, EngineBuilder, Error, ErrorKind, Quality, Request};

use crate::audio::RawAudio;
use crate::cancel::Cancel;
use crate::error::{JsResult, into_js};
use crate::live::LiveStream;
use crate::request::RawRequest;
use crate::stream::Stream;
use crate::task;

/// The options of an engine.
#[napi(object, object_to_js = false)]
pub struct Options {
    /// The voice bundle: its path, or the bytes of a tar file.
    pub bundle: Option<Either<String, Buffer>>,
    /// Whether the bundle's large files are mapped into memory.
    pub map_bundle: Option<bool>,
    /// The number of threads that compute one sentence.
    pub threads: Option<u32>,
    /// The number of sentences computed at the same time.
    pub max_concurrency: Option<u32>,
    /// The kernels to use.
    pub kernels: Option<String>,
    /// The precision to use.
    pub precision: Option<String>,
    /// Words and their readings, alternating.
    pub pronunciations: Vec<String>,
    /// The size of the cache of sentence audio, in bytes.
    pub cache: f64,
}

/// A loaded voice bundle.
#[napi(custom_finalize)]
pub struct Engine {
    /// None once it is closed.
    engine: Option<speech_core::Engine>,
    /// The bytes that V8 attributes to the engine. Without them V8 sees only a small object and
    /// collects it late.
    external_bytes: i64,
    /// The parent token of the token of every request.
    cancel: CancelToken,
    threads: u32,
    kernels: &'static str,
    precision: &'static str,
}

#[napi]
impl Engine {
    /// Loads an engine.
    #[napi(ts_return_type = "Promise<Engine | NativeError>")]
    pub fn load(env: &Env, options: Options) -> Result<Object<'_>> {
        let options = builder(options);
        task::spawn(
            env,
            || options?.load(),
            |env, engine| {
                let backend = engine.backend();
                let external_bytes = engine.weight_bytes() as i64;
                env.adjust_external_memory(external_bytes)?;
                Ok(Self {
                    threads: engine.threads() as u32,
                    kernels: backend.kernels.as_str(),
                    precision: backend.precision.as_str(),
                    engine: Some(engine),
                    external_bytes,
                    cancel: CancelToken::new(),
                })
            },
        )
    }

    /// A token that cancels the speech of a whole text.
    #[napi]
    pub fn cancel(&self) -> Cancel {
        Cancel::new(self.cancel.child())
    }

    /// Speaks a whole text.
    #[napi(ts_return_type = "Promise<RawAudio | NativeError>")]
    pub fn synthesize<'env>(
        &self,
        env: &'env Env,
        request: RawRequest,
        cancel: &Cancel,
    ) -> Result<Object<'env>> {
        let (engine, cancel) = (self.open(), cancel.token());
        let synthesize = move || {
            let started = Instant::now();
            let speech = engine?.synthesize(request.parse()?.cancel_token(&cancel))?;
            Ok(RawAudio::new(&request.text, speech, started.elapsed()))
        };
        task::spawn(env, synthesize, |_, audio| Ok(audio))
    }

    /// Starts to speak a text, one sentence at a time.
    #[napi]
    pub fn stream(&self, request: RawRequest) -> JsResult<Stream> {
        let stream = self.open().and_then(|engine| {
            let stream = engine.stream(request.parse()?.cancel_token(&self.cancel))?;
            Ok(Stream::new(&request.text, stream))
        });
        into_js(stream)
    }

    /// Starts to speak a text that arrives in pieces. The text of the request is the first piece.
    #[napi]
    pub fn live(&self, request: RawRequest) -> JsResult<LiveStream> {
        self.start_live(&request, speech_core::Engine::live)
    }

    /// Starts to speak a text of any length.
    #[napi]
    pub fn stream_long(&self, request: RawRequest) -> JsResult<LiveStream> {
        self.start_live(&request, speech_core::Engine::live_long)
    }

    /// The quality levels that the bundle has for a voice in a language, the best first.
    #[napi]
    pub fn qualities(&self, voice: String, language: String) -> JsResult<Vec<&'static str>> {
        let qualities =
            self.open().and_then(|engine| Ok(engine.qualities(voice.parse()?, language.parse()?)));
        into_js(qualities.map(|found| found.into_iter().map(Quality::as_str).collect()))
    }

    /// Synthesizes a few words and discards them.
    #[napi(ts_return_type = "Promise<void | NativeError>")]
    pub fn warm_up<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let engine = self.open();
        task::spawn(env, || engine?.warm_up(), |_, ()| Ok(()))
    }

    /// Frees the scratch memory kept for the next request.
    #[napi]
    pub fn trim(&self) -> JsResult<()> {
        into_js(self.open().map(|engine| engine.trim()))
    }

    /// Cancels every request, and frees the voices once nothing uses them.
    #[napi]
    pub fn close(&mut self, env: &Env) -> Result<()> {
        self.cancel.cancel();
        self.free(*env)
    }

    /// The number of threads that compute one sentence.
    #[napi(getter)]
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// The kernels in use.
    #[napi(getter)]
    pub fn kernels(&self) -> &'static str {
        self.kernels
    }

    /// The precision of the matrix products.
    #[napi(getter)]
    pub fn precision(&self) -> &'static str {
        self.precision
    }
}

impl ObjectFinalize for Engine {
    /// Without `close`, requests in progress continue: each holds the core's engine.
    fn finalize(mut self, env: Env) -> Result<()> {
        self.free(env)
    }
}

impl Engine {
    fn free(&mut self, env: Env) -> Result<()> {
        let Some(engine) = self.engine.take() else { return Ok(()) };
        drop_in_background(engine);
        env.adjust_external_memory(-self.external_bytes).map(drop)
    }

    fn start_live(
        &self,
        request: &RawRequest,
        start: fn(
            &speech_core::Engine,
            Request,
        ) -> speech_core::Result<(speech_core::LiveText, speech_core::Stream)>,
    ) -> JsResult<LiveStream> {
        let stream = self.open().and_then(|engine| {
            let (text, stream) = start(&engine, request.parse()?.cancel_token(&self.cancel))?;
            Ok(LiveStream::new(&request.text, text, stream))
        });
        into_js(stream)
    }

    fn open(&self) -> speech_core::Result<speech_core::Engine> {
        let closed = || Error::new(ErrorKind::InvalidRequest, "the engine is closed");
        self.engine.clone().ok_or_else(closed)
    }
}

fn builder(options: Options) -> speech_core::Result<EngineBuilder> {
    let mut builder = match options.bundle {
        None => EngineBuilder::default(),
        Some(Either::A(path)) => EngineBuilder::default().bundle(path),
        Some(Either::B(bytes)) => EngineBuilder::default().bundle_memory(Vec::from(bytes)),
    };
    if let Some(map) = options.map_bundle {
        builder = builder.map_bundle(map);
    }
    if let Some(threads) = options.threads {
        builder = builder.threads(threads as usize);
    }
    if let Some(max_concurrency) = options.max_concurrency {
        builder = builder.max_concurrency(max_concurrency as usize);
    }
    if let Some(kernels) = options.kernels {
        builder = builder.kernels(kernels.parse()?);
    }
    if let Some(precision) = options.precision {
        builder = builder.precision(precision.parse()?);
    }
    let entries = options.pronunciations.as_chunks().0.iter();
    builder
        .cache(options.cache as usize)
        .pronunciations(entries.map(|[words, reading]| (words, reading)))
}
