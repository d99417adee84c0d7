//! A text to speak, and the chunks of its speech.

use speech_core::{
    CancelToken, Chunk, Diagnostic, Encoding, Engine, Error, Language, Request, RequestId,
    Segmenter, Stream, ValidRequest, Voice,
};

/// The known facts of a text to speak.
pub(crate) struct Script {
    pub(crate) id: RequestId,
    pub(crate) text: String,
    pub(crate) voice: Voice,
    pub(crate) language: Language,
    /// The metered quantity.
    pub(crate) characters: usize,
    /// The names and versions of the lexicons, for the record.
    pub(crate) lexicons: Option<String>,
}

impl Script {
    pub(crate) fn new(request: &ValidRequest, lexicons: Option<String>) -> Self {
        Self {
            id: request.request_id(),
            text: request.text().to_owned(),
            voice: request.voice(),
            language: request.language(),
            characters: request.characters(),
            lexicons,
        }
    }
}

/// The source of the speech.
pub(crate) enum Source {
    /// A text within the contract's limit.
    Request(Box<ValidRequest>),
    /// A text of any length.
    Long(Box<Stream>),
}

impl Source {
    /// Begins to read the text.
    pub(crate) fn begin(
        self,
        script: &Script,
        engine: &Engine,
        cancel: &CancelToken,
    ) -> Result<Chunks, Error> {
        let stream = match self {
            Self::Request(request) => {
                engine.stream(Request::from(*request).cancel_token(cancel))?
            }
            Self::Long(stream) => *stream,
        };
        let left = stream.sentences_left().unwrap_or_else(|| {
            let mut segmenter = Segmenter::new();
            let decided = segmenter.push(&script.text).len();
            (decided + segmenter.finish().len()).max(1)
        });
        Ok(Chunks { stream, left, ended: false })
    }
}

/// The speech, chunk by chunk.
pub(crate) struct Chunks {
    stream: Stream,
    left: usize,
    ended: bool,
}

impl Chunks {
    /// The number of sentences that are not complete.
    pub(crate) fn sentences_left(&self) -> usize {
        self.left
    }

    pub(crate) fn sample_rate(&self) -> u32 {
        self.stream.sample_rate()
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.stream.encoding()
    }

    /// Whether no other chunk follows for certain.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The skipped places so far.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.stream.diagnostics()
    }
}

impl Iterator for Chunks {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.stream.next();
        match (&next, self.stream.sentences_left()) {
            (Some(Ok(_)), Some(left)) => (self.left, self.ended) = (left, left == 0),
            (Some(Ok(chunk)), None) => {
                self.left = self.left.saturating_sub(chunk.sentences().len());
            }
            _ => self.ended = true,
        }
        next
    }
}
