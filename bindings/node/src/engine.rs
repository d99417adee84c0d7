//! The engine.

use std::time::Instant;

use napi::bindgen_prelude::{Buffer, Object};
use napi::{Either, Env, Result};
use napi_derive::napi;
use speech_core::{CancelToken, EngineBuilder, Error, ErrorKind};

use crate::failure::{Outcome, outcome};
use crate::request::Fields;
use crate::results::RawAudio;
use crate::stream::Stream;
use crate::work::{self, Cancel};

/// How to load an engine.
#[napi(object, object_to_js = false)]
pub struct Options {
    /// The voice bundle: where it is, or the bytes of a tar file.
    pub bundle: Option<Either<String, Buffer>>,
    /// Threads for a sentence.
    pub threads: Option<u32>,
    /// Sentences at once.
    pub sessions: Option<u32>,
    /// The instructions to compute with.
    pub kernels: Option<String>,
    /// What to compute in.
    pub precision: Option<String>,
    /// Words and how to read them, one after another.
    pub pronunciations: Vec<String>,
}

/// A loaded voice bundle.
#[napi]
pub struct Engine {
    /// None once it is closed.
    engine: Option<speech_core::Engine>,
    /// Stops all that it does.
    cancel: CancelToken,
    threads: u32,
    kernels: &'static str,
    precision: &'static str,
}

#[napi]
impl Engine {
    /// Loads one.
    #[napi(ts_return_type = "Promise<Engine | Failure>")]
    pub fn load(env: &Env, options: Options) -> Result<Object<'_>> {
        let options = builder(options);
        work::begin(
            env,
            || options?.load(),
            |engine| {
                let backend = engine.backend();
                Self {
                    threads: engine.threads() as u32,
                    kernels: backend.kernels.as_str(),
                    precision: backend.precision.as_str(),
                    engine: Some(engine),
                    cancel: CancelToken::new(),
                }
            },
        )
    }

    /// What a request can be stopped by.
    #[napi]
    pub fn cancel(&self) -> Cancel {
        Cancel::new(self.cancel.child())
    }

    /// Speaks a whole text.
    #[napi(ts_return_type = "Promise<RawAudio | Failure>")]
    pub fn synthesize<'env>(
        &self,
        env: &'env Env,
        request: Fields,
        cancel: &Cancel,
    ) -> Result<Object<'env>> {
        let (engine, cancel) = (self.open(), cancel.token());
        let work = move || {
            let started = Instant::now();
            let speech = engine?.synthesize_with(&request.request()?, &cancel)?;
            RawAudio::new(&request.text, speech, started.elapsed())
        };
        work::begin(env, work, |audio| audio)
    }

    /// Begins to speak a text by sentences.
    #[napi]
    pub fn stream(&self, request: Fields, cancel: &Cancel) -> Outcome<Stream> {
        let stream = self.open().and_then(|engine| {
            let stream = engine.stream_with(&request.request()?, &cancel.token())?;
            Stream::new(&request.text, stream, cancel.token())
        });
        outcome(stream)
    }

    /// Speaks a few words that nobody hears.
    #[napi(ts_return_type = "Promise<void | Failure>")]
    pub fn warm_up<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let engine = self.open();
        work::begin(env, || engine?.warm_up(), |()| ())
    }

    /// Stops all that it does, and forgets what it has loaded once nothing uses it any more.
    #[napi]
    pub fn close(&mut self) {
        self.cancel.cancel();
        if let Some(engine) = self.engine.take() {
            work::discard(engine);
        }
    }

    /// The threads that one sentence is computed with.
    #[napi(getter)]
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// The instructions that speech is computed with.
    #[napi(getter)]
    pub fn kernels(&self) -> &'static str {
        self.kernels
    }

    /// What the products are computed in.
    #[napi(getter)]
    pub fn precision(&self) -> &'static str {
        self.precision
    }
}

impl Drop for Engine {
    /// What it began goes on without it.
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            work::discard(engine);
        }
    }
}

impl Engine {
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
    if let Some(threads) = options.threads {
        builder = builder.threads(threads as usize);
    }
    if let Some(sessions) = options.sessions {
        builder = builder.max_concurrency(sessions as usize);
    }
    if let Some(kernels) = options.kernels {
        builder = builder.kernels(kernels.parse()?);
    }
    if let Some(precision) = options.precision {
        builder = builder.precision(precision.parse()?);
    }
    for [words, reading] in options.pronunciations.as_chunks().0 {
        builder = builder.pronunciation(words, reading)?;
    }
    Ok(builder)
}
