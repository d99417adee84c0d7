//! A passage: plain text that one voice reads in one language.

use std::ops::Range;

use speech_base::language::Language;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::voice::Voice;

use crate::normalize::{MarkedReading, Options};
use crate::segment::Boundary;

/// Plain text that one voice reads in one language, with what the markup says of its parts. Positions are bytes of the plain
/// text.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Without markup.
    pub text: String,
    /// Where the text comes from in what was sent.
    pub source: SourceMap,
    /// The voice that reads it.
    pub voice: Voice,
    /// The language that it is read in.
    pub language: Language,
    /// The settings of the text that `settings` does not name.
    pub base: ProsodySettings,
    /// The settings of parts, in order; they do not overlap.
    pub settings: Vec<(Range<usize>, ProsodySettings)>,
    /// Pauses and bookmarks, each before the character at its position, in order.
    pub inline: Vec<(usize, Inline)>,
    /// How parts are to be read, in order. They do not overlap, but for those within a part in another language.
    pub(crate) readings: Vec<MarkedReading>,
    /// Whether `[word](/ipa/)` in it is a pronunciation.
    pub(crate) reads_inline: bool,
    /// Whether it is one sentence; else its sentences are found.
    pub(crate) is_sentence: bool,
    /// What ends with it.
    pub(crate) boundary: Boundary,
}

/// What stands between characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// A pause of so many milliseconds, in place of the one that would be made there.
    Pause(u32),
    /// A name whose time the caller wants to know.
    Bookmark(String),
}

impl Inline {
    /// The milliseconds of a pause; none if it is another thing.
    pub fn pause(&self) -> Option<u32> {
        match self {
            Self::Pause(milliseconds) => Some(*milliseconds),
            Self::Bookmark(_) => None,
        }
    }
}

impl Passage {
    /// A text without markup.
    pub fn plain(
        text: impl Into<String>,
        voice: Voice,
        language: Language,
        base: ProsodySettings,
    ) -> Self {
        Self {
            text: text.into(),
            source: SourceMap::default(),
            voice,
            language,
            base,
            settings: Vec::new(),
            inline: Vec::new(),
            readings: Vec::new(),
            reads_inline: true,
            is_sentence: false,
            boundary: Boundary::Paragraph,
        }
    }

    /// The options of a request, for this passage of it.
    pub fn options<'a>(&'a self, options: Options<'a>) -> Options<'a> {
        let Self { language, reads_inline: read_inline, readings, .. } = self;
        Options { language: *language, read_inline: *read_inline, marked: readings, ..options }
    }

    /// The same as one sentence that begins at a byte of what was sent.
    pub fn sentence_at(mut self, start: usize, boundary: Boundary) -> Self {
        (self.is_sentence, self.boundary) = (true, boundary);
        self.source = self.source.later_by(start, self.text.len());
        self
    }

    /// The settings of the character at a position.
    pub fn settings_at(&self, at: usize) -> ProsodySettings {
        let part = self.settings.iter().find(|(range, _)| range.contains(&at));
        part.map_or(self.base, |(_, settings)| *settings)
    }
}

/// Where each byte of a passage comes from. Without pieces, a passage is what was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap(Vec<Piece>);

/// Bytes of a passage that come from one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The bytes of the passage, which begin where those of the piece before it end.
    pub plain: Range<usize>,
    /// The bytes of what was sent.
    pub source: Range<usize>,
    /// Whether the bytes are the same; else all of them stand for all of the source, as `&` for `&amp;`.
    pub(crate) is_literal: bool,
}

impl SourceMap {
    pub(crate) fn new(pieces: Vec<Piece>) -> Self {
        debug_assert!(pieces.is_sorted_by(|a, b| a.plain.end == b.plain.start));
        debug_assert!(pieces.iter().all(|p| !p.is_literal || p.plain.len() == p.source.len()));
        Self(pieces)
    }

    /// The bytes of what was sent that some bytes of the passage come from.
    pub fn source(&self, plain: &Range<usize>) -> Range<usize> {
        let Some(start) = self.piece(|piece| piece.plain.end <= plain.start) else {
            return plain.clone();
        };
        let end = self.piece(|piece| piece.plain.end < plain.end).unwrap_or(start);
        let first =
            if start.is_literal { plain.start.saturating_sub(start.plain.start) } else { 0 };
        let last = if end.is_literal {
            end.plain.end - plain.end.clamp(end.plain.start, end.plain.end)
        } else {
            0
        };
        let start = start.source.start + first;
        start..(end.source.end - last).max(start)
    }

    /// The map of a passage of some bytes whose source begins so many bytes later.
    fn later_by(mut self, bytes: usize, length: usize) -> Self {
        if self.0.is_empty() {
            let (plain, source) = (0..length, 0..length);
            self.0.push(Piece { plain, source, is_literal: true });
        }
        for piece in &mut self.0 {
            piece.source = piece.source.start + bytes..piece.source.end + bytes;
        }
        self
    }

    /// The first piece that is not before a place, else the last.
    fn piece(&self, is_before: impl Fn(&Piece) -> bool) -> Option<&Piece> {
        self.0.get(self.0.partition_point(is_before)).or(self.0.last())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_point_into_what_was_sent() {
        // `a <b>cd</b> &amp; e` as `a cd & e`
        let piece = |plain: Range<usize>, source: Range<usize>| {
            let is_literal = plain.len() == source.len();
            Piece { plain, source, is_literal }
        };
        let map = SourceMap::new(vec![
            piece(0..2, 0..2),
            piece(2..4, 5..7),
            piece(4..5, 11..12),
            piece(5..6, 12..17),
            piece(6..8, 17..19),
        ]);
        let rows = [
            (0..1, 0..1),
            (2..4, 5..7),
            (3..4, 6..7),
            (5..6, 12..17),
            (2..8, 5..19),
            (7..8, 18..19),
            (4..6, 11..17),
        ];
        for (plain, source) in rows {
            assert_eq!(map.source(&plain), source, "{plain:?}");
        }
        assert_eq!(SourceMap::default().source(&(3..9)), 3..9);
    }
}
