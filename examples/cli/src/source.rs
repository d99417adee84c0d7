//! The spoken text, addressed by byte.

use std::ops::Range;

use speech_core::Request;

/// How much of a text is kept when more arrives, in bytes. More is read when everything but the
/// current sentence has been spoken or skipped, and a sentence is far shorter.
const KEPT: usize = 64 << 10;

/// A text whose end may not have arrived, and whose start may have been dropped.
pub(crate) enum Source {
    /// The text of a request, which may be an SSML document.
    Request(Request),
    /// A text of any length.
    Long { text: String, start: usize },
}

impl Source {
    /// An empty text of any length.
    pub(crate) fn long() -> Self {
        Self::Long { text: String::new(), start: 0 }
    }

    /// The end of the available text, in bytes.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Request(request) => request.text().len(),
            Self::Long { text, .. } => text.len(),
        }
    }

    /// Appends a piece, and drops old text that has been spoken or skipped.
    pub(crate) fn push(&mut self, piece: &str) {
        if let Self::Long { text, start } = self {
            let gone = text.ceil_char_boundary(text.len().saturating_sub(KEPT));
            text.drain(..gone);
            *start += gone;
            text.push_str(piece);
        }
    }

    /// The text of a span, as sent.
    pub(crate) fn text(&self, span: &Range<usize>) -> &str {
        match self {
            Self::Request(request) => request.text().get(span.clone()).unwrap_or_default(),
            Self::Long { text, start } => {
                let span = span.start.saturating_sub(*start)..span.end.saturating_sub(*start);
                text.get(span).unwrap_or_default()
            }
        }
    }

    /// The text of a span as people read it: SSML without its markup.
    pub(crate) fn shown(&self, span: &Range<usize>) -> String {
        match self {
            Self::Request(request) => request.shown(span),
            Self::Long { .. } => self.text(span).to_owned(),
        }
    }
}
