//! Reads one word by lookups in order: lexicons, compound parts, morphology, model, letter names.

use std::cell::Cell;
use std::ops::Range;

use any_ascii::any_ascii;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::capitals::{self, Around};
use super::lexicon_lookup::{self, Context, NextSound};
use super::stress::Emphasis;
use super::tagger::Tag;
use super::{affix, compound, fixed_readings, inflection, lexicon};
use crate::languages::custom_lexicon::{self, is_capitalized};
use crate::languages::en_us::phonemize::oov;
use crate::normalize::boundaries::lists;

/// Letters whose sound cannot be lengthened, unlike "aaah" and "ssss": their repetition is spelled.
const CANNOT_BE_DRAWN_OUT: &str = "b c d g j k p q t w x y";

/// Unstressed prefixes of names: "DeVito", "LeBron".
const PARTICLES: [(&str, &str); 6] =
    [("Da", "də"), ("De", "də"), ("Di", "dɪ"), ("Du", "du"), ("La", "lə"), ("Le", "lə")];

/// Reads a heteronym at a range of the letters of another word.
pub(super) type Heteronym<'a> = Box<dyn Fn(&str, Range<usize>) -> Option<&'static str> + 'a>;

/// A word in its context.
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub(super) next: NextSound,
    /// Whether the next word is "to".
    pub(super) before_to: bool,
    /// The previous word, unless a mark is between.
    pub(super) previous: Option<&'a str>,
    /// The next word, unless a mark is between.
    pub(super) following: Option<&'a str>,
    /// Whether it is part of a respelling: "kuh ZOO".
    pub(super) is_respelled: bool,
    /// Whether the sentence, or the caption in brackets, is all in capitals.
    pub(super) is_loud: bool,
    /// Whether it precedes the colon of a caption: "MARY: Who is there?"
    pub(super) is_label: bool,
    /// The part-of-speech tag of a range of its letters.
    pub(super) tag: Box<dyn Fn(Range<usize>) -> Tag + 'a>,
    /// The phonemes of a heteronym at a range of its letters.
    pub(super) heteronym: Heteronym<'a>,
    /// Whether a part is in no list or lexicon. [`read`](Self::read) sets it.
    pub(super) is_guess: Cell<bool>,
}

/// Whether capitals have a vowel three times in a row beside other letters: "SOOO", not "VIII".
fn is_drawn_out(word: &str) -> bool {
    let has_long_vowel = ["AAA", "EEE", "OOO", "UUU"].iter().any(|vowel| word.contains(vowel));
    has_long_vowel && fixed_readings::without_repeats(word).len() > 1
}

impl Word<'_> {
    /// The phonemes, never empty.
    pub(super) fn read(&self) -> String {
        let reading = self.letter().or_else(|| self.particle()).unwrap_or_else(|| {
            if self.text.is_ascii() {
                let other = if self.is_respelled {
                    Some(self.text.to_ascii_lowercase())
                } else {
                    fixed_readings::shortened(self.text, capitals::is_word)
                };
                self.read_ascii(other.as_deref().unwrap_or(self.text))
            } else {
                let read = || self.read_ascii(&transliterated(self.text));
                listed(self.text).unwrap_or_else(read)
            }
        });
        // Without transliterated letters, a schwa keeps the word audible.
        if reading.is_empty() { "ə".into() } else { reading }
    }

    /// The context of the word.
    pub(super) fn around(&self) -> Around<'_> {
        Around {
            previous: self.previous.unwrap_or_default(),
            following: self.following.unwrap_or_default(),
            is_loud: self.is_loud,
            is_label: self.is_label,
        }
    }

    /// The name of a single letter that is no word here.
    fn letter(&self) -> Option<String> {
        let tag = || (self.tag)(0..self.text.len());
        let context = Context {
            emphasis: Emphasis::of(self.text),
            next: self.next,
            before_to: self.before_to,
            tag: &tag,
        };
        capitals::is_letter(self.text, self.around(), context).then(|| oov::spell(self.text))
    }

    /// A particle before a name, "de Gaulle", "Le Pen"; or before a subject, "Re: your letter".
    fn particle(&self) -> Option<String> {
        let is_before_mark = self.next == NextSound::Pause;
        let reading = match self.text {
            "de" | "De" if !is_before_mark => "də",
            "le" | "Le" if !is_before_mark => "lə",
            "Re" | "RE" if is_before_mark && self.previous.is_none() => "ɹˈi",
            _ => return None,
        };
        Some(reading.to_owned())
    }

    fn read_ascii(&self, text: &str) -> String {
        let next = self.next;
        self.whole(text, text, next).unwrap_or_else(|| {
            let name = text.strip_prefix("O'").filter(|name| is_capitalized(name));
            if let Some(name) = name {
                // "O'Brien"
                return "O".to_owned() + &self.stem(name, next);
            }
            let parts = compound::parts(text);
            // "D-a-n-a"
            if parts.len() > 2 && parts.iter().all(|part| part.len() == 1) {
                return oov::spell(&parts.concat());
            }
            match parts[..] {
                [] | [_] => self.unlisted(text, next),
                _ => {
                    let reading = compound::read(
                        text,
                        &parts,
                        next,
                        |part, next| self.whole(text, part, next),
                        |part, next| self.unlisted(part, next),
                    );
                    // "McCarthy" has one k.
                    if text.contains("Mc") { reading.replace("kk", "k") } else { reading }
                }
            }
        })
    }

    /// The phonemes of a part of the word from lists and lexicons.
    fn whole(&self, text: &str, part: &str, next: NextSound) -> Option<String> {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        if text[start + part.len()..].starts_with(|c: char| c.is_ascii_uppercase())
            && let Some((_, reading)) = PARTICLES.iter().find(|(particle, _)| *particle == part)
        {
            return Some((*reading).to_owned());
        }
        let tag = || (self.tag)(start..start + part.len());
        let emphasis = Emphasis::of(part);
        let context = Context { emphasis, next, before_to: self.before_to, tag: &tag };
        let others = || listed(part).or_else(|| capitals::read(part, self.around(), context));
        // A word in capitals may be an acronym.
        let found = match emphasis {
            Emphasis::Capitals => others().or_else(|| self.heteronym(part, start)),
            _ => self.heteronym(part, start).or_else(others),
        };
        let is_drawn_out = emphasis == Emphasis::Capitals && is_drawn_out(part);
        found.or_else(|| (!is_drawn_out).then(|| lexicon_lookup::read(part, context)).flatten())
    }

    /// The phonemes of a heteronym part, or of its possessive.
    fn heteronym(&self, part: &str, start: usize) -> Option<String> {
        let read = |word: &str| {
            let reading = (self.heteronym)(word, start..start + word.len());
            reading.map(str::to_owned)
        };
        if let Some(stem) = part.strip_suffix("'s") {
            return read(stem).map(inflection::with_s);
        }
        read(part.strip_suffix('\'').unwrap_or(part))
    }

    /// The phonemes of a word or part outside the lexicons.
    fn unlisted(&self, word: &str, next: NextSound) -> String {
        if let Some(reading) = self.contraction(word) {
            return reading;
        }
        let trimmed = word.trim_matches('\'');
        if trimmed.len() < word.len() {
            return self.stem(trimmed, next);
        }
        if let Some(short) = fixed_readings::without_lengthening(word) {
            let once = fixed_readings::without_repeats(&short);
            if once.eq_ignore_ascii_case("a") {
                // The letter and no article.
                return "ˈɑ".to_owned();
            }
            if lists(CANNOT_BE_DRAWN_OUT, &once.to_ascii_lowercase()) {
                // "www", or "xxxx" before the last digits of a card.
                return oov::spell(word);
            }
            let is_shouted = word.len() > 3 && word.bytes().all(|b| b.is_ascii_uppercase());
            let once = if is_shouted { once.to_ascii_lowercase() } else { once };
            return self.whole(&once, &once, next).unwrap_or_else(|| self.stem(&short, next));
        }
        let lower = word.to_ascii_lowercase();
        // Names allow more clusters than words.
        let is_capitals = Emphasis::of(word) == Emphasis::Capitals;
        let shape = if is_capitals { &lower } else { word };
        inflected(&lower)
            .or_else(|| plural_of_name(word))
            .or_else(|| affix::read(&lower, &stem_reading))
            .or_else(|| self.closed_compound(word, next))
            .unwrap_or_else(|| {
                self.is_guess.set(true);
                if word.len() > 1 && oov::is_pronounceable(shape) {
                    oov::read(word)
                } else {
                    oov::spell(word)
                }
            })
    }

    /// The phonemes of a possessive or of a contraction.
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
        self.whole(word, word, next).unwrap_or_else(|| self.unlisted(word, next))
    }

    /// The phonemes of a closed compound: words without separators.
    fn closed_compound(&self, word: &str, next: NextSound) -> Option<String> {
        let is_word = |part: &str| lexicon::exact(part).is_some_and(|entry| entry.is_gold);
        let parts = compound::split_closed(word, is_word)?;
        Some(compound::read(word, &parts, next, |_, _| None, |part, next| self.stem(part, next)))
    }
}

/// The phonemes of a word in the custom lexicon or the fixed readings.
fn listed(word: &str) -> Option<String> {
    custom_lexicon::look_up(word).or_else(|| fixed_readings::look_up(word)).map(str::to_owned)
}

/// The phonemes of a lower-case stem in a list or the gold lexicon.
fn stem_reading(stem: &str) -> Option<String> {
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

/// The phonemes of an inflected form of a listed word. `lexicon_lookup` inflects lexicon words.
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

/// The phonemes of the plural of a listed name: "the Clintons".
fn plural_of_name(word: &str) -> Option<String> {
    let is_name = |stem: &str| stem.len() > 2 && custom_lexicon::look_up(stem).is_some();
    let stem = inflection::stem_of_s(word, is_name)?;
    custom_lexicon::look_up(&stem).map(str::to_owned).map(inflection::with_s)
}

/// A word transliterated to English letters, without accents.
fn transliterated(word: &str) -> String {
    let bare: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
    any_ascii(&bare)
        .chars()
        .filter(|c| c.is_ascii_alphabetic() || matches!(c, '\'' | '-'))
        .collect()
}
