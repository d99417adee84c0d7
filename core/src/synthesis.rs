//! Composes the stages: from a sentence to its samples.

use std::ops::Range;

use crate::acoustic::{
    AcousticModel, EarlyChunk, MAX_FRAMES, MODEL_RATE, Spoken, SynthesisParameters, Utterance,
    VoiceStyle,
};
use crate::audio::{self, Loudness, Resampler};
use crate::cancel::CancelToken;
use crate::choice::string_conversions;
use crate::error::Result;
use crate::format::SAMPLE_RATE;
use crate::front_end::FrontEnd;
use crate::normalize::{NormalizedText, Options};
use crate::phonemize::Phonemes;
use crate::segment::Sentence;
use crate::vocabulary::MAX_TOKENS;

/// Something about how a text was read that a caller may want to know.
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

impl DiagnosticKind {
    /// Every kind.
    pub const ALL: [Self; 1] = [Self::Skipped];

    /// The name of the kind, such as `skipped`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
        }
    }
}

string_conversions!(DiagnosticKind, "diagnostic kind");

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

/// A normalized sentence that has a word in it.
#[derive(Clone, Debug)]
pub(crate) struct PreparedSentence {
    pub(crate) sentence: Sentence,
    normalized: NormalizedText,
}

/// The audio of a sentence, with the pause after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SentenceAudio {
    pub(crate) samples: Vec<i16>,
    /// Times from the start of this sentence.
    pub(crate) words: Vec<WordTiming>,
}

/// An early chunk whose samples are all below this is silence, whatever comes later.
const AUDIBLE: f32 = 0.02;

/// The silence for a text without a word, in milliseconds.
const NOTHING_TO_SAY: u32 = 200;

/// Every sentence of a text that has a word in it, and what is not said.
///
/// Phonemes are left for [`SentenceSynthesizer::speak`]: the first sentence need not wait for those of the last.
pub(crate) fn prepare(
    front_end: &FrontEnd,
    text: &str,
    options: Options<'_>,
) -> (Vec<PreparedSentence>, Vec<Diagnostic>) {
    let mut prepared = Vec::new();
    let mut diagnostics = Vec::new();
    for (sentence, normalized) in front_end.normalize(text, options) {
        diagnostics.extend(skipped(&normalized));
        if normalized.has_words() {
            prepared.push(PreparedSentence { sentence, normalized });
        }
    }
    (prepared, diagnostics)
}

fn skipped(text: &NormalizedText) -> impl Iterator<Item = Diagnostic> {
    text.skipped
        .iter()
        .map(|skipped| Diagnostic { kind: DiagnosticKind::Skipped, span: skipped.span.clone() })
}

/// The audio of a text without a word.
pub(crate) fn nothing_to_say() -> SentenceAudio {
    SentenceAudio { samples: audio::silence(NOTHING_TO_SAY), words: Vec::new() }
}

/// Synthesizes prepared sentences.
#[derive(Clone, Copy)]
pub(crate) struct SentenceSynthesizer<'a> {
    pub(crate) front_end: &'a FrontEnd,
    pub(crate) model: &'a dyn AcousticModel,
    pub(crate) style: &'a VoiceStyle,
    pub(crate) cancel: &'a CancelToken,
}

impl SentenceSynthesizer<'_> {
    /// Speaks one sentence; the pause after it is part of it, unless it is the last.
    ///
    /// With `early`, its first audio is given to that function as early as possible, and is not part of the result.
    ///
    /// # Errors
    ///
    /// `cancelled`, and `internal` if the inference fails.
    pub(crate) fn speak(
        &self,
        sentence: PreparedSentence,
        is_last: bool,
        mut early: Option<&mut dyn FnMut(SentenceAudio)>,
    ) -> Result<SentenceAudio> {
        let PreparedSentence { sentence, normalized } = sentence;
        let pause =
            audio::pause_after(normalized.word_count(), normalized.last_mark(), sentence.boundary);
        let mut parts = self.front_end.phonemize(&normalized).split(MAX_TOKENS);
        parts.reverse();
        let mut audio = SentenceAudio::default();
        let mut is_first = true;
        while let Some(part) = parts.pop() {
            self.cancel.check()?;
            let early_now =
                early.as_mut().map(|early| &mut **early as &mut dyn FnMut(SentenceAudio));
            match self.speak_part(&part, early_now)? {
                Ok(spoken) => {
                    if !is_first {
                        audio.samples.extend(audio::silence(audio::PAUSE_CLAUSE));
                    }
                    (is_first, early) = (false, None);
                    audio.append(spoken);
                }
                Err(TooLong { limit }) => parts.extend(part.split(limit).into_iter().rev()),
            }
        }
        if !is_last {
            audio.samples.extend(audio::silence(pause));
        }
        Ok(audio)
    }

    /// Speaks a part at once, unless it is too long for that and can be cut.
    fn speak_part(
        &self,
        part: &Phonemes,
        early: Option<&mut dyn FnMut(SentenceAudio)>,
    ) -> Result<Result<SentenceAudio, TooLong>> {
        let (tokens, words) = part.tokens();
        if tokens.is_empty() {
            return Ok(Ok(SentenceAudio::default()));
        }
        let style = self.style;
        let vector = style.for_tokens(tokens.len());
        let parameters = SynthesisParameters {
            style: vector.style(),
            averages: &style.averages,
            max_frames: if tokens.len() > 1 { MAX_FRAMES } else { usize::MAX },
            cancel: self.cancel,
        };
        let mut post_processor = PostProcessor::new(part, &words, style.gain);
        let spoken = match early {
            None => self.model.speak(&tokens, parameters, None)?,
            Some(early) => self.model.speak(
                &tokens,
                parameters,
                Some(&mut |beginning| early(post_processor.begin(&beginning))),
            )?,
        };
        Ok(match spoken {
            Spoken::Utterance(utterance) => Ok(post_processor.finish(&utterance)),
            Spoken::TooLong(frames) => Err(TooLong::new(tokens.len(), frames)),
        })
    }
}

/// A part that takes too long to say at once.
struct TooLong {
    /// How many tokens of it can be said at once.
    limit: usize,
}

impl TooLong {
    /// Leaves a tenth free, so that there is a choice of where to cut; fewer than all, so that it is cut.
    fn new(tokens: usize, frames: usize) -> Self {
        let limit = tokens * MAX_FRAMES * 9 / (frames * 10);
        Self { limit: limit.clamp(1, tokens - 1) }
    }
}

/// Resamples and levels the audio of one utterance and times its words, in one chunk or more.
struct PostProcessor<'a> {
    part: &'a Phonemes,
    /// The word of each token.
    words: &'a [Option<usize>],
    resampler: Resampler,
    loudness: Loudness,
    /// The first sample of the model that is kept, once that is known.
    start: Option<usize>,
    /// The first sample of the model that was not given yet.
    at: usize,
    /// The samples so far, as long as all of them are silent.
    silent: Vec<f32>,
    /// The words and the seconds of audio that were given.
    words_given: usize,
    seconds_given: f64,
}

impl<'a> PostProcessor<'a> {
    fn new(part: &'a Phonemes, words: &'a [Option<usize>], gain: f32) -> Self {
        Self {
            part,
            words,
            resampler: Resampler::new(),
            loudness: Loudness::new(gain),
            start: None,
            at: 0,
            silent: Vec::new(),
            words_given: 0,
            seconds_given: 0.0,
        }
    }

    /// Takes an early chunk; gives nothing as long as all is silent.
    fn begin(&mut self, beginning: &EarlyChunk) -> SentenceAudio {
        let EarlyChunk { offset, samples, tokens } = beginning;
        // Silent chunks are the lead-in of the first that is not.
        let offset = offset - self.silent.len();
        let mut all = std::mem::take(&mut self.silent);
        all.extend_from_slice(samples);
        let mut samples = all;
        if self.start.is_none() && samples.iter().all(|sample| sample.abs() < AUDIBLE) {
            self.silent = samples;
            return SentenceAudio::default();
        }
        let start = self.start.unwrap_or_else(|| {
            let sounding = audio::Sounding::of(&samples);
            sounding.fade_in(&mut samples[sounding.kept.start..]);
            offset + sounding.kept.start
        });
        self.start = Some(start);
        let from = self.at.max(start) - offset;
        self.at = offset + samples.len();
        let mut resampled = Vec::new();
        self.resampler.push(&samples[from..], &mut resampled);
        let samples = self.loudness.apply(&resampled);
        let words = self.timings(tokens, usize::MAX).into_iter().skip(self.words_given);
        let words: Vec<_> =
            words.take_while(|word| word.start < seconds(self.at - start)).collect();
        self.words_given += words.len();
        let words = words.into_iter().map(|word| word.later_by(-self.seconds_given)).collect();
        let audio = SentenceAudio { samples, words };
        self.seconds_given += audio.seconds();
        audio
    }

    /// Takes the utterance, and gives what was not given yet.
    fn finish(mut self, utterance: &Utterance) -> SentenceAudio {
        let sounding = audio::Sounding::of(&utterance.samples);
        let is_whole = self.start.is_none();
        self.start.get_or_insert(sounding.kept.start);
        let from = self.at.max(sounding.kept.start);
        let end = sounding.kept.end.max(from);
        let words = self.timings(&utterance.tokens, end).into_iter().skip(self.words_given);
        let words = words.map(|word| word.later_by(-self.seconds_given)).collect();
        let mut kept = utterance.samples[from..end].to_vec();
        if is_whole {
            sounding.fade_in(&mut kept);
        }
        sounding.fade_out(&mut kept);
        let mut resampled = Vec::new();
        self.resampler.push(&kept, &mut resampled);
        self.resampler.finish(&mut resampled);
        SentenceAudio { samples: self.loudness.apply(&resampled), words }
    }

    /// When each word is heard, in seconds from the start, if the audio ends at this sample of the model.
    fn timings(&self, tokens: &[Range<usize>], end: usize) -> Vec<WordTiming> {
        let start = self.start.unwrap_or_default();
        let heard = |sample: usize| seconds(sample.clamp(start, end) - start);
        let mut timings: Vec<WordTiming> = Vec::new();
        for (token, word) in tokens.iter().zip(self.words) {
            let Some(unit) = word.and_then(|word| self.part.word(word)) else {
                continue;
            };
            match timings.last_mut() {
                Some(last) if last.span == unit.span => last.end = heard(token.end),
                _ => timings.push(WordTiming {
                    span: unit.span.clone(),
                    start: heard(token.start),
                    end: heard(token.end),
                }),
            }
        }
        timings
    }
}

fn seconds(samples: usize) -> f64 {
    samples as f64 / f64::from(MODEL_RATE)
}

impl SentenceAudio {
    pub(crate) fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }

    pub(crate) fn append(&mut self, part: Self) {
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
    use crate::acoustic::{Backend, FRAME_SAMPLES, Utterance};
    use crate::language::Language;

    /// A model that gives a tone of two frames for each token, between eight silent frames for each pad.
    struct FakeModel;

    impl AcousticModel for FakeModel {
        fn speak(
            &self,
            tokens: &[i64],
            parameters: SynthesisParameters<'_>,
            begin: Option<&mut dyn FnMut(EarlyChunk)>,
        ) -> Result<Spoken> {
            parameters.cancel.check()?;
            let frames = 16 + 2 * tokens.len();
            if frames > parameters.max_frames {
                return Ok(Spoken::TooLong(frames));
            }
            let pad = 8 * FRAME_SAMPLES;
            let length = tokens.len() * 2 * FRAME_SAMPLES;
            let mut samples = vec![0.0; pad + length + pad];
            for (n, sample) in samples[pad..pad + length].iter_mut().enumerate() {
                *sample = 0.5 * (n as f32 * 0.1).sin();
            }
            let range = |i: usize| pad + i * 2 * FRAME_SAMPLES..pad + (i + 1) * 2 * FRAME_SAMPLES;
            let tokens: Vec<_> = (0..tokens.len()).map(range).collect();
            if let Some(begin) = begin {
                // The first piece is silent.
                let ends = [pad / 2, pad - 100, pad + 4_000, pad + 12_000];
                for (offset, end) in ends.into_iter().zip(&ends[1..]) {
                    let samples = samples[offset..*end].to_vec();
                    begin(EarlyChunk { offset, samples, tokens: tokens.clone() });
                }
            }
            Ok(Spoken::Utterance(Utterance { samples, tokens }))
        }

        fn backend(&self) -> Backend {
            unreachable!("nothing is computed")
        }
    }

    /// A sentence spoken by the fake model.
    fn speak(
        sentence: PreparedSentence,
        is_last: bool,
        early: Option<&mut dyn FnMut(SentenceAudio)>,
    ) -> SentenceAudio {
        let style = style();
        let (front_end, cancel) = (FrontEnd::new(), CancelToken::new());
        let synthesizer = SentenceSynthesizer {
            front_end: &front_end,
            model: &FakeModel,
            style: &style,
            cancel: &cancel,
        };
        synthesizer.speak(sentence, is_last, early).unwrap()
    }

    fn style() -> VoiceStyle {
        VoiceStyle::flat()
    }

    #[test]
    fn words_are_timed_in_order_and_numbers_once() {
        let text = "I own 25 of them.";
        let (mut prepared, _) = prepare(&FrontEnd::new(), text, Options::plain(Language::EnUs));
        let audio = speak(prepared.remove(0), true, None);
        let words: Vec<_> = audio.words.iter().map(|word| &text[word.span.clone()]).collect();
        assert_eq!(words, ["I", "own", "25", "of", "them"]);
        assert!(audio.words.iter().all(|word| word.start < word.end));
        assert!(audio.words.is_sorted_by(|a, b| a.end <= b.start));
        assert!(audio.words.last().unwrap().end <= audio.seconds());
        // The margin before the first word is the constant one.
        assert!((audio.words[0].start - 0.06).abs() < 0.002, "{:?}", audio.words[0]);
    }

    #[test]
    fn a_pause_follows_all_but_the_last_sentence() {
        let text = "The first.\n\nYes. This is another. The last.";
        let (prepared, _) = prepare(&FrontEnd::new(), text, Options::plain(Language::EnUs));
        let last_sounds: Vec<_> = prepared
            .into_iter()
            .map(|sentence| {
                let is_last = sentence.sentence.span.end == text.len();
                let audio = speak(sentence, is_last, None);
                let tail = audio.samples.iter().rev().take_while(|s| **s == 0).count();
                tail * 1000 / SAMPLE_RATE as usize
            })
            .collect();
        let expected = [700..780, 320..380, 420..480, 0..180];
        assert_eq!(last_sounds.len(), expected.len());
        assert!(
            last_sounds.iter().zip(&expected).all(|(ms, expected)| expected.contains(ms)),
            "{last_sounds:?}"
        );
    }

    #[test]
    fn a_sentence_over_the_token_limit_is_spoken_whole() {
        let text = "a very long sentence, ".repeat(45);
        let (mut prepared, _) = prepare(&FrontEnd::new(), &text, Options::plain(Language::EnUs));
        assert_eq!(prepared.len(), 1);
        let audio = speak(prepared.remove(0), true, None);
        assert_eq!(audio.words.len(), 180);
        assert!(audio.words.is_sorted_by(|a, b| a.end <= b.start));
    }

    #[test]
    fn a_sentence_in_pieces_is_the_same_sentence() {
        let text = "I own twenty five of them, and you own none.";
        let (prepared, _) = prepare(&FrontEnd::new(), text, Options::plain(Language::EnUs));
        let whole = speak(prepared[0].clone(), true, None);
        let mut pieces = Vec::new();
        let rest = speak(prepared[0].clone(), true, Some(&mut |audio| pieces.push(audio)));
        assert_eq!(pieces.len(), 3);
        let mut joined = SentenceAudio::default();
        // Nothing of the silence, then the margin before the sound with the sound, then half a second in all.
        for (piece, seconds) in pieces.into_iter().zip([0.0, 0.22, 0.55]) {
            joined.append(piece);
            assert!((joined.seconds() - seconds).abs() < 0.01, "{}", joined.seconds());
        }
        assert!(!joined.words.is_empty() && !rest.words.is_empty());
        joined.append(rest);
        assert_eq!(joined.samples, whole.samples);
        assert_eq!(joined.words.len(), whole.words.len());
        for (a, b) in joined.words.iter().zip(&whole.words) {
            assert_eq!(a.span, b.span);
            assert!(
                (a.start - b.start).abs() < 1e-4 && (a.end - b.end).abs() < 1e-4,
                "{a:?} {b:?}"
            );
        }
    }
}
