//! Properties of every text in the text front end of a language.

use std::ops::Range;
use std::sync::LazyLock;

use speech_core::{Inspector, Language};
use speech_eval::reading::{FrontEnd, Reading};

use crate::allocations;

static FRONT_END: LazyLock<FrontEnd> = LazyLock::new(FrontEnd::load);
static INSPECTOR: LazyLock<Inspector> = LazyLock::new(Inspector::new);

/// The copies of a text may allocate this many times as much as one ...
const COPIES: usize = 8;
const MOST_GROWTH: u64 = 2 * COPIES as u64;
/// ... and this many bytes more: the seams between the copies may be words outside the lexicon,
/// which take about 0.5 MB each.
const ALLOWANCE: u64 = 8 << 20;

/// Reads a text and checks the guarantees for the result.
///
/// # Panics
///
/// If a guarantee does not hold.
pub fn check(text: &str, language: Language) {
    let sentences = FRONT_END.read(text, language);
    check_sentences(text, sentences.iter().map(|reading| reading.sentence.clone()));
    sentences.iter().for_each(|reading| check_reading(text, reading));
    check_inspection(text, language);
    // The copies take much longer than the text itself.
    if text.bytes().map(u64::from).sum::<u64>() % 8 == 0 {
        check_growth(text, language);
    }
}

/// Checks that sentences are in order, on character boundaries, and contain everything except
/// whitespace.
fn check_sentences(text: &str, sentences: impl Iterator<Item = Range<usize>>) {
    let mut end = 0;
    for span in sentences {
        assert!(text[end..span.start].trim().is_empty(), "left out before {span:?} of {text:?}");
        assert!(!text[span.clone()].is_empty(), "an empty sentence of {text:?}");
        end = span.end;
    }
    assert!(text[end..].trim().is_empty(), "left out at the end of {text:?}");
}

/// Checks that spans are within their sentence, in order and on character boundaries, and nothing
/// is lost.
fn check_reading(text: &str, reading: &Reading) {
    let Reading { sentence, words, marks, skipped, .. } = reading;
    for spans in [words, marks, skipped] {
        let mut start = sentence.start;
        for span in spans {
            assert!(text.get(span.clone()).is_some_and(|source| !source.is_empty()), "{reading:?}");
            assert!(start <= span.start && span.end <= sentence.end, "{reading:?} of {text:?}");
            start = span.start;
        }
    }
    let lost: Vec<_> = reading.lost(text).collect();
    assert!(lost.is_empty(), "{lost:?} of {text:?}: {reading:?}");
}

/// Checks that the inspector agrees, and every spoken word has phonemes.
fn check_inspection(text: &str, language: Language) {
    let inspection = INSPECTOR.inspect(text, language);
    let words = inspection.sentences.iter().flat_map(|sentence| &sentence.words);
    for word in words {
        assert_eq!(text.get(word.start..word.end), Some(&*word.source), "{word:?} of {text:?}");
        assert!(!word.phonemes.is_empty(), "{word:?} of {text:?}");
    }
}

/// Checks that the work grows in proportion to the length of the text.
fn check_growth(text: &str, language: Language) {
    let work = |text: &str| allocations::bytes(|| FRONT_END.read(text, language));
    let (once, copies) = (work(text), work(&text.repeat(COPIES)));
    assert!(
        copies <= once * MOST_GROWTH + ALLOWANCE,
        "{copies} bytes for {COPIES} copies, {once} for one, of {text:?}"
    );
}
