//! Emoji, each whole: with joiners, skin tones, flags, keycaps and variation selectors. Text faces too.
//!
//! Comes before every other recogniser: a keycap begins with a digit, a face with punctuation.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::edge;

/// An emoji that was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// The bytes it takes.
    pub(super) length: usize,
    /// Its English short name; `None` for one that is newer than the table.
    pub(super) name: Option<&'static str>,
}

/// The short names of CLDR: a sequence without variation selectors and skin tones, a tab, its name.
static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let table = include_str!("../../data/en/emoji.tsv");
    table.lines().filter_map(|row| row.split_once('\t')).collect()
});

/// Faces made of punctuation, the longest first where one begins another.
const FACES: &[(&str, &str)] = &[
    ("¯\\_(ツ)_/¯", "shrug"),
    (">:-(", "angry face"),
    (">:(", "angry face"),
    (":'-(", "crying face"),
    (":'(", "crying face"),
    (":'-)", "happy tears"),
    (":')", "happy tears"),
    (":-))", "smiley face"),
    (":))", "smiley face"),
    (":-)", "smiley face"),
    (":)", "smiley face"),
    ("=)", "smiley face"),
    ("(:", "smiley face"),
    (":-D", "laughing face"),
    (":D", "laughing face"),
    ("=D", "laughing face"),
    ("XD", "laughing face"),
    ("xD", "laughing face"),
    (";-)", "winking face"),
    (";)", "winking face"),
    (";-D", "winking face"),
    (";D", "winking face"),
    (":-((", "sad face"),
    (":((", "sad face"),
    (":-(", "sad face"),
    (":(", "sad face"),
    ("=(", "sad face"),
    (":-P", "tongue sticking out"),
    (":P", "tongue sticking out"),
    (":-p", "tongue sticking out"),
    (":p", "tongue sticking out"),
    (":-O", "surprised face"),
    (":O", "surprised face"),
    (":-o", "surprised face"),
    (":o", "surprised face"),
    (":-/", "skeptical face"),
    (":/", "skeptical face"),
    (":-|", "straight face"),
    (":|", "straight face"),
    (":-*", "kiss"),
    (":*", "kiss"),
    ("B-)", "cool face"),
    ("</3", "broken heart"),
    ("<3", "heart"),
    ("^_^", "happy face"),
    ("-_-", "annoyed face"),
    ("T_T", "crying face"),
    ("o_O", "confused face"),
    ("O_o", "confused face"),
    ("\\o/", "cheer"),
];

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';

/// An emoji or a text face at the start of `rest`.
pub(super) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    face(before, rest).or_else(|| sequence(rest))
}

/// A text face stands apart: white space or another face before it, no word after it.
fn face(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !rest.starts_with([
        ':', ';', '<', '>', '=', '(', '^', '-', '\\', '¯', 'X', 'x', 'T', 'o', 'O', 'B',
    ]) {
        return None;
    }
    let (face, name) = FACES.iter().find(|(face, _)| rest.starts_with(face))?;
    let word = before.rsplit(char::is_whitespace).next()?;
    let apart = word.is_empty()
        || FACES.iter().any(|(face, _)| word.ends_with(face))
        || face.starts_with([':', ';'])
            && word.ends_with(|c: char| ".,!?".contains(c) || is_pictograph(c));
    let after = rest[face.len()..].chars().next();
    let compares = face.starts_with(['<', '=', '^', '-'])
        && before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let ends = after.is_none_or(|c| c.is_whitespace() || ".,!?\"'”’:;<()*".contains(c));
    (apart && ends && !compares)
        .then_some((face.len(), Value { length: face.len(), name: Some(*name) }))
}

fn sequence(rest: &str) -> Option<(usize, Value)> {
    let length = keycap(rest).or_else(|| flag(rest)).or_else(|| joined(rest))?;
    let characters: String = rest[..length].chars().filter(|c| !is_dress(*c)).collect();
    Some((length, Value { length, name: name(&characters) }))
}

/// The name of a sequence; if it has none, of as many of its first parts as have one.
fn name(characters: &str) -> Option<&'static str> {
    let known = |part: &str| NAMES.get(part).copied();
    known(characters).or_else(|| {
        let joiners = characters.rmatch_indices(ZERO_WIDTH_JOINER);
        joiners.into_iter().find_map(|(at, _)| known(&characters[..at]))
    })
}

/// A digit, `#` or `*` in a keycap.
fn keycap(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix(|c: char| c.is_ascii_digit() || matches!(c, '#' | '*'))?;
    let inner = inner.strip_prefix('\u{fe0f}').unwrap_or(inner);
    Some(rest.len() - inner.strip_prefix(KEYCAP)?.len())
}

/// A country's flag, of two regional indicators, or a region's: a black flag and tags.
fn flag(rest: &str) -> Option<usize> {
    if let Some(tags) = rest.strip_prefix(BLACK_FLAG) {
        let tags = edge::run(tags, |c| matches!(c, '\u{e0020}'..='\u{e007f}'));
        return (tags > 0).then_some(BLACK_FLAG.len_utf8() + tags);
    }
    let mut chars = rest.chars();
    let is_indicator = |c: char| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
    let first = chars.next().filter(|c| is_indicator(*c))?;
    let second = chars.next().filter(|c| is_indicator(*c)).map_or(0, char::len_utf8);
    Some(first.len_utf8() + second)
}

/// Pictographs with joiners between them, each with its selectors and skin tone.
fn joined(rest: &str) -> Option<usize> {
    let mut length = 0;
    loop {
        let part = &rest[length..];
        let pictograph =
            part.chars().next().filter(|c| is_pictograph(*c) || length > 0 && is_sign(*c));
        let Some(pictograph) = pictograph else {
            return (length > 0).then_some(length);
        };
        length += pictograph.len_utf8();
        length += edge::run(&rest[length..], |c| is_dress(c) || c == KEYCAP);
        match rest[length..].strip_prefix(ZERO_WIDTH_JOINER) {
            Some(next) if next.starts_with(|c| is_pictograph(c) || is_sign(c)) => {
                length += ZERO_WIDTH_JOINER.len_utf8();
            }
            // A joiner without a next part is a slip.
            Some(_) => return Some(length + ZERO_WIDTH_JOINER.len_utf8()),
            None => return Some(length),
        }
    }
}

/// What an emoji wears: variation selectors and skin tones.
fn is_dress(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Signs that are emoji only behind a joiner: ♀ ♂ ⚕ and arrows.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}')
}

/// Whether a character begins an emoji: those of the table, and the blocks that are kept for more.
fn is_pictograph(c: char) -> bool {
    match c {
        '\u{0}'..='\u{22ff}' => false,
        '\u{1f1e6}'..='\u{1f1ff}' => false,
        '\u{1f300}'..='\u{1faff}' => true,
        _ => NAMES.contains_key(c.encode_utf8(&mut [0; 4]) as &str),
    }
}
