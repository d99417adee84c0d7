//! Timestamps of words, phonemes, sentences, marks and visemes.

use std::ops::Range;

use speech_text::viseme::{self, Viseme};

/// The timestamp of a word.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WordTiming {
    /// The byte range in the text as sent. A number such as `12` has one entry, however many words
    /// it is read as.
    pub span: Range<usize>,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// The timestamp of a phoneme.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PhonemeTiming {
    /// The phoneme in IPA; a stressed vowel begins with the stress mark: `ˈoʊ`, `tʃ`.
    pub ipa: String,
    /// The byte range of its word in the text as sent: the span of a [`WordTiming`].
    pub span: Range<usize>,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// The timestamp of a sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SentenceTiming {
    /// The byte range in the text as sent.
    pub span: Range<usize>,
    /// The start of its first word, in seconds from the start of the audio.
    pub start: f64,
    /// The end of its last word, in seconds from the start of the audio.
    pub end: f64,
}

/// The timestamp of an SSML mark.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MarkTiming {
    /// The mark's name.
    pub name: String,
    /// Seconds from the start of the audio.
    pub time: f64,
}

/// The timestamp of a viseme.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct VisemeTiming {
    /// The viseme, one of the 15 of OVR LipSync.
    pub viseme: Viseme,
    /// The viseme ID, 0 to 21, of Azure Speech.
    pub azure: u8,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// All timestamps of some audio, each kind in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Timings {
    pub(crate) words: Vec<WordTiming>,
    pub(crate) phonemes: Vec<PhonemeTiming>,
    pub(crate) sentences: Vec<SentenceTiming>,
    pub(crate) marks: Vec<MarkTiming>,
}

impl Timings {
    /// The same timestamps, shifted by `seconds`.
    pub(crate) fn later_by(mut self, seconds: f64) -> Self {
        let Self { words, phonemes, sentences, marks } = &mut self;
        let starts = words.iter_mut().map(|word| (&mut word.start, &mut word.end));
        let phonemes = phonemes.iter_mut().map(|phoneme| (&mut phoneme.start, &mut phoneme.end));
        let sentences = sentences.iter_mut().map(|one| (&mut one.start, &mut one.end));
        for (start, end) in starts.chain(phonemes).chain(sentences) {
            *start += seconds;
            *end += seconds;
        }
        marks.iter_mut().for_each(|mark| mark.time += seconds);
        self
    }

    /// Takes the timestamps that begin before a time, and the sentences that end by then. The
    /// remaining ones are made relative to that time.
    pub(crate) fn take_until(&mut self, time: f64) -> Self {
        let words = self.words.partition_point(|one| one.start < time);
        let phonemes = self.phonemes.partition_point(|one| one.start < time);
        let sentences = self.sentences.partition_point(|one| one.end <= time);
        let marks = self.marks.partition_point(|one| one.time < time);
        let taken = Self {
            words: self.words.drain(..words).collect(),
            phonemes: self.phonemes.drain(..phonemes).collect(),
            sentences: self.sentences.drain(..sentences).collect(),
            marks: self.marks.drain(..marks).collect(),
        };
        *self = std::mem::take(self).later_by(-time);
        taken
    }

    pub(crate) fn extend(&mut self, more: Self) {
        self.words.extend(more.words);
        self.phonemes.extend(more.phonemes);
        self.sentences.extend(more.sentences);
        self.marks.extend(more.marks);
    }
}

/// The visemes over a range of audio, without gaps; closed lips in silence.
pub(crate) fn visemes<'a>(
    phonemes: impl IntoIterator<Item = &'a PhonemeTiming>,
    from: f64,
    until: f64,
) -> Vec<VisemeTiming> {
    let mut visemes: Vec<VisemeTiming> = Vec::new();
    let mut at = from;
    let mut push = |viseme, azure, end: f64| {
        // The last phoneme of an early chunk continues in the next one.
        let end = end.min(until);
        if end <= at {
            return;
        }
        match visemes.last_mut() {
            Some(last) if (last.viseme, last.azure) == (viseme, azure) => last.end = end,
            _ => visemes.push(VisemeTiming { viseme, azure, start: at, end }),
        }
        at = end;
    };
    for phoneme in phonemes {
        let (shapes, azure) = viseme::of_phone(&phoneme.ipa);
        push(Viseme::Sil, 0, phoneme.start);
        let length = (phoneme.end - phoneme.start) / shapes.len() as f64;
        for (index, shape) in shapes.iter().enumerate() {
            push(*shape, azure, phoneme.start + length * (index + 1) as f64);
        }
    }
    push(Viseme::Sil, 0, until);
    visemes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouth_always_has_a_shape() {
        let phoneme =
            |ipa: &str, start, end| PhonemeTiming { ipa: ipa.into(), span: 0..1, start, end };
        let phonemes = [phoneme("m", 0.25, 0.5), phoneme("ˈaɪ", 0.5, 1.0), phoneme("t", 1.5, 1.75)];
        let found: Vec<_> = visemes(&phonemes, 0.0, 2.0)
            .into_iter()
            .map(|one| (one.viseme.as_str(), one.azure, one.start, one.end))
            .collect();
        assert_eq!(
            found,
            [
                ("sil", 0, 0.0, 0.25),
                ("PP", 21, 0.25, 0.5),
                ("aa", 11, 0.5, 0.75),
                ("ih", 11, 0.75, 1.0),
                ("sil", 0, 1.0, 1.5),
                ("DD", 19, 1.5, 1.75),
                ("sil", 0, 1.75, 2.0),
            ]
        );
        assert!(visemes(&[], 0.0, 0.0).is_empty());
        let cut = visemes(&phonemes[1..], 0.5, 0.8);
        assert_eq!((cut.len(), cut[1].start, cut[1].end), (2, 0.75, 0.8));
    }
}
