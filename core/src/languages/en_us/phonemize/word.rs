//! One word: what is known of it as a whole, of its parts, of its making; then the model, or its letters.

use std::ops::Range;

use any_ascii::any_ascii;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::lexicon_lookup::{self, Context, NextSound};
use super::stress::Emphasis;
use super::tagger::Tag;
use super::{acronym, affix, compound, fixed_readings, inflection, lexicon};
use crate::languages::custom_lexicon;
use crate::languages::en_us::phonemize::oov;

/// A word where it stands.
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// The sound that follows.
    pub(super) next: NextSound,
    /// The next word is "to".
    pub(super) before_to: bool,
    /// The word before, if no mark is between.
    pub(super) previous: Option<&'a str>,
    /// The whole sentence is in capitals.
    pub(super) is_all_capitals: bool,
    /// The part of speech of a range of its letters.
    pub(super) tag: Box<dyn Fn(Range<usize>) -> Tag + 'a>,
}

/// After these, a single capital is a letter: "plan A", "vitamin I".
const BEFORE_A_LETTER: [&str; 22] = [
    "appendix",
    "block",
    "blood",
    "class",
    "column",
    "exhibit",
    "figure",
    "grade",
    "group",
    "hepatitis",
    "item",
    "letter",
    "level",
    "option",
    "plan",
    "point",
    "section",
    "series",
    "team",
    "type",
    "vitamin",
    "zone",
];

impl Word<'_> {
    /// The phonemes, never empty.
    pub(super) fn read(&self) -> String {
        let reading = self.by_its_neighbours().or_else(|| listed(self.text)).unwrap_or_else(|| {
            if self.text.is_ascii() {
                self.read_ascii(self.text)
            } else {
                self.read_ascii(&folded(self.text))
            }
        });
        // A word of signs that no alphabet has: a vowel is said rather than nothing.
        if reading.is_empty() { "ə".into() } else { reading }
    }

    /// A letter that would be a word elsewhere.
    fn by_its_neighbours(&self) -> Option<String> {
        let previous = self.previous.unwrap_or_default();
        let is_letter = match self.text {
            "A" if !previous.is_empty() && self.next == NextSound::Pause => true,
            "A" | "I" => BEFORE_A_LETTER.contains(&previous.to_lowercase().as_str()),
            // The normaliser writes the time of day so; "I AM" is the verb.
            "AM" => !self.is_all_capitals && previous != "I",
            _ => false,
        };
        is_letter.then(|| oov::spell(self.text))
    }

    fn read_ascii(&self, text: &str) -> String {
        let next = self.next;
        self.whole(text, text, next).unwrap_or_else(|| {
            let parts = compound::parts(text);
            match parts[..] {
                [] | [_] => self.unknown(text, next),
                _ => compound::read(
                    text,
                    &parts,
                    next,
                    |part, next| self.whole(text, part, next),
                    |part, next| self.unknown(part, next),
                ),
            }
        })
    }

    /// What the lists and the lexicons have for a part of the word.
    fn whole(&self, text: &str, part: &str, next: NextSound) -> Option<String> {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let tag = || (self.tag)(start..start + part.len());
        let context =
            Context { emphasis: Emphasis::of(part), next, before_to: self.before_to, tag: &tag };
        listed(part)
            .or_else(|| acronym::read(part, context, self.is_all_capitals))
            .or_else(|| lexicon_lookup::read(part, context))
    }

    /// A word, or a part of one, that no list has.
    fn unknown(&self, word: &str, next: NextSound) -> String {
        if let Some(reading) = self.contraction(word) {
            return reading;
        }
        let trimmed = word.trim_matches('\'');
        if trimmed.len() < word.len() {
            return self.stem(trimmed, next);
        }
        if let Some(short) = fixed_readings::drawn_out(word) {
            let once = fixed_readings::undoubled(&short);
            return self.whole(&once, &once, next).unwrap_or_else(|| self.stem(&short, next));
        }
        let small = word.to_ascii_lowercase();
        inflected(&small)
            .or_else(|| affix::read(&small, &known_stem))
            .or_else(|| self.joined(word, next))
            .unwrap_or_else(|| {
                if word.len() > 1 && oov::is_pronounceable(&small) {
                    oov::read(word)
                } else {
                    oov::spell(word)
                }
            })
    }

    /// A possessive, or a word with another word's short form.
    fn contraction(&self, word: &str) -> Option<String> {
        let (stem, ending) = word.split_at(word.rfind('\'').filter(|at| *at > 0)?);
        let reading = || self.stem(stem, NextSound::Vowel);
        Some(match ending.to_ascii_lowercase().as_str() {
            "'s" => inflection::with_s(reading()),
            "'ll" => reading() + "əl",
            "'ve" => reading() + "əv",
            "'re" => reading() + "əɹ",
            "'d" => match reading() {
                stem if stem.ends_with(['t', 'd', 'ɾ']) => stem + "ᵻd",
                stem => stem + "d",
            },
            _ => return None,
        })
    }

    fn stem(&self, word: &str, next: NextSound) -> String {
        self.whole(word, word, next).unwrap_or_else(|| self.unknown(word, next))
    }

    /// Words with nothing between them.
    fn joined(&self, word: &str, next: NextSound) -> Option<String> {
        let is_word = |part: &str| lexicon::exact(part).is_some_and(|entry| entry.is_gold);
        let parts = compound::joined(word, is_word)?;
        Some(compound::read(word, &parts, next, |_, _| None, |part, next| self.stem(part, next)))
    }
}

/// The reading of a word in the added lexicon or in the list of readings.
fn listed(word: &str) -> Option<String> {
    custom_lexicon::look_up(word).or_else(|| fixed_readings::look_up(word)).map(str::to_owned)
}

/// The reading of a stem in small letters that is surely a word.
fn known_stem(stem: &str) -> Option<String> {
    let tag = || Tag::new("VB");
    let context = Context {
        emphasis: Emphasis::Plain,
        next: NextSound::Consonant,
        before_to: false,
        tag: &tag,
    };
    let is_word = || lexicon::entry(stem).is_some_and(|entry| entry.is_gold);
    listed(stem).or_else(|| if is_word() { lexicon_lookup::read(stem, context) } else { None })
}

/// A listed word with an ending: those of the lexicon are known with theirs.
fn inflected(word: &str) -> Option<String> {
    let is_listed = |stem: &str| stem.len() > 2 && listed(stem).is_some();
    if let Some(stem) = inflection::stem_of_s(word, is_listed) {
        return listed(&stem).map(inflection::with_s);
    }
    if let Some(stem) = inflection::stem_of_ed(word, is_listed) {
        return listed(&stem).map(inflection::with_ed);
    }
    listed(&inflection::stem_of_ing(word, is_listed)?).map(inflection::with_ing)
}

/// A word in the letters of English: accents go, other letters are written with theirs.
fn folded(word: &str) -> String {
    let bare: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
    any_ascii(&bare)
        .chars()
        .filter(|c| c.is_ascii_alphabetic() || matches!(c, '\'' | '-'))
        .collect()
}
