//! Converts English words to phonemes in the context of their sentence.
//!
//! A word is looked up in the custom lexicon and in Misaki's, then analyzed by its morphology. The
//! out-of-vocabulary model reads other words. A run is read from its end, because many words depend
//! on the next sound. Words whose reading depends on the part of speech are tagged, and the run is
//! read again.

mod affix;
mod capitals;
mod compound;
mod fixed_readings;
mod function_words;
mod heteronyms;
mod hindi_to_english;
mod inflection;
mod lexicon;
mod lexicon_lookup;
pub mod oov;
mod phrases;
mod stress;
mod tagger;
mod word;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

use speech_base::language::Language;

use crate::front_end;
use crate::languages::locales;
use crate::normalize::{self, Options, Token, normalize};
use crate::phonemize::{ForeignWord, LanguagePhonemizer, RunToken};
use crate::words::WordClass;
pub(crate) use fixed_readings::with_max_run;
pub(crate) use lexicon::grade;
use lexicon_lookup::NextSound;
use stress::Emphasis;
use tagger::{TAGGER, Tag, TaggerToken};
use word::Word;

/// American English, with the Misaki phonemes that Kokoro was trained on.
pub(crate) struct EnglishPhonemizer;

impl LanguagePhonemizer for EnglishPhonemizer {
    fn language(&self) -> Language {
        Language::EnUs
    }

    fn phonemize(&self, tokens: &[RunToken<'_>]) -> Vec<String> {
        let run = Run::new(tokens);
        let mut readings = run.read(&[]);
        if run.apply_tags() {
            readings = run.read(&readings);
        }
        readings.iter().flatten().map(|reading| in_kokoro_symbols(&reading.phonemes)).collect()
    }

    fn adapt(&self, word: ForeignWord<'_>) -> String {
        match word.language {
            Language::HiIn => hindi_to_english::adapt(word),
            _ => word.phonemes.to_owned(),
        }
    }

    fn has_possessive(&self) -> bool {
        true
    }

    fn with_possessive(&self, phonemes: String) -> String {
        inflection::with_s(phonemes)
    }

    fn begins_clause(&self, word: &str) -> bool {
        super::normalize::lexicon::lexicon().words.of(word).has(WordClass::ClauseStart)
    }

    fn is_guess(&self, word: &str) -> bool {
        let tokens = [RunToken::Word(word)];
        let run = Run::new(&tokens);
        let word = run.word(0, word, NextSound::Pause, false);
        word.read();
        word.is_guess.get()
    }
}

/// Maximum words in brackets that are a respelling or a caption.
const MOST_SYLLABLES: usize = 8;

/// Words and marks with the known part-of-speech tags.
struct Run<'a> {
    tokens: &'a [RunToken<'a>],
    tagger_tokens: Vec<TaggerToken<'a>>,
    /// The shared features of its heteronyms.
    sentence: OnceCell<heteronyms::Sentence>,
    /// The tagger tokens of each token.
    ranges: Vec<Range<usize>>,
    tags: RefCell<Vec<Tag>>,
    /// Whether the phonemes of a word depend on the tag of each tagger token.
    requested: RefCell<Vec<bool>>,
    /// Whether the phonemes of each token depend on tags.
    depends_on_tags: RefCell<Vec<bool>>,
    is_all_capitals: bool,
    /// The phonemes of words in phrases.
    phrases: Vec<Option<String>>,
}

/// The reading of a word and its dependencies besides the word and its tags.
struct Reading {
    phonemes: String,
    next: NextSound,
    before_to: bool,
}

impl<'a> Run<'a> {
    fn new(tokens: &'a [RunToken<'a>]) -> Self {
        let (tagger_tokens, ranges) = tagger::tokenize(tokens);
        let tags = RefCell::new(vec![Tag::UNKNOWN; tagger_tokens.len()]);
        let requested = RefCell::new(vec![false; tagger_tokens.len()]);
        let depends_on_tags = RefCell::new(vec![false; tokens.len()]);
        Self {
            tokens,
            tagger_tokens,
            sentence: OnceCell::new(),
            ranges,
            tags,
            requested,
            depends_on_tags,
            is_all_capitals: is_all_capitals(tokens),
            phrases: phrases::readings(tokens),
        }
    }

    /// Tags the requested tagger tokens; returns `false` if there are none.
    fn apply_tags(&self) -> bool {
        let requested = self.requested.borrow();
        if !requested.contains(&true) {
            return false;
        }
        self.tags.replace(TAGGER.tag(&self.tagger_tokens, &requested));
        true
    }

    /// The readings of the English words; `None` for other tokens. Unchanged readings are copied
    /// from `earlier`, the pass without tags, since out-of-lexicon words are slow.
    fn read(&self, earlier: &[Option<Reading>]) -> Vec<Option<Reading>> {
        let mut readings: Vec<_> = self.tokens.iter().map(|_| None).collect();
        let mut next = NextSound::Pause;
        let mut before_to = false;
        for (at, token) in self.tokens.iter().enumerate().rev() {
            let phonemes = match token {
                RunToken::Mark(mark) => {
                    let mut buffer = [0; 4];
                    let symbol = mark.encode_utf8(&mut buffer);
                    next = lexicon_lookup::first_sound(symbol).unwrap_or(next);
                    before_to = false;
                    continue;
                }
                RunToken::Known { phonemes, .. } => Cow::Borrowed(*phonemes),
                RunToken::Spelled(letters) => oov::spell(letters).into(),
                RunToken::Word(text) => match (&self.phrases[at], earlier.get(at)) {
                    (Some(reading), _) => reading.as_str().into(),
                    (_, Some(Some(reading))) if self.stays(at, reading, next, before_to) => {
                        reading.phonemes.clone().into()
                    }
                    _ => self.word(at, text, next, before_to).read().into(),
                },
            };
            let first = lexicon_lookup::first_sound(&phonemes);
            if !matches!(token, RunToken::Known { .. }) {
                let phonemes = phonemes.into_owned();
                readings[at] = Some(Reading { phonemes, next, before_to });
            }
            next = first.unwrap_or(next);
            before_to = matches!(token.text(), Some("to" | "To"));
        }
        readings
    }

    /// Whether a word keeps its untagged reading: it needs no tag, and the next sound is the same.
    fn stays(&self, at: usize, reading: &Reading, next: NextSound, before_to: bool) -> bool {
        let asked = self.depends_on_tags.borrow()[at];
        !asked && reading.next == next && reading.before_to == before_to
    }

    fn word(&self, at: usize, text: &'a str, next: NextSound, before_to: bool) -> Word<'_> {
        Word {
            text,
            next,
            before_to,
            previous: at.checked_sub(1).and_then(|at| self.tokens[at].text()),
            following: self.tokens.get(at + 1).and_then(|token| token.text()),
            is_respelled: self.is_respelled(at, text),
            is_loud: self.is_loud(at),
            is_label: self.is_label(at),
            tag: Box::new(move |part| self.tag(at, part)),
            heteronym: Box::new(move |word, part| self.heteronym(at, word, part)),
            is_guess: Cell::new(false),
        }
    }

    /// The tokens in the brackets around a word, if they are few.
    fn bracketed(&self, at: usize) -> Option<Range<usize>> {
        let is_mark = |token: &RunToken<'_>| matches!(token, RunToken::Mark(_));
        let is =
            |at: usize, bracket| matches!(self.tokens[at], RunToken::Mark(mark) if mark == bracket);
        let first = at.saturating_sub(MOST_SYLLABLES);
        let start = first + self.tokens[first..at].iter().rposition(is_mark)?;
        let end = at + self.tokens[at..].iter().take(MOST_SYLLABLES).position(is_mark)?;
        (is(start, '(') && is(end, ')')).then_some(start + 1..end)
    }

    /// Whether a word in brackets is part of a respelling: "kazoo (kuh ZOO)".
    fn is_respelled(&self, at: usize, text: &str) -> bool {
        let is_syllable = |part: &str| {
            part.len() < 6
                && (part.bytes().all(|b| b.is_ascii_lowercase())
                    || part.bytes().all(|b| b.is_ascii_uppercase()) && !capitals::is_listed(part))
        };
        let is_no_word = |part: &str| {
            part.bytes().all(|b| b.is_ascii_lowercase())
                && !lexicon::exact(part).is_some_and(|entry| entry.is_gold)
        };
        let has_capitals =
            text.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_uppercase));
        let are_syllables = |parts: &[&str], min_length: usize| {
            parts.iter().any(|part| part.len() >= min_length && is_no_word(part))
                && parts.iter().all(|part| is_syllable(part))
        };
        has_capitals
            // "KUH-ter", but not "de-DE"
            && (are_syllables(&text.split('-').collect::<Vec<_>>(), 3)
                || self.bracketed(at).is_some_and(|range| {
                    let words = self.tokens[range].iter().filter_map(|token| token.text());
                    are_syllables(&words.flat_map(|word| word.split('-')).collect::<Vec<_>>(), 2)
                }))
    }

    /// Whether a word in capitals is in a sentence or caption of only capitals: "[DOOR CREAKS]".
    fn is_loud(&self, at: usize) -> bool {
        let is_caption = |range: Range<usize>| {
            let words = || self.tokens[range.clone()].iter().filter_map(|token| token.text());
            let is_word = |word: &str| word.len() > 3 && capitals::is_plain_word(word);
            words().nth(1).is_some()
                && words().any(is_word)
                && !words().flat_map(str::chars).any(char::is_lowercase)
        };
        let may_be =
            || self.tokens[at].text().is_some_and(|word| Emphasis::of(word) == Emphasis::Capitals);
        self.is_all_capitals || may_be() && self.bracketed(at).is_some_and(is_caption)
    }

    /// Whether a word is the speaker before a line of dialogue: "MARY: Who is there?"
    fn is_label(&self, at: usize) -> bool {
        at == 0 && matches!(self.tokens.get(1), Some(RunToken::Mark(':')))
    }

    /// The tag of the letters in the range `part` of a word.
    fn tag(&self, at: usize, part: Range<usize>) -> Tag {
        let Some(token) = self.tagger_token(at, &part) else { return Tag::UNKNOWN };
        self.request_tags(at, token..token + 1);
        self.tags.borrow()[token]
    }

    /// The phonemes of `word`, at `part` of a token, if it is a heteronym. The common reading
    /// applies until the tags are known.
    fn heteronym(&self, at: usize, word: &str, part: Range<usize>) -> Option<&'static str> {
        let heteronym = heteronyms::look_up(word)?;
        let token = self.tagger_token(at, &part)?;
        if heteronym.uses_tags() {
            let start = token.saturating_sub(heteronyms::TAG_WINDOW);
            let end = (token + heteronyms::TAG_WINDOW + 1).min(self.tagger_tokens.len());
            self.request_tags(at, start..end);
            if self.tags.borrow()[token] == Tag::UNKNOWN {
                return Some(heteronym.common());
            }
        }
        Some(heteronym.choose(self.place(token, &self.tags.borrow())))
    }

    fn place<'b>(&'b self, at: usize, tags: &'b [Tag]) -> heteronyms::Place<'b> {
        let tokens = &self.tagger_tokens;
        let sentence = self.sentence.get_or_init(|| heteronyms::Sentence::new(tokens));
        heteronyms::Place { at, tokens, sentence, tags }
    }

    fn request_tags(&self, at: usize, tokens: Range<usize>) {
        self.depends_on_tags.borrow_mut()[at] = true;
        self.requested.borrow_mut()[tokens].fill(true);
    }

    /// The tagger token with the greatest weight among those of the letters in `part`.
    fn tagger_token(&self, at: usize, part: &Range<usize>) -> Option<usize> {
        let mut start = 0;
        let tokens = self.ranges[at].clone().filter(|token| {
            let begins = start;
            start += self.tagger_tokens[*token].text.len();
            begins < part.end && part.start < start
        });
        tokens.max_by_key(|token| weight(self.tagger_tokens[*token].text))
    }
}

/// The number of letters, with capitals counted twice, as in Misaki.
fn weight(text: &str) -> usize {
    text.chars().map(|c| if c.is_uppercase() { 2 } else { 1 }).sum()
}

/// Whether a sentence has several words and no small letter. Its capitals are then no acronyms.
fn is_all_capitals(tokens: &[RunToken<'_>]) -> bool {
    let words = || tokens.iter().filter_map(|token| token.text());
    let is_capitals = |word: &&str| word.chars().filter(|c| c.is_uppercase()).count() > 1;
    words().filter(is_capitals).count() > 1 && !words().flat_map(str::chars).any(char::is_lowercase)
}

/// Replaces the flap and glottal stop of Misaki's lexicon by symbols of Kokoro's vocabulary.
fn in_kokoro_symbols(reading: &str) -> String {
    reading.replace('ɾ', "T").replace('ʔ', "t")
}

/// The features of occurrence `occurrence` (from 1) of a heteronym in a text, for training. Empty
/// if the word is no heteronym or does not occur so often.
pub fn heteronym_features(text: &str, word: &str, occurrence: usize) -> Option<Vec<String>> {
    let heteronym = heteronyms::look_up(word)?;
    let mut before = 0;
    for sentence in front_end::sentences(text) {
        let options = Options::plain(Language::EnUs);
        let normalized = normalize(text, &sentence, options, locales());
        let tokens: Vec<_> = normalized.tokens.iter().map(run_token).collect();
        let run = Run::new(&tokens);
        run.requested.borrow_mut().fill(heteronym.uses_tags());
        run.apply_tags();
        for (at, token) in run.tagger_tokens.iter().enumerate() {
            before += usize::from(token.text.eq_ignore_ascii_case(word));
            if before == occurrence {
                return Some(heteronym.features(run.place(at, &run.tags.borrow())));
            }
        }
    }
    None
}

/// A token of an English text.
fn run_token(token: &Token) -> RunToken<'_> {
    match token {
        Token::Mark(mark) => RunToken::Mark(mark.symbol),
        Token::Word(word) if matches!(word.reading, normalize::Reading::Spelled(_)) => {
            RunToken::Spelled(&word.text)
        }
        Token::Word(word) => RunToken::Word(&word.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::row_tests::rows! {
        words_in_their_sentences: |[text]| {
            let normalized = crate::row_tests::sentence(text, Options::plain(Language::EnUs));
            let tokens: Vec<_> = normalized.tokens.iter().map(run_token).collect();
            EnglishPhonemizer.phonemize(&tokens).join(" ")
        };
    }

    #[test]
    fn a_word_of_no_lexicon_is_a_guess() {
        for word in ["Brzezik", "florptastic", "tgd", "Brzezik-like"] {
            assert!(EnglishPhonemizer.is_guess(word), "{word}");
        }
        for word in ["the", "well-known", "McCarthy", "NASA", "unfriended", "noooo", "I"] {
            assert!(!EnglishPhonemizer.is_guess(word), "{word}");
        }
    }
}
