//! Test helpers for one recognizer and its verbalizer, without the engine.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::normalize::cursor::is_inner;
use crate::normalize::emoji::{self, Emoji};
use crate::normalize::locale::Locale;
use crate::normalize::verbalized::{TokenKind, Verbalization};

pub(crate) type Find<V> = fn(&str, &str) -> Option<(usize, V)>;
pub(crate) type Say<V> = fn(&V, &mut Verbalization);

/// The text with matches replaced by their words, one by one. Other words and marks stay.
pub(crate) fn read<V>(text: &str, find: Find<V>, verbalize: Say<V>) -> String {
    let mut line = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if let Some((length, value)) = find(&text[..at], &text[at..]) {
            let mut verbalization = Verbalization::default();
            verbalize(&value, &mut verbalization);
            check(&verbalization, length);
            line.extend(verbalization.0.into_iter().map(|token| shown(token.kind)));
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

/// Fails unless each emoji of a table is found whole, with its name. Returns the names.
pub(crate) fn emoji_names(table: &'static str, locale: &Locale) -> Vec<&'static str> {
    let name = |row: &'static str| {
        let (written, name) = row.split_once('\t').expect(row);
        let (length, value) = emoji::find("", written).expect(row);
        let Emoji::Sequence(sequence) = &value.emoji else { panic!("{row}") };
        let found = emoji::name(sequence, &locale.tables.emoji);
        assert_eq!((length, found), (written.len(), Some(name)));
        name
    };
    table.lines().map(name).collect()
}

fn shown(kind: TokenKind) -> String {
    match kind {
        TokenKind::Letters(letters) => letters.to_uppercase(),
        TokenKind::Word(word) => word,
        TokenKind::Mark(mark) => mark.into(),
    }
}

/// Fails unless the words are plain and inside the match.
fn check(verbalization: &Verbalization, length: usize) {
    for token in &verbalization.0 {
        let Range { start, end } = token.span;
        assert!(start < end && end <= length, "{token:?} is outside 0..{length}");
        match &token.kind {
            TokenKind::Word(word) | TokenKind::Letters(word) => {
                let is_plain =
                    |c: char| c.is_alphabetic() || is_combining_mark(c) || "'’-".contains(c);
                assert!(word.chars().all(is_plain), "{word:?} is no word");
                assert!(word.chars().any(char::is_alphabetic), "{word:?} is no word");
            }
            TokenKind::Mark(mark) => assert!(";:,.!?—…()“”".contains(*mark), "{mark:?} is no mark"),
        }
    }
}

/// Tries the recognizer at every position of a text, inside words too.
pub(crate) fn try_everywhere<V>(text: &str, find: Find<V>, verbalize: Say<V>) {
    for (at, _) in text.char_indices() {
        let rest = &text[at..];
        if let Some((length, value)) = find(&text[..at], rest) {
            assert!(length > 0 && rest.is_char_boundary(length), "{length} bytes of {rest:?}");
            let mut verbalization = Verbalization::default();
            verbalize(&value, &mut verbalization);
            check(&verbalization, length);
        }
    }
}
