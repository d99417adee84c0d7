//! The audio of a sentence. Silence takes no memory until it is returned.

use speech_text::markup::Inline;

use super::timings::{MarkTiming, Timings};
use crate::sample_rate::SampleRate;

/// The most silence in a part with sound, and the longest part of silence alone, in milliseconds.
const LONGEST_SILENCE_MS: u64 = 1000;

/// The audio of a sentence, with the pause after it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SentenceAudio {
    rate: SampleRate,
    /// The samples without the silences.
    pub(super) samples: Vec<i16>,
    /// The silences in order, at distinct positions.
    silences: Vec<Silence>,
    /// The timestamps, from the start of this sentence.
    pub(crate) timings: Timings,
}

/// A silence before a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Silence {
    pub(super) at: usize,
    pub(super) count: usize,
}

impl SentenceAudio {
    pub(super) fn new(
        rate: SampleRate,
        samples: Vec<i16>,
        silences: Vec<Silence>,
        timings: Timings,
    ) -> Self {
        Self { rate, samples, silences, timings }
    }

    /// No audio.
    pub(crate) fn empty(rate: SampleRate) -> Self {
        Self::new(rate, Vec::new(), Vec::new(), Timings::default())
    }

    pub(crate) fn rate(&self) -> SampleRate {
        self.rate
    }

    /// Takes the audio, and leaves none in its place.
    pub(crate) fn take(&mut self) -> Self {
        let empty = Self::empty(self.rate);
        std::mem::replace(self, empty)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.samples.is_empty() && self.silences.is_empty()
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.rate.seconds(self.count())
    }

    fn count(&self) -> usize {
        let silent = self.silences.iter().map(|silence| silence.count);
        silent.fold(self.samples.len(), usize::saturating_add)
    }

    /// All samples.
    pub(crate) fn into_samples(self) -> Vec<i16> {
        if self.silences.is_empty() {
            return self.samples;
        }
        let mut all = Vec::with_capacity(self.count());
        let mut from = 0;
        for Silence { at, count } in self.silences {
            all.extend_from_slice(&self.samples[from..at]);
            all.resize(all.len() + count, 0);
            from = at;
        }
        all.extend_from_slice(&self.samples[from..]);
        all
    }

    pub(crate) fn append(&mut self, part: Self) {
        let (seconds, offset) = (self.seconds(), self.samples.len());
        self.timings.extend(part.timings.later_by(seconds));
        self.samples.extend(part.samples);
        for Silence { at, count } in part.silences {
            self.insert(at + offset, count);
        }
    }

    /// Appends a silence of this many milliseconds.
    pub(super) fn append_silence(&mut self, milliseconds: u64) {
        self.insert(self.samples.len(), self.rate.samples(milliseconds));
    }

    /// Adds a silence, which must not precede the existing ones.
    fn insert(&mut self, at: usize, count: usize) {
        match self.silences.last_mut() {
            _ if count == 0 => {}
            Some(last) if last.at == at => last.count = last.count.saturating_add(count),
            _ => self.silences.push(Silence { at, count }),
        }
    }

    /// Prepends a silence.
    pub(crate) fn after_silence(self, milliseconds: u64) -> Self {
        let mut audio = Self::empty(self.rate);
        audio.append_silence(milliseconds);
        audio.append(self);
        audio
    }

    /// Appends pauses and marks; `silence` converts the total of the pauses into the silence to
    /// add, which is less by the margins of the utterances around them. Returns whether there was a
    /// pause.
    pub(super) fn append_inline(
        &mut self,
        inline: &[Inline],
        silence: impl Fn(u32) -> u32,
    ) -> bool {
        let pauses = inline.iter().filter_map(Inline::pause);
        let all = pauses.clone().fold(0, u32::saturating_add);
        // The part that the margins cover is taken from the first pause.
        let mut margins = all - silence(all);
        for one in inline {
            match one {
                Inline::Pause(milliseconds) => {
                    let taken = margins.min(*milliseconds);
                    margins -= taken;
                    self.append_silence((milliseconds - taken).into());
                }
                Inline::Bookmark(name) => {
                    let time = self.seconds();
                    self.timings.marks.push(MarkTiming { name: name.clone(), time });
                }
            }
        }
        pauses.count() > 0
    }

    /// Takes the next part from the beginning. The part ends before the silence with which it would
    /// contain over one second of silence. If that silence comes first, the part is one second of
    /// it. Timestamps of the rest are relative to its own start.
    pub(crate) fn take_part(&mut self) -> Self {
        let longest = self.rate.samples(LONGEST_SILENCE_MS);
        let mut all = 0_usize;
        let is_too_long = |silence: &Silence| {
            all = all.saturating_add(silence.count);
            all > longest
        };
        let Some(long) = self.silences.iter().position(is_too_long) else {
            return self.take();
        };
        let mut part = Self::empty(self.rate);
        let at = self.silences[long].at;
        if at == 0 {
            let silence = &mut self.silences[0];
            part.insert(0, longest);
            silence.count -= longest;
        } else {
            let rest = self.samples.split_off(at);
            part.samples = std::mem::replace(&mut self.samples, rest);
            part.silences = self.silences.drain(..long).collect();
            self.silences.iter_mut().for_each(|silence| silence.at -= at);
        }
        part.timings = self.timings.take_until(part.seconds());
        part
    }
}

#[cfg(test)]
mod tests {
    use super::super::timings::{SentenceTiming, WordTiming};
    use super::*;

    fn word(start: f64, end: f64) -> Timings {
        let words = vec![WordTiming { span: 0..1, start, end }];
        Timings { words, ..Timings::default() }
    }

    fn sound(rate: SampleRate, count: usize) -> SentenceAudio {
        SentenceAudio::new(rate, vec![1; count], Vec::new(), word(0.1, 0.2))
    }

    /// Sound with an inner pause, a short one, and adjacent long ones that merge.
    fn audio(rate: SampleRate) -> SentenceAudio {
        let within = Silence { at: 400, count: rate.samples(2000) + 5 };
        let mut audio = SentenceAudio::new(rate, vec![1; 1000], vec![within], word(0.001, 0.002));
        audio.append_silence(500);
        audio.append(sound(rate, rate.samples(1000)));
        audio.append_silence(900);
        audio.append_silence(200);
        let (start, end) = (0.001, audio.seconds() - 1.2);
        audio.timings.sentences.push(SentenceTiming { span: 0..1, start, end });
        audio
    }

    #[test]
    fn silence_comes_in_parts_and_all_is_there() {
        for rate in SampleRate::ALL {
            let (mut rest, mut parts) = (audio(rate), Vec::new());
            while !rest.is_empty() {
                parts.push(rest.take_part());
            }
            let lengths: Vec<_> = parts.iter().map(SentenceAudio::count).collect();
            let second = rate.samples(1000);
            let after = rate.samples(900) + rate.samples(200);
            // The rest of a long silence is short, and comes with the sound that follows.
            let within = 5 + 600 + rate.samples(500) + second;
            assert_eq!(lengths, [400, second, second, within, second, after - second]);
            let mut joined = SentenceAudio::empty(rate);
            for part in parts.iter().cloned() {
                joined.append(part);
            }
            assert_eq!(joined.clone().into_samples(), audio(rate).into_samples());
            assert_eq!(joined.timings.words.len(), 2);
            for (found, expected) in joined.timings.words.iter().zip(&audio(rate).timings.words) {
                assert!((found.start - expected.start).abs() < 1e-9, "{found:?}, not {expected:?}");
            }
            // A sentence is reported with the sound in which it ends.
            let told: Vec<_> = parts.iter().map(|part| part.timings.sentences.len()).collect();
            assert_eq!(told, [0, 0, 0, 1, 0, 0]);
        }
    }

    #[test]
    fn silence_takes_no_memory() {
        let mut audio = sound(SampleRate::default(), 10);
        for _ in 0..1_000_000 {
            audio.append_silence(10_000);
        }
        assert_eq!((audio.samples.len(), audio.silences.len()), (10, 1));
        assert!((audio.seconds() - 1e7).abs() < 1.0);
        for _ in 0..2000 {
            audio.append_silence(u64::MAX);
        }
        assert_eq!(audio.count(), usize::MAX);
    }
}
