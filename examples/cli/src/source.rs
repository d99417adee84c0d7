//! The text that is spoken, by its bytes.

use std::ops::Range;

use speech_core::Request;

/// How much of a text is kept when more arrives, in bytes. It is read when all but a sentence that goes on was spoken
/// or skipped, and a sentence is far shorter.
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

    /// Adds a piece, and forgets what was spoken or skipped long before it.
    pub(crate) fn push(&mut self, piece: &str) {
        if let Self::Long { text, start } = self {
            let gone = text.ceil_char_boundary(text.len().saturating_sub(KEPT));
            text.drain(..gone);
            *start += gone;
            text.push_str(piece);
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
