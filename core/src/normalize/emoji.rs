//! Emoji, each whole: with joiners, skin tones, flags, keycaps and variation selectors. Text faces too.
//!
//! Comes before every other recognizer: a keycap begins with a digit, a face with punctuation.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::boundaries;

/// An emoji that was recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The bytes it takes.
    pub(crate) length: usize,
    /// Its short names; `None` for one that is newer than the table.
    pub(crate) names: Option<Names>,
}

/// What an emoji is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) english: &'static str,
    /// Empty for an emoji without a name in Hindi.
    pub(crate) hindi: &'static str,
}

/// The short names of CLDR, by the sequence without variation selectors and skin tones.
static NAMES: LazyLock<HashMap<&str, Names>> = LazyLock::new(|| {
    let english = rows(include_str!("../languages/en_us/data/emoji.tsv"));
    let mut names: HashMap<_, _> =
        english.map(|(emoji, english)| (emoji, Names { english, hindi: "" })).collect();
    for (emoji, hindi) in rows(include_str!("../languages/hi_in/data/emoji.tsv")) {
        if let Some(names) = names.get_mut(emoji) {
            names.hindi = hindi;
        }
    }
    names
});

/// The rows of a table: an emoji, a tab, its name.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|row| row.split_once('\t'))
}

const SHRUG: Names = Names { english: "shrug", hindi: "कंधे उचकाना" };
const ANGRY_FACE: Names =
    Names { english: "angry face", hindi: "नाराज़ चेहरा" };
const CRYING_FACE: Names = Names { english: "crying face", hindi: "रोता चेहरा" };
const HAPPY_TEARS: Names =
    Names { english: "happy tears", hindi: "खुशी के आँसू" };
const SMILEY_FACE: Names =
    Names { english: "smiley face", hindi: "मुस्कुराता चेहरा" };
const LAUGHING_FACE: Names =
    Names { english: "laughing face", hindi: "हँसता चेहरा" };
const WINKING_FACE: Names =
    Names { english: "winking face", hindi: "आँख मारता चेहरा" };
const SAD_FACE: Names = Names { english: "sad face", hindi: "उदास चेहरा" };
const TONGUE_STICKING_OUT: Names = Names {
    english: "tongue sticking out",
    hindi: "जीभ निकालता चेहरा",
};
const SURPRISED_FACE: Names =
    Names { english: "surprised face", hindi: "हैरान चेहरा" };
const SKEPTICAL_FACE: Names =
    Names { english: "skeptical face", hindi: "शंकित चेहरा" };
const STRAIGHT_FACE: Names =
    Names { english: "straight face", hindi: "भावहीन चेहरा" };
const KISS: Names = Names { english: "kiss", hindi: "चुंबन" };
const COOL_FACE: Names =
    Names { english: "cool face", hindi: "बेफ़िक्र चेहरा" };
const BROKEN_HEART: Names = Names { english: "broken heart", hindi: "टूटा दिल" };
const HEART: Names = Names { english: "heart", hindi: "दिल" };
const HAPPY_FACE: Names = Names { english: "happy face", hindi: "खुश चेहरा" };
const ANNOYED_FACE: Names =
    Names { english: "annoyed face", hindi: "नाराज़ चेहरा" };
const CONFUSED_FACE: Names =
    Names { english: "confused face", hindi: "उलझन भरा चेहरा" };
const CHEER: Names = Names { english: "cheer", hindi: "जय जयकार" };

/// Faces made of punctuation, the longest first where one begins another.
const FACES: &[(&str, Names)] = &[
    ("¯\\_(ツ)_/¯", SHRUG),
    (">:-(", ANGRY_FACE),
    (">:(", ANGRY_FACE),
    (":'-(", CRYING_FACE),
    (":'(", CRYING_FACE),
    (":'-)", HAPPY_TEARS),
    (":')", HAPPY_TEARS),
    (":-))", SMILEY_FACE),
    (":))", SMILEY_FACE),
    (":-)", SMILEY_FACE),
    (":)", SMILEY_FACE),
    ("=)", SMILEY_FACE),
    ("(:", SMILEY_FACE),
    (":-D", LAUGHING_FACE),
    (":D", LAUGHING_FACE),
    ("=D", LAUGHING_FACE),
    ("XD", LAUGHING_FACE),
    ("xD", LAUGHING_FACE),
    (";-)", WINKING_FACE),
    (";)", WINKING_FACE),
    (";-D", WINKING_FACE),
    (";D", WINKING_FACE),
    (":-((", SAD_FACE),
    (":((", SAD_FACE),
    (":-(", SAD_FACE),
    (":(", SAD_FACE),
    ("=(", SAD_FACE),
    (":-P", TONGUE_STICKING_OUT),
    (":P", TONGUE_STICKING_OUT),
    (":-p", TONGUE_STICKING_OUT),
    (":p", TONGUE_STICKING_OUT),
    (":-O", SURPRISED_FACE),
    (":O", SURPRISED_FACE),
    (":-o", SURPRISED_FACE),
    (":o", SURPRISED_FACE),
    (":-/", SKEPTICAL_FACE),
    (":/", SKEPTICAL_FACE),
    (":-|", STRAIGHT_FACE),
    (":|", STRAIGHT_FACE),
    (":-*", KISS),
    (":*", KISS),
    ("B-)", COOL_FACE),
    ("</3", BROKEN_HEART),
    ("<3", HEART),
    ("^_^", HAPPY_FACE),
    ("-_-", ANNOYED_FACE),
    ("T_T", CRYING_FACE),
    ("o_O", CONFUSED_FACE),
    ("O_o", CONFUSED_FACE),
    ("\\o/", CHEER),
];

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';

/// An emoji or a text face at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    face(before, rest).or_else(|| sequence(rest))
}

/// A text face stands apart: white space or another face before it, no word after it.
fn face(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !rest.starts_with([
        ':', ';', '<', '>', '=', '(', '^', '-', '\\', '¯', 'X', 'x', 'T', 'o', 'O', 'B',
    ]) {
        return None;
    }
    let (face, names) = FACES.iter().find(|(face, _)| rest.starts_with(face))?;
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
        .then_some((face.len(), Value { length: face.len(), names: Some(*names) }))
}

fn sequence(rest: &str) -> Option<(usize, Value)> {
    let length = keycap(rest).or_else(|| flag(rest)).or_else(|| joined(rest))?;
    let characters: String = rest[..length].chars().filter(|c| !is_dress(*c)).collect();
    Some((length, Value { length, names: names(&characters) }))
}

/// The names of a sequence; if it has none, of as many of its first parts as have them.
fn names(characters: &str) -> Option<Names> {
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
        let tags = boundaries::run(tags, |c| matches!(c, '\u{e0020}'..='\u{e007f}'));
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
        length += boundaries::run(&rest[length..], |c| is_dress(c) || c == KEYCAP);
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
