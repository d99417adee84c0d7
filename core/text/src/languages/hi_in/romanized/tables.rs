//! Reads `data/romanized.bin`, the trained models of romanized Hindi, in place.
//!
//! `research/romanized` makes the file. Each section has its length in 32 bits before it. Integers
//! are little-endian, and costs are negative natural logarithms. The sections are:
//!
//! 1. symbols and spellings (`channel.rs`);
//! 2. words by the skeletons of their spellings, with costs of 4 bits;
//! 3. words by spellings that the channel does not explain, with costs of a byte ([`Groups`]);
//! 4. bigram costs of symbols (`oov.rs`);
//! 5. log odds of letter trigrams, Hindi against English;
//! 6. weights of the labels;
//! 7. weights of label pairs;
//! 8. weights of the context model ([`Weights`]);
//! 9. hashes of the words of the context model;
//! 10. hashes of English and Hindi words, then a byte for each: bits 0 and 1 are the frequency of
//!     an English word, bit 2 marks words that exist only in Hindi.

use speech_base::fork::LazyLock;

use super::channel::Channel;

static BYTES: &[u8] = include_bytes!("../data/romanized.bin");

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);

/// Keys per block of [`Groups`].
const BLOCK: usize = 8;
/// The first code point of Devanagari.
const DEVANAGARI: u32 = 0x900;

pub(super) struct Tables {
    pub(super) channel: Channel,
    pub(super) words: Groups,
    pub(super) known: Groups,
    pub(super) bigrams: &'static [u8],
    trigrams: &'static [u8],
    pub(super) labels: Weights,
    links: &'static [u8],
    pub(super) context: Weights,
    frequent: &'static [u8],
    marks: &'static [u8],
}

impl Tables {
    fn read() -> Self {
        let mut rest = BYTES;
        let mut section = || {
            let (section, after) = rest[4..].split_at(u32_at(rest, 0) as usize);
            rest = after;
            section
        };
        Self {
            channel: Channel::read(section()),
            words: Groups { bytes: section(), has_costs: false },
            known: Groups { bytes: section(), has_costs: true },
            bigrams: section(),
            trigrams: section(),
            labels: Weights(section()),
            links: section(),
            context: Weights(section()),
            frequent: section(),
            marks: section(),
        }
    }

    /// The log odds of these letters, Hindi against English.
    pub(super) fn odds(&self, word: &str) -> f32 {
        let code = |letter: u8| usize::from(letter - b'a');
        let letters: Vec<usize> = word.bytes().map(code).collect();
        let gram = |at: usize| {
            let first = if at == 0 { 26 } else { letters[at - 1] };
            let last = letters.get(at + 1).copied().unwrap_or(26);
            f32::from(self.trigrams[(first * 26 + letters[at]) * 27 + last].cast_signed())
        };
        (0..letters.len()).map(gram).sum::<f32>() / 16.0
    }

    /// The weight of two adjacent labels (0 Hindi, 1 English) with a gap between.
    pub(super) fn link(&self, gap: usize, before: usize, after: usize) -> f32 {
        f32_at(self.links, 4 * (4 * gap + 2 * before + after))
    }

    /// Whether the context model knows a Devanagari word.
    pub(super) fn is_frequent(&self, word: &str) -> bool {
        position(self.frequent, self.frequent.len() / 4, hash(word)).is_some()
    }

    fn mark(&self, word: &str) -> u8 {
        let count = self.marks.len() / 5;
        position(self.marks, count, hash(word)).map_or(0, |at| self.marks[4 * count + at])
    }

    /// The frequency class of an English word, from 0 to 3.
    pub(super) fn common(&self, word: &str) -> u8 {
        self.mark(word) & 3
    }

    /// Whether a spelling is usual in romanized Hindi and no English word.
    pub(super) fn is_anchor(&self, word: &str) -> bool {
        self.mark(word) & 4 != 0
    }
}

/// Words by key.
///
/// The format is the number of blocks, their offsets, and the blocks. A key is a byte (the number
/// of letters shared with the previous key in the block, and of its other letters), the other
/// letters, and the length of its words: a byte, or 7 bits with the high bit set and 8 more. A word
/// is a byte (letters shared with the previous word, and its cost) and its other letters, the last
/// with its high bit set.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    bytes: &'static [u8],
    has_costs: bool,
}

impl Groups {
    /// Calls `each` with each word of a key and its cost in channel units.
    pub(super) fn each(self, key: &str, mut each: impl FnMut(&str, u16)) {
        let Some(mut words) = self.find(key.as_bytes()) else { return };
        let mut word = String::new();
        let mut starts = Vec::new();
        while let [head, rest @ ..] = words {
            let shared = usize::from(head >> 4);
            word.truncate(starts.get(shared).copied().unwrap_or(word.len()));
            starts.truncate(shared);
            let letters = rest.iter().position(|code| code & 0x80 != 0).expect("a word ends") + 1;
            for code in &rest[..letters] {
                starts.push(word.len());
                word.extend(char::from_u32(DEVANAGARI + u32::from(code & 0x7f)));
            }
            let cost = if self.has_costs {
                2 * u16::from(rest[letters])
            } else {
                48 + 12 * u16::from(head & 15)
            };
            words = &rest[letters + usize::from(self.has_costs)..];
            each(&word, cost);
        }
    }

    /// The words of a key.
    fn find(self, key: &[u8]) -> Option<&'static [u8]> {
        let blocks = u32_at(self.bytes, 0) as usize;
        let body = 4 + 4 * blocks;
        let block =
            |number: usize| &self.bytes[body + u32_at(self.bytes, 4 + 4 * number) as usize..];
        let (mut low, mut high) = (0, blocks);
        while low < high {
            let middle = usize::midpoint(low, high);
            if Group::first(block(middle)).letters > key { high = middle } else { low = middle + 1 }
        }
        let mut rest = block(low.checked_sub(1)?);
        let mut name: Vec<u8> = Vec::new();
        for _ in 0..BLOCK {
            if rest.is_empty() {
                return None;
            }
            let group = Group::first(rest);
            name.truncate(group.shared);
            name.extend(group.letters);
            if name == key {
                return Some(group.words);
            }
            rest = group.rest;
        }
        None
    }
}

/// A key with its words.
struct Group {
    /// The number of letters shared with the previous key in the block.
    shared: usize,
    /// The other letters of the key.
    letters: &'static [u8],
    words: &'static [u8],
    /// The remaining bytes.
    rest: &'static [u8],
}

impl Group {
    /// Parses the first group.
    fn first(bytes: &'static [u8]) -> Self {
        let (letters, rest) = bytes[1..].split_at(usize::from(bytes[0] & 15));
        let (length, rest) = match rest {
            [low, high, rest @ ..] if low & 0x80 != 0 => {
                (usize::from(low & 0x7f) | usize::from(*high) << 7, rest)
            }
            [length, rest @ ..] => (usize::from(*length), rest),
            [] => (0, rest),
        };
        let (words, rest) = rest.split_at(length);
        Self { shared: usize::from(bytes[0] >> 4), letters, words, rest }
    }
}

/// Weights by feature hash: a scale, a count, sorted hashes, and a signed byte for each.
#[derive(Clone, Copy)]
pub(super) struct Weights(&'static [u8]);

impl Weights {
    pub(super) fn get(self, feature: &str) -> f32 {
        let count = u32_at(self.0, 4) as usize;
        let names = &self.0[8..];
        let Some(at) = position(names, count, hash(feature)) else { return 0.0 };
        f32_at(self.0, 0) * f32::from(names[4 * count + at].cast_signed())
    }
}

/// The position of a hash among the first `count`.
fn position(hashes: &[u8], count: usize, wanted: u32) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if u32_at(hashes, 4 * middle) < wanted { low = middle + 1 } else { high = middle }
    }
    (low < count && u32_at(hashes, 4 * low) == wanted).then_some(low)
}

/// The 32-bit FNV-1a hash.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(bytes, at))
}
