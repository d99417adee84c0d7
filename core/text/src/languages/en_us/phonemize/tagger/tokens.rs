//! Tokenization of the tagger: splits contractions, possessives and hyphenated words like spaCy.

use std::ops::Range;

use crate::phonemize::RunToken;

/// A part of a word, or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct TaggerToken<'a> {
    pub(in super::super) text: &'a str,
    /// The full word of a contracted form, if different.
    pub(in super::super) norm: Option<&'static str>,
    /// Whether a space follows.
    pub(in super::super) spaced: bool,
}

/// The tagger tokens of a run, and the range of each run token among them.
pub(in super::super) fn tokenize<'a>(
    run: &[RunToken<'a>],
) -> (Vec<TaggerToken<'a>>, Vec<Range<usize>>) {
    let mut tokens: Vec<TaggerToken<'a>> = Vec::new();
    let mut ranges = Vec::new();
    for token in run {
        let start = tokens.len();
        match token {
            RunToken::Mark(mark) => {
                if start > 0 && matches!(mark, '(' | '“' | '—') {
                    tokens[start - 1].spaced = true;
                }
                tokens.push(TaggerToken { text: name(*mark), norm: None, spaced: false });
            }
            RunToken::Word(text) | RunToken::Spelled(text) | RunToken::Known { text, .. } => {
                let opened =
                    start.checked_sub(1).is_none_or(|last| matches!(tokens[last].text, "(" | "“"));
                if !opened {
                    tokens[start - 1].spaced = true;
                }
                push_word(&mut tokens, text);
            }
        }
        ranges.push(start..tokens.len());
    }
    (tokens, ranges)
}

fn name(mark: char) -> &'static str {
    const MARKS: &str = ";:,!?—…\"()“”";
    MARKS.find(mark).map_or(".", |at| &MARKS[at..at + mark.len_utf8()])
}

/// Endings that spaCy splits off, with their full words.
const ENDINGS: [(&str, Option<&str>); 8] = [
    ("n't", Some("not")),
    ("'ve", Some("have")),
    ("'ll", Some("will")),
    ("'re", Some("are")),
    ("'m", Some("am")),
    ("'d", None),
    ("'s", None),
    ("'", None),
];

/// Stems of n't contractions that are no words, with their full words.
const STEMS: [(&str, &str); 3] = [("ca", "can"), ("wo", "will"), ("sha", "shall")];

fn push_word<'a>(tokens: &mut Vec<TaggerToken<'a>>, word: &'a str) {
    let mut rest = word;
    while let Some(at) = rest.find('-') {
        let (part, after) = (&rest[..at], &rest[at + 1..]);
        if !part.is_empty() {
            push_part(tokens, part);
        }
        tokens.push(TaggerToken { text: "-", norm: None, spaced: false });
        rest = after;
    }
    if !rest.is_empty() {
        push_part(tokens, rest);
    }
}

fn push_part<'a>(tokens: &mut Vec<TaggerToken<'a>>, word: &'a str) {
    if word.eq_ignore_ascii_case("cannot") {
        tokens.push(TaggerToken { text: &word[..3], norm: None, spaced: false });
        tokens.push(TaggerToken { text: &word[3..], norm: None, spaced: false });
        return;
    }
    let ending = ENDINGS.into_iter().find_map(|(ending, norm)| {
        let at = word.len().checked_sub(ending.len()).filter(|at| *at > 0)?;
        let (stem, end) = word.split_at_checked(at)?;
        end.eq_ignore_ascii_case(ending).then_some((stem, end, norm))
    });
    let Some((stem, end, norm)) = ending else {
        return tokens.push(TaggerToken { text: word, norm: None, spaced: false });
    };
    let full = STEMS
        .into_iter()
        .find(|(short, _)| norm == Some("not") && stem.eq_ignore_ascii_case(short));
    match full {
        Some((_, full)) => tokens.push(TaggerToken { text: stem, norm: Some(full), spaced: false }),
        None => push_part(tokens, stem),
    }
    tokens.push(TaggerToken { text: end, norm, spaced: false });
}

#[cfg(test)]
crate::row_tests::rows! {
    tokens_of_the_tagger: |[word]| {
        let mut tokens = Vec::new();
        push_word(&mut tokens, word);
        tokens.iter().map(|piece| piece.text).collect::<Vec<_>>().join(" ")
    };
}
