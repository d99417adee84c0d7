//! The structures of the header for timings and diagnostics, and the arrays that an audio object has of them.

use std::ffi::{CStr, CString};
use std::ops::Range;

use speech_core::{
    Diagnostic, DiagnosticKind, MarkTiming, PhonemeTiming, SentenceTiming, Viseme, VisemeTiming,
    WordTiming,
};

use crate::getters::c_string;
use crate::pointers::StringPointer;

/// A range of bytes of the text that was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct speech_span {
    /// The first byte.
    pub begin: usize,
    /// The byte after the last.
    pub end: usize,
}

/// When a word is heard, in seconds from the start of the whole speech, also in a chunk. A number such as "12" is one
/// word, however many words it is read as.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_word {
    /// The word in the text.
    pub span: speech_span,
    /// When it begins.
    pub start_seconds: f64,
    /// When it ends.
    pub end_seconds: f64,
}

/// When a phoneme is heard, in seconds from the start of the whole speech, also in a chunk.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_phoneme {
    /// The sound in IPA, with the mark of stress before it.
    pub ipa: StringPointer,
    /// The word that it belongs to.
    pub span: speech_span,
    /// When it begins.
    pub start_seconds: f64,
    /// When it ends.
    pub end_seconds: f64,
}

/// When the mouth has a shape, in seconds from the start of the whole speech, also in a chunk. There are no gaps
/// between shapes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_viseme {
    /// The name among the 15 of OVR LipSync: "sil", "PP", "aa" and so on.
    pub name: StringPointer,
    /// The number in Azure's table: 0 to 21.
    pub azure: u32,
    /// When it begins.
    pub start_seconds: f64,
    /// When it ends.
    pub end_seconds: f64,
}

/// When a sentence is heard, from its first word to the end of its last, in seconds from the start of the whole
/// speech, also in a chunk.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_sentence {
    /// The sentence in the text.
    pub span: speech_span,
    /// When it begins.
    pub start_seconds: f64,
    /// When it ends.
    pub end_seconds: f64,
}

/// When a mark of SSML is reached, in seconds from the start of the whole speech, also in a chunk.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_mark {
    /// The `name` of the element.
    pub name: StringPointer,
    /// When it is reached.
    pub seconds: f64,
}

/// What a diagnostic is about. A newer library may have kinds that this header does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_diagnostic_kind {
    /// These characters were not said: emoji, control characters and the like.
    SPEECH_DIAGNOSTIC_SKIPPED = 1,
}

/// A [`speech_diagnostic_kind`] as it crosses the boundary.
pub type DiagnosticNumber = i32;

/// A part of the text that was not spoken as it stands.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_diagnostic {
    /// What it is about.
    pub kind: DiagnosticNumber,
    /// The part of the text.
    pub span: speech_span,
}

impl From<&Range<usize>> for speech_span {
    fn from(range: &Range<usize>) -> Self {
        Self { begin: range.start, end: range.end }
    }
}

impl From<&Diagnostic> for speech_diagnostic {
    fn from(diagnostic: &Diagnostic) -> Self {
        let kind = match diagnostic.kind {
            DiagnosticKind::Skipped => speech_diagnostic_kind::SPEECH_DIAGNOSTIC_SKIPPED as _,
            // The core may have more kinds: each gets a number here when it is added.
            _ => 0,
        };
        Self { kind, span: (&diagnostic.span).into() }
    }
}

/// The timings of an audio object, and the strings that they point at.
pub(crate) struct Timings {
    pub(crate) words: Vec<speech_word>,
    pub(crate) phonemes: Vec<speech_phoneme>,
    pub(crate) visemes: Vec<speech_viseme>,
    pub(crate) sentences: Vec<speech_sentence>,
    pub(crate) marks: Vec<speech_mark>,
    _strings: Vec<CString>,
}

impl Timings {
    pub(crate) fn new(
        words: &[WordTiming],
        phonemes: &[PhonemeTiming],
        visemes: &[VisemeTiming],
        sentences: &[SentenceTiming],
        marks: &[MarkTiming],
    ) -> Self {
        let mut strings = Vec::new();
        let words = words.iter().map(|word| speech_word {
            span: (&word.span).into(),
            start_seconds: word.start,
            end_seconds: word.end,
        });
        let visemes = visemes.iter().map(|viseme| speech_viseme {
            name: StringPointer::to(viseme_name(viseme.viseme)),
            azure: viseme.azure.into(),
            start_seconds: viseme.start,
            end_seconds: viseme.end,
        });
        let sentences = sentences.iter().map(|sentence| speech_sentence {
            span: (&sentence.span).into(),
            start_seconds: sentence.start,
            end_seconds: sentence.end,
        });
        Self {
            words: words.collect(),
            visemes: visemes.collect(),
            sentences: sentences.collect(),
            phonemes: phonemes
                .iter()
                .map(|phoneme| speech_phoneme {
                    ipa: StringPointer::kept(c_string(&phoneme.ipa), &mut strings),
                    span: (&phoneme.span).into(),
                    start_seconds: phoneme.start,
                    end_seconds: phoneme.end,
                })
                .collect(),
            marks: marks
                .iter()
                .map(|mark| speech_mark {
                    name: StringPointer::kept(c_string(&mark.name), &mut strings),
                    seconds: mark.time,
                })
                .collect(),
            _strings: strings,
        }
    }
}

/// The name of a shape of the mouth in OVR LipSync.
fn viseme_name(viseme: Viseme) -> &'static CStr {
    match viseme {
        Viseme::PP => c"PP",
        Viseme::FF => c"FF",
        Viseme::TH => c"TH",
        Viseme::DD => c"DD",
        Viseme::KK => c"kk",
        Viseme::CH => c"CH",
        Viseme::SS => c"SS",
        Viseme::NN => c"nn",
        Viseme::RR => c"RR",
        Viseme::AA => c"aa",
        Viseme::E => c"E",
        Viseme::IH => c"ih",
        Viseme::OH => c"oh",
        Viseme::OU => c"ou",
        _ => c"sil",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visemes_have_the_names_of_the_core() {
        for viseme in Viseme::ALL {
            assert_eq!(viseme_name(viseme).to_str(), Ok(viseme.as_str()));
        }
    }
}
