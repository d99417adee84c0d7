//! The engine and its streams.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};
use speech_bindings::{ChunkFields, SpeechFields, notes};
use speech_core::{
    CancelToken, Chunk, Collector, Engine, Error, ErrorKind, Lexicon, LiveText, Request, Result,
    Step, Stream, Utf16Offsets,
};

use crate::Allocated;
use crate::answer::to_json;
use crate::host;
use crate::request::RawRequest;

/// The options of the engine.
#[derive(Deserialize)]
pub(crate) struct Options {
    /// The address and length of the bytes of the voice bundle, allocated by `speech_allocate`.
    bundle: [usize; 2],
    threads: usize,
    kernels: String,
    /// Words and their readings.
    pronunciations: Vec<(String, String)>,
    /// The size of the cache of sentence audio, in bytes.
    cache: usize,
}

/// The state of the instance.
#[derive(Default)]
pub(crate) struct State {
    engine: Option<Engine>,
    streams: BTreeMap<u32, Spoken>,
    lexicons: BTreeMap<u32, Arc<Lexicon>>,
}

/// A request in progress.
struct Spoken {
    kind: Kind,
    /// The offsets of all text so far.
    offsets: Utf16Offsets,
    began: Instant,
}

enum Kind {
    Whole(Collector),
    Stream(Stream),
    Live(LiveText, Stream),
}

impl State {
    pub(crate) fn engine(&self) -> Result<&Engine> {
        self.engine.as_ref().ok_or_else(|| Error::new(ErrorKind::Internal, "no engine is loaded"))
    }

    /// Loads the engine.
    pub(crate) fn load(&mut self, options: Options, allocated: &mut Allocated) -> Result<Value> {
        let [place, length] = options.bundle;
        let builder = Engine::builder()
            .bundle_memory(allocated.take(place, length)?)
            .threads(options.threads)
            .kernels(options.kernels.parse()?)
            .cache(options.cache)
            .pronunciations(options.pronunciations)?;
        let engine = builder.load()?;
        let backend = engine.backend();
        let value = json!({
            "threads": engine.threads(),
            "kernels": backend.kernels.as_str(),
            "precision": backend.precision.as_str(),
        });
        self.engine = Some(engine);
        Ok(value)
    }

    /// Starts to speak a whole text.
    pub(crate) fn synthesize(&mut self, number: u32, request: &RawRequest) -> Result<Value> {
        let collector = self.engine()?.collect(self.request(number, request)?)?;
        self.begin(number, Utf16Offsets::of(&request.text), Kind::Whole(collector));
        Ok(Value::Null)
    }

    /// Starts to speak a text, one sentence at a time.
    pub(crate) fn stream(&mut self, number: u32, request: &RawRequest) -> Result<Value> {
        let stream = self.engine()?.stream(self.request(number, request)?)?;
        let offsets = Utf16Offsets::of(&request.text);
        let value = json!({
            "sentences": stream.sentences_left(),
            "isFull": false,
            "diagnostics": notes(&offsets, &stream.diagnostics()),
        });
        self.begin(number, offsets, Kind::Stream(stream));
        Ok(value)
    }

    /// Starts to speak a text that arrives in pieces.
    pub(crate) fn live(
        &mut self,
        number: u32,
        request: &RawRequest,
        start: fn(&Engine, Request) -> Result<(LiveText, Stream)>,
    ) -> Result<Value> {
        let (text, stream) = start(self.engine()?, self.request(number, request)?)?;
        let offsets = Utf16Offsets::of(&request.text);
        let value = described(&text, &stream, &offsets);
        self.begin(number, offsets, Kind::Live(text, stream));
        Ok(value)
    }

    /// Converts to the core's request, which is cancelled with its stream.
    fn request(&self, number: u32, request: &RawRequest) -> Result<Request> {
        Ok(request.parse(&self.lexicons)?.cancel_token(&cancel(number)))
    }

    fn begin(&mut self, number: u32, offsets: Utf16Offsets, kind: Kind) {
        self.streams.insert(number, Spoken { kind, offsets, began: Instant::now() });
    }

    /// Computes the next sentence of a stream. A stream that has ended or failed is freed.
    pub(crate) fn step(&mut self, number: u32) -> Result<Value> {
        let spoken = self.spoken(number)?;
        let step = spoken.step(number);
        let value = step.as_ref().map_or(Value::Null, |step| spoken.described(*step));
        if !matches!(step, Ok(Step::Ready | Step::Waiting)) {
            self.streams.remove(&number);
        }
        step.map(|_| value)
    }

    /// Adds a piece of text. Returns whether so much text waits to be spoken that the source should
    /// pause.
    pub(crate) fn push(&mut self, number: u32, piece: &str) -> Result<bool> {
        let text = self.text(number)?;
        text.push(piece)?;
        self.spoken(number)?.offsets.push(piece);
        Ok(text.is_full())
    }

    /// The text of a live stream.
    pub(crate) fn text(&mut self, number: u32) -> Result<LiveText> {
        match &self.spoken(number)?.kind {
            Kind::Live(text, _) => Ok(text.clone()),
            _ => Err(Error::new(ErrorKind::Internal, "the stream has no text of its own")),
        }
    }

    /// Keeps a lexicon for requests, and returns the number of its entries.
    pub(crate) fn keep(&mut self, number: u32, lexicon: Lexicon) -> Result<Value> {
        let size = lexicon.len();
        self.lexicons.insert(number, Arc::new(lexicon));
        Ok(size.into())
    }

    pub(crate) fn free(&mut self, number: u32) {
        self.lexicons.remove(&number);
    }

    pub(crate) fn close(&mut self, number: u32) {
        self.streams.remove(&number);
    }

    fn spoken(&mut self, number: u32) -> Result<&mut Spoken> {
        self.streams.get_mut(&number).ok_or_else(Error::cancelled)
    }
}

impl Spoken {
    /// Computes the next sentence, and passes its chunks to the worker.
    fn step(&mut self, number: u32) -> Result<Step> {
        let Self { kind, offsets, began } = self;
        let give = |chunk: Chunk| {
            let fields = to_json(&ChunkFields::new(offsets, &chunk));
            host::give_chunk(number, fields, chunk.into_samples());
        };
        match kind {
            Kind::Stream(stream) | Kind::Live(_, stream) => stream.step(give),
            Kind::Whole(collector) => {
                let Some(speech) = collector.step()? else { return Ok(Step::Ready) };
                let fields = to_json(&SpeechFields::new(offsets, &speech, began.elapsed()));
                host::give_chunk(number, fields, speech.into_samples());
                Ok(Step::Ended)
            }
        }
    }

    /// The progress of the stream, and the state of a live text.
    fn described(&self, step: Step) -> Value {
        let step = match step {
            Step::Ready => "ready",
            Step::Waiting => "waiting",
            Step::Ended => "ended",
        };
        match &self.kind {
            Kind::Live(text, stream) => {
                json!({ "step": step, "live": described(text, stream, &self.offsets) })
            }
            _ => json!({ "step": step }),
        }
    }
}

/// The state of a live stream.
fn described(text: &LiveText, stream: &Stream, offsets: &Utf16Offsets) -> Value {
    json!({
        "sentences": 0,
        "isFull": text.is_full(),
        "diagnostics": notes(offsets, &stream.diagnostics()),
    })
}

/// The token that cancels a stream.
fn cancel(number: u32) -> CancelToken {
    CancelToken::polling(move || host::cancelled(number))
}
