//! Misaki's American English lexicons in one table, which is read in place.
//!
//! `tools/lexicon` makes `lexicon.bin`. Integers are little-endian. The table contains:
//!
//! - the number of blocks, 32 bits;
//! - the alphabet: the number of symbols, 8 bits; symbols in UTF-16; then, up to code 127, pairs
//!   of codes as in byte pair encoding;
//! - the offset of each block after the offsets, 32 bits;
//! - the blocks of 16 words each, in byte order.
//!
//! A word is a byte, its other letters and its phonemes. The byte has the number of letters shared
//! with the previous word; bit 7 marks silver-only words, bit 6 context-dependent ones. The last
//! byte of letters and phonemes has its high bit set. A context-dependent reading is a count, then
//! tags with phonemes; a tag with its high bit set has none.

use super::tagger::Tag;

static BYTES: &[u8] = include_bytes!("../data/lexicon.bin");

const CODES: usize = 128;
const BLOCKS: usize = u32_at(BYTES, 0) as usize;
const SYMBOLS: usize = BYTES[4] as usize;
const ALPHABET: usize = 5;
const OFFSETS: usize = ALPHABET + 2 * CODES;
const BODY: usize = OFFSETS + 4 * BLOCKS;

const LAST: u8 = 0x80;
const SILVER: u8 = 0x80;
const TAGGED: u8 = 0x40;
const SHARED: u8 = 0x3f;

/// The tags of readings, by code.
const TAGS: [&str; 10] =
    ["DEFAULT", "None", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT"];
const DEFAULT: u8 = 0;
const BEFORE_PAUSE: u8 = 1;

const fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Whether it is from Misaki's hand-checked gold lexicon, else from the silver one.
    pub(super) is_gold: bool,
    is_tagged: bool,
    /// The offset of its phonemes.
    at: usize,
}

/// The entry of a word as written.
pub(super) fn exact(word: &str) -> Option<Entry> {
    let word = word.as_bytes();
    let block = last_block_not_after(word)?;
    let mut at = BODY + u32_at(BYTES, OFFSETS + 4 * block) as usize;
    let end = if block + 1 < BLOCKS {
        BODY + u32_at(BYTES, OFFSETS + 4 * (block + 1)) as usize
    } else {
        BYTES.len()
    };
    // The length of the common prefix of `word` and the previous word.
    let mut matched = 0;
    while at < end {
        let head = BYTES[at];
        let shared = usize::from(head & SHARED);
        if shared < matched {
            return None;
        }
        let letters = at + 1;
        at = after_last(letters);
        if shared == matched {
            let own = &BYTES[letters..at];
            let common = own.iter().zip(&word[matched..]).take_while(|(a, b)| **a & !LAST == **b);
            let common = common.count();
            matched += common;
            if common == own.len() && matched == word.len() {
                return Some(Entry {
                    is_gold: head & SILVER == 0,
                    is_tagged: head & TAGGED != 0,
                    at,
                });
            }
            let is_past = own.get(common).is_some_and(|letter| {
                word.get(matched).is_none_or(|wanted| letter & !LAST > *wanted)
            });
            if is_past {
                return None;
            }
        }
        at = after_readings(at, head & TAGGED != 0);
    }
    None
}

/// The last block whose first word is at most `word`.
fn last_block_not_after(word: &[u8]) -> Option<usize> {
    let mut low = 0;
    let mut high = BLOCKS;
    while low < high {
        let middle = usize::midpoint(low, high);
        let first = BODY + u32_at(BYTES, OFFSETS + 4 * middle) as usize + 1;
        if is_after(&BYTES[first..after_last(first)], word) {
            high = middle
        } else {
            low = middle + 1
        }
    }
    low.checked_sub(1)
}

/// Whether a terminated word sorts after `word`.
fn is_after(terminated: &[u8], word: &[u8]) -> bool {
    terminated.iter().map(|letter| letter & !LAST).gt(word.iter().copied())
}

fn after_last(mut at: usize) -> usize {
    while BYTES[at] & LAST == 0 {
        at += 1;
    }
    at + 1
}

fn after_readings(at: usize, is_tagged: bool) -> usize {
    if !is_tagged {
        return after_last(at);
    }
    let mut next = at + 1;
    for _ in 0..BYTES[at] {
        next = if BYTES[next] & LAST == 0 { after_last(next + 1) } else { next + 1 };
    }
    next
}

/// The entry of a word: as written, else with the other case of its first letter; gold first.
pub(super) fn entry(word: &str) -> Option<Entry> {
    let own = exact(word);
    if own.is_some_and(|entry| entry.is_gold) {
        return own;
    }
    let other = other_case(word).and_then(|other| exact(&other));
    match (own, other) {
        (Some(_), Some(other)) if other.is_gold => Some(other),
        (own, other) => own.or(other),
    }
}

/// The certainty that a lower-case word is English: 2 in the gold lexicon or a form of a word
/// there, 1 in the silver lexicon or a name, else 0.
pub(crate) fn grade(word: &str) -> u8 {
    const ENDINGS: [(&str, &str); 12] = [
        ("ies", "y"),
        ("ied", "y"),
        ("es", ""),
        ("es", "e"),
        ("s", ""),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
        ("ly", ""),
        ("er", ""),
        ("er", "e"),
    ];
    let is_gold = |word: &str| exact(word).is_some_and(|entry| entry.is_gold);
    let has_stem = || {
        word.len() > 4
            && ENDINGS.iter().any(|(ending, replaced)| {
                let stem = word.strip_suffix(ending).map(|stem| format!("{stem}{replaced}"));
                stem.is_some_and(|stem| stem.len() > 2 && is_gold(&stem))
            })
    };
    if is_gold(word) || has_stem() {
        return 2;
    }
    let is_known =
        exact(word).or_else(|| exact(&other_case(word)?)).or_else(|| exact(&word.to_uppercase()));
    u8::from(is_known.is_some())
}

pub(super) fn gold(word: &str) -> Option<Entry> {
    entry(word).filter(|entry| entry.is_gold)
}

/// The word with the other case of its first letter, if no other letter is a capital.
fn other_case(word: &str) -> Option<String> {
    let (first, rest) = word.split_at_checked(1)?;
    if rest.is_empty() || rest.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    let letter = first.as_bytes()[0];
    let other = if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        return None;
    };
    Some(format!("{}{rest}", char::from(other)))
}

impl Entry {
    /// The phonemes for the part of speech, if any. `tag` is called only if they depend on it.
    pub(super) fn reading(self, before_pause: bool, tag: impl FnOnce() -> Tag) -> Option<String> {
        if !self.is_tagged {
            return Some(decode(self.at));
        }
        if before_pause && let Some(reading) = self.tagged(BEFORE_PAUSE) {
            return reading.map(decode);
        }
        let reading = if self.depends_on_tag() {
            let tag = tag();
            let by = |name: &str| {
                let code = TAGS.iter().position(|known| *known == name)?;
                self.tagged(u8::try_from(code).ok()?)
            };
            by(tag.name()).or_else(|| by(tag.parent()))
        } else {
            None
        };
        reading.or_else(|| self.tagged(DEFAULT)).flatten().map(decode)
    }

    /// The phonemes of the entry for a tag that it lists.
    pub(super) fn reading_as(self, tag: &str) -> Option<String> {
        let code = TAGS.iter().position(|known| *known == tag)?;
        self.tagged(u8::try_from(code).ok()?).flatten().map(decode)
    }

    fn depends_on_tag(self) -> bool {
        self.readings().any(|(tag, _)| tag > BEFORE_PAUSE)
    }

    /// The offset of the phonemes for a tag; `Some(None)` if the tag has none.
    fn tagged(self, tag: u8) -> Option<Option<usize>> {
        self.readings().find(|(found, _)| *found == tag).map(|(_, at)| at)
    }

    fn readings(self) -> impl Iterator<Item = (u8, Option<usize>)> {
        let count = if self.is_tagged { BYTES[self.at] } else { 0 };
        let mut next = self.at + 1;
        (0..count).map(move |_| {
            let tag = BYTES[next];
            if tag & LAST != 0 {
                next += 1;
                return (tag & !LAST, None);
            }
            let at = next + 1;
            next = after_last(at);
            (tag, Some(at))
        })
    }
}

fn decode(at: usize) -> String {
    let mut phonemes = String::new();
    for code in &BYTES[at..after_last(at)] {
        push(&mut phonemes, usize::from(code & !LAST));
    }
    phonemes
}

fn push(phonemes: &mut String, code: usize) {
    let [first, second] = [BYTES[ALPHABET + 2 * code], BYTES[ALPHABET + 2 * code + 1]];
    if code < SYMBOLS {
        phonemes.extend(char::from_u32(u32::from(u16::from_le_bytes([first, second]))));
    } else {
        push(phonemes, usize::from(first));
        push(phonemes, usize::from(second));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_tests::or_dash;

    crate::row_tests::rows! {
        entries_by_case_and_part_of_speech: |[word, tag, before]| {
            let tag = || Tag::new(tag.to_owned().leak());
            or_dash(entry(word).and_then(|entry| entry.reading(before == "pause", tag)))
        };
    }

    #[test]
    fn every_word_of_the_table_is_found_in_it() {
        let mut words = 0;
        for block in 0..BLOCKS {
            let mut at = BODY + u32_at(BYTES, OFFSETS + 4 * block) as usize;
            let end = match block + 1 {
                BLOCKS => BYTES.len(),
                next => BODY + u32_at(BYTES, OFFSETS + 4 * next) as usize,
            };
            let mut word = Vec::new();
            while at < end {
                let head = BYTES[at];
                word.truncate(usize::from(head & SHARED));
                let after = after_last(at + 1);
                word.extend(BYTES[at + 1..after].iter().map(|letter| letter & !LAST));
                let text = std::str::from_utf8(&word).unwrap();
                let found = exact(text).unwrap_or_else(|| panic!("{text}"));
                assert_eq!(found.at, after, "{text}");
                at = after_readings(after, head & TAGGED != 0);
                words += 1;
            }
        }
        assert!(words > 183_000);
    }
}
