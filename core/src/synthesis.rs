//! Composes the stages: a sentence in, its samples out.

use std::ops::Range;

use crate::acoustic::{AcousticModel, MODEL_RATE};
use crate::audio::{self, Resampler};
use crate::bundle::VoiceStyle;
use crate::cancel::CancelToken;
use crate::normalize::{NormalizedText, Options, normalize};
use crate::phonemize::{MAX_TOKENS, Phonemes, Phonemizer};
use crate::segment::{Sentence, sentences};
use crate::{Result, SAMPLE_RATE};

/// What a caller may want to know about how a text was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What it is about.
    pub kind: DiagnosticKind,
    /// Bytes of the text as it was sent.
    pub span: Range<usize>,
}

/// The kinds of [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// These characters were not said: emoji, control characters and the like.
    Skipped,
}

/// When a word is heard.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WordTiming {
    /// Bytes of the text as it was sent. A number such as `12` has one entry, however many words it is
    /// read as.
    pub span: Range<usize>,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// A sentence with a word in it, still to be spoken.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) sentence: Sentence,
    normalized: NormalizedText,
}

/// A sentence that was spoken, with the pause after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) samples: Vec<i16>,
    /// Times from the start of this sentence.
    pub(crate) words: Vec<WordTiming>,
}

/// How long a text sounds that has nothing to say, in milliseconds.
const NOTHING_TO_SAY: u32 = 200;

/// Every sentence of a text that has a word in it, and what is not said.
///
/// Phonemes are left for [`speak`]: the first sentence need not wait for those of the last.
pub(crate) fn prepare(text: &str, options: Options<'_>) -> (Vec<Script>, Vec<Diagnostic>) {
    let mut scripts = Vec::new();
    let mut diagnostics = Vec::new();
    for sentence in sentences(text) {
        let normalized = normalize(text, &sentence, options);
        diagnostics.extend(skipped(&normalized));
        if normalized.has_words() {
            scripts.push(Script { sentence, normalized });
        }
    }
    (scripts, diagnostics)
}

fn skipped(text: &NormalizedText) -> impl Iterator<Item = Diagnostic> {
    text.skipped
        .iter()
        .map(|skipped| Diagnostic { kind: DiagnosticKind::Skipped, span: skipped.span.clone() })
}

/// What is heard for a text with nothing to say in it.
pub(crate) fn nothing_to_say() -> Spoken {
    Spoken { samples: audio::silence(NOTHING_TO_SAY), words: Vec::new() }
}

/// Speaks one sentence; the pause after it is part of it, unless it is the last.
pub(crate) fn speak(
    script: Script,
    is_last: bool,
    phonemizer: &Phonemizer,
    model: &dyn AcousticModel,
    style: &VoiceStyle,
    cancel: &CancelToken,
) -> Result<Spoken> {
    let Script { sentence, normalized } = script;
    let phonemes = phonemizer.phonemize(&normalized);
    let mut spoken = Spoken::default();
    for (i, part) in phonemes.split(MAX_TOKENS).into_iter().enumerate() {
        cancel.check()?;
        if i > 0 {
            spoken.samples.extend(audio::silence(audio::PAUSE_CLAUSE));
        }
        spoken.append(speak_part(&part, model, style, cancel)?);
    }
    if !is_last {
        spoken.samples.extend(audio::silence(audio::pause_after(sentence.ends_paragraph)));
    }
    Ok(spoken)
}

fn speak_part(
    part: &Phonemes,
    model: &dyn AcousticModel,
    style: &VoiceStyle,
    cancel: &CancelToken,
) -> Result<Spoken> {
    let (tokens, words) = part.tokens();
    if tokens.is_empty() {
        return Ok(Spoken::default());
    }
    let utterance = model.speak(&tokens, style.for_tokens(tokens.len()), cancel)?;
    let sounding = audio::sounding(&utterance.samples);
    let mut resampled = Vec::new();
    let mut resampler = Resampler::new();
    resampler.push(&utterance.samples[sounding.clone()], &mut resampled);
    resampler.finish(&mut resampled);
    let seconds = |sample: usize| {
        let heard = sample.clamp(sounding.start, sounding.end) - sounding.start;
        heard as f64 / f64::from(MODEL_RATE)
    };
    let mut timings: Vec<WordTiming> = Vec::new();
    for (token, word) in utterance.tokens.iter().zip(words) {
        let Some(unit) = word.and_then(|word| part.word(word)) else {
            continue;
        };
        match timings.last_mut() {
            Some(last) if last.span == unit.span => last.end = seconds(token.end),
            _ => timings.push(WordTiming {
                span: unit.span.clone(),
                start: seconds(token.start),
                end: seconds(token.end),
            }),
        }
    }
    Ok(Spoken { samples: audio::to_samples(&resampled, style.gain), words: timings })
}

impl Spoken {
    pub(crate) fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }

    fn append(&mut self, part: Self) {
        let offset = self.seconds();
        self.words.extend(part.words.into_iter().map(|word| word.later_by(offset)));
        self.samples.extend(part.samples);
    }
}

impl WordTiming {
    pub(crate) fn later_by(self, seconds: f64) -> Self {
        Self { span: self.span, start: self.start + seconds, end: self.end + seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acoustic::{FRAME_SAMPLES, Utterance};
    use crate::request::Language;

    /// A model that hums two frames a token, between eight silent frames for each pad.
    struct Hum;

    impl AcousticModel for Hum {
        fn speak(&self, tokens: &[i64], _style: &[f32], cancel: &CancelToken) -> Result<Utterance> {
            cancel.check()?;
            let pad = 8 * FRAME_SAMPLES;
            let length = tokens.len() * 2 * FRAME_SAMPLES;
            let mut samples = vec![0.0; pad + length + pad];
            for (n, sample) in samples[pad..pad + length].iter_mut().enumerate() {
                *sample = 0.5 * (n as f32 * 0.1).sin();
            }
            let range = |i: usize| pad + i * 2 * FRAME_SAMPLES..pad + (i + 1) * 2 * FRAME_SAMPLES;
            Ok(Utterance { samples, tokens: (0..tokens.len()).map(range).collect() })
        }
    }

    fn style() -> VoiceStyle {
        VoiceStyle::flat()
    }

    #[test]
    fn words_are_timed_in_order_and_numbers_once() {
        let text = "I own 25 of them.";
        let (mut scripts, _) = prepare(text, Options::plain(Language::EnUs));
        let spoken =
            speak(scripts.remove(0), true, &Phonemizer::new(), &Hum, &style(), &CancelToken::new())
                .unwrap();
        let words: Vec<_> = spoken.words.iter().map(|word| &text[word.span.clone()]).collect();
        assert_eq!(words, ["I", "own", "25", "of", "them"]);
        assert!(spoken.words.iter().all(|word| word.start < word.end));
        assert!(spoken.words.is_sorted_by(|a, b| a.end <= b.start));
        assert!(spoken.words.last().unwrap().end <= spoken.seconds());
        // The margin before the first word is the constant one.
        assert!((spoken.words[0].start - 0.06).abs() < 0.002, "{:?}", spoken.words[0]);
    }

    #[test]
    fn a_pause_follows_all_but_the_last_sentence() {
        let text = "One.\n\nTwo. Three.";
        let (scripts, _) = prepare(text, Options::plain(Language::EnUs));
        let last_sounds: Vec<_> = scripts
            .into_iter()
            .map(|script| {
                let is_last = script.sentence.span.end == text.len();
                let spoken =
                    speak(script, is_last, &Phonemizer::new(), &Hum, &style(), &CancelToken::new())
                        .unwrap();
                let tail = spoken.samples.iter().rev().take_while(|s| **s == 0).count();
                tail * 1000 / SAMPLE_RATE as usize
            })
            .collect();
        assert!(last_sounds[0] > 700 && last_sounds[1] > 420 && last_sounds[1] < 480);
        assert!(last_sounds[2] < 180, "{last_sounds:?}");
    }

    #[test]
    fn a_sentence_over_the_token_limit_is_spoken_whole() {
        let text = "a very long sentence, ".repeat(45);
        let (mut scripts, _) = prepare(&text, Options::plain(Language::EnUs));
        assert_eq!(scripts.len(), 1);
        let spoken =
            speak(scripts.remove(0), true, &Phonemizer::new(), &Hum, &style(), &CancelToken::new())
                .unwrap();
        assert_eq!(spoken.words.len(), 180);
        assert!(spoken.words.is_sorted_by(|a, b| a.end <= b.start));
    }
}
