//! The calls from Java.

use jni::Env;
use jni::objects::{JByteBuffer, JObject};
use serde::Deserialize;
use speech_core::{Error, ErrorKind, Lexicon, Result};

use crate::engine;
use crate::handles;
use crate::request::{self, RawRequest, number};
use crate::stream::{self, Kind};
use crate::tables;
use crate::text;

/// A call, with its arguments. A handle is the number of an object.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Call {
    /// Cancels an engine, a stream or a synthesis soon; does not wait for that.
    Cancel { handle: i64 },
    /// Removes an object. Calls that use it continue.
    Free { handle: i64 },

    /// Loads an engine.
    Load(engine::Options),
    /// Speaks a whole text.
    Synthesize { handle: i64, request: RawRequest },
    /// Starts to speak a text, one sentence at a time.
    Stream { handle: i64, request: RawRequest },
    /// Starts to speak a text of any length.
    StreamLong { handle: i64, request: RawRequest },
    /// Starts to speak a text that arrives in pieces. The text of the request is the first piece.
    Live { handle: i64, request: RawRequest },
    /// The quality levels that the bundle has for a voice in a language, the best first.
    Qualities { handle: i64, voice: String, language: String },
    /// Synthesizes a few words and discards them.
    WarmUp { handle: i64 },
    /// Frees the scratch memory kept for the next request.
    Trim { handle: i64 },

    /// Computes the next chunk of a stream.
    Next { handle: i64 },
    /// Adds a piece to a text that arrives in pieces.
    Push { handle: i64, piece: String },
    /// Speaks everything pushed so far, as if a sentence ended there.
    Flush { handle: i64 },
    /// Ends the text.
    Finish { handle: i64 },
    /// Whether so much text waits to be spoken that the source should pause.
    IsFull { handle: i64 },
    /// The UTF-16 offset up to which words have been heard at `seconds` from the start of the
    /// stream.
    HeardAt {
        handle: i64,
        #[serde(deserialize_with = "number")]
        seconds: f64,
    },
    /// The metered quantity and the notes on how the text was read, so far.
    StreamState { handle: i64 },

    /// Checks a request as an engine does.
    Validate { request: RawRequest },
    /// Reads a lexicon in the text format: one entry per line.
    ParseLexicon { text: String },
    /// Reads a PLS lexicon.
    ParsePls { document: String },
    /// Splits a text into parts of at most `max_characters` each.
    SplitText { text: String, max_characters: i64 },
    /// Makes a segmenter.
    NewSegmenter {},
    /// Takes a piece and returns the sentences that are now decided.
    Segment { handle: i64, piece: String },
    /// Ends the text and returns the remaining sentences.
    FinishSegmenter { handle: i64 },
    /// Makes an inspector.
    NewInspector(text::Options),
    /// The reading of a text.
    Inspect { handle: i64, text: String, language: String, ssml: bool },

    /// The number of objects that Java refers to, including running calls.
    Objects {},
    /// The version of the library.
    Version {},
    /// The list of voices, for a service's response.
    Voices {},
    /// The core's tables of errors.
    Errors {},
    /// The catalog of a deployment that can run these attention contexts.
    Tiers { contexts: Vec<[u32; 2]> },
    /// The tier with this name, if the deployment can run it.
    ResolveTier { contexts: Vec<[u32; 2]>, tier: String },
    /// The available tiers, the most suitable for a use case first.
    RankTiers { contexts: Vec<[u32; 2]>, use_case: String },
    /// The price of a duration, in millionths of a US dollar.
    Charge { tier: String, seconds: i64, nanoseconds: i64 },
    /// The price of a number of samples at a sample rate in hertz, in millionths of a US dollar.
    ChargeSamples { tier: String, samples: i64, sample_rate: i64 },
}

/// Makes a call, and returns an object.
pub(crate) fn run(
    env: &mut Env<'_>,
    call: &[u8],
    memory: JByteBuffer<'_>,
    completion: &JObject<'_>,
) -> Result<Vec<u8>> {
    // The parser's error may quote the text, which must not appear in a message.
    let differ = |_| {
        let message = "the classes and the native library are not of one version";
        Error::new(ErrorKind::Internal, message)
    };
    match serde_json::from_slice(call).map_err(differ)? {
        Call::Cancel { handle } => Ok(handles::cancel(handle)),
        Call::Free { handle } => Ok(handles::free(handle)),
        Call::Load(options) => engine::load(env, completion, options, memory),
        Call::Synthesize { handle, request } => {
            engine::synthesize(env, completion, handle, request)
        }
        Call::Stream { handle, request } => engine::stream(handle, &request, Kind::Whole),
        Call::StreamLong { handle, request } => engine::stream(handle, &request, Kind::Long),
        Call::Live { handle, request } => engine::stream(handle, &request, Kind::Live),
        Call::Qualities { handle, voice, language } => engine::qualities(handle, &voice, &language),
        Call::WarmUp { handle } => engine::warm_up(env, completion, handle),
        Call::Trim { handle } => engine::trim(handle),
        Call::Next { handle } => stream::next(env, completion, handle),
        Call::Push { handle, piece } => stream::push(handle, &piece),
        Call::Flush { handle } => stream::flush(handle),
        Call::Finish { handle } => stream::finish(handle),
        Call::IsFull { handle } => stream::is_full(handle),
        Call::HeardAt { handle, seconds } => stream::heard_at(handle, seconds),
        Call::StreamState { handle } => stream::state(handle),
        Call::Validate { request } => request::validate(&request),
        Call::ParseLexicon { text } => Lexicon::parse(&text).map(text::lexicon),
        Call::ParsePls { document } => Lexicon::from_pls(&document).map(text::lexicon),
        Call::SplitText { text, max_characters } => text::split(&text, max_characters),
        Call::NewSegmenter {} => Ok(text::new_segmenter()),
        Call::Segment { handle, piece } => text::segment(handle, &piece),
        Call::FinishSegmenter { handle } => Ok(text::finish_segmenter(handle)),
        Call::NewInspector(options) => text::new_inspector(options),
        Call::Inspect { handle, text, language, ssml } => {
            text::inspect(handle, &text, &language, ssml)
        }
        Call::Objects {} => Ok(handles::count()),
        Call::Version {} => Ok(tables::version()),
        Call::Voices {} => Ok(tables::voices()),
        Call::Errors {} => Ok(tables::errors()),
        Call::Tiers { contexts } => Ok(tables::tiers(contexts)),
        Call::ResolveTier { contexts, tier } => tables::resolve_tier(contexts, &tier),
        Call::RankTiers { contexts, use_case } => tables::rank_tiers(contexts, &use_case),
        Call::Charge { tier, seconds, nanoseconds } => tables::charge(&tier, seconds, nanoseconds),
        Call::ChargeSamples { tier, samples, sample_rate } => {
            tables::charge_samples(&tier, samples, sample_rate)
        }
    }
}
