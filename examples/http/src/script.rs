//! What is to be spoken, and the chunks of sound that it becomes.

use speech_core::{
    CancelToken, Chunk, Diagnostic, Engine, Error, Language, LiveStream, RequestId, Segmenter,
    Stream, ValidRequest, Voice,
};

/// What is known of a text that is to be spoken.
pub(crate) struct Script {
    pub(crate) id: RequestId,
    pub(crate) text: String,
    pub(crate) voice: Voice,
    pub(crate) language: Language,
    /// The metered quantity.
    pub(crate) characters: usize,
}

impl From<&ValidRequest> for Script {
    fn from(request: &ValidRequest) -> Self {
        Self {
            id: request.request_id(),
            text: request.text().to_owned(),
            voice: request.voice(),
            language: request.language(),
            characters: request.characters(),
        }
    }
}

/// Where its sound comes from.
pub(crate) enum Source {
    /// A text within the contract's limit.
    Request(Box<ValidRequest>),
    /// A text of any length, all of which was pushed.
    Long(Box<LiveStream>),
}

impl Source {
    /// Reads the text.
    pub(crate) fn begin(
        self,
        script: &Script,
        engine: &Engine,
        cancel: &CancelToken,
    ) -> Result<Chunks, Error> {
        Ok(match self {
            Self::Request(request) => {
                Chunks::Request(Box::new(engine.stream_with(*request, cancel)?))
            }
            Self::Long(stream) => {
                let mut segmenter = Segmenter::new();
                let decided = segmenter.push(&script.text).len();
                let left = (decided + segmenter.finish().len()).max(1);
                Chunks::Long { stream, left, ended: false }
            }
        })
    }
}

/// The sound, a chunk at a time.
pub(crate) enum Chunks {
    Request(Box<Stream>),
    Long { stream: Box<LiveStream>, left: usize, ended: bool },
}

impl Chunks {
    /// Sentences that are still to be given whole.
    pub(crate) fn sentences_left(&self) -> usize {
        match self {
            Self::Request(stream) => stream.sentences_left(),
            Self::Long { left, .. } => *left,
        }
    }

    /// Whether there is certainly no other chunk.
    pub(crate) fn ended(&self) -> bool {
        match self {
            Self::Request(stream) => stream.sentences_left() == 0,
            Self::Long { ended, .. } => *ended,
        }
    }

    /// What was not said so far.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Request(stream) => stream.diagnostics().to_vec(),
            Self::Long { stream, .. } => stream.diagnostics(),
        }
    }
}

impl Iterator for Chunks {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Request(stream) => stream.next(),
            Self::Long { stream, left, ended } => {
                let next = stream.next();
                match &next {
                    Some(Ok(chunk)) => *left = left.saturating_sub(chunk.sentences().len()),
                    _ => *ended = true,
                }
                next
            }
        }
    }
}
