//! Fixed readings: interjections, and words that differ from others only by an accent (résumé).

use std::collections::HashMap;

use speech_base::fork::LazyLock;

/// Words with their phonemes, from `readings.tsv`.
static TABLE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../data/readings.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect()
});

/// The phonemes of a listed word in any case, including lengthened interjections: "hmmmm".
pub(super) fn look_up(word: &str) -> Option<&'static str> {
    if let Some(reading) = TABLE.get(word) {
        return Some(reading);
    }
    let lower = word.to_lowercase();
    TABLE.get(lower.as_str()).or_else(|| TABLE.get(without_lengthening(&lower)?.as_str())).copied()
}

/// The word with at most two of each repeated letter: "hmmmm" as "hmm"; `None` if unchanged.
pub(super) fn without_lengthening(word: &str) -> Option<String> {
    let short = with_max_run(2, word);
    (short.len() < word.len()).then_some(short)
}

/// Common words whose doubled form is a rarer word: "stop" and "stoop".
const COMMON: [&str; 13] =
    ["bed", "cold", "do", "go", "hot", "met", "no", "not", "red", "so", "step", "stop", "the"];

/// The word with each run of three or more equal letters shortened to one or two, if `is_word`
/// knows it: "goood" as "good", "YESSS" as "YES". `None` without such a word, and for interjections
/// and Roman numerals.
pub(super) fn shortened(word: &str, is_word: impl Fn(&str) -> bool) -> Option<String> {
    let is_run = |letters: &[u8]| letters.iter().all(|b| b.eq_ignore_ascii_case(&letters[0]));
    if !word.as_bytes().windows(3).any(is_run) {
        return None;
    }
    let mut runs: Vec<(char, usize)> = Vec::new();
    for c in word.chars() {
        match runs.last_mut() {
            Some((last, count)) if last.eq_ignore_ascii_case(&c) => *count += 1,
            _ => runs.push((c, 1)),
        }
    }
    let is_numeral = word.chars().all(|c| "IVXLCDM".contains(c));
    // "AAAS"
    let is_initialism =
        runs.first().is_some_and(|(letter, count)| letter.is_uppercase() && *count == 3);
    if runs.len() < 2 || is_numeral || is_initialism || look_up(word).is_some() {
        return None;
    }
    let is_common = COMMON.contains(&&*without_repeats(word).to_lowercase());
    // The run length to try first.
    let count = |at: usize| match runs[at].0.to_ascii_lowercase() {
        'e' | 'f' | 'l' | 'o' if !is_common => 2,
        _ => 1,
    };
    let long: Vec<(usize, usize)> =
        (0..runs.len()).filter(|at| runs[*at].1 > 2).map(|at| (at, count(at))).collect();
    if !(1..=3).contains(&long.len()) {
        return None;
    }
    let mut spellings = (0..1 << long.len()).map(|others: u8| {
        for (bit, (at, count)) in long.iter().enumerate() {
            runs[*at].1 = if others >> bit & 1 == 0 { *count } else { 3 - count };
        }
        runs.iter().flat_map(|(letter, count)| std::iter::repeat_n(*letter, *count)).collect()
    });
    spellings.find(|short: &String| is_word(short))
}

/// The word without repeated letters: "noo" as "no".
pub(super) fn without_repeats(word: &str) -> String {
    with_max_run(1, word)
}

pub(crate) fn with_max_run(max: usize, word: &str) -> String {
    let mut short = String::new();
    let mut run = ('\0', 0);
    for c in word.chars() {
        run = if c == run.0 { (c, run.1 + 1) } else { (c, 1) };
        if run.1 <= max {
            short.push(c);
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_tests::or_dash;
    use crate::vocabulary;

    crate::row_tests::rows! {
        interjections_and_accents: |[word]| or_dash(look_up(word));
        letters_that_stand_too_often: |[word]| {
            let known = "go god good hello love no off of to too yes";
            let is_known = |word: &str| known.split(' ').any(|one| one == word.to_lowercase());
            or_dash(shortened(word, is_known))
        };
    }

    #[test]
    fn the_list_holds_words_in_the_vocabulary() {
        let known = |reading: &str| {
            !reading.is_empty() && reading.chars().all(|symbol| vocabulary::id(symbol).is_some())
        };
        let wrong: Vec<_> = TABLE.iter().filter(|(_, reading)| !known(reading)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
