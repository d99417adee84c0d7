//! Ranges of a text with a reading from markup.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use speech_base::language::Language;

use super::Options;
use super::locale::Locales;
use super::preprocess::Preprocessed;
use super::say_as::SayAs;

/// A range and its reading from markup.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedReading {
    /// Bytes of the text; never empty.
    pub(crate) range: Range<usize>,
    pub(crate) reading: MarkedAs,
}

/// The reading that markup sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MarkedAs {
    /// A value or characters, as `say-as` declares.
    SayAs(SayAs),
    /// Text in another language, in the same voice.
    Language(Language),
    /// Phonemes, in the symbols of the vocabulary.
    Phonemes(Arc<str>),
}

impl MarkedReading {
    /// Whether no sentence may end inside it.
    pub(crate) fn is_whole(&self) -> bool {
        !matches!(self.reading, MarkedAs::Language(_))
    }
}

/// A range of a preprocessed text and its readings: first its own, then those inside it.
pub(super) type Place<'a> = (Range<usize>, &'a [MarkedReading]);

/// The readings in a range of a text, cut to that range.
pub(super) fn within(marked: &[MarkedReading], span: &Range<usize>) -> Vec<MarkedReading> {
    let here = marked.iter().filter(|marked| overlaps(&marked.range, span));
    let cut = here.map(|MarkedReading { range, reading }| MarkedReading {
        range: range.start.max(span.start)..range.end.min(span.end),
        reading: reading.clone(),
    });
    cut.collect()
}

pub(super) fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Preprocesses a range of a text so that no reading in `options` is cut.
pub(super) fn preprocess<'a>(
    text: &'a str,
    span: &Range<usize>,
    options: Options<'_>,
    locales: Locales,
) -> Preprocessed<'a> {
    let part = |Range { start, end }| {
        Preprocessed::new(&text[start..end], start, locales, options.read_inline)
    };
    if options.marked.is_empty() {
        return part(span.clone());
    }
    let mut parts = Vec::new();
    let mut at = span.start;
    for group in outermost(options.marked) {
        let Range { start, end } = group[0].range.clone();
        parts.push(part(at..start));
        parts.push(part(start..end));
        at = end;
    }
    parts.push(part(at..span.end));
    Preprocessed::concat(&parts, span.start)
}

/// Locates readings in a preprocessed text. Nested readings belong to their outer one.
pub(super) fn places<'a>(
    marked: &'a [MarkedReading],
    preprocessed: &Preprocessed<'_>,
) -> Vec<Place<'a>> {
    let place = |group: &'a [MarkedReading]| {
        let Range { start, end } = group[0].range.clone();
        (preprocessed.position(start)..preprocessed.position(end), group)
    };
    outermost(marked).map(place).filter(|(place, _)| !place.is_empty()).collect()
}

/// A preprocessed text with ranges in other languages replaced by blanks.
pub(super) fn without_other_languages<'a>(
    preprocessed: &'a Preprocessed<'_>,
    places: &[Place<'_>],
) -> Cow<'a, str> {
    let others = places.iter().filter(|(_, group)| !group[0].is_whole());
    let mut text = Cow::Borrowed(preprocessed.text.as_ref());
    for (place, _) in others {
        text.to_mut().replace_range(place.clone(), &" ".repeat(place.len()));
    }
    text
}

/// The outermost readings, each with those inside it.
fn outermost(marked: &[MarkedReading]) -> impl Iterator<Item = &[MarkedReading]> {
    let mut rest = marked;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let is_within = |other: &MarkedReading| other.range.start < first.range.end;
        let count = rest.iter().position(|other| !is_within(other)).unwrap_or(rest.len());
        let (group, after) = rest.split_at(count);
        rest = after;
        Some(group)
    })
}
