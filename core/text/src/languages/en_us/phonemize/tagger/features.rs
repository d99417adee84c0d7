//! Tagger features: norm, prefix (one letter), suffix (three letters) and shape of a token.

use super::tokens::TaggerToken;

/// The ids of norm, prefix, suffix and shape.
pub(super) type Features = [u64; 4];

/// Ids of spaCy's string store and norm exceptions, by hash.
#[derive(Clone, Copy)]
pub(super) struct Ids {
    /// spaCy's symbol table: symbol ids by hash.
    pub(super) symbols: Table,
    /// Ids of norms that differ from the lower-case word, by hash.
    pub(super) norms: Table,
}

/// Pairs of 64-bit keys and values, sorted by key.
#[derive(Clone, Copy)]
pub(super) struct Table(pub(super) &'static [[u8; 16]]);

impl Table {
    fn get(self, key: u64) -> Option<u64> {
        let half =
            |pair: &[u8; 16], at: usize| u64::from_le_bytes(std::array::from_fn(|i| pair[at + i]));
        let at = self.0.binary_search_by_key(&key, |pair| half(pair, 0)).ok()?;
        Some(half(&self.0[at], 8))
    }
}

impl Ids {
    pub(super) fn features(&self, token: &TaggerToken<'_>) -> Features {
        let text = token.text;
        let prefix = text.chars().next().map_or(0, char::len_utf8);
        let suffix = text.char_indices().nth_back(2).map_or(0, |(at, _)| at);
        [
            self.norm(token),
            self.id(&text[..prefix]),
            self.id(&text[suffix..]),
            self.id(&shape(text)),
        ]
    }

    fn norm(&self, token: &TaggerToken<'_>) -> u64 {
        if let Some(norm) = token.norm {
            return self.id(norm);
        }
        let listed = self.norms.get(hash(token.text));
        listed.unwrap_or_else(|| self.id(&token.text.to_lowercase()))
    }

    /// spaCy's id of a string: its symbol id, else its hash.
    fn id(&self, text: &str) -> u64 {
        let hash = hash(text);
        self.symbols.get(hash).unwrap_or(hash)
    }
}

/// MurmurHash64A with seed 1.
fn hash(text: &str) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    const SHIFT: u32 = 47;
    let data = text.as_bytes();
    let mut hash = 1 ^ (data.len() as u64).wrapping_mul(M);
    let (blocks, rest) = data.as_chunks::<8>();
    for block in blocks {
        let mut key = u64::from_le_bytes(*block).wrapping_mul(M);
        key ^= key >> SHIFT;
        hash = (hash ^ key.wrapping_mul(M)).wrapping_mul(M);
    }
    if !rest.is_empty() {
        let mut block = [0; 8];
        block[..rest.len()].copy_from_slice(rest);
        hash = (hash ^ u64::from_le_bytes(block)).wrapping_mul(M);
    }
    hash = (hash ^ (hash >> SHIFT)).wrapping_mul(M);
    hash ^ (hash >> SHIFT)
}

/// The shape of a token: letters as `X` and `x`, with runs limited to four.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut run = ('\0', 0);
    for c in text.chars() {
        let class = if c.is_alphabetic() {
            if c.is_uppercase() { 'X' } else { 'x' }
        } else if c.is_numeric() {
            'd'
        } else {
            c
        };
        run = if class == run.0 { (class, run.1 + 1) } else { (class, 1) };
        if run.1 <= 4 {
            shape.push(class);
        }
    }
    shape
}

#[cfg(test)]
crate::row_tests::rows! { shapes_of_words: |[word]| shape(word); }
