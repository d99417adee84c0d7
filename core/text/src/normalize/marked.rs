//! Parts of a text that markup says how to read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use speech_base::language::Language;

use super::Options;
use super::locale::Locales;
use super::preprocess::Preprocessed;
use super::say_as::SayAs;

/// How a part of a text is to be read, as markup says.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedReading {
    /// Bytes of the text; never empty.
    pub(crate) range: Range<usize>,
    pub(crate) reading: MarkedAs,
}

/// What markup says that a part of a text is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MarkedAs {
    /// A value of a class, or characters. It is one.
    SayAs(SayAs),
    /// Text in another language, said by the same voice.
    Language(Language),
    /// What is said as these phonemes, in the symbols of the vocabulary.
    Phonemes(Arc<str>),
}

impl MarkedReading {
    /// Whether no sentence may end in it.
    pub(crate) fn is_whole(&self) -> bool {
        !matches!(self.reading, MarkedAs::Language(_))
    }
}

/// A part of a preprocessed text, with the readings of it: the first is that of the part, and others are within it.
pub(super) type Place<'a> = (Range<usize>, &'a [MarkedReading]);

/// The readings in a part of a text, cut to it.
pub(super) fn within(marked: &[MarkedReading], span: &Range<usize>) -> Vec<MarkedReading> {
    let here = marked.iter().filter(|marked| overlaps(&marked.range, span));
    let cut = here.map(|MarkedReading { range, reading }| MarkedReading {
        range: range.start.max(span.start)..range.end.min(span.end),
        reading: reading.clone(),
    });
    cut.collect()
}

/// Whether two ranges have bytes in common.
pub(super) fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Preprocesses a part of a text, which the readings of `options` lie in, so that none of them is cut.
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

/// Where readings are in a preprocessed text; those within others belong to them.
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

/// A preprocessed text with its parts in other languages left blank.
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

/// The readings that are in no other, each with those in it.
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
