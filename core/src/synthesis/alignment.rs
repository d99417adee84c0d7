//! When the tokens of an utterance are heard.

use std::ops::Range;

use crate::acoustic::FRAME_SAMPLES;
use crate::audio;
use crate::phonemize::{PhonemeToken, Phonemes};

/// The least that is heard of a sound beside silence: one that is hardly there, such as a stop without a burst, has a time too.
const LEAST: usize = FRAME_SAMPLES;

/// The shortest silence that parts two words: 30 ms. In a shorter one, something is articulated.
const SHORTEST_SILENCE: usize = FRAME_SAMPLES * 6 / 5;

/// Samples among which the quietest place of a pause is looked for: 5 ms.
const QUIET_SAMPLES: usize = FRAME_SAMPLES / 5;

/// What is heard of an utterance, or of the beginning of one.
pub(super) struct Audible<'a> {
    /// From the first sample above the threshold of silence to the last one.
    pub(super) sounding: Range<usize>,
    /// The samples of the whole utterance, once they are known, and the magnitude of the greatest.
    pub(super) samples: Option<(&'a [f32], f32)>,
}

/// The samples in which each token is heard, of the ranges that it has by its duration.
///
/// Sounds beside silence begin and end with what is heard. The space between two words is part of both: of three fifths of it
/// the model makes the second word.
pub(super) fn align(
    part: &Phonemes,
    tokens: &[PhonemeToken],
    ranges: &[Range<usize>],
    audible: &Audible<'_>,
) -> Vec<Range<usize>> {
    let mut aligned = ranges.to_vec();
    let is_word =
        |token: &PhonemeToken| token.unit.is_some_and(|unit| part.units[unit].word.is_some());
    let words: Vec<_> = (0..ranges.len()).filter(|at| is_word(&tokens[*at])).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return aligned };
    for pair in words.windows(2).filter(|pair| pair[0] + 1 < pair[1]) {
        let between = pair[0] + 1..pair[1];
        let is_pause = tokens[between.clone()].iter().any(|token| token.unit.is_some());
        let [before, after] = [pair[0], pair[1]].map(|at| ranges[at].clone());
        let silence = audible
            .samples
            .filter(|_| is_pause)
            .and_then(|(samples, peak)| silence(samples, before.start + LEAST..after.end, peak));
        let gap = match silence {
            Some(silence) => {
                let end = (after.end.saturating_sub(LEAST)).max(after.start.min(silence.end));
                silence.start..silence.end.min(end)
            }
            None if is_pause && audible.samples.is_none() => before.end..after.start,
            None => {
                let at = before.end + (after.start.saturating_sub(before.end)) * 2 / 5;
                at..at
            }
        };
        aligned[pair[0]].end = gap.start;
        aligned[pair[1]].start = gap.end;
        aligned[between].fill(gap);
    }
    let begin = aligned[*first].end.saturating_sub(LEAST).min(audible.sounding.start);
    aligned[*first].start = begin;
    if audible.samples.is_some() {
        aligned[*last].end = audible.sounding.end.max(aligned[*last].start + LEAST);
    }
    aligned
}

/// The silence around the quietest place of a range of samples.
fn silence(samples: &[f32], range: Range<usize>, peak: f32) -> Option<Range<usize>> {
    let range = range.start..range.end.min(samples.len());
    Some(quiet(samples, range, peak)).filter(|quiet| quiet.len() >= SHORTEST_SILENCE)
}

/// The quiet stretch around the quietest place of a range of samples: below the threshold of silence.
pub(super) fn quiet(samples: &[f32], range: Range<usize>, peak: f32) -> Range<usize> {
    let magnitude =
        |chunk: &[f32]| chunk.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    let chunks = samples[range.clone()].chunks_exact(QUIET_SAMPLES).map(magnitude);
    let chunks: Vec<_> = chunks.collect();
    let Some(quietest) = (0..chunks.len()).min_by(|a, b| chunks[*a].total_cmp(&chunks[*b])) else {
        return range.start..range.start;
    };
    let is_quiet = |chunk: &usize| chunks[*chunk] < peak * audio::THRESHOLD;
    let first = (0..quietest).rev().take_while(is_quiet).last().unwrap_or(quietest);
    let last = (quietest + 1..chunks.len()).take_while(is_quiet).last().unwrap_or(quietest);
    let counts = is_quiet(&quietest);
    let start = range.start + first * QUIET_SAMPLES;
    if counts { start..range.start + (last + 1) * QUIET_SAMPLES } else { start..start }
}
