//! Looks up words and inflected forms in their context.
//!
//! The algorithm follows Misaki 0.9.4 (hexgrad, Apache-2.0), since Kokoro was trained on its
//! phonemes: lexicon, stress by capitalization, inflection.

use super::stress::{self, Emphasis};
use super::tagger::Tag;
use super::{function_words, inflection, lexicon};
use crate::languages::en_us::phonemize::oov;

/// The class of the next sound after a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextSound {
    /// A punctuation mark or the end of the sentence.
    Pause,
    Vowel,
    Consonant,
}

/// The context that the phonemes of a word depend on.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) emphasis: Emphasis,
    pub(super) next: NextSound,
    /// Whether the next word is "to".
    pub(super) before_to: bool,
    /// The part-of-speech tag, evaluated only if the phonemes depend on it.
    pub(super) tag: &'a dyn Fn() -> Tag,
}

/// The phonemes of a word that is in the lexicon, or whose stem is.
pub(super) fn read(word: &str, context: Context<'_>) -> Option<String> {
    if let Some(reading) = function_words::read(word, context) {
        return Some(reading);
    }
    let lower = in_lower_case(word, context);
    let word = lower.as_deref().unwrap_or(word);
    if is_known(word) {
        return look_up(word, context);
    }
    if let Some(stem) = word.strip_suffix("s'") {
        let possessive = format!("{stem}'s");
        if is_known(&possessive) {
            return look_up(&possessive, context);
        }
    }
    if let Some(stem) = word.strip_suffix('\'').filter(|stem| is_known(stem)) {
        return look_up(stem, context);
    }
    inflected(word, context)
}

/// The phonemes of an inflected form of a lexicon word.
pub(super) fn inflected(word: &str, context: Context<'_>) -> Option<String> {
    if let Some(stem) = inflection::stem_of_s(word, is_known) {
        return look_up(&stem, context).map(inflection::with_s);
    }
    if let Some(stem) = inflection::stem_of_ed(word, is_known) {
        return look_up(&stem, context).map(inflection::with_ed);
    }
    let stem = inflection::stem_of_ing(word, is_known)?;
    // Misaki stresses the stem of a form in -ing as if it were capitalized.
    let emphasis = match context.emphasis {
        Emphasis::Plain => Emphasis::Capitalized,
        emphasis => emphasis,
    };
    look_up(&stem, Context { emphasis, ..context }).map(inflection::with_ing)
}

/// The lower-case form of a word with capitals, if the lexicon has only that form.
fn in_lower_case(word: &str, context: Context<'_>) -> Option<String> {
    let is_one = word.len() > 1 && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'\'');
    if !is_one || context.emphasis == Emphasis::Plain || lexicon::entry(word).is_some() {
        return None;
    }
    let is_capitals = context.emphasis == Emphasis::Capitals;
    if !is_capitals && word[1..].bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let has_it = lexicon::entry(&lower).is_some() || inflection::is_form(&lower, is_known);
    has_it.then_some(lower)
}

/// Whether [`look_up`] has phonemes for a word: in the lexicon, or as an initialism.
pub(super) fn is_known(word: &str) -> bool {
    if lexicon::entry(word).is_some() {
        return true;
    }
    let is_letters = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
    is_letters && word.bytes().skip(1).all(|b| b.is_ascii_uppercase())
}

/// The phonemes of a lexicon word, or the letters of an initialism.
fn look_up(word: &str, context: Context<'_>) -> Option<String> {
    let in_capitals = Emphasis::of(word) == Emphasis::Capitals && lexicon::gold(word).is_none();
    let lower = word.to_ascii_lowercase();
    let word = if in_capitals { &lower } else { word };
    let before_pause = context.next == NextSound::Pause;
    let reading = lexicon::entry(word).and_then(|entry| entry.reading(before_pause, context.tag));
    match reading {
        Some(reading) => Some(context.emphasis.apply(reading)),
        None if word.bytes().any(|b| b.is_ascii_alphabetic()) => Some(oov::spell(word)),
        None => None,
    }
}

/// The class of the first sound or mark of a reading, which the previous word depends on.
pub(super) fn first_sound(reading: &str) -> Option<NextSound> {
    const CONSONANTS: &str = "bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ";
    reading.chars().find_map(|symbol| match symbol {
        '!' | ',' | '.' | ':' | ';' | '?' | '—' | '…' => Some(NextSound::Pause),
        symbol if stress::is_vowel(symbol) => Some(NextSound::Vowel),
        symbol if CONSONANTS.contains(symbol) => Some(NextSound::Consonant),
        _ => None,
    })
}

#[cfg(test)]
crate::row_tests::rows! {
    known_words_and_their_forms: |[word, tag]| {
        let tag = || Tag::new(tag.to_owned().leak());
        let (emphasis, next) = (Emphasis::of(word), NextSound::Consonant);
        crate::row_tests::or_dash(read(word, Context { emphasis, next, before_to: false, tag: &tag }))
    };
}
