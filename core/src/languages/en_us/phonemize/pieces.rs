//! Words as the tagger was trained on them: contractions, possessives and hyphenated words in pieces.

use std::ops::Range;

use crate::normalize::Token;

/// A piece of a word, or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    /// The word that a contracted form stands for, where it is another one.
    pub(super) norm: Option<&'static str>,
    /// A space follows.
    pub(super) spaced: bool,
}

/// The pieces of a run of words and marks, and for each token the range of its pieces.
pub(super) fn pieces<'a>(tokens: &[&'a Token]) -> (Vec<Piece<'a>>, Vec<Range<usize>>) {
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut ranges = Vec::new();
    for token in tokens {
        let start = pieces.len();
        match token {
            Token::Word(word) => {
                let opened =
                    start.checked_sub(1).is_none_or(|last| matches!(pieces[last].text, "(" | "“"));
                if !opened {
                    pieces[start - 1].spaced = true;
                }
                push_word(&mut pieces, &word.text);
            }
            Token::Mark(mark) => {
                if start > 0 && matches!(mark.symbol, '(' | '“' | '—') {
                    pieces[start - 1].spaced = true;
                }
                pieces.push(Piece { text: name(mark.symbol), norm: None, spaced: false });
            }
        }
        ranges.push(start..pieces.len());
    }
    (pieces, ranges)
}

/// A mark as text that outlives the token.
fn name(mark: char) -> &'static str {
    match mark {
        ';' => ";",
        ':' => ":",
        ',' => ",",
        '!' => "!",
        '?' => "?",
        '—' => "—",
        '…' => "…",
        '"' => "\"",
        '(' => "(",
        ')' => ")",
        '“' => "“",
        '”' => "”",
        _ => ".",
    }
}

/// What spaCy takes off the end of a word, with the word that it stands for.
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

/// What is left of a contraction, where it is not a word of its own.
const STEMS: [(&str, &str); 3] = [("ca", "can"), ("wo", "will"), ("sha", "shall")];

fn push_word<'a>(pieces: &mut Vec<Piece<'a>>, word: &'a str) {
    let mut rest = word;
    while let Some(at) = rest.find('-') {
        let (part, after) = (&rest[..at], &rest[at + 1..]);
        if !part.is_empty() {
            push_part(pieces, part);
        }
        pieces.push(Piece { text: "-", norm: None, spaced: false });
        rest = after;
    }
    if !rest.is_empty() {
        push_part(pieces, rest);
    }
}

fn push_part<'a>(pieces: &mut Vec<Piece<'a>>, word: &'a str) {
    if word.eq_ignore_ascii_case("cannot") {
        pieces.push(Piece { text: &word[..3], norm: None, spaced: false });
        pieces.push(Piece { text: &word[3..], norm: None, spaced: false });
        return;
    }
    let ending = ENDINGS.into_iter().find_map(|(ending, norm)| {
        let at = word.len().checked_sub(ending.len()).filter(|at| *at > 0)?;
        let (stem, end) = word.split_at_checked(at)?;
        end.eq_ignore_ascii_case(ending).then_some((stem, end, norm))
    });
    let Some((stem, end, norm)) = ending else {
        return pieces.push(Piece { text: word, norm: None, spaced: false });
    };
    let full = STEMS
        .into_iter()
        .find(|(short, _)| norm == Some("not") && stem.eq_ignore_ascii_case(short));
    match full {
        Some((_, full)) => pieces.push(Piece { text: stem, norm: Some(full), spaced: false }),
        None => push_part(pieces, stem),
    }
    pieces.push(Piece { text: end, norm, spaced: false });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_and_hyphens_come_apart() {
        for (word, expected) in [
            ("can't", &["ca", "n't"][..]),
            ("I'd've", &["I", "'d", "'ve"]),
            ("well-known", &["well", "-", "known"]),
            ("dogs'", &["dogs", "'"]),
            ("Cannot", &["Can", "not"]),
            ("'s", &["'s"]),
            ("é's", &["é", "'s"]),
        ] {
            let mut pieces = Vec::new();
            push_word(&mut pieces, word);
            assert_eq!(pieces.iter().map(|piece| piece.text).collect::<Vec<_>>(), expected);
        }
    }
}
