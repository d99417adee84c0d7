//! A passage: plain text in one language and one voice.

use std::ops::Range;

use speech_base::language::Language;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::voice::Voice;

use crate::normalize::{MarkedReading, Options};
use crate::segment::Boundary;

/// Plain text in one language and voice, with its markup. Positions are bytes of the plain text.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The text without markup.
    pub text: String,
    /// The source map to the request's text.
    pub source: SourceMap,
    /// The voice that speaks it.
    pub voice: Voice,
    /// Its language.
    pub language: Language,
    /// The settings of text outside `settings`.
    pub base: ProsodySettings,
    /// The settings of ranges, in order and without overlap.
    pub settings: Vec<(Range<usize>, ProsodySettings)>,
    /// Pauses and bookmarks in order, each before the character at its position.
    pub inline: Vec<(usize, Inline)>,
    /// Readings of ranges, in order. They overlap only inside a range in another language.
    pub(crate) readings: Vec<MarkedReading>,
    /// Whether `[word](/ipa/)` is a pronunciation.
    pub(crate) reads_inline: bool,
    /// Whether it is one sentence. If not, the segmenter cuts it.
    pub(crate) is_sentence: bool,
    /// The boundary at its end.
    pub(crate) boundary: Boundary,
}

/// Markup between two characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// A pause in milliseconds that replaces the default pause.
    Pause(u32),
    /// A name for which the caller wants a timestamp.
    Bookmark(String),
}

impl Inline {
    /// The milliseconds of a pause; `None` for a bookmark.
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

    /// The request's options, adapted to this passage.
    pub fn options<'a>(&'a self, options: Options<'a>) -> Options<'a> {
        let Self { language, reads_inline: read_inline, readings, .. } = self;
        Options { language: *language, read_inline: *read_inline, marked: readings, ..options }
    }

    /// The passage as one sentence that begins at a byte of the request's text.
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

/// Maps bytes of a passage to bytes of the request's text. Without pieces, the two texts are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap(Vec<Piece>);

/// A range of the passage with one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Bytes of the passage. They begin where the previous piece ends.
    pub plain: Range<usize>,
    /// Bytes of the request's text.
    pub source: Range<usize>,
    /// Whether the bytes are equal. If not, all of them map to the whole source, as `&` to `&amp;`.
    pub(crate) is_literal: bool,
}

impl SourceMap {
    pub(crate) fn new(pieces: Vec<Piece>) -> Self {
        debug_assert!(pieces.is_sorted_by(|a, b| a.plain.end == b.plain.start));
        debug_assert!(pieces.iter().all(|p| !p.is_literal || p.plain.len() == p.source.len()));
        Self(pieces)
    }

    /// The bytes of the request's text that a range of the passage comes from.
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

    /// Shifts the source of a map for a passage of `length` bytes by `bytes`.
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

    /// The first piece that is not before a position, else the last.
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
