//! The calls of the worker.

use serde::Deserialize;
use serde_json::{Value, json};
use speech_core::{Error, ErrorKind, Lexicon, Quality, Result};

use crate::Allocated;
use crate::engine::{Options, State};
use crate::request::RawRequest;

/// A call. The page chooses the numbers of streams and lexicons.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "camelCase")]
enum Call {
    /// Loads the engine.
    Load { options: Options },
    /// Starts to speak a whole text, as one chunk.
    Synthesize { stream: u32, request: RawRequest },
    /// Starts to speak a text, one sentence at a time.
    Stream { stream: u32, request: RawRequest },
    /// Starts to speak a text that arrives in pieces. The text of the request is the first piece.
    Live { stream: u32, request: RawRequest },
    /// Starts to speak a text of any length.
    StreamLong { stream: u32, request: RawRequest },
    /// Computes the next sentence of a stream.
    Step { stream: u32 },
    /// Adds a piece to a text that arrives in pieces.
    Push { stream: u32, piece: String },
    /// Speaks everything pushed so far, as if a sentence ended there.
    Flush { stream: u32 },
    /// Ends the text.
    Finish { stream: u32 },
    /// Frees a stream.
    Close { stream: u32 },
    /// The quality levels that the bundle has for a voice in a language, the best first.
    Qualities { voice: String, language: String },
    /// Synthesizes a few words and discards them.
    WarmUp,
    /// Reads a lexicon in the text format: one entry per line.
    ParseLexicon { lexicon: u32, text: String },
    /// Reads a PLS lexicon.
    ParsePls { lexicon: u32, text: String },
    /// Frees a lexicon.
    Free { lexicon: u32 },
    /// Splits a text into parts of at most `max_characters` each.
    SplitText {
        text: String,
        #[serde(rename = "maxCharacters")]
        max_characters: usize,
    },
}

/// Makes a call.
pub(crate) fn run(state: &mut State, call: &[u8], allocated: &mut Allocated) -> Result<Value> {
    let differ =
        |_| Error::new(ErrorKind::Internal, "the package and its module are not of one version");
    match serde_json::from_slice(call).map_err(differ)? {
        Call::Load { options } => state.load(options, allocated),
        Call::Synthesize { stream, request } => state.synthesize(stream, &request),
        Call::Stream { stream, request } => state.stream(stream, &request),
        Call::Live { stream, request } => state.live(stream, &request, speech_core::Engine::live),
        Call::StreamLong { stream, request } => {
            state.live(stream, &request, speech_core::Engine::live_long)
        }
        Call::Step { stream } => state.step(stream),
        Call::Push { stream, piece } => state.push(stream, &piece).map(Value::Bool),
        Call::Flush { stream } => {
            state.text(stream)?.flush();
            Ok(Value::Null)
        }
        Call::Finish { stream } => {
            state.text(stream)?.finish();
            Ok(Value::Null)
        }
        Call::Close { stream } => {
            state.close(stream);
            Ok(Value::Null)
        }
        Call::Qualities { voice, language } => {
            let qualities = state.engine()?.qualities(voice.parse()?, language.parse()?);
            Ok(qualities.into_iter().map(Quality::as_str).collect())
        }
        Call::WarmUp => state.engine()?.warm_up().map(|()| Value::Null),
        Call::ParseLexicon { lexicon, text } => state.keep(lexicon, Lexicon::parse(&text)?),
        Call::ParsePls { lexicon, text } => state.keep(lexicon, Lexicon::from_pls(&text)?),
        Call::Free { lexicon } => {
            state.free(lexicon);
            Ok(Value::Null)
        }
        Call::SplitText { text, max_characters } => {
            speech_core::check_nul("text", &text)?;
            Ok(json!(speech_core::split_text(&text, max_characters)))
        }
    }
}
