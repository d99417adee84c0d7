//! Speech synthesis that runs inside the application.
//!
//! Text goes in, natural speech at 22,050 Hz comes out: on the CPU, offline, in English (`en-US`) and
//! Hindi (`hi-IN`), by five voices.
//!
//! ```no_run
//! use speech_core::{Engine, Request};
//!
//! let engine = Engine::load()?;
//! let speech = engine.synthesize(Request::new("Hello, world."))?;
//! std::fs::write("hello.wav", speech.to_wav()).unwrap();
//! # Ok::<(), speech_core::Error>(())
//! ```
//!
//! [`Engine`] loads a voice bundle once and serves any number of threads. [`Engine::synthesize`] gives
//! the whole text; [`Engine::stream`] gives a sentence at a time while the next one is computed, and
//! [`Latency::Low`] its first half second sooner. [`Engine::live`] speaks text while it arrives, from a language model say,
//! and [`Engine::stream_long`] one of any length. A [`CancelToken`] stops all of them from any thread.
//!
//! # What this crate does
//!
//! Data flows one way through the modules, in the order they are declared here: a [`Request`] is
//! validated, cut into sentences, normalized to words, turned into phonemes, spoken by the acoustic
//! model, resampled and encoded. No module uses one that is declared after it. Byte spans of the caller's text survive
//! every stage.
//!
//! # What is guaranteed
//!
//! - The same request on the same bundle, [`KernelSet`] and [`Precision`] gives the same bytes, alone or among other
//!   threads, whatever the number of threads.
//! - No word is dropped silently: what is skipped is listed in [`Speech::diagnostics`].
//! - Every failure is an [`Error`] of one taxonomy. Nothing is printed, and the process is never ended.
//! - Nothing is fetched: the library never opens a network connection.
//!
//! # What this crate does not do
//!
//! It does not play audio, does not download voices (`cargo xtask bundle` does), and never logs the text.

// What every module may use.
mod choice;
mod system;

mod fork;

mod request_id;

mod error;

mod concurrency;

mod cancel;
mod threads;

mod fair_semaphore;
mod panic_boundary;
mod prefetch;

// What a caller chooses from.
mod format;
mod language;
mod latency;
mod limits;
mod prosody_settings;
mod tier;
mod voice;

mod voice_listing;

// What the stages share.
mod scripts;
mod vocabulary;

// The stages, in the order of the data.
mod request;

mod pronunciation;

mod segment;

mod normalize;

mod phonemize;

mod viseme;

// What each language registers for the stages above. Validation needs its notation of pronunciations.
mod languages;

// What a text says of how it is to be read.
mod markup;

mod validate;

mod bundle;

mod acoustic;

mod audio;

mod encode;

// What composes them.
mod front_end;

mod synthesis;

mod loaded_engine;

mod speech;
mod stream;

mod live;

mod engine;
mod inspect;

// Positions as some languages count them.
mod utf16;

pub use acoustic::{Backend, KernelSet, Precision};
pub use bundle::BUNDLE_FORMAT_VERSION;
pub use cancel::CancelToken;
pub use encode::wav;
pub use engine::{Engine, EngineBuilder};
pub use error::{Advice, Error, ErrorDetail, ErrorKind, Result};
#[doc(hidden)]
pub use fork::{LazyLock, PerProcess, ProcessLocal};
pub use format::{Format, SAMPLE_RATE};
pub use front_end::split_text;
pub use inspect::{
    ChoiceInspection, Inspection, Inspector, ReadingInspection, SentenceInspection, WordInspection,
};
pub use language::Language;
pub use latency::Latency;
#[doc(hidden)]
pub use limits::{CHARACTERS_PER_SECOND, check_nul};
pub use limits::{MAX_CHARACTERS, MAX_PAUSE_SECONDS, MAX_SECONDS, count_characters};
pub use live::{LiveStream, LiveText};
#[doc(hidden)]
pub use markup::check_pauses;
#[doc(hidden)]
pub use panic_boundary::catch_panic;
pub use pronunciation::Lexicon;
pub use prosody_settings::{PITCHES, RATES, VOLUMES};
pub use request::Request;
pub use request_id::RequestId;
pub use segment::{Segment, Segmenter};
pub use speech::Speech;
pub use stream::{Chunk, Stream};
#[doc(hidden)]
pub use stream::{Collector, Step};
pub use synthesis::{
    Diagnostic, DiagnosticKind, MarkTiming, PhonemeTiming, SentenceTiming, WordTiming,
};
#[doc(hidden)]
pub use threads::THREAD_NAME;
pub use tier::{Tier, TierCatalogue, TierEntry, UseCase};
#[doc(hidden)]
pub use utf16::{Utf16Offsets, Utf16Segmenter};
pub use validate::ValidRequest;
pub use viseme::{Viseme, VisemeTiming};
pub use voice::Voice;
pub use voice_listing::{VoiceEntry, VoiceListing, voices};

#[cfg(all(test, shuttle))]
mod model_checks;

/// The stages on their own, for the benches.
#[doc(hidden)]
pub mod stages;

/// The Rust snippets of the README and of the documentation, run as they stand.
#[cfg(doctest)]
mod documentation {
    macro_rules! pages {
        ($($name:ident: $page:literal,)*) => {
            $(#[doc = include_str!(concat!("../../", $page))] pub struct $name;)*
        };
    }

    pages! {
        Readme: "README.md",
        Live: "docs/live.md",
        Pronunciations: "docs/pronunciations.md",
        Reading: "docs/reading.md",
        Speaking: "docs/speaking.md",
        StartRust: "docs/start/rust.md",
        Streaming: "docs/streaming.md",
    }
}
