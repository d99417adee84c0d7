//! Engines.

use std::ffi::c_char;

use speech_core::{Engine, LiveText, Quality, Request, Result, Stream};

use crate::audio::{AudioObject, speech_audio};
use crate::backend;
use crate::boundary::{ErrorOutput, catch_panic_or};
use crate::cancel::{speech_cancel_token, token_or_none};
use crate::error::speech_error;
use crate::getters::{create, string, value, with};
use crate::handle::{self, handle_type, lookup_optional};
use crate::log::Subscription;
use crate::options::{Options, speech_engine_options};
use crate::pointers::{Output, Text};
use crate::request::{self, QualityNumber, speech_request};
use crate::status::Status;
use crate::stream::{StreamObject, speech_stream};

/// A loaded voice bundle, ready to synthesize. Load one and share it: calls of any number of
/// threads run in parallel, and the samples do not depend on their number.
pub struct speech_engine(());
handle_type!(speech_engine, EngineObject, "engine");

/// An engine with its log.
pub(crate) struct EngineObject {
    engine: Engine,
    log: Option<Subscription>,
}

impl EngineObject {
    fn load(options: Options) -> Result<Self> {
        let log = options.log.map(Subscription::open).transpose()?;
        Ok(Self { engine: options.builder.load()?, log })
    }
}

/// Loads an engine, and reads the whole voice bundle to verify it: in 0.05 to 0.2 s on an idle
/// server that has cached the files. `options` may be NULL for the defaults.
///
/// Free it with speech_engine_free(). Fails with SPEECH_MODEL_ERROR if the bundle is missing,
/// damaged or of the wrong version (the message names the file), and with SPEECH_INVALID_REQUEST if
/// an option is out of range, or the processor does not support the kernels or the precision that
/// it names.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_load(
    options: *const speech_engine_options,
    engine: Output<'_, *mut speech_engine>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(engine, "engine", error, || {
        let options = lookup_optional(options)?;
        let options = options.map_or_else(Options::default, |options| options.options());
        EngineObject::load(options)
    })
}

/// The number of threads that compute one sentence.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_threads(engine: *const speech_engine) -> usize {
    value(engine, 0, |engine| engine.engine.threads())
}

/// Synthesizes a few words and discards them, so that the first request finds everything in memory.
/// Call it once after speech_engine_load(), if there is time: it takes about as long as a short
/// sentence. If the engine's cache has these words, it computes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_warm_up(
    engine: *const speech_engine,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(engine, error, |engine| engine.engine.warm_up())
}

/// Frees the scratch memory kept for the next request (up to about 64 MB), and empties the cache.
/// Call it when no request is expected for a while, or when the system is short of memory. The
/// voices stay loaded, and the next request is a little slower. Running requests keep the memory
/// they use.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_trim(
    engine: *const speech_engine,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(engine, error, |engine| {
        engine.engine.trim();
        Ok(())
    })
}

/// The name of the kernels (the instruction set) in use, such as "avx2" or "portable", never
/// "auto". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_kernels(engine: *const speech_engine) -> *const c_char {
    string(engine, |engine| backend::kernels(engine.engine.backend()))
}

/// The precision of the vocoder's products: "fp32", "int16" or "bf16", never "auto". The string is
/// static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_precision(engine: *const speech_engine) -> *const c_char {
    string(engine, |engine| backend::precision(engine.engine.backend()))
}

/// Whether the voice bundle has a quality for a voice in a language. SPEECH_QUALITY_AUTO stands for
/// any quality: false means that the bundle lacks the voice in this language.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown voice, language or quality.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_has_quality(
    engine: *const speech_engine,
    voice: Text<'_>,
    language: Text<'_>,
    quality: QualityNumber,
    has: Output<'_, bool>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(engine, error, |engine| {
        let has = has.required("has")?;
        let voice = voice.read("voice")?.parse()?;
        let language = language.read("language")?.parse()?;
        let quality = request::quality(quality)?;
        let mut qualities = engine.engine.qualities(voice, language).into_iter();
        has.write(qualities.any(|it| quality == Quality::Auto || it == quality));
        Ok(())
    })
}

/// Synthesizes a whole text. A text with nothing speakable in it, such as an emoji alone, gives a
/// short silence. Rejects a request for low latency, which is for streams.
///
/// `cancel` may be NULL; otherwise cancelling it, from any thread, ends the call with
/// SPEECH_CANCELLED.
///
/// `audio` receives a new object: free it with speech_audio_free(). Fails with SPEECH_EMPTY_TEXT,
/// SPEECH_TEXT_TOO_LONG, SPEECH_INVALID_REQUEST, SPEECH_CANCELLED or SPEECH_INTERNAL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_synthesize(
    engine: *const speech_engine,
    request: *const speech_request,
    cancel: *const speech_cancel_token,
    audio: Output<'_, *mut speech_audio>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(audio, "audio", error, || {
        let engine = handle::lookup(engine)?;
        let request = handle::lookup(request)?.request().cancel_token(&token_or_none(cancel)?);
        let length = request.text().len();
        Ok(AudioObject::whole(engine.engine.synthesize(request)?, length))
    })
}

/// Starts a stream of a text, from which speech_stream_next() returns one sentence at a time.
///
/// `cancel` may be NULL; otherwise cancelling it, from any thread, ends the stream with
/// SPEECH_CANCELLED.
///
/// `stream` receives a new object: free it with speech_stream_free(). It stays valid after the
/// engine or the request is freed. Fails as speech_request_validate() does, and with
/// SPEECH_INVALID_REQUEST for a quality that the voice bundle lacks. Nothing is computed yet.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_stream(
    engine: *const speech_engine,
    request: *const speech_request,
    cancel: *const speech_cancel_token,
    stream: Output<'_, *mut speech_stream>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(stream, "stream", error, || {
        let engine = handle::lookup(engine)?;
        let request = handle::lookup(request)?.request().cancel_token(&token_or_none(cancel)?);
        Ok(StreamObject::new(engine.engine.stream(request)?, None))
    })
}

/// Starts a stream of a live text, which arrives in pieces such as the tokens of a language model.
/// speech_stream_push() adds pieces, and speech_stream_next() returns chunks as soon as they are
/// computed, on another thread. The text of the request, which may be empty, is the first piece.
/// With low latency, the beginning of a sentence is spoken before the rest has arrived if no other
/// audio is left to play. The text may have any length; at most one chunk is computed ahead of the
/// last one taken.
///
/// `cancel` may be NULL; otherwise cancelling it, from any thread, ends the stream with
/// SPEECH_CANCELLED.
///
/// `stream` receives a new object: free it with speech_stream_free(). It stays valid after the
/// engine or the request is freed. Fails with SPEECH_INVALID_REQUEST for settings out of range, for
/// a quality that the voice bundle lacks, and for SSML, which must be complete.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_live(
    engine: *const speech_engine,
    request: *const speech_request,
    cancel: *const speech_cancel_token,
    stream: Output<'_, *mut speech_stream>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    live(engine, request, cancel, stream, error, Engine::live)
}

/// Starts a stream of a text of any length, one sentence at a time: as speech_engine_live(), with
/// the whole text available. Spans count bytes of the whole text, so a chunk's span end divided by
/// the text's length is the progress.
///
/// `cancel` may be NULL; it and `stream` are as for speech_engine_live(). Fails as that function
/// does, with SPEECH_EMPTY_TEXT, and with SPEECH_INVALID_REQUEST for pauses whose total exceeds
/// SPEECH_MAX_PAUSE_SECONDS for each started 1,000 characters of text.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_stream_long(
    engine: *const speech_engine,
    request: *const speech_request,
    cancel: *const speech_cancel_token,
    stream: Output<'_, *mut speech_stream>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    live(engine, request, cancel, stream, error, Engine::live_long)
}

fn live(
    engine: *const speech_engine,
    request: *const speech_request,
    cancel: *const speech_cancel_token,
    stream: Output<'_, *mut speech_stream>,
    error: ErrorOutput<'_>,
    start: fn(&Engine, Request) -> Result<(LiveText, Stream)>,
) -> Status {
    create(stream, "stream", error, || {
        let engine = handle::lookup(engine)?;
        let request = handle::lookup(request)?.request().cancel_token(&token_or_none(cancel)?);
        let (text, stream) = start(&engine.engine, request)?;
        Ok(StreamObject::new(stream, Some(text)))
    })
}

/// Frees an engine. Calls inside it on other threads finish normally, and its streams stay valid;
/// the last of them releases its memory. When this returns, its log callback is no longer called.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_free(engine: *mut speech_engine) {
    catch_panic_or((), || {
        if let Some(log) = handle::remove(engine).as_ref().and_then(|engine| engine.log.as_ref()) {
            log.close();
        }
    });
}
