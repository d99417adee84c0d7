//! Splits compounds: hyphenated words, CamelCase, and closed compounds.

use super::lexicon_lookup::{self, NextSound};
use super::stress;

/// The parts of a compound, split at hyphens, case changes, and apostrophes before a word.
pub(super) fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for mut part in word.split('-') {
        while let Some(at) = apostrophe(part) {
            camel_case_parts(&part[..at], &mut parts);
            part = &part[at + 1..];
        }
        camel_case_parts(part, &mut parts);
    }
    parts
}

/// The first apostrophe before a word, as in "O'Brien" and "rock'n'roll". "d'Artagnan" is one word.
fn apostrophe(part: &str) -> Option<usize> {
    part.match_indices('\'').map(|(at, _)| at).find(|at| {
        let after = part[at + 1..].split('\'').next().unwrap_or_default();
        let elides = *at == 1 && !part.starts_with(['O', 'n']);
        *at > 0 && !elides && (after.len() > 2 || after == "n")
    })
}

fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

fn camel_case_parts<'a>(word: &'a str, parts: &mut Vec<&'a str>) {
    let bytes = word.as_bytes();
    let mut start = 0;
    for at in 1..bytes.len() {
        let follows_small = bytes[at - 1].is_ascii_lowercase();
        let next_is_small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let follows_letter = bytes[at - 1].is_ascii_alphabetic();
        if bytes[at].is_ascii_uppercase() && follows_letter && (follows_small || next_is_small) {
            // A single small letter is a part ("iPhone"), a single capital is not ("AStar").
            if at - start > 1 || bytes[start].is_ascii_lowercase() {
                parts.push(&word[start..at]);
                start = at;
            }
        }
    }
    if word[start..].contains(|c: char| c.is_alphabetic()) {
        parts.push(&word[start..]);
    }
}

/// Maximum parts of a run that is looked up as one word. A longer lexicon word would need a hyphen
/// or case change after nearly every letter.
const MAX_RUN: usize = 8;

/// The phonemes of a compound. From right to left, `whole` looks up the longest run of parts, else
/// `part` reads a single part. Both receive the next sound. Stress is balanced over the parts.
pub(super) fn read<'a>(
    word: &'a str,
    parts: &[&'a str],
    mut next: NextSound,
    whole: impl Fn(&'a str, NextSound) -> Option<String>,
    part: impl Fn(&'a str, NextSound) -> String,
) -> String {
    let mut readings = Vec::new();
    let mut right = parts.len();
    while right > 0 {
        let end = offset(word, parts[right - 1]) + parts[right - 1].len();
        let run = |left: usize| &word[offset(word, parts[left])..end];
        // The whole word was looked up before.
        let first = usize::from(right == parts.len()).max(right.saturating_sub(MAX_RUN));
        let found = (first..right).find_map(|left| Some((left, whole(run(left), next)?)));
        let (left, reading) = found.unwrap_or_else(|| (right - 1, part(parts[right - 1], next)));
        next = lexicon_lookup::first_sound(&reading).unwrap_or(next);
        readings.push((run(left), reading));
        right = left;
    }
    readings.reverse();
    stress::balance(&mut readings);
    readings.into_iter().map(|(_, reading)| reading).collect()
}

/// Minimum length of a part of a closed compound.
const MIN_PART: usize = 4;
/// Function words inside closed compounds: "outofdictionary".
const LINKS: [&str; 5] = ["of", "and", "the", "to", "in"];

/// The split of a closed compound into words (`is_word`) whose shorter part is longest.
pub(super) fn split_closed(word: &str, is_word: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    if !word.bytes().all(|b| b.is_ascii_lowercase()) || word.len() < 2 * MIN_PART {
        return None;
    }
    let two = (MIN_PART..=word.len() - MIN_PART)
        .map(|at| word.split_at(at))
        .filter(|(first, second)| is_word(first) && is_word(second))
        .max_by_key(|(first, second)| first.len().min(second.len()));
    if let Some((first, second)) = two {
        return Some(vec![first, second]);
    }
    (3..=word.len() - MIN_PART).find_map(|at| {
        let (first, rest) = word.split_at(at);
        let link = LINKS.into_iter().find(|link| rest.starts_with(link))?;
        let (link, last) = rest.split_at(link.len());
        let fits = last.len() >= MIN_PART && is_word(first) && is_word(last);
        fits.then(|| vec![first, link, last])
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    crate::row_tests::rows! {
        parts_of_compounds: |[word]| parts(word).join(" ");
        parts_of_closed_compounds: |[word]| {
            let known = ["out", "dictionary", "data", "lake", "base", "keyboard", "board"];
            let parts = split_closed(word, |word| known.contains(&word));
            crate::row_tests::or_dash(parts.map(|parts| parts.join(" ")))
        };
    }

    #[test]
    fn look_ups_grow_with_the_parts_and_not_with_their_square() {
        for word in ["a-".repeat(400), "aA".repeat(400)] {
            let parts = parts(&word);
            let look_ups = Cell::new(0);
            let whole = |_: &str, _| {
                look_ups.set(look_ups.get() + 1);
                None
            };
            read(&word, &parts, NextSound::Pause, whole, |_, _| "ə".to_owned());
            assert!(parts.len() >= 400);
            assert!(look_ups.get() <= MAX_RUN * parts.len(), "{}", look_ups.get());
        }
        // The longest listed runs are still found.
        let (word, run) = ("x-jack-of-all-trades", "jack-of-all-trades");
        let whole = |part: &str, _| (part == run).then(|| "ʤ".to_owned());
        let reading = read(word, &parts(word), NextSound::Pause, whole, |_, _| "ə".to_owned());
        assert_eq!(reading, "əʤ");
    }
}
