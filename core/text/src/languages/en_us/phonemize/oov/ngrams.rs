//! The n-gram model: pruned 4-grams of graphones.
//!
//! A graphone is a letter with its label, the phonemes that it stands for. The model backs off to
//! shorter histories with a constant factor ("stupid backoff": Brants et al., "Large Language Models
//! in Machine Translation", 2007). `research/g2p/ngrams.py` creates it.

pub(super) const ORDER: usize = 4;

/// The graphones before and after a word.
pub(super) const START: u16 = 0;
pub(super) const END: u16 = 1;

/// Slots of a bucket.
pub(super) const BUCKET: usize = 8;
/// The quantization step of log probabilities.
const STEP: f64 = 0.5;
/// The log probability of an unseen graphone.
const UNSEEN: f64 = -12.0;
/// The natural logarithm of the back-off factor, 0.4.
const BACK_OFF: f64 = -0.916_290_731_874_155;

/// A hash table of buckets. A slot has a 12-bit fingerprint and a quantized 4-bit log probability.
pub(super) struct Ngrams {
    slots: &'static [[u8; 2]],
}

impl Ngrams {
    /// Reads a table with two bytes per slot.
    pub(super) fn new(bytes: &'static [u8]) -> Self {
        let (slots, rest) = bytes.as_chunks();
        assert!(
            rest.is_empty() && slots.len().is_multiple_of(BUCKET),
            "the table has whole buckets"
        );
        Self { slots }
    }

    /// The log probability of `last` after `history`, in text order.
    pub(super) fn log(&self, history: [u16; ORDER - 1], last: u16) -> f64 {
        let mut penalty = 0.0;
        for start in 0..ORDER {
            if let Some(level) = self.level(&history[start..], last) {
                return penalty - f64::from(level) * STEP;
            }
            penalty += BACK_OFF;
        }
        penalty + UNSEEN
    }

    fn level(&self, history: &[u16], last: u16) -> Option<u16> {
        let hash = hash(history, last);
        let buckets = (self.slots.len() / BUCKET) as u64;
        let bucket = (hash % buckets) as usize * BUCKET;
        let fingerprint = ((hash >> 52) as u16).max(1);
        let slots =
            self.slots[bucket..bucket + BUCKET].iter().map(|slot| u16::from_le_bytes(*slot));
        slots.filter(|slot| slot >> 4 == fingerprint).map(|slot| slot & 15).next()
    }
}

/// The graphone of a letter, numbered from 1, and a label.
pub(super) fn graphone(letter: usize, label: usize) -> u16 {
    (letter << 8 | label) as u16
}

/// The 64-bit FNV-1a hash of the graphones, two bytes each.
fn hash(history: &[u16], last: u16) -> u64 {
    let bytes = history.iter().chain([&last]).flat_map(|symbol| symbol.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // The low bits alone hardly depend on the first graphones.
    hash ^ hash >> 29
}
