//! The text front end of libspeech: a text to sentences, their words, and the phonemes of these, in English and Hindi.
//!
//! The modules stand in the order of the data; none uses a later one. Applications use `speech-core`, which exports what is
//! public of this crate.
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

// What a text says of how it is to be read.
pub mod markup;

pub mod front_end;

mod inspect;

// Positions as some languages count them.
pub mod utf16;

pub use front_end::split_text;
pub use inspect::{
    ChoiceInspection, Inspection, Inspector, ReadingInspection, RowInspection, SentenceInspection,
    WordInspection,
};
pub use pronunciation::Lexicon;
pub use segment::{Segment, Segmenter};
