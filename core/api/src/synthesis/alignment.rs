//! Aligns the tokens of an utterance with its samples.

use std::ops::Range;

use speech_acoustic::{FRAME_SAMPLES, MODEL_RATE};
use speech_text::phonemize::{PhonemeToken, Phonemes};

use crate::audio;

/// The minimum length of a phoneme next to silence: a hardly audible one, such as a stop without a
/// burst, gets a timestamp too.
const LEAST: usize = FRAME_SAMPLES;

/// The shortest silence that separates two words: 30 ms. During a shorter one, a sound is being
/// articulated.
const SHORTEST_SILENCE: usize = MODEL_RATE as usize * 30 / 1000;

/// The resolution of the search for the quietest position of a pause: 5 ms.
const QUIET_SAMPLES: usize = MODEL_RATE as usize / 200;

/// The audible part of an utterance, or of its beginning.
pub(super) struct Audible<'a> {
    /// From the first sample above the silence threshold to the last.
    pub(super) sounding: Range<usize>,
    /// The samples of the whole utterance, once known, and their peak magnitude.
    pub(super) samples: Option<(&'a [f32], f32)>,
    /// The samples before which silence is inserted.
    pub(super) cuts: &'a [usize],
}

/// The sample range in which each token is heard, from its range by predicted duration.
///
/// Phonemes next to silence begin and end with the audible part. Without silence, two words share
/// the space between them: the model uses two fifths of it for the first word, and three fifths for
/// the second.
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
        let [before, after] = [pair[0], pair[1]].map(|at| aligned[at].clone());
        let silence = audible
            .samples
            .filter(|_| is_pause)
            .and_then(|(samples, peak)| silence(samples, before.start + LEAST..after.end, peak));
        let cut = audible.cuts.iter().find(|cut| (before.start + 1..after.end).contains(*cut));
        let silence = silence.filter(|silence| cut.is_none_or(|cut| silence.contains(cut)));
        let silence = silence.or(cut.map(|cut| *cut..cut + 1));
        let gap = match silence {
            Some(silence) => {
                let latest =
                    after.end.saturating_sub(LEAST).max(after.start).max(silence.start + 1);
                silence.start..silence.end.min(latest)
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

/// The result of [`quiet`], if it is long enough to separate two words.
fn silence(samples: &[f32], range: Range<usize>, peak: f32) -> Option<Range<usize>> {
    Some(quiet(samples, range, peak)).filter(|quiet| quiet.len() >= SHORTEST_SILENCE)
}

/// The quiet range around the quietest position of a range of samples: below the silence threshold.
/// Empty if there is none, or if the range is outside the samples.
pub(super) fn quiet(samples: &[f32], range: Range<usize>, peak: f32) -> Range<usize> {
    let end = range.end.min(samples.len());
    let range = range.start.min(end)..end;
    let chunks = samples[range.clone()].chunks_exact(QUIET_SAMPLES).map(audio::peak);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use speech_text::phonemize::Unit;

    use super::*;

    /// A unit of one token per symbol; a symbol that is not a letter is not a word.
    fn part(symbols: &str) -> (Phonemes, Vec<PhonemeToken>) {
        let unit = |symbol: char| Unit {
            symbols: symbol.to_string(),
            word: symbol.is_alphabetic().then_some(0),
            spaced: false,
            conjunction: false,
            pause: None,
            marks: Vec::new(),
            span: 0..0,
        };
        let units: Vec<_> = symbols.chars().map(unit).collect();
        let part = Phonemes { units };
        let tokens = part.tokens();
        assert_eq!(tokens.len(), symbols.chars().count());
        (part, tokens)
    }

    /// Sound everywhere except in some ranges.
    fn sound(length: usize, silences: &[Range<usize>]) -> Vec<f32> {
        let is_silent = |at: usize| silences.iter().any(|silence| silence.contains(&at));
        (0..length).map(|at| if is_silent(at) { 0.0 } else { 0.5 }).collect()
    }

    #[test]
    fn words_beside_silence_end_and_begin_with_the_sound() {
        let (part, tokens) = part("a,b");
        let ranges = [3_000..6_000, 6_000..9_000, 9_000..12_000];
        let samples = sound(15_000, &[0..2_400, 5_400..9_600, 13_200..15_000]);
        let audible =
            Audible { sounding: 2_400..13_200, samples: Some((&samples, 0.5)), cuts: &[] };
        let found = align(&part, &tokens, &ranges, &audible);
        assert_eq!(found, [2_400..5_400, 5_400..9_600, 9_600..13_200]);
        // Early, when only the beginning is known.
        let audible = Audible { sounding: 2_400..4_000, samples: None, cuts: &[] };
        let found = align(&part, &tokens, &ranges, &audible);
        assert_eq!(found, [2_400..6_000, 6_000..9_000, 9_000..12_000]);
    }

    #[test]
    fn a_comma_without_silence_is_parted() {
        let (part, tokens) = part("a,b");
        let ranges = [0..6_000, 6_000..9_000, 9_000..12_000];
        let samples = sound(12_000, &[]);
        let audible = Audible { sounding: 0..12_000, samples: Some((&samples, 0.5)), cuts: &[] };
        let found = align(&part, &tokens, &ranges, &audible);
        assert_eq!(found, [0..7_200, 7_200..7_200, 7_200..12_000]);
    }

    #[test]
    fn what_is_hardly_heard_has_a_time() {
        let (part, tokens) = part("a,b");
        let ranges = [3_000..6_000, 6_000..9_000, 9_000..12_000];
        let samples = sound(15_000, &[0..5_700, 6_300..15_000]);
        let audible = Audible { sounding: 5_700..6_300, samples: Some((&samples, 0.5)), cuts: &[] };
        let found = align(&part, &tokens, &ranges, &audible);
        assert!(found.iter().all(|range| range.start <= range.end), "{found:?}");
        assert!(found.is_sorted_by(|a, b| a.end <= b.start), "{found:?}");
        assert!(found[0].len() >= LEAST / 2 && found[2].len() >= LEAST, "{found:?}");
    }

    #[test]
    fn a_range_outside_the_samples_is_quiet() {
        let reversed = Range { start: 900, end: 400 };
        assert_eq!(quiet(&[0.5; 1_000], reversed, 0.5), 400..400);
        assert_eq!(quiet(&[0.5; 1_000], 2_000..3_000, 0.5), 1_000..1_000);
        assert_eq!(quiet(&[], 0..10, 0.5), 0..0);
    }

    proptest! {
        #[test]
        fn ranges_are_in_order(
            tokens in prop::collection::vec((prop::sample::select(vec!['a', 'b', ',', '.']), 1_usize..8, any::<bool>()), 1..20),
            pad in 1_usize..12,
        ) {
            let symbols: String = tokens.iter().map(|(symbol, ..)| *symbol).collect();
            let (part, phoneme_tokens) = part(&symbols);
            let (mut at, mut ranges, mut silences) = (pad * FRAME_SAMPLES, Vec::new(), Vec::new());
            for (_, frames, is_silent) in &tokens {
                let range = at..at + frames * FRAME_SAMPLES;
                silences.extend(is_silent.then(|| range.clone()));
                at = range.end;
                ranges.push(range);
            }
            let samples = sound(at + FRAME_SAMPLES, &silences);
            let heard = |sample: &f32| *sample > 0.0;
            let first = samples.iter().position(heard).unwrap_or_default();
            let last = samples.iter().rposition(heard).map_or(0, |last| last + 1);
            for samples in [Some((&*samples, 0.5)), None] {
                let found = align(&part, &phoneme_tokens, &ranges, &Audible { sounding: first..last, samples, cuts: &[] });
                prop_assert_eq!(found.len(), ranges.len());
                let words = symbols.chars().zip(&found).filter(|(symbol, _)| symbol.is_alphabetic());
                let words: Vec<_> = words.map(|(_, range)| range.clone()).collect();
                prop_assert!(words.iter().all(|range| range.start <= range.end), "{words:?}");
                prop_assert!(words.is_sorted_by(|a, b| a.end <= b.start), "{words:?}");
            }
        }
    }
}
