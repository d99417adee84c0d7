//! The front end's readings: which words come from which bytes, and the alternatives.

use std::ops::Range;

use speech_core::Language;
use speech_text::front_end;
use speech_text::normalize::{NormalizedText, Options, Token};
use speech_text::segment::Sentence;

/// The sources of a sentence's parts, as byte spans of the text.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The sentence.
    pub sentence: Range<usize>,
    /// The sources of its words.
    pub words: Vec<Range<usize>>,
    /// The punctuation marks.
    pub marks: Vec<Range<usize>>,
    /// The spans without a word; each is a diagnostic.
    pub skipped: Vec<Range<usize>>,
    /// The number of phonemes.
    pub phonemes: usize,
}

/// Characters typed in place of a mark: a visarga for a colon, letters for a danda.
const MARK_LOOK_ALIKES: [char; 4] = ['ः', 'l', 'I', '\u{1c0}'];

/// Symbols that are meaningful anywhere, unlike markup.
const MEANINGFUL: &str = "$%+<=>¢£¥§°±µ×÷₹€№™→←↑↓⇒⇔∂∆∏∑√∞∫≈≠≤≥⌘⌥⌃⇧";

impl Reading {
    /// The lost characters of a sentence: not part of any word, mark or diagnostic. Only letters,
    /// digits and meaningful symbols count, and not the IPA of inline pronunciations.
    pub fn lost<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, char)> + 't {
        let stands_for_mark = |span: &&Range<usize>| {
            let mut typed = text[(*span).clone()].chars();
            typed.all(|c| MARK_LOOK_ALIKES.contains(&c) || !c.is_alphanumeric())
        };
        let marks = self.marks.iter().filter(stands_for_mark).cloned();
        let known = self.words.iter().chain(&self.skipped).cloned().chain(marks);
        let mut known: Vec<_> = known.chain(pronunciations(text)).collect();
        known.sort_by_key(|span| span.start);
        let mut end = 0;
        let mut next = 0;
        let counts = |at: usize, c: char| {
            let sentence = &text[self.sentence.clone()];
            let is_markup = || is_markup(sentence, at - self.sentence.start, c);
            c.is_alphanumeric() || MEANINGFUL.contains(c) && !is_markup()
        };
        text[self.sentence.clone()].char_indices().filter_map(move |(i, c)| {
            let at = self.sentence.start + i;
            while let Some(span) = known.get(next).filter(|span| span.start <= at) {
                end = end.max(span.end);
                next += 1;
            }
            (at >= end && counts(at, c)).then_some((at, c))
        })
    }
}

/// Whether a symbol may be markup: the brackets of a tag or an address, a bullet, a rule, a
/// quotation.
fn is_markup(text: &str, at: usize, c: char) -> bool {
    let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_inner =
        |inner: &str| inner.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '!'));
    let opens_line = line.trim_matches([' ', '\t', '>', '|']).is_empty();
    match c {
        '<' => after.split_once('>').is_some_and(|(inner, _)| is_inner(inner)),
        '>' => opens_line || before.rsplit_once('<').is_some_and(|(_, inner)| is_inner(inner)),
        '=' | '+' => opens_line || before.ends_with(c) || after.starts_with(c),
        // The delimiters of a formula.
        '$' => before.contains('$') || after.contains('$'),
        _ => false,
    }
}

/// The ranges of the IPA in `[words](/IPA/)`.
fn pronunciations(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices("](/").filter_map(|(start, _)| {
        let length = text[start..].find("/)")?;
        Some(start..start + length)
    })
}

/// An ambiguous place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its first byte in the text.
    pub start: usize,
    /// The index of the chosen reading.
    pub taken: usize,
    /// The kind of each reading, and the features from which its score is computed.
    pub readings: Vec<(&'static str, Vec<String>)>,
}

/// The front end, for the tables and the fuzz targets.
pub struct FrontEnd(front_end::FrontEnd);

impl FrontEnd {
    /// Loads the lexicons and the models.
    pub fn load() -> Self {
        Self(front_end::FrontEnd::load())
    }

    /// Every sentence of a text.
    pub fn read(&self, text: &str, language: Language) -> Vec<Reading> {
        let sentences = self.0.normalize(text, Options::plain(language));
        let reading = |(sentence, normalized): (Sentence, NormalizedText)| {
            let (mut words, mut marks) = (Vec::new(), Vec::new());
            for token in &normalized.tokens {
                match token {
                    Token::Word(word) => words.push(word.span.clone()),
                    Token::Mark(mark) => marks.push(mark.span.clone()),
                }
            }
            Reading {
                sentence: sentence.span,
                words,
                marks,
                skipped: normalized.skipped.iter().map(|skipped| skipped.span.clone()).collect(),
                phonemes: self.0.phonemize(&normalized).tokens().len(),
            }
        };
        sentences.map(reading).collect()
    }

    /// The words and marks of every sentence of a text, and its phonemes.
    pub fn lines(&self, text: &str, options: Options<'_>) -> Vec<String> {
        let sentences = self.0.normalize(text, options);
        sentences
            .map(|(_, normalized)| {
                format!("{} [{}]", normalized.to_line(), self.0.phonemize(&normalized).to_line())
            })
            .collect()
    }

    /// Every sentence of a text with `forced` readings (a position and the index of a reading
    /// there), and all ambiguous places.
    pub fn choices(
        &self,
        text: &str,
        language: Language,
        forced: &[(usize, usize)],
    ) -> (Vec<String>, Vec<Place>) {
        let options = Options { explain: true, forced, ..Options::plain(language) };
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        for (_, normalized) in self.0.normalize(text, options) {
            lines.push(normalized.to_line());
            places.extend(normalized.choices.into_iter().map(|choice| {
                Place {
                    start: choice.start,
                    taken: choice.taken,
                    readings: choice
                        .candidates
                        .into_iter()
                        .map(|scored| (scored.kind.name(), scored.features))
                        .collect(),
                }
            }));
        }
        (lines, places)
    }
}
