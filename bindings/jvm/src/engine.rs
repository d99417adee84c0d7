//! The engine.

use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use jni::objects::{Global, JByteArray, JByteBuffer, JObject};
use jni::sys::jlong;
use jni::{Env, EnvUnowned};
use speech_bindings::duplicate;
use speech_core::{CancelToken, EngineBuilder, Error, ErrorKind, LiveText, Request, Result};

use crate::audio;
use crate::boundary::{answer, bytes, refused, run};
use crate::handles::Table;
use crate::request::Fields;
use crate::stream;
use crate::task;
use crate::wire::{Reader, Writer};

/// The engines that Java has.
static ENGINES: Table<Engine> = Table::new();

/// The syntheses that run, by the numbers that Java cancels them with.
static CALLS: Table<CancelToken> = Table::new();

struct Engine {
    engine: speech_core::Engine,
    /// The parent of the token of every request.
    cancel: CancelToken,
}

impl Engine {
    /// The engine with a number.
    fn find(handle: jlong) -> Result<Arc<Self>> {
        let closed = || Error::new(ErrorKind::InvalidRequest, "the engine is closed");
        ENGINES.get(handle).ok_or_else(closed)
    }
}

/// How `Native.load` is told where the bundle is.
mod place {
    pub(super) const DEFAULT: u8 = 0;
    pub(super) const PATH: u8 = 1;
    pub(super) const MEMORY: u8 = 2;
    pub(super) const PART_OF_FILE: u8 = 3;
    pub(super) const DESCRIPTOR: u8 = 4;
}

/// Memory of a direct buffer of Java. Nobody changes or frees it: the documentation of `SpeechEngine.Builder.bundle(ByteBuffer)`
/// obliges the caller to that for a direct buffer, and of another the package has made a copy.
struct Buffer {
    address: *const u8,
    length: usize,
    /// Keeps the memory from the garbage collector.
    _buffer: Global<JByteBuffer<'static>>,
}

// SAFETY: the memory is only read, and a global reference may be dropped by any thread.
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
        // SAFETY: the virtual machine gave the address and the length of the memory, which the reference keeps, and which
        // nobody changes or frees.
        unsafe { std::slice::from_raw_parts(self.address, self.length) }
    }
}

/// Loads an engine, and answers with its number.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_load<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    options: JByteArray<'local>,
    memory: JByteBuffer<'local>,
    completion: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let options = bytes(env, &options)?;
        let memory = match memory.is_null() {
            true => None,
            false => Some(Buffer::of(env, memory).map_err(refused)?),
        };
        // Duplicates a descriptor before the caller can close it.
        let builder = builder(&mut Reader::new(&options), memory);
        task::spawn(env, &completion, || Ok(describe(builder?.load()?).into()))?;
        Ok(Writer::new())
    })
}

fn describe(engine: speech_core::Engine) -> Writer {
    let mut writer = Writer::new();
    writer.int(engine.threads());
    writer.string(engine.backend().kernels.as_str());
    writer.string(engine.backend().precision.as_str());
    writer.long(ENGINES.insert(Engine { engine, cancel: CancelToken::new() }));
    writer
}

/// The options, in the order of `SpeechEngine.Builder.write`.
fn builder(options: &mut Reader<'_>, memory: Option<Buffer>) -> Result<EngineBuilder> {
    let mut builder = bundle(options, memory)?;
    if options.flag() {
        builder = builder.map_bundle(options.flag());
    }
    if let Some(threads) = count(options) {
        builder = builder.threads(threads);
    }
    if let Some(max_concurrency) = count(options) {
        builder = builder.max_concurrency(max_concurrency);
    }
    if let Some(kernels) = options.optional() {
        builder = builder.kernels(kernels.parse()?);
    }
    if let Some(precision) = options.optional() {
        builder = builder.precision(precision.parse()?);
    }
    builder.pronunciations(options.list(|options| (options.string(), options.string())))
}

/// A number that may be missing, which the package has checked.
fn count(options: &mut Reader<'_>) -> Option<usize> {
    options.flag().then(|| options.int() as usize)
}

fn bundle(options: &mut Reader<'_>, memory: Option<Buffer>) -> Result<EngineBuilder> {
    let builder = EngineBuilder::default();
    Ok(match options.byte() {
        place::DEFAULT => builder,
        place::PATH => builder.bundle(options.string()),
        place::MEMORY => builder.bundle_memory(memory.expect("the package gives the memory")),
        place::PART_OF_FILE => {
            let path = options.string();
            let (offset, length) = part(options);
            builder.bundle_file(open(path)?, offset, length)
        }
        place::DESCRIPTOR => {
            let file = duplicate(options.int())?;
            let (offset, length) = part(options);
            builder.bundle_file(file, offset, length)
        }
        other => panic!("a bundle in the place {other}"),
    })
}

/// The offset and the length of a part of a file, which the package has checked; -1 is to the end.
fn part(options: &mut Reader<'_>) -> (u64, Option<u64>) {
    let (offset, length) = (options.long(), options.long());
    (offset as u64, u64::try_from(length).ok())
}

fn open(path: &str) -> Result<File> {
    File::open(path).map_err(|failure| {
        let message = format!("cannot read the voice bundle in {path}: {failure}");
        Error::new(ErrorKind::ModelError, message)
    })
}

/// Speaks a whole text, and answers with the speech. Gives the number to cancel it with at once.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_synthesize<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    request: JByteArray<'local>,
    completion: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let request = bytes(env, &request)?;
        let engine = Engine::find(handle)?;
        let call = CALLS.insert(engine.cancel.child());
        let started = task::spawn(env, &completion, move || {
            let token = CALLS.get(call);
            let speech = token.map_or_else(
                || Err(Error::new(ErrorKind::Cancelled, "the synthesis was cancelled")),
                |token| synthesize(&engine, &request, &token),
            );
            CALLS.remove(call);
            speech
        });
        if started.is_err() {
            CALLS.remove(call);
        }
        started?;
        let mut writer = Writer::new();
        writer.long(call);
        Ok(writer)
    })
}

fn synthesize(engine: &Engine, request: &[u8], token: &CancelToken) -> Result<task::Answer> {
    let started = Instant::now();
    let fields = Fields::read(request);
    let speech = engine.engine.synthesize(fields.parse()?.cancel_token(token))?;
    Ok(audio::speech(fields.text, speech, started.elapsed()))
}

/// Cancels a synthesis; does nothing if it has ended.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_cancel<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    call: jlong,
) {
    run(env, |_| {
        if let Some(token) = CALLS.get(call) {
            token.cancel();
        }
    });
}

/// Starts to speak a text by sentences.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_stream<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    request: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let request = bytes(env, &request)?;
        let (fields, engine) = (Fields::read(&request), Engine::find(handle)?);
        let token = engine.cancel.child();
        let stream = engine.engine.stream(fields.parse()?.cancel_token(&token))?;
        Ok(stream::whole(fields.text, stream, token))
    })
}

/// Starts to speak a text that arrives in pieces, of which the text of the request is the first.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_live<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    request: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let request = bytes(env, &request)?;
        start_live(handle, &request, speech_core::Engine::live)
    })
}

/// Starts to speak a text of any length.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_streamLong<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    request: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let request = bytes(env, &request)?;
        start_live(handle, &request, speech_core::Engine::live_long)
    })
}

fn start_live(
    handle: jlong,
    request: &[u8],
    start: fn(&speech_core::Engine, Request) -> Result<(LiveText, speech_core::Stream)>,
) -> Result<Writer> {
    let (fields, engine) = (Fields::read(request), Engine::find(handle)?);
    let token = engine.cancel.child();
    let (text, stream) = start(&engine.engine, fields.parse()?.cancel_token(&token))?;
    Ok(stream::live(fields.text, text, stream, token))
}

/// The qualities that the bundle has for a voice in a language, the best first.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_qualities<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let (voice, language) = (reader.string().parse()?, reader.string().parse()?);
        let qualities = Engine::find(handle)?.engine.qualities(voice, language);
        let mut writer = Writer::new();
        writer.list(qualities, |writer, quality| writer.string(quality.as_str()));
        Ok(writer)
    })
}

/// Synthesizes a few words and discards them.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_warmUp<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    completion: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let engine = Engine::find(handle);
        task::spawn(env, &completion, move || {
            engine?.engine.warm_up()?;
            Ok(Writer::new().into())
        })?;
        Ok(Writer::new())
    })
}

/// Returns the working memory to the system that is kept for the next request.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_trim<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
) -> JByteArray<'local> {
    answer(env, |_| {
        Engine::find(handle)?.engine.trim();
        Ok(Writer::new())
    })
}

/// Cancels every request, and frees the voices once nothing uses them.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_closeEngine<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| {
        if let Some(engine) = ENGINES.remove(handle) {
            engine.cancel.cancel();
            task::drop_in_background(engine);
        }
    });
}

/// Frees the voices once nothing uses them, and lets requests go on: an engine that was dropped is no reason to stop them.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_freeEngine<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| {
        if let Some(engine) = ENGINES.remove(handle) {
            task::drop_in_background(engine);
        }
    });
}
