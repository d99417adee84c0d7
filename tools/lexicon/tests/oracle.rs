#![allow(clippy::print_stdout, reason = "the differences within the tolerance are of interest")]

//! Compares the front end's words with misaki-rs on our own sentences: known words must be read the
//! same, except for intended differences.

use std::collections::{BTreeMap, BTreeSet};

use misaki_rs::G2P;
use speech_core::{Inspector, Language};

const SENTENCES: [&str; 2] =
    [include_str!("data/heteronyms.txt"), include_str!("data/sentences.txt")];
/// A word, a tab, and why it is read differently.
const INTENDED: &str = include_str!("data/intended.tsv");
/// Heteronyms, chosen by our own model: `research/heteronyms` scores it.
const HETERONYMS: &str = include_str!("../../../core/text/src/languages/en_us/data/heteronyms.tsv");
/// How many words in a thousand may differ: an 8-bit tagger is not identical to a 32-bit one.
const TOLERANCE: usize = 5;

/// Misaki's reading of each word of a line, by position; `None` if it does not know the whole word.
fn misaki(oracle: &G2P, line: &str) -> BTreeMap<usize, Option<String>> {
    let (_, tokens) = oracle.g2p(line).expect("no fallback, no failure");
    let mut readings = BTreeMap::new();
    let mut at = 0;
    for token in tokens {
        let reading = token.phonemes.filter(|phonemes| !phonemes.contains('❓'));
        readings.insert(at, reading);
        at += token.text.len() + token.whitespace.len();
    }
    readings
}

#[test]
fn words_are_read_as_misaki_reads_them() {
    let oracle = G2P::with_fallback(misaki_rs::Language::EnglishUS, None);
    let inspector = Inspector::new();
    let intended: BTreeMap<&str, &str> =
        INTENDED.lines().filter_map(|line| line.split_once('\t')).collect();
    let heteronyms: BTreeSet<&str> =
        HETERONYMS.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    let (mut known, mut differences) = (0, Vec::new());
    for text in SENTENCES.into_iter().flat_map(str::lines) {
        for sentence in inspector.inspect(text, Language::EnUs).sentences {
            let expected = misaki(&oracle, &sentence.normalized);
            let mut at = 0;
            for word in &sentence.words {
                at += sentence.normalized[at..].find(&word.normalized).expect("in the line");
                let reading = expected.get(&at).cloned().flatten();
                at += word.normalized.len();
                let Some(reading) = reading else { continue };
                known += 1;
                let is_ours = intended.contains_key(word.normalized.as_str())
                    || heteronyms.contains(word.normalized.to_lowercase().as_str());
                if reading != word.phonemes && !is_ours {
                    let (text, ours) = (&word.normalized, &word.phonemes);
                    differences.push(format!("{text}: {ours}, not {reading}: {}", sentence.text));
                }
            }
        }
    }
    println!("{} of {known} words differ\n{}", differences.len(), differences.join("\n"));
    assert!(known > 2_500, "{known}");
    assert!(differences.len() * 1000 <= known * TOLERANCE, "{differences:#?}");
}
