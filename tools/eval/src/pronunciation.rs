//! Scores the pronunciation of Hindi words against a hand-made lexicon.
//!
//! Segments are compared. Only conventional differences between the two transcriptions are removed
//! from both:
//!
//! - stress and syllables, and the length that goes with the quality of a vowel;
//! - क़ ख़ ग़ as k kʰ ɡ, as most speakers say them; ष as ʃ, and ण as n, which the lexicon does not
//!   tell apart;
//! - the place of a nasal before another consonant, and a nasal vowel there as a nasal consonant,
//!   with or without the mark on the vowel;
//! - the length of i and u at the end of a word and under a nasal mark;
//! - the weak ə after a final cluster (आर्य, मित्र);
//! - ə beside ह (शहर as ʃɛhɛr or ʃəhər), which the lexicon lowers in some words and not in others;
//! - य at the end of a word, which the lexicon writes as e (गाय, भय), and the ə before it.

use speech_text::languages::hi_in;

use crate::Report;
use crate::table::rows;

const LEXICON: &str = include_str!("../data/pronunciation_hi_google.tsv");

/// The lexicon's symbols and their segments; `n` is any nasal but m.
const SEGMENTS: &[(&str, &str)] = &[
    ("a", "ə"),
    ("aa", "a"),
    ("i", "ɪ"),
    ("ii", "i"),
    ("u", "ʊ"),
    ("uu", "u"),
    ("e", "e"),
    ("o", "o"),
    ("E", "ɛ"),
    ("O", "ɔ"),
    ("~", "~"),
    ("k", "k"),
    ("kh", "kʰ"),
    ("g", "ɡ"),
    ("gh", "ɡʰ"),
    ("ng", "n"),
    ("c", "c"),
    ("ch", "cʰ"),
    ("j", "ɟ"),
    ("jh", "ɟʰ"),
    ("tt", "ʈ"),
    ("tth", "ʈʰ"),
    ("dd", "ɖ"),
    ("ddh", "ɖʰ"),
    ("rr", "ɽ"),
    ("rrh", "ɽʰ"),
    ("t", "t"),
    ("th", "tʰ"),
    ("d", "d"),
    ("dh", "dʰ"),
    ("n", "n"),
    ("nn", "n"),
    ("p", "p"),
    ("ph", "pʰ"),
    ("b", "b"),
    ("bh", "bʰ"),
    ("m", "m"),
    ("y", "j"),
    ("r", "ɾ"),
    ("l", "l"),
    ("v", "ʋ"),
    ("sh", "ʃ"),
    ("s", "s"),
    ("h", "h"),
    ("q", "k"),
    ("x", "kʰ"),
    ("Gh", "ɡ"),
    ("z", "z"),
    ("Zh", "ʒ"),
    ("f", "f"),
];

/// Reads every word of the lexicon.
///
/// # Panics
///
/// If the lexicon has a symbol that this module does not know.
pub fn score_lexicon() -> Report {
    let mut report = Report::default();
    for row in rows(LEXICON, 3) {
        let (word, transcription) = (row[0], row[2]);
        let read = hi_in::phonemize::read(word);
        let same = conventional(segments(&read)) == conventional(lexicon_segments(transcription));
        let failure = || format!("{word}: {read}, not {}", transcription.replace(' ', ""));
        report.add("words", if same { Ok(()) } else { Err(failure()) });
    }
    report
}

fn lexicon_segments(transcription: &str) -> Vec<String> {
    let symbols = transcription.split([' ', '.']).filter(|symbol| !symbol.is_empty());
    symbols
        .map(|symbol| {
            let known = SEGMENTS.iter().find(|(name, _)| *name == symbol);
            known
                .unwrap_or_else(|| panic!("an unknown symbol in the lexicon: {symbol}"))
                .1
                .to_owned()
        })
        .collect()
}

/// Splits Kokoro's symbols into segments: a letter with its aspiration; a long consonant counts as
/// two.
fn segments(symbols: &str) -> Vec<String> {
    let symbols = symbols.replace("r.h", "ɽʰ").replace("r.", "ɽ").replace("ɽh", "ɽʰ");
    let mut segments: Vec<String> = Vec::new();
    for symbol in symbols.chars() {
        match symbol {
            'ˈ' | 'ˌ' => {}
            'ʰ' => segments.last_mut().expect("a consonant before ʰ").push('ʰ'),
            'ː' => {
                let last = segments.last().cloned().unwrap_or_default();
                if !is_vowel(&last) && last != "~" {
                    let at = segments.len() - 1;
                    segments.insert(at, last.trim_end_matches('ʰ').to_owned());
                }
            }
            '\u{303}' => segments.push("~".into()),
            _ => segments.push(plain(symbol).to_string()),
        }
    }
    segments
}

fn plain(symbol: char) -> char {
    match symbol {
        'ʌ' | 'ɐ' => 'ə',
        'q' => 'k',
        'ɣ' => 'ɡ',
        'r' => 'ɾ',
        'ʂ' => 'ʃ',
        'w' => 'ʋ',
        'ŋ' | 'ɲ' | 'ɳ' => 'n',
        symbol => symbol,
    }
}

fn is_vowel(segment: &str) -> bool {
    matches!(segment, "ə" | "a" | "ɪ" | "i" | "ʊ" | "u" | "e" | "o" | "ɛ" | "ɔ")
}

/// The segments without conventional differences.
fn conventional(segments: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (i, segment) in segments.iter().enumerate() {
        let next = segments.get(i + 1).map_or("", String::as_str);
        let previous = out.last().map_or("", String::as_str);
        let beside_h = next == "h"
            || previous == "h" && segments.get(i.wrapping_sub(2)).is_some_and(|s| s == "ɛ");
        let before_consonant = !next.is_empty() && !is_vowel(next);
        match segment.as_str() {
            "x" => out.push("kʰ".into()),
            "ɛ" if beside_h || next == "j" && i + 2 == segments.len() => out.push("ə".into()),
            "m" if before_consonant => out.push("n".into()),
            "~" if matches!(next, "n" | "m") => {}
            "~" if before_consonant => out.push("n".into()),
            "kʰ" | "cʰ" | "ʈʰ" | "ɖʰ" if next == segment => {
                out.push(segment.trim_end_matches('ʰ').to_owned())
            }
            "i" if matches!(next, "" | "~") => out.push("ɪ".into()),
            "u" if matches!(next, "" | "~") => out.push("ʊ".into()),
            "e" | "j" if next.is_empty() && is_vowel(previous) => out.push("j".into()),
            segment => out.push(segment.to_owned()),
        }
    }
    let after_cluster = |out: &[String]| {
        out.len() > 2 && out[out.len() - 3..out.len() - 1].iter().all(|s| !is_vowel(s))
    };
    if out.last().is_some_and(|last| last == "ə") && after_cluster(&out) {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_are_taken_out_and_errors_are_not() {
        let same = |ours: &str, theirs: &str| {
            conventional(segments(ours)) == conventional(lexicon_segments(theirs))
        };
        let rows = [
            ("ʃˈɛhɛɾ", "sh E . h E r", true),
            ("ʃˈʌhəɾ", "sh E . h E r", true),
            ("pˈʌtːaː", "p a t . t aa", true),
            ("bˈʊdʰːaː", "b u d . dh aa", true),
            ("ˈaːɾjə", "aa r . y a", true),
            ("ˈaːɾj", "aa r . y a", true),
            ("cˈa\u{303}nd", "c aa n d", true),
            ("ɡˈʌŋɡaː", "g a ng . g aa", true),
            ("xˈaːn", "x aa n", true),
            ("bʰˈɛj", "bh a . e", true),
            ("ɡˈaːj", "g aa . e", true),
            ("lˈʌr.kiː", "l a rr . k ii", true),
            ("jˈʌnəʋɾi", "j a n . v a . r ii", false),
            ("pˈa\u{303}c", "p aa c", false),
            ("pˈa\u{303}c", "p aa ~ c", true),
            ("pˈaːɲc", "p aa ~ c", true),
            ("ɡˈaːo\u{303}", "g aa . o ~", true),
            ("bˈɛːl", "b e l", false),
            ("kˈʌl", "kh a l", false),
            ("pˈʌtaː", "p a t . t aa", false),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(ours, theirs, expected)| same(ours, theirs) != *expected)
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
