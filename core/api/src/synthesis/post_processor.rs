//! Trims, resamples and quantizes one utterance, and computes its timestamps.

use std::ops::Range;

use speech_acoustic::{EarlyChunk, FRAME_SAMPLES, MODEL_RATE, Utterance};
use speech_text::markup::SourceMap;
use speech_text::phonemize::{Phone, PhonemeToken, Phonemes, phones};

use super::alignment::{Audible, align, quiet};
use super::seconds;
use super::sentence_audio::{self, SentenceAudio};
use super::timings::{MarkTiming, PhonemeTiming, Timings, WordTiming};
use crate::audio::{self, Loudness, Margins, Resampler};
use crate::sample_rate::SampleRate;

/// An early chunk whose samples are all below this is silence, whatever comes later.
const AUDIBLE: f32 = 0.02;

/// The length of fades at inserted silence and between different gains, in samples: 10 ms.
const FADE_SAMPLES: usize = MODEL_RATE as usize / 100;

/// Resamples and levels the audio of one utterance and computes its timestamps, in one or more
/// chunks.
pub(super) struct PostProcessor<'a> {
    part: &'a Phonemes,
    tokens: &'a [PhonemeToken],
    phones: Vec<Phone>,
    source: &'a SourceMap,
    margins: Margins,
    rate: SampleRate,
    resampler: Resampler,
    loudness: Loudness,
    /// The gain of each token, if they differ.
    gains: Option<&'a [f32]>,
    /// The first sample of the model that is kept, and the first audible one, once known.
    start: Option<Start>,
    /// The first sample of the model that has not been passed on.
    at: usize,
    /// The samples so far, while all of them are silent.
    silent: Vec<f32>,
    /// The inserted silences, in order.
    silences: Vec<Silence>,
    /// The numbers of words and phonemes passed on, and the seconds of audio.
    words_given: usize,
    phonemes_given: usize,
    marks_given: usize,
    seconds_given: f64,
}

/// The samples of a silence that are inserted before resampling: 0.1 s.
const WITHIN: usize = MODEL_RATE as usize / 10;

/// The start of an utterance, in samples of the model.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    kept: usize,
    heard: usize,
}

impl Start {
    /// The start, for samples at an offset from the start of the utterance.
    fn of(sounding: &audio::Sounding, offset: usize) -> Self {
        Self { kept: offset + sounding.kept.start, heard: offset + sounding.heard().start }
    }
}

/// Silence inserted before a sample of the model.
#[derive(Clone, Copy, Debug)]
struct Silence {
    at: usize,
    count: usize,
}

impl Silence {
    /// The samples inserted before resampling. The rest of a long silence is inserted after
    /// resampling, with the same result: the resampling filter is shorter than the part inserted
    /// before.
    fn within(&self, rate: SampleRate) -> usize {
        let (_, down) = rate.ratio();
        self.count - self.after(rate) * down
    }

    /// The rest, in multiples after which the samples of both rates coincide in time.
    fn after(&self, rate: SampleRate) -> usize {
        let (_, down) = rate.ratio();
        self.count.saturating_sub(WITHIN) / down
    }
}

/// Whether an early chunk is silence.
fn is_silent(samples: &[f32]) -> bool {
    samples.iter().all(|sample| sample.abs() < AUDIBLE)
}

impl<'a> PostProcessor<'a> {
    pub(super) fn new(
        part: &'a Phonemes,
        tokens: &'a [PhonemeToken],
        source: &'a SourceMap,
        margins: Margins,
        rate: SampleRate,
        (gain, gains): (f32, Option<&'a [f32]>),
    ) -> Self {
        Self {
            part,
            tokens,
            phones: phones(tokens),
            source,
            margins,
            rate,
            resampler: Resampler::new(rate),
            loudness: Loudness::new(rate, gain),
            gains,
            start: None,
            at: 0,
            silent: Vec::new(),
            silences: Vec::new(),
            words_given: 0,
            phonemes_given: 0,
            marks_given: 0,
            seconds_given: 0.0,
        }
    }

    /// Takes an early chunk; returns no audio while everything so far is silent.
    pub(super) fn begin(&mut self, beginning: &EarlyChunk) -> SentenceAudio {
        let EarlyChunk { offset, samples, tokens } = beginning;
        // Silent chunks are the lead-in of the first audible one.
        let offset = offset - self.silent.len();
        let mut all = std::mem::take(&mut self.silent);
        all.extend_from_slice(samples);
        let mut samples = all;
        if self.start.is_none() && is_silent(&samples) {
            self.silent = samples;
            return SentenceAudio::empty(self.rate);
        }
        let start = self.start.unwrap_or_else(|| {
            let sounding = audio::Sounding::of(&samples, self.margins);
            sounding.fade_in(&mut samples[sounding.kept.start..]);
            Start::of(&sounding, offset)
        });
        self.start = Some(start);
        let from = self.at.max(start.kept) - offset;
        self.at = offset + samples.len();
        let mut resampled = Vec::new();
        self.resampler.push(&samples[from..], &mut resampled);
        let mut samples = Vec::new();
        self.loudness.push(&resampled, &mut samples);
        let mut audio = SentenceAudio::new(self.rate, samples, Vec::new(), Timings::default());
        let until = self.seconds_given + audio.seconds();
        let audible = Audible { sounding: start.heard..self.at, samples: None, cuts: &[] };
        audio.timings = self.not_given(self.timings(tokens, &audible, usize::MAX), until);
        self.seconds_given = until;
        audio
    }

    /// Takes the whole utterance, and returns the audio not passed on yet.
    pub(super) fn finish(mut self, utterance: Utterance) -> SentenceAudio {
        let Utterance { mut samples, tokens, early } = utterance;
        let sounding = audio::Sounding::of(&samples, self.margins);
        let begun = self.start.is_none().then(|| {
            // The start must be the same as if the early chunks had been passed on.
            let first = early.first().map_or(0, |range| range.start);
            let mut chunks = early.iter().map(|range| &samples[first..range.end]);
            chunks.find(|chunk| !is_silent(chunk)).map_or((0, sounding.clone()), |chunk| {
                (first, audio::Sounding::of(chunk, self.margins))
            })
        });
        let start = begun.as_ref().map(|(offset, sounding)| Start::of(sounding, *offset));
        let start = *self.start.get_or_insert(start.unwrap_or_default());
        let from = self.at.max(start.kept);
        let end = sounding.kept.end.max(from);
        let peak = audio::peak(&samples);
        self.silences = self.silences((&samples, peak), &tokens, from..end);
        let cuts: Vec<_> = self.silences.iter().map(|silence| silence.at).collect();
        let audible = Audible {
            sounding: start.heard..sounding.heard().end,
            samples: Some((&samples, peak)),
            cuts: &cuts,
        };
        let timings = self.not_given(self.timings(&tokens, &audible, end), f64::INFINITY);
        // Silence and timestamps are determined at the model's own volume.
        self.apply_gains(&mut samples, &tokens);
        let mut kept = samples[from..end].to_vec();
        if let Some((_, sounding)) = begun {
            sounding.fade_in(&mut kept);
        }
        sounding.fade_out(&mut kept);
        for silence in self.silences.iter().rev() {
            put_in(&mut kept, silence.at - from, silence.within(self.rate));
        }
        let mut resampled = Vec::new();
        self.resampler.push(&kept, &mut resampled);
        let silences = self.silences_after(from);
        self.resampler.finish(&mut resampled);
        let mut samples = Vec::new();
        self.loudness.push(&resampled, &mut samples);
        self.loudness.finish(&mut samples);
        SentenceAudio::new(self.rate, samples, silences, timings)
    }

    /// The timestamps not passed on yet that begin before a time; they are clipped to begin after
    /// those already passed on.
    fn not_given(&mut self, timings: Timings, until: f64) -> Timings {
        let Timings { words, phonemes, sentences, marks } = timings;
        let words: Vec<_> =
            words.into_iter().skip(self.words_given).take_while(|one| one.start < until).collect();
        let phonemes: Vec<_> = phonemes
            .into_iter()
            .skip(self.phonemes_given)
            .take_while(|one| one.start < until)
            .collect();
        let marks: Vec<_> =
            marks.into_iter().skip(self.marks_given).take_while(|one| one.time < until).collect();
        self.words_given += words.len();
        self.phonemes_given += phonemes.len();
        self.marks_given += marks.len();
        Timings { words, phonemes, sentences, marks }.later_by(-self.seconds_given)
    }

    /// Multiplies the samples of each token by its gain.
    fn apply_gains(&self, samples: &mut [f32], tokens: &[Range<usize>]) {
        let Some(gains) = self.gains else { return };
        let (Some(first), Some(last)) = (gains.first(), gains.last()) else { return };
        // Padding takes the gain of the neighboring token.
        let ends = tokens.iter().map(|token| token.end);
        let mut from = 0;
        let mut before = *first;
        for (end, gain) in ends.zip(gains).chain([(samples.len(), last)]) {
            for (n, sample) in samples[from..end].iter_mut().enumerate() {
                let weight = (n as f32 / FADE_SAMPLES as f32).min(1.0);
                *sample *= before + (gain - before) * weight;
            }
            (from, before) = (end, *gain);
        }
    }

    /// The silence to insert for the caller's pauses, beyond the existing silence, within the kept
    /// samples.
    fn silences(
        &self,
        (samples, peak): (&[f32], f32),
        tokens: &[Range<usize>],
        kept: Range<usize>,
    ) -> Vec<Silence> {
        let inner = 1..self.tokens.len().saturating_sub(1);
        let silence = |index: usize| {
            let milliseconds = self.part.units[self.tokens[index].unit?].pause?;
            let near = tokens[index].start.saturating_sub(FRAME_SAMPLES)
                ..tokens[index].end + FRAME_SAMPLES;
            let near = near.start.max(kept.start)..near.end.min(kept.end);
            let quiet = quiet(samples, near, peak);
            let wanted = milliseconds as usize * (MODEL_RATE as usize / 1000);
            Some(Silence {
                at: quiet.start.midpoint(quiet.end),
                count: wanted.saturating_sub(quiet.len()),
            })
        };
        inner.filter_map(silence).filter(|silence| kept.contains(&silence.at)).collect()
    }

    /// The remaining silences from a sample of the model on, in samples at the request's rate.
    fn silences_after(&self, from: usize) -> Vec<sentence_audio::Silence> {
        let (up, down) = self.rate.ratio();
        let mut before = 0;
        let silences = self.silences.iter().map(|silence| {
            let within = silence.within(self.rate);
            let middle = silence.at - from + before + within / 2;
            before += within;
            sentence_audio::Silence { at: middle * up / down, count: silence.after(self.rate) * up }
        });
        silences.filter(|silence| silence.count > 0).collect()
    }

    /// The timestamps in seconds from the start, for audio that ends at this sample of the model.
    fn timings(&self, tokens: &[Range<usize>], audible: &Audible<'_>, end: usize) -> Timings {
        let tokens = align(self.part, self.tokens, tokens, audible);
        let start = self.start.unwrap_or_default().kept;
        let heard = |sample: usize| {
            let sample = sample.clamp(start, end);
            let silences = self.silences.iter().take_while(|silence| silence.at < sample);
            seconds(sample - start + silences.map(|silence| silence.count).sum::<usize>())
        };
        let mut timings = Timings::default();
        let mut unit_before = None;
        for (range, token) in tokens.iter().zip(self.tokens) {
            let Some(index) = token.unit else { continue };
            let unit = &self.part.units[index];
            if unit_before != Some(index) {
                unit_before = Some(index);
                let time = heard(range.start);
                timings
                    .marks
                    .extend(unit.marks.iter().map(|name| MarkTiming { name: name.clone(), time }));
            }
            if unit.word.is_none() {
                continue;
            }
            let span = self.source.source(&unit.span);
            match timings.words.last_mut() {
                Some(last) if last.span == span => last.end = heard(range.end),
                _ => timings.words.push(WordTiming {
                    span,
                    start: heard(range.start),
                    end: heard(range.end),
                }),
            }
        }
        for Phone { ipa, unit, tokens: range } in &self.phones {
            let unit = &self.part.units[*unit];
            if unit.word.is_some() && range.end <= tokens.len() {
                timings.phonemes.push(PhonemeTiming {
                    ipa: ipa.clone(),
                    span: self.source.source(&unit.span),
                    start: heard(tokens[range.start].start),
                    end: heard(tokens[range.end - 1].end),
                });
            }
        }
        timings
    }
}

/// Inserts silence into samples, with a fade on both sides.
fn put_in(samples: &mut Vec<f32>, at: usize, count: usize) {
    if count == 0 {
        return;
    }
    let fade = FADE_SAMPLES / 2;
    for n in 0..fade {
        let weight = n as f32 / fade as f32;
        if let Some(sample) = at.checked_sub(n + 1).and_then(|at| samples.get_mut(at)) {
            *sample *= weight;
        }
        if let Some(sample) = samples.get_mut(at + n) {
            *sample *= weight;
        }
    }
    samples.splice(at..at, std::iter::repeat_n(0.0, count));
}
