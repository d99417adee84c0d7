//! The text that is spoken, by its bytes.

use std::ops::Range;

use speech_core::Request;

/// How much of a text is kept before what is spoken, in bytes: a sentence is timed at its end, and is shorter.
const KEPT: usize = 64 << 10;

/// A text, of which the end may still arrive and the start may be gone.
pub(crate) enum Source {
    /// That of a request, which may be a document of SSML.
    Request(Request),
    /// A text of any length.
    Long { text: String, start: usize },
}

impl Source {
    /// A text of any length, nothing of which has arrived.
    pub(crate) fn long() -> Self {
        Self::Long { text: String::new(), start: 0 }
    }

    /// The bytes that are there.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Request(request) => request.text().len(),
            Self::Long { text, .. } => text.len(),
        }
    }

    /// Adds a piece.
    pub(crate) fn push(&mut self, piece: &str) {
        if let Self::Long { text, .. } = self {
            text.push_str(piece);
        }
    }

    /// Forgets what was spoken before a byte.
    pub(crate) fn forget_before(&mut self, byte: usize) {
        if let Self::Long { text, start } = self
            && byte.saturating_sub(*start) > 2 * KEPT
        {
            let gone = text.ceil_char_boundary(byte - KEPT - *start);
            text.drain(..gone);
            *start += gone;
        }
    }

    /// The text of a span, as it was sent.
    pub(crate) fn text(&self, span: &Range<usize>) -> &str {
        match self {
            Self::Request(request) => request.text().get(span.clone()).unwrap_or_default(),
            Self::Long { text, start } => {
                let span = span.start.saturating_sub(*start)..span.end.saturating_sub(*start);
                text.get(span).unwrap_or_default()
            }
        }
    }

    /// The text of a span, as people read it: that of SSML without its markup.
    pub(crate) fn shown(&self, span: &Range<usize>) -> String {
        match self {
            Self::Request(request) => request.shown(span),
            Self::Long { .. } => self.text(span).to_owned(),
        }
    }
}
