//! Recognizes complete emoji, with joiners, skin tones, flags, keycaps and variation selectors, and
//! text faces.
//!
//! Runs first: a keycap begins with a digit, and a face with punctuation.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use speech_base::fork::LazyLock;

use super::boundaries;
use super::locale::rows;
use crate::words::WordClass;

/// A recognized emoji.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) length: usize,
    pub(crate) emoji: Emoji,
}

/// The key of an emoji's name in each language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Emoji {
    /// Pictographs without variation selectors and skin tones: the key in the name tables.
    Sequence(String),
    /// The name of a face made of punctuation.
    Emoticon(&'static str),
    /// The suit of a playing card after its rank: `A♠`.
    Suit {
        suit: char,
        /// In a bid the rank counts tricks: `2♣` is two clubs.
        is_bid: bool,
    },
}

impl Value {
    /// The digit of a keycap, which numbers a step.
    pub(crate) fn keycap_digit(&self) -> Option<&str> {
        let Emoji::Sequence(sequence) = &self.emoji else { return None };
        let digit = sequence.strip_suffix(KEYCAP)?;
        digit.starts_with(|c: char| c.is_ascii_digit()).then_some(digit)
    }

    /// Whether the emoji replaces a noun: `no 🍄`, `lost 🐈 near the park`.
    fn is_noun(&self, before: &str, rest: &str) -> bool {
        let after = rest[self.length..].trim_start();
        let is_face = matches!(&self.emoji, Emoji::Sequence(sequence) if sequence.starts_with(|c| matches!(c, '\u{1f600}'..='\u{1f64f}' | '❤')));
        let goes_on =
            after.starts_with(|c: char| c.is_lowercase() || matches!(c, ')' | ',' | '(' | '.'));
        let last = super::cursor::last_word(before);
        // `walk the 🐶`
        let is_determined = WordClass::DeterminerOfEmoji.has_any_case(last)
            && after.chars().all(|c| !c.is_alphanumeric());
        before.ends_with(' ')
            && WordClass::BeforeEmojiNoun.has_any_case(last)
            && (goes_on || is_determined)
            && !is_face
    }

    /// Whether the emoji labels a count: `👍 12  👎 3`.
    fn is_counter(&self, before: &str, rest: &str) -> bool {
        const COUNTED: [&str; 9] = ["👍", "👎", "❤", "💬", "👁", "🔁", "👀", "👏", "🔄"];
        let Emoji::Sequence(sequence) = &self.emoji else { return false };
        let is_counted = COUNTED.contains(&sequence.trim_end_matches('\u{fe0f}'));
        let count = rest[self.length..].trim_start();
        let digits = count.trim_start_matches(|c: char| c.is_ascii_digit());
        let ends = !digits.trim_start().starts_with(char::is_alphabetic);
        let opens = before.trim().is_empty()
            || before.ends_with("  ")
            || before.trim_end().ends_with(is_end_of_count);
        is_counted && opens && digits.len() < count.len() && ends
    }

    /// Whether the emoji replaces a word: stars (`5⭐`), a noun (`no 🍄`), a verb (`I <3 you`).
    pub(crate) fn is_word(&self, before: &str, rest: &str) -> bool {
        match &self.emoji {
            Emoji::Sequence(sequence) => {
                let is_star = matches!(sequence.as_str(), "⭐" | "★");
                sequence.starts_with('❤') && self.is_verb(before, rest)
                    || is_star && before.ends_with(|c: char| c.is_numeric())
                    // The male and female signs replace words.
                    || matches!(sequence.as_str(), "♀" | "♂")
                    || self.suit(before).is_some()
                    || self.is_noun(before, rest)
                    || self.is_counter(before, rest)
            }
            Emoji::Emoticon(_) => rest.starts_with(HEART) && self.is_verb(before, rest),
            Emoji::Suit { .. } => true,
        }
    }

    /// The suit of a card directly after its rank: `10♥`, `A♠`.
    fn suit(&self, before: &str) -> Option<char> {
        let Emoji::Sequence(sequence) = &self.emoji else { return None };
        let suit = sequence.chars().next().filter(|c| matches!(c, '♠' | '♣' | '♥' | '♦'))?;
        let rank = super::cursor::last_word(before);
        let is_rank = matches!(rank, "A" | "K" | "Q" | "J" | "T" | "10")
            || rank.len() == 1 && ("1"..="9").contains(&rank);
        is_rank.then_some(suit)
    }

    /// The reading in context: the suit of a card, or the sign `<3` where a heart is a verb.
    pub(crate) fn in_place(self, before: &str, rest: &str) -> Self {
        if let Some(suit) = self.suit(before) {
            let mut words = before.split(|c: char| !c.is_alphanumeric());
            let is_bid = words.any(|word| WordClass::Bid.has_any_case(word));
            return Self { emoji: Emoji::Suit { suit, is_bid }, ..self };
        }
        let is_heart =
            matches!(&self.emoji, Emoji::Sequence(sequence) if sequence.starts_with('❤'));
        if is_heart && self.is_verb(before, rest) {
            let heart = EMOTICONS.iter().find(|(face, _)| *face == HEART).expect("a heart");
            return Self { emoji: Emoji::Emoticon(heart.1), ..self };
        }
        self
    }

    /// Whether the emoji replaces a verb: `I ❤️ NY`.
    fn is_verb(&self, before: &str, rest: &str) -> bool {
        let subject = super::cursor::last_word(before);
        let follows = rest[self.length..].trim_start().starts_with(char::is_alphabetic);
        before.ends_with(' ') && WordClass::SubjectOfHeart.has_any_case(subject) && follows
    }
}

/// Whether the next count begins after `c`, a mark or a digit.
fn is_end_of_count(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '|' | '·' | '•')
}

/// CLDR short names by emoji.
pub(crate) type Names = HashMap<&'static str, &'static str>;

/// Parses a table of names: each row is an emoji, a tab and its CLDR short name.
pub(crate) fn names(table: &'static str) -> Names {
    table.lines().filter_map(|row| row.split_once('\t')).collect()
}

/// The name of a sequence, or of its longest prefix that has one.
pub(crate) fn name(sequence: &str, names: &Names) -> Option<&'static str> {
    let known = |part: &str| names.get(part).copied();
    known(sequence).or_else(|| {
        let joiners = sequence.rmatch_indices(ZERO_WIDTH_JOINER);
        joiners.into_iter().find_map(|(at, _)| known(&sequence[..at]))
    })
}

/// The face that may stand for a verb.
const HEART: &str = "<3";

/// Faces made of punctuation with their names, the longest first.
static EMOTICONS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = rows(include_str!("../languages/data/emoticons.tsv"));
    let mut faces: Vec<_> =
        rows.flat_map(|row| row[1].split(' ').map(move |face| (face, row[0]))).collect();
    faces.sort_by_key(|(face, _)| Reverse(face.len()));
    faces
});

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const KEYCAP: char = '\u{20e3}';
const BLACK_FLAG: char = '\u{1f3f4}';

/// An emoji or a text face at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    emoticon(before, rest).or_else(|| sequence(rest))
}

/// A text face with white space or another face before it, and no word after it.
fn emoticon(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !rest.starts_with([
        ':', ';', '<', '>', '=', '(', '^', '-', '\\', '¯', 'X', 'x', 'T', 'o', 'O', 'B',
    ]) {
        return None;
    }
    let (face, emoticon) = EMOTICONS.iter().find(|(face, _)| rest.starts_with(face))?;
    let word = before.rsplit(char::is_whitespace).next()?;
    let apart = word.is_empty()
        || EMOTICONS.iter().any(|(face, _)| word.ends_with(face))
        || face.starts_with([':', ';'])
            && word.ends_with(|c: char| ".,!?".contains(c) || is_pictograph(c));
    let after = rest[face.len()..].chars().next();
    let compares = face.starts_with(['<', '=', '^', '-'])
        && before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let ends = after.is_none_or(|c| c.is_whitespace() || ".,!?\"'”’:;<()*".contains(c))
        && !rest[face.len()..]
            .strip_prefix('.')
            .is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    (apart && ends && !compares)
        .then_some((face.len(), Value { length: face.len(), emoji: Emoji::Emoticon(emoticon) }))
}

fn sequence(rest: &str) -> Option<(usize, Value)> {
    let length = keycap(rest).or_else(|| flag(rest)).or_else(|| joined(rest))?;
    let sequence = rest[..length].chars().filter(|c| !is_modifier(*c)).collect();
    Some((length, Value { length, emoji: Emoji::Sequence(sequence) }))
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
        length += boundaries::run(&rest[length..], |c| is_modifier(c) || c == KEYCAP);
        match rest[length..].strip_prefix(ZERO_WIDTH_JOINER) {
            Some(next) if next.starts_with(|c| is_pictograph(c) || is_sign(c)) => {
                length += ZERO_WIDTH_JOINER.len_utf8();
            }
            // Ignore a joiner without a next part.
            Some(_) => return Some(length + ZERO_WIDTH_JOINER.len_utf8()),
            None => return Some(length),
        }
    }
}

/// Whether `c` is a variation selector or skin tone.
fn is_modifier(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether `c` is an emoji only after a joiner: ♀ ♂ ⚕ and arrows.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}')
}

/// Whether a character begins an emoji: in Unicode's list, or in a block reserved for emoji.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{1f300}'..='\u{1faff}') || is_older_pictograph(c)
}

/// Emoji outside the blocks of only emoji, in order.
static OLDER: LazyLock<Vec<RangeInclusive<u32>>> = LazyLock::new(|| {
    let code = |code: &str| u32::from_str_radix(code, 16).expect("a code point");
    let rows = rows(include_str!("../languages/data/older_emoji.txt"));
    let ranges = rows.flat_map(|row| row[0].split(' '));
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        code(first)..=code(last)
    };
    ranges.map(range).collect()
});

fn is_older_pictograph(c: char) -> bool {
    let code = u32::from(c);
    let at = OLDER.partition_point(|range| *range.end() < code);
    OLDER.get(at).is_some_and(|range| range.contains(&code))
}
