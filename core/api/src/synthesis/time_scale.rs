//! Speeds up speech beyond the rates of the model: time-scale modification by waveform similarity
//! overlap-add (Verhelst and Roelands 1993, "An overlap-add technique based on waveform similarity
//! (WSOLA) for high quality time-scale modification of speech").
//!
//! Windows of the audio are moved closer together. Each is taken, within some milliseconds of its
//! nominal position, where it is most similar to the continuation of the previous one, so that
//! periods of the voice stay intact.

use std::ops::Range;

use speech_acoustic::{EarlyChunk, MODEL_RATE, Utterance};

/// In samples: the Hann window, 30 ms; the step between windows in the output, half of that; and
/// the search range on each side of the nominal position, 8 ms, more than half a period of a low
/// voice.
const WINDOW: usize = MODEL_RATE as usize * 30 / 1000;
const STEP: usize = WINDOW / 2;
const REACH: usize = MODEL_RATE as usize * 8 / 1000;

/// Speeds up an utterance: the whole at once, or the early chunks one by one and then the whole.
pub(super) struct TimeScale<'a> {
    /// The speed-up factor of each token.
    factors: &'a [f32],
    /// The samples of the early chunks so far, from the start of the utterance, and the number of
    /// output samples returned for them.
    beginning: Vec<f32>,
    given: usize,
}

impl<'a> TimeScale<'a> {
    pub(super) fn new(factors: &'a [f32]) -> Self {
        Self { factors, beginning: Vec::new(), given: 0 }
    }

    /// Speeds up an early chunk.
    pub(super) fn begin(&mut self, chunk: &EarlyChunk) -> EarlyChunk {
        let map = Map::new(&chunk.tokens, self.factors);
        self.beginning.resize(chunk.offset, 0.0);
        self.beginning.extend_from_slice(&chunk.samples);
        let samples = overlap_add(&self.beginning, &map, false);
        let offset = std::mem::replace(&mut self.given, samples.len());
        EarlyChunk {
            offset,
            samples: samples[offset..].to_vec(),
            tokens: map.outputs(&chunk.tokens),
        }
    }

    pub(super) fn finish(&mut self, utterance: &Utterance) -> Utterance {
        let Utterance { samples, tokens, early } = utterance;
        let chunks = early.iter().filter(|_| self.given == 0).cloned().collect::<Vec<_>>();
        let early = chunks.into_iter().map(|range| {
            let (offset, samples) = (range.start, samples[range].to_vec());
            let chunk = self.begin(&EarlyChunk { offset, samples, tokens: tokens.clone() });
            chunk.offset..chunk.offset + chunk.samples.len()
        });
        let early = early.collect();
        let map = Map::new(tokens, self.factors);
        let samples = overlap_add(samples, &map, true);
        Utterance { samples, tokens: map.outputs(tokens), early }
    }
}

/// The map between the times of input and output samples: one line of constant slope per token.
struct Map {
    /// In order; the first begins at the start.
    lines: Vec<Line>,
}

/// The start of the line in the input and in the output, and the input samples per output sample.
#[derive(Clone, Copy)]
struct Line {
    input: f64,
    output: f64,
    slope: f64,
}

impl Map {
    /// A token extends to the start of the next one. The first and the last token extend to the
    /// ends.
    fn new(tokens: &[Range<usize>], factors: &[f32]) -> Self {
        let first = f64::from(factors.first().copied().unwrap_or(1.0));
        let mut lines = vec![Line { input: 0.0, output: 0.0, slope: first }];
        for (token, factor) in tokens.iter().zip(factors).skip(1) {
            let last = lines[lines.len() - 1];
            let input = token.start as f64;
            let output = last.output + (input - last.input) / last.slope;
            lines.push(Line { input, output, slope: f64::from(*factor) });
        }
        Self { lines }
    }

    fn output(&self, input: usize) -> usize {
        let input = input as f64;
        let next = self.lines.partition_point(|line| line.input <= input);
        let line = self.lines[next - 1];
        (line.output + (input - line.input) / line.slope).round() as usize
    }

    fn input(&self, output: usize) -> usize {
        let output = output as f64;
        let next = self.lines.partition_point(|line| line.output <= output);
        let line = self.lines[next - 1];
        (line.input + (output - line.output) * line.slope).round() as usize
    }

    fn outputs(&self, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
        tokens.iter().map(|token| self.output(token.start)..self.output(token.end)).collect()
    }
}

/// The output samples; if `is_whole` is false, only those that do not depend on later input.
fn overlap_add(samples: &[f32], map: &Map, is_whole: bool) -> Vec<f32> {
    let length = map.output(samples.len());
    let window: Vec<f32> = (0..WINDOW)
        .map(|n| 0.5 - 0.5 * (n as f32 * std::f32::consts::TAU / WINDOW as f32).cos())
        .collect();
    // Silence before and after, so that every window is inside.
    let (before, after) = (STEP + REACH, if is_whole { 2 * WINDOW + REACH } else { 0 });
    let padded: Vec<f32> = std::iter::repeat_n(0.0, before)
        .chain(samples.iter().copied())
        .chain(std::iter::repeat_n(0.0, after))
        .collect();
    let mut output = vec![0.0; length + WINDOW];
    let mut done = 0;
    let mut last: Option<usize> = None;
    while done < length {
        // The middles of the window in the output and in the input are the same moment.
        let place = map.input(done + STEP) + before - STEP;
        let following = last.map_or(place, |last| last + STEP);
        // Never true for the whole, which is padded.
        if place.max(following) + REACH + WINDOW > padded.len() {
            break;
        }
        let at = most_similar(&padded, following, place);
        let windowed = padded[at..at + WINDOW].iter().zip(&window);
        for (sum, (sample, weight)) in output[done..done + WINDOW].iter_mut().zip(windowed) {
            *sum += sample * weight;
        }
        last = Some(at);
        done += STEP;
    }
    output.truncate(if is_whole { length } else { done.min(length) });
    output
}

/// The start of the window within reach of `place` that is most similar to the window at `other`,
/// by normalized correlation; `other` itself if it is within reach.
fn most_similar(samples: &[f32], other: usize, place: usize) -> usize {
    let reach = place - REACH..=place + REACH;
    if reach.contains(&other) {
        return other;
    }
    let wanted = &samples[other..other + WINDOW];
    let mut best = (f32::MIN, place);
    for start in reach {
        let candidate = &samples[start..start + WINDOW];
        let similarity =
            dot(candidate, wanted) / (dot(candidate, candidate) + f32::MIN_POSITIVE).sqrt();
        // In silence all windows are equally similar: the nominal position is the best.
        let is_better = similarity > best.0 || (similarity == best.0 && start == place);
        if is_better {
            best = (similarity, start);
        }
    }
    best.1
}

/// The dot product in a fixed order, the same on all processors.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

const _: () = assert!(WINDOW.is_multiple_of(16), "a window is whole vectors");

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(length: usize, hertz: f32) -> Vec<f32> {
        let step = std::f32::consts::TAU * hertz / MODEL_RATE as f32;
        (0..length).map(|n| 0.5 * (n as f32 * step).sin()).collect()
    }

    /// The number of changes from negative to positive: the periods.
    fn periods(samples: &[f32]) -> usize {
        samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
    }

    fn utterance(samples: Vec<f32>, tokens: &[Range<usize>]) -> Utterance {
        Utterance { samples, tokens: tokens.to_vec(), early: Vec::new() }
    }

    #[test]
    fn a_tone_is_shorter_and_as_high() {
        for (factor, hertz) in [(1.1, 90.0), (1.35, 220.0), (1.6, 140.0)] {
            let whole = utterance(tone(48_000, hertz), &[0..24_000, 24_000..48_000]);
            let faster = TimeScale::new(&[factor, factor]).finish(&whole);
            let length = faster.samples.len() as f32;
            assert!((length - 48_000.0 / factor).abs() < 2.0, "{length}");
            assert_eq!(faster.tokens[1].end, faster.samples.len());
            let rate = periods(&faster.samples) as f32 / (length / MODEL_RATE as f32);
            assert!((rate - hertz).abs() < 0.02 * hertz, "{rate} Hz, not {hertz}");
            let inner = &faster.samples[WINDOW..faster.samples.len() - 2 * WINDOW];
            let peak = |part: &[f32]| part.iter().fold(0.0_f32, |most, sample| most.max(*sample));
            assert!(inner.chunks(1_000).all(|part| (peak(part) - 0.5).abs() < 0.05));
        }
    }

    #[test]
    fn what_has_its_own_speed_stays() {
        let samples = tone(48_000, 200.0);
        let whole = utterance(samples.clone(), &[0..12_000, 12_000..24_000, 24_000..48_000]);
        let faster = TimeScale::new(&[1.0, 1.5, 1.0]).finish(&whole);
        assert_eq!(faster.samples.len(), 44_000);
        assert_eq!(faster.tokens, [0..12_000, 12_000..20_000, 20_000..44_000]);
        let same = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(same(&faster.samples[WINDOW..11_000], &samples[WINDOW..11_000]));
    }

    #[test]
    fn a_beginning_in_chunks_is_that_of_the_whole() {
        let mut samples = vec![0.0; 3_000];
        samples.extend(tone(40_000, 130.0));
        let tokens = [3_000..20_000, 20_000..43_000];
        let factors = [1.4, 1.2];
        let whole = TimeScale::new(&factors).finish(&utterance(samples.clone(), &tokens));
        let mut time_scale = TimeScale::new(&factors);
        let mut joined = Vec::new();
        for (offset, end) in [(1_000, 4_000), (4_000, 9_000), (9_000, 16_000)] {
            let chunk = EarlyChunk {
                offset,
                samples: samples[offset..end].to_vec(),
                tokens: tokens.to_vec(),
            };
            let faster = time_scale.begin(&chunk);
            assert_eq!(faster.offset, joined.len());
            assert_eq!(faster.tokens, whole.tokens);
            joined.extend(faster.samples);
        }
        assert!(joined.len() > 9_000);
        assert_eq!(joined, whole.samples[..joined.len()]);
    }

    #[test]
    fn silence_and_next_to_nothing_are_no_trouble() {
        for length in [0, 1, 100, 5_000] {
            let silence = utterance(vec![0.0; length], std::slice::from_ref(&(0..length)));
            let faster = TimeScale::new(&[1.5]).finish(&silence);
            assert!(faster.samples.iter().all(|sample| *sample == 0.0));
            assert_eq!(faster.samples.len(), (length as f64 / 1.5).round() as usize);
        }
        assert!(TimeScale::new(&[]).finish(&utterance(vec![0.0; 10], &[])).samples.len() == 10);
    }
}
