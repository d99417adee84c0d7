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
//! A [`Request`] is validated, cut into sentences, normalized to words and turned into phonemes (`speech-text`), spoken by
//! the acoustic model (`speech-acoustic`), resampled and encoded. Byte spans of the caller's text survive every stage.
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

// What a caller says.
mod format;
mod latency;
mod voice_listing;

mod request;
mod validate;

mod audio;
mod encode;

mod synthesis;

mod loaded_engine;

mod speech;
mod stream;

mod live;

mod engine;

pub use encode::wav;
pub use engine::{Engine, EngineBuilder};
pub use format::{Format, SAMPLE_RATE};
pub use latency::Latency;
pub use live::{LiveStream, LiveText};
pub use request::Request;
pub use speech::Speech;
#[doc(inline)]
pub use speech_acoustic::bundle::BUNDLE_FORMAT_VERSION;
#[doc(inline)]
pub use speech_acoustic::{Backend, KernelSet, Precision};
#[doc(hidden)]
pub use speech_base::fork::{LazyLock, PerProcess, ProcessLocal};
#[doc(inline)]
pub use speech_base::limits::{MAX_PAUSE_SECONDS, MAX_SECONDS};
#[doc(hidden)]
pub use speech_base::limits::{check_length, check_nul, expected_seconds};
#[doc(inline)]
pub use speech_base::prosody_settings::{PITCHES, RATES, VOLUMES};
#[doc(hidden)]
pub use speech_base::threads::THREAD_NAME;
#[doc(inline)]
pub use speech_base::{
    Advice, CancelToken, Error, ErrorDetail, ErrorKind, Language, MAX_CHARACTERS, Quality,
    RequestId, Result, Tier, TierCatalogue, TierEntry, UseCase, Voice, count_characters,
};
#[doc(hidden)]
pub use speech_text::markup::check_pauses;
#[doc(hidden)]
pub use speech_text::utf16::{Utf16Offsets, Utf16Segmenter};
#[doc(inline)]
pub use speech_text::viseme::Viseme;
#[doc(inline)]
pub use speech_text::{
    ChoiceInspection, Inspection, Inspector, Lexicon, ReadingInspection, Segment, Segmenter,
    SentenceInspection, WordInspection, split_text,
};
pub use stream::{Chunk, Stream};
#[doc(hidden)]
pub use stream::{Collector, Step};
pub use synthesis::{
    Diagnostic, DiagnosticKind, MarkTiming, PhonemeTiming, SentenceTiming, VisemeTiming, WordTiming,
};
pub use validate::ValidRequest;
pub use voice_listing::{VoiceEntry, VoiceListing, voices};

/// The Rust snippets of the README and of the documentation, run as they stand.
#[cfg(doctest)]
mod documentation {
    macro_rules! pages {
        ($($name:ident: $page:literal,)*) => {
            $(#[doc = include_str!(concat!("../../../", $page))] pub struct $name;)*
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
