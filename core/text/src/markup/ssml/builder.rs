//! Builds passages from the text of a document, in document order.

use std::cmp::Reverse;
use std::ops::Range;

use speech_base::language::Language;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::voice::Voice;

use super::document::is_space;
use crate::markup::passage::{Inline, Passage, Piece, SourceMap};
use crate::normalize::{MarkedAs, MarkedReading};
use crate::segment::Boundary;

/// The state that the enclosing elements set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) voice: Voice,
    pub(super) language: Language,
    /// The language of the enclosing block. Text in another language becomes a part in `language`.
    pub(super) block_language: Language,
    /// The settings from the document, without those of the request.
    pub(super) settings: ProsodySettings,
    pub(super) is_in_sentence: bool,
}

/// The source of a text.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The text is in the document, from this byte on.
    Literal(usize),
    /// The text replaces all of these bytes.
    Whole(Range<usize>),
}

/// Collects passages.
pub(super) struct Builder {
    base: ProsodySettings,
    done: Vec<Passage>,
    open: Option<Open>,
    /// Pauses and marks after the finished passages that no text follows yet.
    waiting: Vec<Inline>,
}

/// The passage that text is added to.
struct Open {
    passage: Passage,
    pieces: Vec<Piece>,
    /// The open part in another language, and its start.
    part: Option<(Language, usize)>,
}

impl Builder {
    pub(super) fn new(base: ProsodySettings) -> Self {
        Self { base, done: Vec::new(), open: None, waiting: Vec::new() }
    }

    /// Adds text. White space is collapsed, and removed at the start of a passage.
    pub(super) fn push(&mut self, text: &str, source: &Source, scope: &Scope) {
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            let is_end = |c| is_space(c) != is_space(first);
            let run = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            let (source, is_literal) = match source {
                Source::Literal(start) => (start + at..start + at + run.len(), true),
                Source::Whole(range) => (range.clone(), false),
            };
            at += run.len();
            if !is_space(first) {
                self.open(scope).append(run, source, is_literal, scope);
            } else if let Some(open) = &mut self.open {
                open.space(source, is_literal, scope);
            }
        }
    }

    /// The position of the next text, in its passage.
    pub(super) fn position(&mut self, scope: &Scope) -> usize {
        self.open(scope).passage.text.len()
    }

    /// The text since a position without surrounding space, and its bytes in the passage.
    pub(super) fn since(&self, position: usize) -> (Range<usize>, &str) {
        let text = self.open.as_ref().map_or("", |open| open.passage.text.as_str());
        let part = &text[position.min(text.len())..];
        let start = position + part.len() - part.trim_start_matches(' ').len();
        let end = (position + part.trim_end_matches(' ').len()).max(start);
        (start..end, &text[start..end])
    }

    /// Sets the reading of a range of the passage.
    pub(super) fn mark(&mut self, range: Range<usize>, reading: MarkedAs) {
        if let Some(open) = &mut self.open {
            open.passage.readings.push(MarkedReading { range, reading });
        }
    }

    /// Adds a pause or a mark.
    pub(super) fn inline(&mut self, inline: Inline) {
        match &mut self.open {
            Some(open) => open.passage.inline.push((open.passage.text.len(), inline)),
            None => self.waiting.push(inline),
        }
    }

    /// Ends a sentence or a paragraph.
    pub(super) fn end(&mut self, boundary: Boundary) {
        match self.open.take() {
            Some(open) => self.done.push(open.close(boundary)),
            None => {
                if let Some(last) = self.done.last_mut()
                    && boundary == Boundary::Paragraph
                {
                    last.boundary = boundary;
                }
            }
        }
    }

    /// Returns the passages, or an empty one if there is no text.
    pub(super) fn finish(mut self, scope: &Scope) -> Vec<Passage> {
        self.end(Boundary::Paragraph);
        let mut passages = self.done;
        if passages.is_empty() {
            passages.push(Passage::plain("", scope.voice, scope.block_language, self.base));
        }
        if let Some(last) = passages.last_mut() {
            let end = last.text.len();
            last.inline.extend(self.waiting.into_iter().map(|one| (end, one)));
        }
        passages
    }

    /// The passage for text of a scope.
    fn open(&mut self, scope: &Scope) -> &mut Open {
        let fits = |open: &Open| {
            let Passage { voice, language, .. } = open.passage;
            voice == scope.voice && language == scope.block_language
        };
        if let Some(open) = self.open.take_if(|open| !fits(open)) {
            let boundary = open.last_boundary();
            self.done.push(open.close(boundary));
        }
        let Self { base, open, waiting, .. } = self;
        open.get_or_insert_with(|| {
            let inline = waiting.drain(..).map(|one| (0, one)).collect();
            let passage = Passage {
                inline,
                is_sentence: scope.is_in_sentence,
                reads_inline: false,
                ..Passage::plain("", scope.voice, scope.block_language, *base)
            };
            Open { passage, pieces: Vec::new(), part: None }
        })
    }
}

impl Open {
    /// Adds text without white space.
    fn append(&mut self, text: &str, source: Range<usize>, is_literal: bool, scope: &Scope) {
        let start = self.passage.text.len();
        let language = scope.language;
        if self.part.is_some_and(|(of, _)| of != language) {
            self.end_part();
        }
        if language != self.passage.language && self.part.is_none() {
            self.part = Some((language, start));
        }
        self.add(text, source, is_literal, scope);
    }

    /// Adds a space, unless the text already ends in one.
    fn space(&mut self, source: Range<usize>, is_literal: bool, scope: &Scope) {
        if !self.passage.text.is_empty() && !self.passage.text.ends_with(' ') {
            let is_one = is_literal && source.len() == 1;
            self.add(" ", source, is_one, scope);
        }
    }

    fn add(&mut self, text: &str, source: Range<usize>, is_literal: bool, scope: &Scope) {
        let start = self.passage.text.len();
        self.passage.text.push_str(text);
        let plain = start..self.passage.text.len();
        match self.pieces.last_mut() {
            Some(last) if last.is_literal && is_literal && last.source.end == source.start => {
                last.plain.end = plain.end;
                last.source.end = source.end;
            }
            _ => self.pieces.push(Piece { plain: plain.clone(), source, is_literal }),
        }
        let settings = self.passage.base.with(scope.settings);
        if settings == self.passage.base {
            return;
        }
        match self.passage.settings.last_mut() {
            Some((range, same)) if range.end == start && *same == settings => range.end = plain.end,
            _ => self.passage.settings.push((plain, settings)),
        }
    }

    /// Ends the open part in another language.
    fn end_part(&mut self) {
        if let Some((language, start)) = self.part.take() {
            let end = self.passage.text.trim_end_matches(' ').len();
            let reading =
                MarkedReading { range: start..end, reading: MarkedAs::Language(language) };
            self.passage.readings.push(reading);
        }
    }

    /// The boundary of a passage that may end inside a sentence, before another voice.
    fn last_boundary(&self) -> Boundary {
        let is_closing =
            |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']');
        let text = self.passage.text.trim_end_matches(is_closing);
        let is_ended = text.ends_with(['.', '!', '?', '…', '।', '॥']);
        if is_ended { Boundary::Sentence } else { Boundary::Clause }
    }

    fn close(mut self, boundary: Boundary) -> Passage {
        self.end_part();
        // A part in another language precedes the readings inside it.
        let is_within = |reading: &MarkedAs| !matches!(reading, MarkedAs::Language(_));
        self.passage.readings.sort_by_key(|MarkedReading { range, reading }| {
            (range.start, Reverse(range.end), is_within(reading))
        });
        Passage { source: SourceMap::new(self.pieces), boundary, ..self.passage }
    }
}
