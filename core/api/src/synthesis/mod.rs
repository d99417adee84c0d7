//! Composes the stages: turns a sentence into samples.

mod alignment;
mod delivery;
mod post_processor;
mod sentence_audio;
mod time_scale;
mod timings;

use std::ops::Range;
use std::sync::Arc;

use speech_acoustic::{
    AcousticModel, FRAME_SAMPLES, MAX_FRAMES, MAX_TOKENS, MODEL_RATE, Spoken, SynthesisParameters,
    VoiceStyle,
};
use speech_base::cancel::CancelToken;
use speech_base::error::Result;
use speech_base::fair_semaphore::Tenant;
use speech_base::limits::too_much_sound;
use speech_base::prefetch::Handover;
use speech_base::quality::Quality;
use speech_base::string_conversions;
use speech_text::front_end::FrontEnd;
use speech_text::markup::{Inline, Passage};
use speech_text::normalize::{NormalizedText, Options};
use speech_text::phonemize::Phonemes;
use speech_text::segment::{Boundary, Sentence};

use crate::audio::{self, Margins};
use crate::sample_rate::SampleRate;
use delivery::Delivery;
use post_processor::PostProcessor;
pub(crate) use sentence_audio::SentenceAudio;
use time_scale::TimeScale;
pub use timings::{MarkTiming, PhonemeTiming, SentenceTiming, VisemeTiming, WordTiming};
pub(crate) use timings::{Timings, visemes};

/// A note on how a text was read that the caller may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of the diagnostic.
    pub kind: DiagnosticKind,
    /// The byte range in the text as sent.
    pub span: Range<usize>,
}

/// The kinds of [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// Characters that were not spoken, such as emoji and control characters.
    Skipped,
}

impl DiagnosticKind {
    /// Every value.
    pub const ALL: [Self; 1] = [Self::Skipped];

    /// The name of the kind, such as `skipped`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
        }
    }
}

string_conversions!(DiagnosticKind, "diagnostic kind");

/// A normalized sentence that contains a word.
#[derive(Clone, Debug)]
pub(crate) struct PreparedSentence {
    /// The source passage.
    pub(crate) passage: Arc<Passage>,
    pub(crate) sentence: Sentence,
    normalized: NormalizedText,
    /// Pauses and marks between its words.
    inner: Vec<(usize, Inline)>,
    /// Pauses and marks before it, if it is the first sentence.
    before: Vec<Inline>,
    /// Pauses and marks between it and the next sentence.
    after: Vec<Inline>,
    /// The part to speak, in bytes of the text as sent; none means all of it.
    part: Option<Range<usize>>,
    /// The silence around it.
    margins: Margins,
}

/// The parts of a text to speak.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// The sentences that contain a word.
    pub(crate) sentences: Vec<PreparedSentence>,
    /// The diagnostics: text that is skipped.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The pauses and marks of a text without sentences.
    alone: Vec<Inline>,
}

/// The margins where two parts of a sentence are joined between words, in milliseconds: hardly a
/// pause.
const JOINED_LEAD_MS: u32 = 20;
const JOINED_TAIL_MS: u32 = 50;

/// The length of the silence for a text without words, in milliseconds.
const NOTHING_TO_SAY: u64 = 200;

impl PreparedSentence {
    /// Its byte range in the text as sent.
    pub(crate) fn span(&self) -> Range<usize> {
        self.passage.source.source(&self.sentence.span)
    }

    /// A part of the sentence, by its byte range in the text as sent: the rest of it, or its
    /// beginning, which continues.
    pub(crate) fn part(mut self, part: Range<usize>, is_beginning: bool) -> Self {
        let span = self.span();
        if part.start > span.start {
            self.margins.lead_ms = JOINED_LEAD_MS;
            self.before.clear();
        }
        if is_beginning && !self.normalized.ends_with_mark() {
            self.margins.tail_ms = JOINED_TAIL_MS;
        }
        self.part = Some(part);
        self
    }

    /// Removes the pauses before the sentence, and returns their length in milliseconds.
    pub(crate) fn take_pauses_before(&mut self) -> u32 {
        let length = pause_length(&self.before);
        self.before.retain(|one| one.pause().is_none());
        length
    }

    /// The length of the pauses that the text specifies after the sentence, in milliseconds.
    pub(crate) fn explicit_pause_after(&self) -> u32 {
        pause_length(&self.after)
    }

    /// The pause after the sentence by punctuation; 0 if the caller specified a pause.
    pub(crate) fn pause_after(&self) -> u32 {
        if self.after.iter().any(|one| one.pause().is_some())
            || self.sentence.boundary == Boundary::Clause
        {
            return 0;
        }
        let Self { normalized, sentence, passage, .. } = self;
        let pause =
            audio::pause_after(normalized.word_count(), normalized.last_mark(), sentence.boundary);
        let rate = passage.settings_at(sentence.span.end - 1).rate;
        (f64::from(pause) / rate).round() as u32
    }
}

/// What comes after a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    /// Another sentence: the pause between the two belongs to the first.
    Sentence,
    /// The end of the audio.
    Nothing,
    /// More text may arrive: the caller adds the pause later.
    Unknown,
}

impl Follows {
    pub(crate) const fn end_if(is_last: bool) -> Self {
        if is_last { Self::Nothing } else { Self::Sentence }
    }
}

/// Finds the sentences of some passages and normalizes them.
///
/// Phonemization is left to [`SentenceSynthesizer::speak`], so that the first sentence need not
/// wait for those of the last.
pub(crate) fn prepare(
    front_end: &FrontEnd,
    passages: &[Arc<Passage>],
    options: Options<'_>,
) -> Prepared {
    let mut prepared = Prepared::default();
    for passage in passages {
        let options = passage.options(options);
        let mut inline = passage.inline.iter().peekable();
        for (sentence, normalized) in front_end.normalize_passage(passage, options) {
            prepared.diagnostics.extend(skipped(&normalized, passage));
            while let Some((_, one)) = inline.next_if(|(at, _)| *at <= sentence.span.start) {
                prepared.last().push(one.clone());
            }
            let inner = std::iter::from_fn(|| inline.next_if(|(at, _)| *at < sentence.span.end));
            let inner: Vec<_> = inner.cloned().collect();
            if normalized.has_words() {
                let before = std::mem::take(&mut prepared.alone);
                let (passage, after) = (Arc::clone(passage), Vec::new());
                let sentence = PreparedSentence {
                    passage,
                    sentence,
                    normalized,
                    inner,
                    before,
                    after,
                    part: None,
                    margins: Margins::default(),
                };
                prepared.sentences.push(sentence);
            } else {
                prepared.last().extend(inner.into_iter().map(|(_, one)| one));
            }
        }
        prepared.last().extend(inline.map(|(_, one)| one.clone()));
    }
    prepared
}

impl Prepared {
    /// The pauses and marks after the last sentence, or before the first.
    fn last(&mut self) -> &mut Vec<Inline> {
        self.sentences.last_mut().map_or(&mut self.alone, |last| &mut last.after)
    }

    /// The pauses of a text without words, in milliseconds.
    pub(crate) fn pause_alone(&self) -> u32 {
        pause_length(&self.alone)
    }

    /// The audio of a text without words: its pauses, or a short silence.
    pub(crate) fn nothing_to_say(&self, rate: SampleRate) -> SentenceAudio {
        let mut audio = SentenceAudio::empty(rate);
        audio.append_inline(&self.alone, |milliseconds| milliseconds);
        if audio.is_empty() {
            audio.append_silence(NOTHING_TO_SAY);
        }
        audio
    }
}

/// The length of all pauses, in milliseconds.
fn pause_length(inline: &[Inline]) -> u32 {
    inline.iter().filter_map(Inline::pause).fold(0, u32::saturating_add)
}

fn skipped(text: &NormalizedText, passage: &Passage) -> impl Iterator<Item = Diagnostic> {
    text.skipped.iter().map(|skipped| Diagnostic {
        kind: DiagnosticKind::Skipped,
        span: passage.source.source(&skipped.span),
    })
}

/// A callback for the audio of a sentence as it is computed, except the last part.
pub(crate) struct Give<'a> {
    /// It may block only with [`Handover::Waits`]: otherwise the model would block too, for all its
    /// users.
    pub(crate) to: &'a mut dyn FnMut(SentenceAudio, Handover),
    /// Whether the first audio comes as early as possible; otherwise each call gets all audio of
    /// one inference.
    pub(crate) early: bool,
}

/// The model's frames per second.
const FRAMES_PER_SECOND: f64 = MODEL_RATE as f64 / FRAME_SAMPLES as f64;

/// Synthesizes prepared sentences.
#[derive(Clone, Copy)]
pub(crate) struct SentenceSynthesizer<'a> {
    pub(crate) front_end: &'a FrontEnd,
    pub(crate) model: &'a dyn AcousticModel,
    pub(crate) quality: Quality,
    pub(crate) sample_rate: SampleRate,
    pub(crate) style: &'a VoiceStyle,
    pub(crate) tenant: Tenant,
    pub(crate) cancel: &'a CancelToken,
}

impl SentenceSynthesizer<'_> {
    /// Speaks one sentence, with the pause after it, which depends on what follows.
    ///
    /// With `give`, audio is passed on as it is computed, except the last part, which is the
    /// result.
    ///
    /// # Errors
    ///
    /// `cancelled`; `internal` if the inference fails; `invalid_request` if the audio would be
    /// longer than `room`, before the excess is computed.
    pub(crate) fn speak(
        &self,
        sentence: &mut PreparedSentence,
        follows: Follows,
        room: f64,
        give: Option<Give<'_>>,
    ) -> Result<SentenceAudio> {
        let phonemes = self.pronounce(sentence);
        let is_edited =
            !sentence.before.is_empty() || phonemes.units.iter().any(|unit| unit.pause.is_some());
        let mut begins_early = give.as_ref().is_some_and(|give| give.early) && !is_edited;
        let mut output =
            Output { give, audio: SentenceAudio::empty(self.sample_rate), heard: Heard::default() };
        output.audio.append_inline(&sentence.before, |pause| pause.saturating_sub(audio::LEAD_MS));
        let mut pause = 0;
        let mut parts = phonemes.split(MAX_TOKENS);
        parts.reverse();
        while let Some(part) = parts.pop() {
            self.cancel.check()?;
            let room = room - output.seconds();
            let mut give = |beginning| output.give(beginning, Handover::AtOnce);
            let give = begins_early.then_some(&mut give as &mut dyn FnMut(SentenceAudio));
            match self.speak_part(&part, sentence, room, give)? {
                PartAudio::Spoken(spoken) => {
                    output.audio.append_silence(pause);
                    let pause_after = part.units.last().and_then(|unit| unit.pause);
                    pause = pause_after.map_or(audio::PAUSE_CLAUSE, between_sounds).into();
                    begins_early = false;
                    output.audio.append(spoken);
                    if !parts.is_empty() {
                        output.flush();
                    }
                }
                PartAudio::TooLong { limit } => parts.extend(part.split(limit).into_iter().rev()),
            }
        }
        let Output { mut audio, mut heard, .. } = output;
        heard.add(&audio);
        audio.timings.sentences.extend(heard.sentence(sentence.span()));
        match follows {
            Follows::Sentence => {
                if !audio.append_inline(&sentence.after, between_sounds) {
                    audio.append_silence(sentence.pause_after().into());
                }
            }
            Follows::Nothing => {
                audio.append_inline(&sentence.after, |pause| pause.saturating_sub(audio::TAIL_MS));
            }
            Follows::Unknown => (),
        }
        if heard.before_last + audio.seconds() > room {
            return Err(too_much_sound());
        }
        Ok(audio)
    }

    /// The phonemes of the spoken part of a sentence. Pauses and marks that turn out to come before
    /// its first word or after its last are moved there.
    fn pronounce(&self, sentence: &mut PreparedSentence) -> Phonemes {
        let mut phonemes = self.front_end.phonemize(&sentence.normalized);
        let mut inner = std::mem::take(&mut sentence.inner);
        if let Some(part) = &sentence.part {
            let source = &sentence.passage.source;
            let is_said = |at: usize| part.contains(&source.source(&(at..at + 1)).start);
            inner.retain(|(at, _)| is_said(*at));
            phonemes.units.retain(|unit| is_said(unit.span.start));
        }
        let (first, last) = insert(&mut phonemes, inner);
        sentence.before.extend(first);
        sentence.after.splice(0..0, last);
        phonemes
    }

    /// Speaks a part of a sentence at once, unless it exceeds the frame limit of one inference and
    /// can be cut. With `give`, its beginning is passed on as soon as it is computed.
    fn speak_part(
        &self,
        part: &Phonemes,
        sentence: &PreparedSentence,
        room: f64,
        give: Option<&mut dyn FnMut(SentenceAudio)>,
    ) -> Result<PartAudio> {
        let tokens = part.tokens();
        if tokens.is_empty() {
            return Ok(PartAudio::Spoken(SentenceAudio::empty(self.sample_rate)));
        }
        let passage = &*sentence.passage;
        // Early chunks are passed on before a silence could be inserted.
        let paced = give.is_none().then(|| delivery::paced(part, passage));
        let part = paced.as_ref().unwrap_or(part);
        let style = self.style;
        let vector = style.for_tokens(tokens.len());
        let Delivery { controls, faster, gain, gains } = Delivery::new(part, &tokens, passage);
        // The smallest speed-up of any token.
        let faster_by = faster.iter().flatten().copied().reduce(f32::min).unwrap_or(1.0);
        let most = (room * FRAMES_PER_SECOND * f64::from(faster_by)) as usize;
        let parameters = SynthesisParameters {
            quality: self.quality,
            style: vector.style(),
            controls: controls.as_deref(),
            averages: &style.averages,
            max_frames: if tokens.len() > 1 { most.min(MAX_FRAMES) } else { most },
            tenant: self.tenant,
            cancel: self.cancel,
        };
        let ids: Vec<_> = tokens.iter().map(|token| i64::from(token.id)).collect();
        let gain = style.gain(self.quality) * gain;
        let mut post_processor = PostProcessor::new(
            part,
            &tokens,
            &passage.source,
            sentence.margins,
            self.sample_rate,
            (gain, gains.as_deref()),
        );
        let mut time_scale = faster.as_deref().map(TimeScale::new);
        let spoken = match give.filter(|_| gains.is_none()) {
            None => self.model.speak(&ids, parameters, None)?,
            Some(give) => self.model.speak(
                &ids,
                parameters,
                Some(&mut |beginning| {
                    let beginning = match &mut time_scale {
                        Some(time_scale) => time_scale.begin(&beginning),
                        None => beginning,
                    };
                    give(post_processor.begin(&beginning));
                }),
            )?,
        };
        match spoken {
            Spoken::Utterance(utterance) => {
                Ok(PartAudio::Spoken(post_processor.finish(match time_scale {
                    Some(mut time_scale) => time_scale.finish(&utterance),
                    None => utterance,
                })))
            }
            Spoken::TooLong(frames) if frames > most => Err(too_much_sound()),
            Spoken::TooLong(frames) => Ok(PartAudio::too_long(tokens.len(), frames)),
        }
    }
}

/// Inserts the pauses and marks of a sentence between its words. Returns those before its first
/// word and those after its last.
fn insert(phonemes: &mut Phonemes, inner: Vec<(usize, Inline)>) -> (Vec<Inline>, Vec<Inline>) {
    let (mut first, mut last) = (Vec::new(), Vec::new());
    // Marks without a position yet, and their position in the text.
    let mut waiting: Vec<(usize, String)> = Vec::new();
    for (at, one) in inner {
        let begins = !phonemes.units.iter().any(|unit| unit.word.is_some() && unit.span.start < at);
        let ends = !phonemes.units.iter().any(|unit| unit.word.is_some() && unit.span.start >= at);
        match one {
            one if begins => first.push(one),
            one if ends => last.push(one),
            Inline::Bookmark(name) => waiting.push((at, name)),
            Inline::Pause(milliseconds) => {
                let Some(pause) = phonemes.insert_pause(at, milliseconds) else { continue };
                // Marks between the same words come before the pause.
                let begins_after = phonemes.units[..pause].iter().rfind(|unit| unit.word.is_some());
                let from = begins_after.map_or(0, |unit| unit.span.start);
                waiting.retain(|(at, name)| {
                    let is_here = *at > from;
                    if is_here {
                        phonemes.units[pause].marks.push(name.clone());
                    }
                    !is_here
                });
            }
        }
    }
    for (at, name) in waiting {
        let unit =
            phonemes.units.iter_mut().find(|unit| unit.word.is_some() && unit.span.start >= at);
        unit.expect("a word follows").marks.push(name);
    }
    (first, last)
}

/// The part of a pause between two utterances that their margins do not already cover.
pub(crate) fn between_sounds(milliseconds: u32) -> u32 {
    milliseconds.saturating_sub(audio::LEAD_MS + audio::TAIL_MS)
}

/// The audio of a sentence, on its way to the callback.
struct Output<'a> {
    give: Option<Give<'a>>,
    /// The audio computed but not yet passed on.
    audio: SentenceAudio,
    heard: Heard,
}

impl Output<'_> {
    /// The duration of all computed audio.
    fn seconds(&self) -> f64 {
        self.heard.given + self.audio.seconds()
    }

    fn give(&mut self, audio: SentenceAudio, handover: Handover) {
        let Some(give) = &mut self.give else { return };
        self.heard.add(&audio);
        (give.to)(audio, handover);
    }

    /// Passes on the computed audio, if there is a callback.
    fn flush(&mut self) {
        if self.give.is_some() {
            let audio = self.audio.take();
            self.give(audio, Handover::Waits);
        }
    }
}

/// The time range of a sentence's words, while its audio is passed on in pieces.
#[derive(Default)]
struct Heard {
    /// The seconds passed on, and those before the last piece.
    given: f64,
    before_last: f64,
    /// From the first word to the last, relative to the start of the sentence.
    words: Option<(f64, f64)>,
}

impl Heard {
    fn add(&mut self, audio: &SentenceAudio) {
        for word in &audio.timings.words {
            let (start, end) = (self.given + word.start, self.given + word.end);
            self.words = Some((self.words.map_or(start, |(first, _)| first), end));
        }
        self.before_last = self.given;
        self.given += audio.seconds();
    }

    /// The timestamp of the sentence, relative to the start of the last piece.
    fn sentence(&self, span: Range<usize>) -> Option<SentenceTiming> {
        let since = |time: f64| time - self.before_last;
        self.words.map(|(start, end)| SentenceTiming { span, start: since(start), end: since(end) })
    }
}

/// The result of speaking a part of a sentence.
enum PartAudio {
    Spoken(SentenceAudio),
    /// Exceeds the frame limit of one inference; at most `limit` tokens fit.
    TooLong {
        limit: usize,
    },
}

impl PartAudio {
    /// Leaves a tenth free, to have a choice of cuts; always fewer than all tokens, so that the
    /// part is cut.
    fn too_long(tokens: usize, frames: usize) -> Self {
        let limit = tokens * MAX_FRAMES * 9 / (frames * 10);
        Self::TooLong { limit: limit.clamp(1, tokens - 1) }
    }
}

fn seconds(samples: usize) -> f64 {
    samples as f64 / f64::from(MODEL_RATE)
}

#[cfg(test)]
mod tests {
    use speech_acoustic::{Backend, EarlyChunk, FRAME_SAMPLES, Utterance};
    use speech_base::error::ErrorKind;
    use speech_base::language::Language;
    use speech_base::prosody_settings::ProsodySettings;
    use speech_base::voice::Voice;
    use speech_text::markup::plain_passage;

    use super::*;
    use crate::SAMPLE_RATE;

    /// A model that outputs a tone of two frames per token, between eight silent frames per padding
    /// token.
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
            for (i, control) in parameters.controls.unwrap_or_default().iter().enumerate() {
                if control.frames.is_some() {
                    samples[range(i)].fill(0.0);
                }
            }
            let tokens: Vec<_> = (0..tokens.len()).map(range).collect();
            if let Some(begin) = begin {
                // The first piece is silent.
                let ends = [pad / 2, pad - 100, pad + 4_000, pad + 12_000];
                for (offset, end) in ends.into_iter().zip(&ends[1..]) {
                    let samples = samples[offset..*end].to_vec();
                    begin(EarlyChunk { offset, samples, tokens: tokens.clone() });
                }
            }
            Ok(Spoken::Utterance(Utterance { samples, tokens, early: Vec::new() }))
        }

        fn backend(&self) -> Backend {
            unreachable!("nothing is computed")
        }

        fn trim(&self) {}
    }

    /// A sentence spoken by the fake model.
    fn speak(
        sentence: PreparedSentence,
        is_last: bool,
        early: Option<&mut dyn FnMut(SentenceAudio)>,
    ) -> SentenceAudio {
        speak_at(SampleRate::default(), sentence, is_last, early)
    }

    fn speak_at(
        rate: SampleRate,
        sentence: PreparedSentence,
        is_last: bool,
        early: Option<&mut dyn FnMut(SentenceAudio)>,
    ) -> SentenceAudio {
        let Some(early) = early else {
            return try_to_speak(rate, sentence, is_last, 1e3, None).unwrap();
        };
        let mut to = |audio, handover| {
            assert_eq!(handover, Handover::AtOnce, "the model is held");
            early(audio);
        };
        let give = Give { to: &mut to, early: true };
        try_to_speak(rate, sentence, is_last, 1e3, Some(give)).unwrap()
    }

    fn try_to_speak(
        rate: SampleRate,
        mut sentence: PreparedSentence,
        is_last: bool,
        room: f64,
        give: Option<Give<'_>>,
    ) -> Result<SentenceAudio> {
        let style = style();
        let (front_end, cancel) = (FrontEnd::load(), CancelToken::new());
        let synthesizer = SentenceSynthesizer {
            front_end: &front_end,
            model: &FakeModel,
            quality: Quality::Full,
            sample_rate: rate,
            style: &style,
            tenant: Tenant::default(),
            cancel: &cancel,
        };
        synthesizer.speak(&mut sentence, Follows::end_if(is_last), room, give)
    }

    /// The sentences of an English text.
    fn sentences(text: &str) -> Vec<PreparedSentence> {
        prepared(text, ProsodySettings::default()).sentences
    }

    fn prepared(text: &str, settings: ProsodySettings) -> Prepared {
        let passage = plain_passage(text, true, Voice::ARIA, Language::EnUs, settings).unwrap();
        prepare(&FrontEnd::load(), &[Arc::new(passage)], Options::plain(Language::EnUs))
    }

    fn style() -> VoiceStyle {
        VoiceStyle::flat()
    }

    #[test]
    fn words_are_timed_in_order_and_numbers_once() {
        let text = "I own 25 of them.";
        let mut prepared = sentences(text);
        let audio = speak(prepared.remove(0), true, None);
        let words: Vec<_> =
            audio.timings.words.iter().map(|word| &text[word.span.clone()]).collect();
        assert_eq!(words, ["I", "own", "25", "of", "them"]);
        assert!(audio.timings.words.iter().all(|word| word.start < word.end));
        assert!(audio.timings.words.is_sorted_by(|a, b| a.end <= b.start));
        assert!(audio.timings.words.last().unwrap().end <= audio.seconds());
        // The margin before the first word is the constant one.
        assert!(
            (audio.timings.words[0].start - 0.06).abs() < 0.002,
            "{:?}",
            audio.timings.words[0]
        );
    }

    #[test]
    fn a_pause_follows_all_but_the_last_sentence() {
        let text = "The first.\n\nYes. This is another. The last.";
        let prepared = sentences(text);
        let last_sounds: Vec<_> = prepared
            .into_iter()
            .map(|sentence| {
                let is_last = sentence.sentence.span.end == text.len();
                let audio = speak(sentence, is_last, None);
                let tail = audio.into_samples().into_iter().rev().take_while(|s| *s == 0).count();
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
        let mut prepared = sentences(&text);
        assert_eq!(prepared.len(), 1);
        let audio = speak(prepared.remove(0), true, None);
        assert_eq!(audio.timings.words.len(), 180);
        assert!(audio.timings.words.is_sorted_by(|a, b| a.end <= b.start));
    }

    #[test]
    fn a_sentence_in_pieces_is_the_same_sentence() {
        let text = "I own twenty five of them, and you own none.";
        // The second is limited throughout.
        let volumes = [0.0, 12.0].into_iter();
        let cases = volumes.flat_map(|volume| SampleRate::ALL.map(|rate| (volume, rate)));
        for (volume, rate) in cases {
            let settings = ProsodySettings { volume, ..ProsodySettings::default() };
            let sentence = prepared(text, settings).sentences.remove(0);
            let whole = speak_at(rate, sentence.clone(), true, None);
            let mut pieces = Vec::new();
            let rest = speak_at(rate, sentence, true, Some(&mut |audio| pieces.push(audio)));
            assert_eq!(pieces.len(), 3);
            let mut joined = SentenceAudio::empty(rate);
            // None of the silence, then the margin and the sound, then half a second in total.
            for (piece, seconds) in pieces.into_iter().zip([0.0, 0.22, 0.55]) {
                let is_heard = |word: &WordTiming| word.start < piece.seconds();
                assert!(piece.timings.words.iter().all(is_heard), "{:?}", piece.timings.words);
                joined.append(piece);
                assert!((joined.seconds() - seconds).abs() < 0.01, "{}", joined.seconds());
            }
            assert!(!joined.timings.words.is_empty() && !rest.timings.words.is_empty());
            joined.append(rest);
            assert_eq!(
                joined.clone().into_samples(),
                whole.clone().into_samples(),
                "{volume} dB, {rate:?}"
            );
            assert_eq!(joined.timings.words.len(), whole.timings.words.len());
            for (a, b) in joined.timings.words.iter().zip(&whole.timings.words) {
                assert_eq!(a.span, b.span);
                // The pieces have whole samples.
                assert!(
                    (a.start - b.start).abs() < 1.5e-4 && (a.end - b.end).abs() < 1.5e-4,
                    "{a:?} {b:?}"
                );
            }
        }
    }

    /// The model's tone is at 382 Hz, within the band of every rate.
    #[test]
    fn every_rate_has_the_same_sound_at_the_same_times() {
        let text = "I own [pause 900ms] of them, and you own none.";
        let sentence = sentences(text).remove(0);
        let expected = speak_at(SampleRate::Hz24000, sentence.clone(), false, None);
        let level = |audio: &SentenceAudio| {
            let samples = audio.clone().into_samples();
            let squares = samples.iter().map(|sample| f64::from(*sample).powi(2));
            (squares.sum::<f64>() / samples.len() as f64).sqrt()
        };
        for rate in SampleRate::ALL {
            let audio = speak_at(rate, sentence.clone(), false, None);
            assert!((audio.seconds() - expected.seconds()).abs() < 4e-4, "{rate:?}");
            assert_eq!(audio.timings.words, expected.timings.words, "{rate:?}");
            assert!((level(&audio) / level(&expected) - 1.0).abs() < 0.005, "{rate:?}");
        }
    }

    /// The lengths of the silences between sounds, in milliseconds, without those at the ends.
    fn silences(samples: &[i16]) -> Vec<usize> {
        let is_silent = |chunk: &[i16]| chunk.iter().all(|sample| sample.unsigned_abs() < 80);
        let chunks: Vec<_> = samples.chunks(SAMPLE_RATE as usize / 500).map(is_silent).collect();
        let runs = chunks.chunk_by(|a, b| a == b).filter(|run| run[0] && run.len() > 10);
        let runs: Vec<_> = runs.map(|run| run.len() * 2).collect();
        let first = usize::from(chunks[0]);
        let last = runs.len() - usize::from(chunks[chunks.len() - 1]);
        runs[first..last].to_vec()
    }

    #[test]
    fn a_pause_is_as_long_as_the_caller_says() {
        for (text, expected) in [
            ("I own [pause 900ms] of them.", &[900_usize][..]),
            ("I own, [pause 1s] of [pause 400ms]them.", &[1000, 400]),
            ("I own. [pause 700ms] You do not.", &[700]),
            ("I own. [pause 300ms] [pause 400ms] You do not.", &[700]),
            ("I own. [pause 0ms] You do not.", &[220]),
            ("[pause 2s] I own[pause 500ms], of them.", &[500]),
            ("… I own… of them — and you…", &[200, 150]),
            ("I own…[pause 400ms] of them.", &[400]),
            (
                "I own [pause 6s] of [pause 1100ms] them. [pause 3s] You do not.",
                &[6000, 1100, 3000],
            ),
        ] {
            let mut whole = SentenceAudio::empty(SampleRate::default());
            let mut sentences = sentences(text);
            let last = sentences.pop().unwrap();
            for sentence in sentences {
                whole.append(speak(sentence, false, None));
            }
            whole.append(speak(last, true, None));
            let found = silences(&whole.clone().into_samples());
            assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.abs_diff(*expected) < 30, "{text}: {found}, not {expected}");
            }
            let words = &whole.timings.words;
            assert!(
                words.iter().all(|word| text[word.span.clone()].chars().all(char::is_alphabetic))
            );
            assert!(words.is_sorted_by(|a, b| a.end <= b.start), "{words:?}");
            assert!(words.last().unwrap().end <= whole.seconds());
        }
    }

    /// Silence inserted after resampling gives the same samples as silence inserted before.
    #[test]
    fn a_long_pause_is_a_short_one_with_silence_in_it() {
        for rate in SampleRate::ALL {
            let spoken = |pause: u32| {
                let pause = format!("[pause {pause}ms]");
                let text = format!("I own {pause} of them, {pause} and you none.");
                speak_at(rate, sentences(&text).remove(0), true, None).into_samples()
            };
            let (short, mut long) = (spoken(100), spoken(3100));
            for _ in 0..2 {
                let mut runs = long.windows(rate.samples(180));
                let at = runs.position(|run| run.iter().all(|sample| *sample == 0)).unwrap();
                long.drain(at + 1..=at + rate.samples(3000));
            }
            assert!(long == short, "{rate:?}: {} and {} samples", long.len(), short.len());
        }
    }

    #[test]
    fn a_sentence_that_is_computed_in_parts_is_given_in_parts() {
        let text = "a very long sentence, ".repeat(45);
        let sentence = sentences(&text).remove(0);
        let whole = speak(sentence.clone(), true, None);
        let mut parts = Vec::new();
        let give = Give { to: &mut |part, _| parts.push(part), early: false };
        let last = try_to_speak(SampleRate::default(), sentence, true, 1e3, Some(give)).unwrap();
        parts.push(last);
        assert!(parts.len() > 2, "{} parts", parts.len());
        assert!(parts.iter().all(|part| part.seconds() < 17.0));
        let mut joined = SentenceAudio::empty(SampleRate::default());
        parts.into_iter().for_each(|part| joined.append(part));
        assert_eq!(joined.timings.words.len(), whole.timings.words.len());
        let [found, expected] = [&joined, &whole].map(|audio| audio.timings.sentences.clone());
        assert_eq!(found[0].span, expected[0].span);
        assert!((found[0].start - expected[0].start).abs() < 1e-6);
        assert!((found[0].end - expected[0].end).abs() < 1e-6);
        assert_eq!(joined.into_samples(), whole.into_samples());
    }

    #[test]
    fn nothing_is_computed_that_there_is_no_room_for() {
        let text = "a very long sentence, ".repeat(45);
        let long = sentences(&text).remove(0);
        let seconds = speak(long.clone(), true, None).seconds();
        let pause = || sentences("I own it. [pause 9s] And you.").remove(0);
        for (sentence, is_last, room, given) in [
            (long.clone(), true, seconds + 0.5, true),
            (long.clone(), true, seconds - 0.5, false),
            (long, true, 0.0, false),
            (pause(), true, 11.0, true),
            (pause(), false, 8.0, false),
        ] {
            let mut sum = 0.0;
            let mut to = |part: SentenceAudio, _| sum += part.seconds();
            let give = Give { to: &mut to, early: false };
            let last = try_to_speak(SampleRate::default(), sentence, is_last, room, Some(give));
            match last {
                Ok(last) => assert!(given && sum + last.seconds() <= room),
                Err(error) => {
                    assert!(!given && sum <= room, "{sum} of {room} s");
                    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
                    assert!(error.message().contains("longer than 1200 s"), "{error}");
                }
            }
        }
    }

    #[test]
    fn pauses_alone_are_silence() {
        let seconds = |text: &str| {
            let prepared = prepared(text, ProsodySettings::default());
            assert!(prepared.sentences.is_empty());
            prepared.nothing_to_say(SampleRate::default()).seconds()
        };
        assert_eq!(seconds("[pause 1.5s] … [pause 500ms]"), 2.0);
        assert_eq!(seconds("…"), 0.2);
    }

    #[test]
    fn marks_are_reached_where_they_stand() {
        let text = "I own five of them. You do not.";
        let mut passage =
            Passage::plain(text, Voice::ARIA, Language::EnUs, ProsodySettings::default());
        let mark = |at, name: &str| (at, Inline::Bookmark(name.into()));
        passage.inline = vec![
            mark(0, "first"),
            mark(6, "before five"),
            mark(10, "before the pause"),
            (10, Inline::Pause(1000)),
            mark(10, "after the pause"),
            mark(20, "between"),
            mark(31, "last"),
        ];
        let options = Options::plain(Language::EnUs);
        let mut sentences = prepare(&FrontEnd::load(), &[Arc::new(passage)], options).sentences;
        let second = speak(sentences.pop().unwrap(), true, None);
        let first = speak(sentences.pop().unwrap(), false, None);
        let length = first.seconds();
        let mut whole = first;
        whole.append(second);
        let word = |n: usize| whole.timings.words[n].clone();
        let names: Vec<_> = whole.timings.marks.iter().map(|mark| mark.name.as_str()).collect();
        let expected =
            ["first", "before five", "before the pause", "after the pause", "between", "last"];
        assert_eq!(names, expected);
        let times =
            [0.0, word(2).start, word(2).end, word(3).start, length - 0.28, whole.seconds()];
        for (mark, time) in whole.timings.marks.iter().zip(times) {
            assert!((mark.time - time).abs() < 0.06, "{mark:?}, not {time}");
        }
        assert!(word(3).start - word(2).end > 0.9);
    }

    #[test]
    fn sounds_and_sentences_are_timed() {
        let text = "Own it. You can.";
        let mut whole = SentenceAudio::empty(SampleRate::default());
        for (index, sentence) in sentences(text).into_iter().enumerate() {
            whole.append(speak(sentence, index == 1, None));
        }
        let Timings { words, phonemes, sentences, .. } = whole.timings;
        let spans: Vec<_> = sentences.iter().map(|sentence| &text[sentence.span.clone()]).collect();
        assert_eq!(spans, ["Own it.", "You can."]);
        assert_eq!((sentences[0].start, sentences[0].end), (words[0].start, words[1].end));
        assert_eq!((sentences[1].start, sentences[1].end), (words[2].start, words[3].end));
        assert_eq!(phonemes[0].ipa, "ˈoʊ");
        assert!(phonemes.is_sorted_by(|a, b| a.end <= b.start + 1e-9), "{phonemes:?}");
        for word in &words {
            let mut sounds = phonemes.iter().filter(|phoneme| phoneme.span == word.span);
            let first = sounds.next().unwrap();
            assert!((first.start - word.start).abs() < 1e-9, "{word:?} {first:?}");
            let last = sounds.next_back().unwrap_or(first);
            assert!(last.end <= word.end + 1e-9);
        }
    }

    #[test]
    fn the_volume_is_in_decibels() {
        let peak = |volume| {
            let settings = ProsodySettings { volume, ..ProsodySettings::default() };
            let sentence = prepared("I own it.", settings).sentences.remove(0);
            let audio = speak(sentence, true, None);
            f64::from(
                audio.into_samples().iter().map(|sample| sample.unsigned_abs()).max().unwrap(),
            )
        };
        let plain = peak(0.0);
        assert!((peak(-6.0) / plain - 0.501).abs() < 0.01);
        assert!((peak(3.0) / plain - 1.413).abs() < 0.01);
        assert!(peak(12.0) <= 32_767.0 * 0.967, "the ceiling is kept");
    }

    /// "I own it." with volumes for byte ranges of words.
    fn with_volumes(volumes: &[(Range<usize>, f64)]) -> SentenceAudio {
        let settings = ProsodySettings::default();
        let mut passage = Passage::plain("I own it.", Voice::ARIA, Language::EnUs, settings);
        let of = |volume| ProsodySettings { volume, ..settings };
        passage.settings =
            volumes.iter().map(|(span, volume)| (span.clone(), of(*volume))).collect();
        let options = Options::plain(Language::EnUs);
        let sentence =
            prepare(&FrontEnd::load(), &[Arc::new(passage)], options).sentences.remove(0);
        speak(sentence, true, None)
    }

    #[test]
    fn a_word_may_be_louder_than_the_others() {
        let audio = with_volumes(&[(2..5, 4.0)]);
        let samples = audio.clone().into_samples();
        let peak = |word: &WordTiming| {
            let sample = |seconds: f64| (seconds * f64::from(SAMPLE_RATE)) as usize;
            let middle = sample(word.start) + 400..sample(word.end) - 400;
            f64::from(samples[middle].iter().map(|s| s.unsigned_abs()).max().unwrap())
        };
        let words = &audio.timings.words;
        let ratio = peak(&words[1]) / peak(&words[2]);
        assert!((ratio - 1.585).abs() < 0.03, "{ratio}");
    }

    #[test]
    fn what_is_heard_when_does_not_depend_on_the_volumes_of_words() {
        let plain = with_volumes(&[]);
        for volumes in [[(0..1, -40.0), (2..5, 12.0)], [(2..5, 12.0), (6..8, -40.0)]] {
            let audio = with_volumes(&volumes);
            assert_eq!(audio.seconds(), plain.seconds(), "{volumes:?}");
            assert_eq!(audio.timings, plain.timings, "{volumes:?}");
            let samples = audio.into_samples();
            let loudest = samples.iter().map(|sample| sample.unsigned_abs()).max();
            assert_eq!(loudest, Some(31_653), "{volumes:?}");
        }
    }
}
