#![allow(clippy::print_stdout, reason = "the differences within the tolerance are of interest")]

//! The words of the front end against misaki-rs, on sentences of our own: what it knows is read alike, but for
//! the differences that are meant.

use std::collections::{BTreeMap, BTreeSet};

use misaki_rs::G2P;
use speech_core::{Inspector, Language};

const SENTENCES: [&str; 2] =
    [include_str!("data/heteronyms.txt"), include_str!("data/sentences.txt")];
/// A word, a tab, and why it is read otherwise.
const INTENDED: &str = include_str!("data/intended.tsv");
/// Heteronyms, which a model of our own chooses: `research/heteronyms` scores it.
const HETERONYMS: &str = include_str!("../../../core/text/src/languages/en_us/data/heteronyms.tsv");
/// The words in a thousand that may differ: a tagger in eight bits is not one in thirty-two.
const TOLERANCE: usize = 5;

/// Misaki's reading of each word of a line, by its place; `None` if it does not know all of it.
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
