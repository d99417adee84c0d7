//! The header's structures for timestamps and diagnostics, and an audio object's arrays of them.

use std::ffi::{CStr, CString};
use std::ops::Range;

use speech_core::{
    Diagnostic, DiagnosticKind, MarkTiming, PhonemeTiming, SentenceTiming, Viseme, VisemeTiming,
    WordTiming,
};

use crate::getters::c_string;
use crate::pointers::StringPointer;

/// A byte range of the text as sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct speech_span {
    /// The first byte.
    pub begin: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The timestamp of a word, in seconds from the start of the whole speech, also in a chunk. A
/// number such as "12" is one word, however many words it is read as.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_word {
    /// The word in the text.
    pub span: speech_span,
    /// The start.
    pub start_seconds: f64,
    /// The end.
    pub end_seconds: f64,
}

/// The timestamp of a phoneme, in seconds from the start of the whole speech, also in a chunk.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_phoneme {
    /// The phoneme in IPA, preceded by the stress mark if stressed.
    pub ipa: StringPointer,
    /// The phoneme's word in the text.
    pub span: speech_span,
    /// The start.
    pub start_seconds: f64,
    /// The end.
    pub end_seconds: f64,
}

/// The timestamp of a viseme, in seconds from the start of the whole speech, also in a chunk. There
/// are no gaps between visemes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_viseme {
    /// The name, one of the 15 of OVR LipSync: "sil", "PP", "aa" and so on.
    pub name: StringPointer,
    /// The viseme ID, 0 to 21, of Azure Speech.
    pub azure: u32,
    /// The start.
    pub start_seconds: f64,
    /// The end.
    pub end_seconds: f64,
}

/// The timestamp of a sentence, from its first word to the end of its last, in seconds from the
/// start of the whole speech, also in a chunk.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_sentence {
    /// The sentence in the text.
    pub span: speech_span,
    /// The start.
    pub start_seconds: f64,
    /// The end.
    pub end_seconds: f64,
}

/// The timestamp of an SSML mark, in seconds from the start of the whole speech, also in a chunk.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_mark {
    /// The `name` of the element.
    pub name: StringPointer,
    /// The time.
    pub seconds: f64,
}

/// The kind of a diagnostic. A newer library may have kinds that this header does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_diagnostic_kind {
    /// Characters that were not spoken, such as emoji and control characters.
    SPEECH_DIAGNOSTIC_SKIPPED = 1,
}

/// A [`speech_diagnostic_kind`] as passed to C.
pub type DiagnosticNumber = i32;

/// A part of the text that was not spoken as written.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_diagnostic {
    /// The kind.
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
            // A kind that is added to the core gets a number here.
            _ => 0,
        };
        Self { kind, span: (&diagnostic.span).into() }
    }
}

/// The timestamps of an audio object, and the strings that they point to.
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

/// The OVR LipSync name of a viseme.
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
