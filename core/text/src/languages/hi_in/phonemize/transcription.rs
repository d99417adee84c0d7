//! Choices of transcription where several symbols of the vocabulary fit a Hindi sound.
//!
//! Which of them the voices pronounce best is a matter of listening, not of grammar. Rules of grammar are not here.

/// ड़.
pub(super) const FLAP: &str = "r.";
/// ढ़.
pub(super) const ASPIRATED_FLAP: &str = "r.h";

/// र् before a consonant that is no stop is a trill in the transcriptions of the training data: कर्म, not कोर्ट.
pub(super) const TRILL_BEFORE_CONTINUANT: bool = true;

/// A consonant between a short vowel and य is written long: हत्या as tːj.
pub(super) const LONG_BEFORE_Y: bool = false;

/// How nasality is written: on the vowel, as a consonant, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nasality {
    pub(super) vowel: bool,
    pub(super) consonant: bool,
}

/// A long vowel with ँ or ं before a stop or a sibilant: चाँद, पाँच, शांति.
pub(super) const LONG_NASAL: Nasality = Nasality { vowel: false, consonant: true };
/// इ and उ with ँ or ं before a stop or a sibilant: हिंदी, सुंदर, पहुँच. The training data writes them as if they were long.
pub(super) const SHORT_NASAL: Nasality = Nasality { vowel: true, consonant: false };

/// A nasal vowel is written long as others are, not only ẽː.
pub(super) const LONG_NASAL_VOWELS: bool = false;

/// ə beside an ह that ends its syllable or has a ə itself is ɛ: पहले, शहर. The training data does not write it so.
pub(super) const LOWERED_BESIDE_H: bool = false;

/// A final ə is kept after a cluster of rising sonority: मित्र, मुख्य.
pub(super) const WEAK_FINAL_SCHWA: bool = true;

/// The symbol of ə before a final य: समय.
pub(super) const BEFORE_FINAL_Y: &str = "ɛ";
