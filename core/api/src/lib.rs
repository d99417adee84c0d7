//! Speech synthesis that runs inside the application.
//!
//! Turns text in English (`en-US`) and Hindi (`hi-IN`) into natural speech in five voices, at
//! 22,050 Hz or at [another rate](Request::sample_rate). Runs on the CPU, offline.
//!
//! ```no_run
//! use speech_core::{Engine, Request, Voice};
//!
//! let engine = Engine::load()?; // once; share it, it is Send and Sync
//! let speech = engine.synthesize(Request::new("Hello, world.").voice(Voice::LEO))?;
//! std::fs::write("hello.wav", speech.to_wav()).unwrap();
//! # Ok::<(), speech_core::Error>(())
//! ```
//!
//! [`Engine`] loads a voice bundle once and serves any number of threads. A [`Request`] is a text
//! with its settings; a `&str` is a request with the defaults.
//!
//! **Streams** return one sentence at a time while the next one is computed; with [`Latency::Low`]
//! the first half second comes sooner. [`Engine::stream_long`] takes a text of any length.
//!
//! ```no_run
//! # let engine = speech_core::Engine::load()?;
//! for chunk in engine.stream("First this. Then that.")? {
//!     let chunk = chunk?;
//!     println!("{:.1} s of audio for bytes {:?}", chunk.seconds(), chunk.span());
//!     // Play chunk.samples().
//! }
//! # Ok::<(), speech_core::Error>(())
//! ```
//!
//! **Live text** is spoken while it arrives, for example from a language model. [`Engine::live`]
//! returns a [`LiveText`], which takes the text, and the [`Stream`] of its speech:
//!
//! ```no_run
//! # let engine = speech_core::Engine::load()?;
//! let (text, stream) = engine.live("")?;
//! let model = std::thread::spawn(move || {
//!     ["It is", " four", " o'clock."].into_iter().try_for_each(|token| text.push(token))
//! });
//! for chunk in stream {
//!     let samples = chunk?.into_samples();
//!     // Play them.
//!     # drop(samples);
//! }
//! model.join().unwrap()?;
//! # Ok::<(), speech_core::Error>(())
//! ```
//!
//! **Cancellation.** A [`CancelToken`] stops every request that uses it, from any thread:
//!
//! ```no_run
//! use speech_core::{CancelToken, ErrorKind, Request};
//!
//! # let engine = speech_core::Engine::load()?;
//! let cancel = CancelToken::new();
//! let mut stream = engine.stream(Request::new("One. Two.").cancel_token(&cancel))?;
//! let first = stream.next().unwrap()?;
//! # drop(first);
//! cancel.cancel();
//! assert_eq!(stream.next().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
//! # Ok::<(), speech_core::Error>(())
//! ```
//!
//! # What this crate does
//!
//! A [`Request`] is validated, cut into sentences, normalized to words and turned into phonemes
//! (`speech-text`), spoken by the acoustic model (`speech-acoustic`), resampled and encoded. Every
//! stage keeps the byte spans of the caller's text.
//!
//! # Guarantees
//!
//! - The same request with the same bundle, [`KernelSet`] and [`Precision`] gives the same bytes,
//!   for any number of threads and concurrent requests.
//! - No word is dropped silently: [`Speech::diagnostics`] lists skipped text.
//! - Every failure is an [`Error`] of one taxonomy. The library prints nothing and never ends the
//!   process.
//! - The library never opens a network connection.
//!
//! # Limits
//!
//! The crate does not play audio or download voices (`cargo xtask bundle` does), and never logs the
//! text.

// The caller's choices.
mod format;
mod latency;
mod sample_rate;
mod voice_listing;

mod request;
mod validate;

mod audio;
mod encode;

mod synthesis;

mod loaded_engine;

mod speech;

mod chunk;
mod stream;

mod engine;

pub use chunk::Chunk;
pub use encode::{encode, wav, wav_header};
pub use engine::{Engine, EngineBuilder};
pub use format::{Encoding, Format, SAMPLE_RATE, SAMPLE_RATES, SOUND_VERSION};
pub use latency::Latency;
pub use request::Request;
#[doc(hidden)]
pub use speech::Collector;
pub use speech::Speech;
#[doc(inline)]
pub use speech_acoustic::bundle::BUNDLE_FORMAT_VERSION;
#[doc(inline)]
pub use speech_acoustic::{Backend, KernelSet, Precision};
#[doc(hidden)]
pub use speech_base::fork::{LazyLock, PerProcess, ProcessLocal};
#[doc(inline)]
pub use speech_base::limits::{
    MAX_LEXICON_ENTRIES, MAX_PAUSE_SECONDS, MAX_PRONUNCIATION_BYTES, MAX_PRONUNCIATIONS,
    MAX_SECONDS,
};
#[doc(hidden)]
pub use speech_base::limits::{check_length, check_nul, expected_seconds};
#[doc(inline)]
pub use speech_base::prosody_settings::{PITCH_RANGE, RATE_RANGE, VOLUME_RANGE};
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
    ChoiceInspection, Inspection, Inspector, Lexicon, ReadingInspection, RowInspection, Segment,
    Segmenter, SentenceInspection, WordInspection, split_text,
};
#[doc(hidden)]
pub use stream::Step;
pub use stream::{LiveText, Stream};
pub use synthesis::{
    Diagnostic, DiagnosticKind, MarkTiming, PhonemeTiming, SentenceTiming, VisemeTiming, WordTiming,
};
pub use validate::ValidRequest;
pub use voice_listing::{VoiceEntry, VoiceListing, voices};

/// Runs the Rust snippets of the README and of the documentation as tests.
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
