//! The text front end of libspeech: converts English and Hindi text to sentences, words and
//! phonemes.
//!
//! The modules are in the order of the data flow; none uses a later one. Applications use
//! `speech-core`, which exports the public items of this crate.
#![forbid(unsafe_code)]

mod named;

mod words;

mod scripts;

pub mod vocabulary;

pub mod pronunciation;

pub mod segment;

pub mod normalize;

pub mod phonemize;

pub mod viseme;

// What each language registers for the stages above.
pub mod languages;

// Markup: pauses, SSML and lexicons.
pub mod markup;

pub mod front_end;

mod inspect;

#[cfg(test)]
mod row_tests;

// Positions in UTF-16 code units.
pub mod utf16;

pub use front_end::split_text;
pub use inspect::{
    ChoiceInspection, Inspection, Inspector, ReadingInspection, RowInspection, SentenceInspection,
    WordInspection,
};
pub use pronunciation::Lexicon;
pub use segment::{Segment, Segmenter};
