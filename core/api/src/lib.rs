//! Speech synthesis that runs inside the application.
//!
//! Text goes in, natural speech at 22,050 Hz, or at [another rate](Request::sample_rate), comes out: on the CPU, offline, in
//! English (`en-US`) and Hindi (`hi-IN`), by five voices.
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
//! [`Engine`] loads a voice bundle once and serves any number of threads. A [`Request`] is a text with its settings; a `&str`
//! is one with the defaults.
//!
//! **A stream** gives a sentence at a time while the next one is computed, and with [`Latency::Low`] its first half second
//! sooner. [`Engine::stream_long`] gives one for a text of any length.
//!
//! ```no_run
//! # let engine = speech_core::Engine::load()?;
//! for chunk in engine.stream("First this. Then that.")? {
//!     let chunk = chunk?;
//!     println!("{:.1} s of sound for the bytes {:?}", chunk.seconds(), chunk.span());
//!     // Play chunk.samples().
//! }
//! # Ok::<(), speech_core::Error>(())
//! ```
//!
//! **Live text** is spoken while it arrives, from a language model for example. [`Engine::live`] makes a [`LiveText`], which
//! takes the text, and the [`Stream`] of its speech:
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
//! **Cancellation.** A [`CancelToken`] stops what was started with it, from any thread:
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
    ChoiceInspection, Inspection, Inspector, Lexicon, ReadingInspection, Segment, Segmenter,
    SentenceInspection, WordInspection, split_text,
};
#[doc(hidden)]
pub use stream::Step;
pub use stream::{LiveText, Stream};
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
