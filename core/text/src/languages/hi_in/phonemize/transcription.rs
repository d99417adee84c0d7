//! Transcription choices, where several vocabulary symbols fit a Hindi sound.
//!
//! Listening decides them, not grammar. Rules of grammar are in other modules.

/// ड़.
pub(super) const FLAP: &str = "r.";
/// ढ़.
pub(super) const ASPIRATED_FLAP: &str = "r.h";

/// Whether र् before a consonant that is no stop is a trill, as in training data: कर्म, not कोर्ट.
pub(super) const TRILL_BEFORE_CONTINUANT: bool = true;

/// Whether a consonant between a short vowel and य is long: हत्या as tːj.
pub(super) const LONG_BEFORE_Y: bool = false;

/// The notation of nasality: on the vowel, as a consonant, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nasality {
    pub(super) vowel: bool,
    pub(super) consonant: bool,
}

/// A long vowel with ँ or ं before a stop or sibilant: चाँद, पाँच, शांति.
pub(super) const LONG_NASAL: Nasality = Nasality { vowel: false, consonant: true };
/// इ and उ with ँ or ं before a stop or sibilant, long as in the training data: हिंदी, सुंदर,
/// पहुँच.
pub(super) const SHORT_NASAL: Nasality = Nasality { vowel: true, consonant: false };

/// Whether all long nasal vowels are written long, not only ẽː.
pub(super) const LONG_NASAL_VOWELS: bool = false;

/// Whether ə is ɛ beside an ह with ə or at a syllable end: पहले, शहर. The training data has ə.
pub(super) const LOWERED_BESIDE_H: bool = false;

/// Whether a final ə stays after a cluster of rising sonority: मित्र, मुख्य.
pub(super) const WEAK_FINAL_SCHWA: bool = true;

/// The symbol of ə before a final य: समय.
pub(super) const BEFORE_FINAL_Y: &str = "ɛ";
