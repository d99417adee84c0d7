//! Tries of one recogniser and its verbaliser, apart from the engine.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::Reading;
use super::cursor::is_inner;
use super::said::{Saying, What};

/// A recogniser.
pub(super) type Find<V> = fn(&str, &str) -> Option<(usize, V)>;
/// A verbaliser.
pub(super) type Say<V> = fn(&V, &mut Saying);

/// The text with what is found replaced by what is said, word by word; other words and marks stay.
pub(super) fn read<V>(text: &str, find: Find<V>, say: Say<V>) -> String {
    let mut line = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if let Some((length, value)) = find(&text[..at], &text[at..]) {
            let mut saying = Saying::default();
            say(&value, &mut saying);
            check(&saying, length);
            line.extend(saying.0.into_iter().map(|said| shown(said.what)));
            at += length;
        } else {
            let word = text[at..].find(|c: char| !is_inner(c)).unwrap_or(text.len() - at);
            let end = at + word.max(c.len_utf8());
            if !c.is_whitespace() {
                line.push(text[at..end].to_owned());
            }
            at = end;
        }
    }
    line.join(" ")
}

fn shown(what: What) -> String {
    match what {
        What::Word(word, Reading::Spelled) => word.to_uppercase(),
        What::Word(word, _) => word,
        What::Mark(mark) => mark.into(),
    }
}

/// Fails unless the words are plain words within what was found.
fn check(saying: &Saying, length: usize) {
    for said in &saying.0 {
        let Range { start, end } = said.span;
        assert!(start < end && end <= length, "{said:?} is outside 0..{length}");
        match &said.what {
            What::Word(word, _) => {
                let is_plain =
                    |c: char| c.is_alphabetic() || is_combining_mark(c) || "'’-".contains(c);
                assert!(word.chars().all(is_plain), "{word:?} is no word");
                assert!(word.chars().any(char::is_alphabetic), "{word:?} is no word");
            }
            What::Mark(mark) => assert!(";:,.!?—…()“”".contains(*mark), "{mark:?} is no mark"),
        }
    }
}

/// Tries the recogniser at every place of a text, where a word begins or not.
pub(super) fn try_everywhere<V>(text: &str, find: Find<V>, say: Say<V>) {
    for (at, _) in text.char_indices() {
        let rest = &text[at..];
        if let Some((length, value)) = find(&text[..at], rest) {
            assert!(length > 0 && rest.is_char_boundary(length), "{length} bytes of {rest:?}");
            let mut saying = Saying::default();
            say(&value, &mut saying);
            check(&saying, length);
        }
    }
}

/// Fails with every row that is read otherwise than expected.
pub(super) fn assert_rows<V>(rows: &[(&str, &str)], find: Find<V>, say: Say<V>) {
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let got = read(text, find, say);
            (got != *expected).then(|| format!("{text:?}: {got:?}, not {expected:?}"))
        })
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
