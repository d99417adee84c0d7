//! Tests how long a thousand characters last, by the durations that the real model predicts,
//! without computing audio.

use speech_acoustic::SynthesisParameters;
use speech_acoustic::{AcousticModel, Backend, EarlyChunk, FRAME_SAMPLES, Spoken, Utterance};
use speech_base::cancel::CancelToken;
use speech_base::error::Result;
use speech_base::fair_semaphore::Tenant;
use speech_base::language::Language;
use speech_base::limits::{MAX_CHARACTERS, MAX_SECONDS};

use super::Engine;
use crate::request::Request;
use crate::synthesis::{Follows, SentenceSynthesizer};

/// Gives constant audio with the durations that a model predicts.
struct Lengths<'a>(&'a dyn AcousticModel);

impl AcousticModel for Lengths<'_> {
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        _: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Spoken> {
        let nothing = SynthesisParameters { max_frames: 0, ..parameters };
        let Spoken::TooLong(frames) = self.0.speak(tokens, nothing, None)? else {
            unreachable!("each token takes a frame");
        };
        if frames > parameters.max_frames {
            return Ok(Spoken::TooLong(frames));
        }
        let samples = vec![0.1; frames * FRAME_SAMPLES];
        let end = |token: usize| token * samples.len() / tokens.len();
        let tokens = (0..tokens.len()).map(|token| end(token)..end(token + 1)).collect();
        Ok(Spoken::Utterance(Utterance { samples, tokens, early: Vec::new() }))
    }

    fn backend(&self) -> Backend {
        self.0.backend()
    }

    fn trim(&self) {}
}

fn seconds(engine: &Engine, request: &Request) -> f64 {
    let request = request.validate().unwrap();
    let cancel = CancelToken::new();
    let front_end = &engine.0.front_end;
    let sentences = request.prepare(&engine.0).sentences;
    let model = Lengths(&**engine.0.model.get().unwrap());
    let (quality, style) =
        engine.0.style(request.quality(), request.voice(), request.language()).unwrap();
    let synthesizer = SentenceSynthesizer {
        front_end,
        model: &model,
        quality,
        sample_rate: request.output_rate(),
        style,
        tenant: Tenant::default(),
        cancel: &cancel,
    };
    let spoken = sentences.into_iter().map(|mut sentence| {
        let sentence = synthesizer.speak(&mut sentence, Follows::Sentence, f64::INFINITY, None);
        sentence.unwrap().seconds()
    });
    spoken.sum()
}

/// A text of a thousand characters.
fn text(part: &str) -> String {
    part.chars().cycle().take(MAX_CHARACTERS).collect()
}

#[test]
fn no_text_of_everyday_use_comes_near_the_limit() {
    let engine = Engine::load().expect("`cargo xtask test` has the bundle");
    // The texts of docs/testing.md that take longest.
    let rows = [
        ("digits", "31415926535897932384626433832795 ", Language::EnUs),
        ("codes", "WX7-QW9W-3W5, ", Language::EnUs),
        ("Hindi amounts", "₹१२,४९,९९९.९९, ₹99,99,999, ", Language::HiIn),
    ];
    let mut failures = Vec::new();
    for (name, part, language) in rows {
        let seconds = seconds(&engine, &Request::new(text(part)).language(language).rate(0.5));
        if seconds > 0.8 * f64::from(MAX_SECONDS) {
            failures.push(format!("{name}: {seconds:.0} s"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
