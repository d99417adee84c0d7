//! Engines of Java objects: loading, whole texts and settings. `stream.rs` has the streams.

use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use jni::Env;
use jni::objects::{Global, JByteBuffer, JObject};
use serde::Deserialize;
use serde_json::json;
use speech_bindings::duplicate;
use speech_core::{CancelToken, EngineBuilder, Error, ErrorKind, Result, Utf16Offsets};

use crate::audio;
use crate::boundary::refused;
use crate::handles::{self, Object};
use crate::request::RawRequest;
use crate::stream::{self, Kind};
use crate::task::{self, nothing};
use crate::wire::encode;

/// The options of an engine.
#[derive(Deserialize)]
pub(crate) struct Options {
    bundle: Bundle,
    map_bundle: Option<bool>,
    threads: Option<usize>,
    max_concurrency: Option<usize>,
    kernels: Option<String>,
    precision: Option<String>,
    /// Words and their readings.
    pronunciations: Vec<(String, String)>,
    /// The size of the cache of sentence audio, in bytes.
    cache: u64,
}

/// The location of the voice bundle. A negative length means the rest of the file.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Bundle {
    Default,
    Path(String),
    Memory,
    File { path: String, offset: u64, length: i64 },
    Descriptor { descriptor: i32, offset: u64, length: i64 },
}

/// The memory of a direct buffer of Java. It is neither changed nor freed: the documentation of
/// `SpeechEngine.Builder.bundle(ByteBuffer)` requires that of the caller of a direct buffer, and
/// the package copies other buffers.
struct Buffer {
    address: *const u8,
    length: usize,
    /// Keeps the buffer from being collected.
    _buffer: Global<JByteBuffer<'static>>,
}

// SAFETY: the memory is only read, and any thread may drop a global reference.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads the memory, which nobody changes.
unsafe impl Sync for Buffer {}

impl Buffer {
    fn of(env: &mut Env<'_>, buffer: JByteBuffer<'_>) -> jni::errors::Result<Self> {
        Ok(Self {
            address: env.get_direct_buffer_address(&buffer)?,
            length: env.get_direct_buffer_capacity(&buffer)?,
            _buffer: env.new_global_ref(buffer)?,
        })
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the virtual machine returned the address and length of the memory. The reference
        // keeps it, and nobody changes or frees it.
        unsafe { std::slice::from_raw_parts(self.address, self.length) }
    }
}

impl Options {
    fn builder(self, memory: Option<Buffer>) -> Result<EngineBuilder> {
        let mut builder = self.bundle.builder(memory)?;
        if let Some(map_bundle) = self.map_bundle {
            builder = builder.map_bundle(map_bundle);
        }
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        if let Some(max_concurrency) = self.max_concurrency {
            builder = builder.max_concurrency(max_concurrency);
        }
        if let Some(kernels) = self.kernels {
            builder = builder.kernels(kernels.parse()?);
        }
        if let Some(precision) = self.precision {
            builder = builder.precision(precision.parse()?);
        }
        let cache = usize::try_from(self.cache).unwrap_or(usize::MAX);
        builder.cache(cache).pronunciations(self.pronunciations)
    }
}

impl Bundle {
    fn builder(self, memory: Option<Buffer>) -> Result<EngineBuilder> {
        let builder = EngineBuilder::default();
        let to = |length| u64::try_from(length).ok();
        Ok(match self {
            Self::Default => builder,
            Self::Path(path) => builder.bundle(path),
            Self::Memory => builder.bundle_memory(memory.expect("the package gives the memory")),
            Self::File { path, offset, length } => {
                builder.bundle_file(open(&path)?, offset, to(length))
            }
            Self::Descriptor { descriptor, offset, length } => {
                builder.bundle_file(duplicate(descriptor)?, offset, to(length))
            }
        })
    }
}

fn open(path: &str) -> Result<File> {
    File::open(path).map_err(|failure| {
        let message = format!("cannot read the voice bundle in {path}: {failure}");
        Error::new(ErrorKind::ModelError, message)
    })
}

/// An engine owned by a Java object.
struct Engine {
    engine: speech_core::Engine,
    /// The parent token of the token of every request.
    cancel: CancelToken,
}

impl Object for Engine {
    fn cancel(&self) {
        self.cancel.cancel();
    }
}

/// The engine with a handle; an error if it was closed.
fn find(handle: i64) -> Result<Arc<Engine>> {
    let closed = || Error::new(ErrorKind::InvalidRequest, "the engine is closed");
    handles::find(handle).ok_or_else(closed)
}

/// Loads an engine, and passes its description to the completion.
pub(crate) fn load(
    env: &mut Env<'_>,
    completion: &JObject<'_>,
    options: Options,
    memory: JByteBuffer<'_>,
) -> Result<Vec<u8>> {
    let memory = match memory.is_null() {
        true => None,
        false => Some(Buffer::of(env, memory).map_err(refused)?),
    };
    // Duplicates a descriptor before the caller can close it.
    let builder = options.builder(memory);
    task::spawn(env, completion, || Ok(describe(builder?.load()?).into()))?;
    Ok(nothing())
}

fn describe(engine: speech_core::Engine) -> Vec<u8> {
    let (threads, backend) = (engine.threads(), engine.backend());
    let (kernels, precision) = (backend.kernels.as_str(), backend.precision.as_str());
    let handle = handles::insert(Engine { engine, cancel: CancelToken::new() });
    encode(
        &json!({ "handle": handle, "threads": threads, "kernels": kernels, "precision": precision }),
    )
}

/// A call that can be cancelled until it is dropped.
struct Call(i64);

impl Drop for Call {
    fn drop(&mut self) {
        handles::remove(self.0);
    }
}

/// Speaks a whole text. Returns the handle that cancels the call; the completion receives the
/// speech.
pub(crate) fn synthesize(
    env: &mut Env<'_>,
    completion: &JObject<'_>,
    handle: i64,
    request: RawRequest,
) -> Result<Vec<u8>> {
    let engine = find(handle)?;
    let token = engine.cancel.child();
    let call = Call(handles::insert(token.clone()));
    let answer = encode(&json!({ "handle": call.0 }));
    let parsed = request.parse();
    task::spawn(env, completion, move || {
        let _call = call;
        let started = Instant::now();
        let speech = engine.engine.synthesize(parsed?.cancel_token(&token))?;
        Ok(audio::speech(&Utf16Offsets::of(request.text()), speech, started.elapsed()))
    })?;
    Ok(answer)
}

/// Starts to speak a text, one sentence at a time.
pub(crate) fn stream(handle: i64, request: &RawRequest, kind: Kind) -> Result<Vec<u8>> {
    let engine = find(handle)?;
    stream::start(&engine.engine, request, kind, &engine.cancel)
}

/// The quality levels that the bundle has for a voice in a language, the best first.
pub(crate) fn qualities(handle: i64, voice: &str, language: &str) -> Result<Vec<u8>> {
    let (voice, language) = (voice.parse()?, language.parse()?);
    let qualities = find(handle)?.engine.qualities(voice, language);
    Ok(encode(&json!({ "qualities": qualities })))
}

/// Synthesizes a few words and discards them.
pub(crate) fn warm_up(env: &mut Env<'_>, completion: &JObject<'_>, handle: i64) -> Result<Vec<u8>> {
    let engine = find(handle)?;
    task::spawn(env, completion, move || {
        engine.engine.warm_up()?;
        Ok(nothing().into())
    })?;
    Ok(nothing())
}

/// Frees the scratch memory kept for the next request.
pub(crate) fn trim(handle: i64) -> Result<Vec<u8>> {
    find(handle)?.engine.trim();
    Ok(nothing())
}
