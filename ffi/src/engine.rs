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

/// A loaded voice bundle, ready to synthesize. Load one and share it: the calls of any number of threads run in
/// parallel, and the samples do not depend on how many there are.
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

/// Loads an engine, which takes about a second, and reads the whole voice bundle to verify it. `options` may
/// be NULL: then all are at their defaults.
///
/// Free it with speech_engine_free(). Fails with SPEECH_MODEL_ERROR if the bundle is missing,
/// damaged or of the wrong version (the message names the file), and with SPEECH_INVALID_REQUEST if an option
/// is out of range, or the processor cannot compute with the kernels or the precision that it names.
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

/// Synthesizes a few words and discards them, so that the first request finds everything in memory: call it once
/// after speech_engine_load(), where there is time. It takes about as long as a short sentence. An engine with a cache
/// that has these words computes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_warm_up(
    engine: *const speech_engine,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(engine, error, |engine| engine.engine.warm_up())
}

/// Returns the working memory to the system that the engine keeps for the next request, up to some 64 MB, and empties its cache:
/// call it when nothing is going to be said for a while, or when the system is short of memory. The voices stay loaded, and the
/// next request is a little slower. Requests that run keep what they use.
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

/// The name of the kernels (the instruction set) that compute speech, such as "avx2" or "portable": never "auto". The
/// string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_kernels(engine: *const speech_engine) -> *const c_char {
    string(engine, |engine| backend::kernels(engine.engine.backend()))
}

/// The precision of the products of the vocoder: "fp32", "int16" or "bf16", never "auto". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_precision(engine: *const speech_engine) -> *const c_char {
    string(engine, |engine| backend::precision(engine.engine.backend()))
}

/// Whether the voice bundle has a quality for a voice in a language. SPEECH_QUALITY_AUTO stands for any: false if the
/// bundle does not have the voice in this language.
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

/// Synthesizes a whole text. A text with nothing in it that can be said, such as an emoji alone, gives a short
/// silence. A request for low latency is refused: that is for streams.
///
/// `cancel` may be NULL; else cancelling it, from any thread, ends the call with SPEECH_CANCELLED.
///
/// `audio` receives a new object: free it with speech_audio_free(). Fails with
/// SPEECH_EMPTY_TEXT, SPEECH_TEXT_TOO_LONG, SPEECH_INVALID_REQUEST, SPEECH_CANCELLED or SPEECH_INTERNAL.
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

/// Starts to synthesize a text, a sentence at a time, which speech_stream_next() gives.
///
/// `cancel` may be NULL; else cancelling it, from any thread, ends the stream with SPEECH_CANCELLED.
///
/// `stream` receives a new object: free it with speech_stream_free(). It stays valid if the engine or
/// the request is freed. Fails as speech_request_validate() does, and with SPEECH_INVALID_REQUEST for a quality that
/// the voice bundle does not have; nothing is computed yet.
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

/// Starts to synthesize a text that arrives in pieces, such as the tokens of a language model: speech_stream_push() adds
/// them, and speech_stream_next() gives chunks as soon as they are computed, on another thread. The text of the request,
/// which may be empty, is the first piece. With low latency the beginning of a sentence may be spoken before the rest of it
/// has arrived, if nothing else is left to be heard. A text of any length may be pushed; one chunk is computed ahead of the
/// one that was taken last, and no more.
///
/// `cancel` may be NULL; else cancelling it, from any thread, ends the stream with SPEECH_CANCELLED.
///
/// `stream` receives a new object: free it with speech_stream_free(). It stays valid if the engine or
/// the request is freed. Fails with SPEECH_INVALID_REQUEST for settings out of range, for a
/// quality that the voice bundle does not have, and for SSML, which is read as a whole.
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

/// Starts to synthesize a text of any length, a sentence at a time, as speech_engine_live() with all of its text there.
/// The spans are those of the whole text: the end of a chunk's span over the length of the text is the progress.
///
/// `cancel` may be NULL; it and `stream` are as for speech_engine_live(). Fails as that does, with SPEECH_EMPTY_TEXT, and
/// with SPEECH_INVALID_REQUEST for pauses that are together longer than SPEECH_MAX_PAUSE_SECONDS for each 1,000 characters
/// that the text begins.
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

/// Frees an engine. Calls that are inside it on other threads finish as if it were not freed, and its streams
/// stay valid; its memory is released with the last of them. Its log callback is not called any more
/// when this returns.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_free(engine: *mut speech_engine) {
    catch_panic_or((), || {
        if let Some(log) = handle::remove(engine).as_ref().and_then(|engine| engine.log.as_ref()) {
            log.close();
        }
    });
}
