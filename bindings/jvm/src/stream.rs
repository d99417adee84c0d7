//! Streams of speech: of a whole text, and of one that arrives in pieces.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};
use jni::sys::{jboolean, jdouble, jint, jlong};
use speech_core::{CancelToken, Error, ErrorKind, LiveText, Result, Utf16Offsets, check_nul};

use crate::audio;
use crate::boundary::{answer, bytes, run};
use crate::handles::Table;
use crate::task::{self, Answer};
use crate::wire::{Reader, Writer};

/// The streams that Java has.
static STREAMS: Table<Stream> = Table::new();

/// Speech by sentences.
struct Stream {
    /// None once it has ended or was closed.
    source: Mutex<Option<speech_core::Stream>>,
    /// What takes the pieces of a text that arrives in pieces.
    text: Option<LiveText>,
    /// Of the text, all that there is of it.
    offsets: Mutex<Utf16Offsets>,
    cancel: CancelToken,
}

/// Takes a stream of a whole text in, and describes it.
pub(crate) fn whole(text: &str, stream: speech_core::Stream, cancel: CancelToken) -> Writer {
    let offsets = Utf16Offsets::of(text);
    let mut writer = Writer::new();
    writer.string(&stream.request_id().to_string());
    writer.int(stream.characters());
    writer.int(stream.sentences_left().unwrap_or_default());
    audio::diagnostics(&mut writer, &offsets, &stream.diagnostics());
    let (source, offsets) = (Mutex::new(Some(stream)), Mutex::new(offsets));
    writer.long(STREAMS.insert(Stream { source, text: None, offsets, cancel }));
    writer
}

/// The same of the stream of a text, of which a part was pushed.
pub(crate) fn live(
    pushed: &str,
    text: LiveText,
    stream: speech_core::Stream,
    cancel: CancelToken,
) -> Writer {
    let mut writer = Writer::new();
    writer.string(&stream.request_id().to_string());
    let (source, offsets) = (Mutex::new(Some(stream)), Mutex::new(Utf16Offsets::of(pushed)));
    writer.long(STREAMS.insert(Stream { source, text: Some(text), offsets, cancel }));
    writer
}

impl Stream {
    /// The stream with a number.
    fn find(handle: jlong) -> Result<std::sync::Arc<Self>> {
        STREAMS.get(handle).ok_or_else(cancelled)
    }

    fn offsets(&self) -> MutexGuard<'_, Utf16Offsets> {
        self.offsets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Result<Answer> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stream) = source.as_mut() else { return Ok(audio::no_chunk()) };
        let next = stream.next();
        if !matches!(next, Some(Ok(_))) {
            *source = None;
            // Nobody will hear what is pushed from now on.
            self.cancel.cancel();
        }
        match next.transpose()? {
            Some(chunk) => Ok(audio::chunk(&self.offsets(), chunk)),
            None => Ok(audio::no_chunk()),
        }
    }

    /// Does not wait for a thread that computes a chunk: the cancellation ends it, and frees the stream then.
    fn close(&self) {
        self.cancel.cancel();
        let source = self.source.try_lock().ok().and_then(|mut source| source.take());
        if let Some(source) = source {
            task::drop_in_background(source);
        }
    }

    fn live_text(&self) -> &LiveText {
        self.text.as_ref().expect("the package asks live streams alone for their text")
    }

    fn push(&self, piece: &str) -> Result<()> {
        check_nul("piece", piece)?;
        // The lock makes a chunk wait whose text is not in the map yet.
        let mut offsets = self.offsets();
        let text = self.live_text();
        // A stream that has ended is cancelled too, but its text was finished: that is what to say then.
        if self.cancel.is_cancelled() && !text.is_finished() {
            return Err(cancelled());
        }
        text.push(piece)?;
        offsets.push(piece);
        Ok(())
    }
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "the synthesis was cancelled")
}

/// Answers with the next chunk.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_nextChunk<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    completion: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let stream = Stream::find(handle);
        task::spawn(env, &completion, move || stream?.next())?;
        Ok(Writer::new())
    })
}

/// Stops the computation soon, without waiting. What was heard can still be asked.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_closeStream<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| {
        if let Some(stream) = STREAMS.get(handle) {
            stream.close();
        }
    });
}

/// Closes it, and forgets it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_freeStream<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| {
        if let Some(stream) = STREAMS.remove(handle) {
            stream.close();
        }
    });
}

/// Adds a piece of text.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_push<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    piece: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let piece = bytes(env, &piece)?;
        Stream::find(handle)?.push(Reader::new(&piece).string())?;
        Ok(Writer::new())
    })
}

/// Has everything spoken that was pushed.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_flush<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| {
        if let Some(stream) = STREAMS.get(handle) {
            stream.live_text().flush();
        }
    });
}

/// Ends the text.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_finishText<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
) {
    run(env, |_| {
        if let Some(stream) = STREAMS.get(handle) {
            stream.live_text().finish();
        }
    });
}

/// Whether so much text waits to be spoken that whoever pushes is to wait too.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_isFull<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
) -> jboolean {
    let mut full = false;
    run(env, |_| full = STREAMS.get(handle).is_some_and(|stream| stream.live_text().is_full()));
    full
}

/// The UTF-16 offset up to which words have been said at so many seconds.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_heardAt<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
    seconds: jdouble,
) -> jint {
    let mut heard = 0;
    run(env, |_| {
        if let Some(stream) = STREAMS.get(handle) {
            let byte = stream.live_text().heard_at(seconds);
            heard = stream.offsets().offset(byte) as jint;
        }
    });
    heard
}

/// The metered quantity and the notes on how the text was read, so far.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_liveState<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owner: JObject<'local>,
    handle: jlong,
) -> JByteArray<'local> {
    answer(env, |_| {
        let stream = Stream::find(handle)?;
        let text = stream.live_text();
        let mut writer = Writer::new();
        writer.int(text.characters());
        let diagnostics = text.diagnostics();
        audio::diagnostics(&mut writer, &stream.offsets(), &diagnostics);
        Ok(writer)
    })
}
