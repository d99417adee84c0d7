//! Cuts the phonemes of a sentence into utterances within the token limit of the acoustic model.

use super::{Phonemes, Unit};

/// The fixed cost of a cut, in addition to that of its position: each cut adds a pause.
const CUT_COST: u64 = 2000;
/// The weight of the squared relative difference between the length of a part and the mean length.
const IMBALANCE_WEIGHT: u64 = 1000;

impl Phonemes {
    fn count_tokens(&self) -> usize {
        self.units.iter().map(count_tokens).sum::<usize>() - leading_space(&self.units)
    }

    /// Splits into parts of at most `limit` tokens and similar length.
    ///
    /// Cuts are where a pause is natural: after a mark, the strongest first, else before a
    /// conjunction, else between words. A word is cut only if it alone exceeds the limit.
    pub fn split(self, limit: usize) -> Vec<Self> {
        let length = self.count_tokens();
        if length <= limit {
            return vec![self];
        }
        let units: Vec<Unit> =
            self.units.into_iter().flat_map(|unit| within_limit(unit, limit)).collect();
        let ideal = length.div_ceil(length.div_ceil(limit));
        let mut ends = best_ends(&units, limit, ideal).into_iter();
        let mut parts = vec![Self::default()];
        let mut end = ends.next();
        for (i, unit) in units.into_iter().enumerate() {
            if end == Some(i) {
                parts.push(Self::default());
                end = ends.next();
            }
            parts.last_mut().expect("one at least").units.push(unit);
        }
        parts
    }
}

/// The number of tokens of a unit, including the space before it.
fn count_tokens(unit: &Unit) -> usize {
    unit.symbols.chars().count() + usize::from(unit.spaced)
}

/// The number of space tokens before the first unit, which the utterance omits.
fn leading_space(units: &[Unit]) -> usize {
    units.first().map_or(0, |unit| usize::from(unit.spaced))
}

/// A unit, split if it alone exceeds the limit.
fn within_limit(unit: Unit, limit: usize) -> Vec<Unit> {
    let symbols: Vec<char> = unit.symbols.chars().collect();
    if symbols.len() <= limit {
        return vec![unit];
    }
    let part = |(i, symbols): (usize, &[char])| Unit {
        symbols: symbols.iter().collect(),
        spaced: unit.spaced && i == 0,
        marks: if i == 0 { unit.marks.clone() } else { Vec::new() },
        ..unit.clone()
    };
    symbols.chunks(limit).enumerate().map(part).collect()
}

/// The cheapest cuts, each the index of the unit that begins the next part.
///
/// Dynamic programming finds the shortest path over the units; an edge is a part.
fn best_ends(units: &[Unit], limit: usize, ideal: usize) -> Vec<usize> {
    let mut best = vec![(u64::MAX, 0); units.len() + 1];
    best[0].0 = 0;
    for start in 0..units.len() {
        let mut length = 0;
        for end in start + 1..=units.len() {
            length += count_tokens(&units[end - 1]);
            let spoken = length - leading_space(&units[start..]);
            if spoken > limit {
                break;
            }
            let cut = if end < units.len() { CUT_COST + cut_cost(units, end) } else { 0 };
            let cost = best[start].0 + cut + imbalance(spoken, ideal);
            if cost < best[end].0 {
                best[end] = (cost, start);
            }
        }
    }
    let mut ends: Vec<_> =
        std::iter::successors(Some(best[units.len()].1), |at| (*at > 0).then(|| best[*at].1))
            .collect();
    ends.retain(|at| *at > 0);
    ends.reverse();
    ends
}

fn imbalance(length: usize, ideal: usize) -> u64 {
    let (length, ideal) = (length as u64, ideal as u64);
    IMBALANCE_WEIGHT * length.abs_diff(ideal).pow(2) / ideal.pow(2)
}

/// The cost of a pause before the unit at `at`. An unnatural pause costs more.
fn cut_cost(units: &[Unit], at: usize) -> u64 {
    let (before, after) = (&units[at - 1], &units[at]);
    if !after.spaced {
        return 50_000;
    }
    match before.symbols.as_str() {
        "." | "!" | "?" | "…" | ";" | ":" | "—" if before.word.is_none() => 0,
        _ if after.symbols == "—" && after.word.is_none() => 500,
        _ if before.word.is_none() => 700,
        _ if after.conjunction => 1500,
        _ => 3000,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    const MAX_TOKENS: usize = 510;

    const CONJUNCTIONS: [&str; 4] = ["and", "because", "और", "हालाँकि"];

    /// Phonemes for a line of words and marks, with one symbol for each letter.
    fn phonemes(line: &str) -> Phonemes {
        let mut units: Vec<Unit> = Vec::new();
        for word in line.split(' ') {
            let letters = word.trim_end_matches(|c: char| ",;.—".contains(c));
            let unit = |symbols: &str, word, spaced, conjunction| Unit {
                symbols: symbols.to_owned(),
                word,
                spaced,
                conjunction,
                pause: None,
                marks: Vec::new(),
                span: 0..0,
            };
            if !letters.is_empty() {
                units.push(unit(
                    letters,
                    Some(units.len()),
                    !units.is_empty(),
                    CONJUNCTIONS.contains(&letters),
                ));
            }
            if letters.len() < word.len() {
                units.push(unit(&word[letters.len()..], None, letters.is_empty(), false));
            }
        }
        Phonemes { units }
    }

    fn split(line: &str, limit: usize) -> Vec<String> {
        phonemes(line).split(limit).iter().map(Phonemes::to_line).collect()
    }

    crate::row_tests::rows! {
        parts_of_sentences: |[line, most]| split(line, most.parse().expect("a number")).join(" / ");
    }

    #[test]
    fn long_sentences_give_parts_of_about_one_length() {
        let line = "the quick brown fox jumps, ".repeat(30);
        let parts = phonemes(line.trim_end()).split(MAX_TOKENS);
        let lengths: Vec<_> = parts.iter().map(Phonemes::count_tokens).collect();
        assert_eq!(lengths.len(), 2);
        assert!(lengths[0].abs_diff(lengths[1]) < 60, "{lengths:?}");
        assert!(parts.iter().all(|part| part.to_line().ends_with(',')));
        assert!(parts.iter().all(|part| part.count_tokens() == part.tokens().len()));
    }

    proptest! {
        #[test]
        fn no_part_is_over_the_limit_and_nothing_is_lost(line in "[ab]{1,9}([,;]? ([ab]{1,9}|and|—)){0,40}", limit in 1..30_usize) {
            let parts = split(&line, limit);
            let squeeze = |s: &str| s.replace(' ', "");
            prop_assert_eq!(squeeze(&parts.concat()), squeeze(&line));
            for part in &parts {
                prop_assert!((1..=limit).contains(&part.chars().count()), "{part}");
            }
            let longest = line.split([' ', ',', ';']).map(|word| word.chars().count()).max();
            if longest < Some(limit) {
                prop_assert_eq!(parts.join(" "), line);
            }
        }
    }
}
