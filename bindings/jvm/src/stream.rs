//! Streams of speech: of a whole text, of a long text, and of a text that arrives in pieces.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JObject;
use serde_json::json;
use speech_bindings::{Chunks, drop_in_background, notes};
use speech_core::{CancelToken, Diagnostic, Error, LiveText, Result, Utf16Offsets, check_nul};

use crate::audio;
use crate::handles::{self, Object};
use crate::request::RawRequest;
use crate::task::{self, Answer, nothing};
use crate::wire::encode;

/// The text of a stream: a whole one, one of any length, or one that arrives in pieces.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Whole,
    Long,
    Live,
}

/// The state of the text.
enum Text {
    Whole { characters: usize, diagnostics: Vec<Diagnostic> },
    Live(LiveText),
}

/// Speech, one sentence at a time.
pub(crate) struct Stream {
    chunks: Chunks,
    text: Text,
    /// Converts byte offsets to UTF-16 offsets, in all text so far.
    offsets: Mutex<Utf16Offsets>,
}

/// Starts to speak a text with a cancellation token, and returns a description of the stream.
pub(crate) fn start(
    engine: &speech_core::Engine,
    request: &RawRequest,
    kind: Kind,
    cancel: &CancelToken,
) -> Result<Vec<u8>> {
    let parsed = request.parse()?.cancel_token(cancel);
    let (text, source) = match kind {
        Kind::Whole => {
            let stream = engine.stream(parsed)?;
            let (characters, diagnostics) = (stream.characters(), stream.diagnostics());
            (Text::Whole { characters, diagnostics }, stream)
        }
        Kind::Long => live(engine.live_long(parsed)?),
        Kind::Live => live(engine.live(parsed)?),
    };
    let mut answer = json!({
        "request_id": source.request_id().to_string(),
        "sample_rate": source.sample_rate(),
        "encoding": source.encoding().as_str(),
    });
    let stream = Stream {
        text,
        offsets: Mutex::new(Utf16Offsets::of(request.text())),
        chunks: Chunks::new(source),
    };
    answer["handle"] = handles::insert(stream).into();
    Ok(encode(&answer))
}

fn live((text, stream): (LiveText, speech_core::Stream)) -> (Text, speech_core::Stream) {
    (Text::Live(text), stream)
}

/// The stream with a handle; an error if it was closed.
fn find(handle: i64) -> Result<Arc<Stream>> {
    handles::find(handle).ok_or_else(Error::cancelled)
}

impl Object for Stream {
    /// Does not wait for a thread that computes a chunk: that thread sees the cancellation, stops,
    /// and frees the stream.
    fn cancel(&self) {
        if let Some(stream) = self.chunks.close() {
            drop_in_background(stream);
        }
    }
}

impl Stream {
    fn offsets(&self) -> MutexGuard<'_, Utf16Offsets> {
        self.offsets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next chunk as a result for Java; an empty result after the last chunk.
    fn next(&self) -> Result<Answer> {
        Ok(match self.chunks.next()? {
            Some(chunk) => audio::chunk(&self.offsets(), chunk),
            None => nothing().into(),
        })
    }

    /// Receives the pieces of a text that arrives in pieces.
    fn live_text(&self) -> &LiveText {
        match &self.text {
            Text::Live(text) => text,
            Text::Whole { .. } => panic!("the package asks live streams alone for their text"),
        }
    }

    /// Adds a piece of text.
    fn push(&self, piece: &str) -> Result<()> {
        check_nul("piece", piece)?;
        // Held across the push: a chunk of this text waits until the text is in the map.
        let mut offsets = self.offsets();
        let text = self.live_text();
        text.push(piece)?;
        offsets.push(piece);
        Ok(())
    }
}

/// Computes the next chunk and passes it to the completion.
pub(crate) fn next(env: &mut Env<'_>, completion: &JObject<'_>, handle: i64) -> Result<Vec<u8>> {
    let stream = find(handle)?;
    task::spawn(env, completion, move || stream.next())?;
    Ok(nothing())
}

pub(crate) fn push(handle: i64, piece: &str) -> Result<Vec<u8>> {
    find(handle)?.push(piece)?;
    Ok(nothing())
}

pub(crate) fn flush(handle: i64) -> Result<Vec<u8>> {
    find(handle)?.live_text().flush();
    Ok(nothing())
}

pub(crate) fn finish(handle: i64) -> Result<Vec<u8>> {
    find(handle)?.live_text().finish();
    Ok(nothing())
}

pub(crate) fn is_full(handle: i64) -> Result<Vec<u8>> {
    Ok(encode(&json!({ "is_full": find(handle)?.live_text().is_full() })))
}

pub(crate) fn heard_at(handle: i64, seconds: f64) -> Result<Vec<u8>> {
    let stream = find(handle)?;
    let byte = stream.live_text().heard_at(seconds);
    let offset = stream.offsets().offset(byte);
    Ok(encode(&json!({ "offset": offset })))
}

pub(crate) fn state(handle: i64) -> Result<Vec<u8>> {
    let stream = find(handle)?;
    let (characters, diagnostics) = match &stream.text {
        Text::Whole { characters, diagnostics } => (*characters, diagnostics.clone()),
        Text::Live(text) => (text.characters(), text.diagnostics()),
    };
    let diagnostics = notes(&stream.offsets(), &diagnostics);
    Ok(encode(&json!({ "characters": characters, "diagnostics": diagnostics })))
}
