//! English words in their sentence: own and Misaki's lexicons, then what is known of how words are made, then
//! the model for the rest.
//!
//! A sentence is read from its end, as many words depend on the sound that follows. Where a reading depends on
//! the part of speech, the words in question are tagged, and the sentence is read again.

mod acronym;
mod affix;
mod compound;
mod features;
mod fixed_readings;
mod inflect;
mod known;
mod lexicon;
pub(crate) mod oov;
mod pieces;
mod special;
mod stress;
mod tag;
mod tagger;
mod word;

use std::cell::RefCell;
use std::ops::Range;

use inflect::with_s;
use known::Next;
use pieces::Piece;
use tag::Tag;
use tagger::TAGGER;
use word::Word;

use crate::normalize::{Reading, Token};
use crate::phonemize::{WordReader, cross_lingual};
use crate::request::Language;

/// American English, in the readings of Misaki that Kokoro was trained on.
pub(crate) struct EnglishReader;

impl WordReader for EnglishReader {
    fn read(&self, tokens: &[&Token]) -> Vec<String> {
        let run = Run::new(tokens);
        let readings = run.read();
        if run.apply_tags() { run.read() } else { readings }
    }
}

/// Words and marks with what is known of their parts of speech.
struct Run<'a> {
    tokens: &'a [&'a Token],
    pieces: Vec<Piece<'a>>,
    /// The pieces of each token.
    ranges: Vec<Range<usize>>,
    tags: RefCell<Vec<Tag>>,
    /// Whether the reading of a word depends on the tag of the piece.
    asked: RefCell<Vec<bool>>,
    is_shouted: bool,
}

impl<'a> Run<'a> {
    fn new(tokens: &'a [&'a Token]) -> Self {
        let (pieces, ranges) = pieces::pieces(tokens);
        let tags = RefCell::new(vec![Tag::UNKNOWN; pieces.len()]);
        let asked = RefCell::new(vec![false; pieces.len()]);
        Self { tokens, pieces, ranges, tags, asked, is_shouted: is_shouted(tokens) }
    }

    /// Tags what was asked for; `false` if nothing was.
    fn apply_tags(&self) -> bool {
        let asked = self.asked.borrow();
        if !asked.contains(&true) {
            return false;
        }
        self.tags.replace(TAGGER.tag(&self.pieces, &asked));
        true
    }

    /// The reading of each word.
    fn read(&self) -> Vec<String> {
        let mut readings = Vec::new();
        let mut next = Next::Pause;
        let mut before_to = false;
        for (at, token) in self.tokens.iter().enumerate().rev() {
            let word = match token {
                Token::Word(word) => word,
                Token::Mark(mark) => {
                    next = known::first_sound(mark.symbol.encode_utf8(&mut [0; 4])).unwrap_or(next);
                    before_to = false;
                    continue;
                }
            };
            let reading = match &word.reading {
                Reading::Spelled(_) => oov::spell(&word.text),
                Reading::UserPronunciation { phonemes, possessive: true } => {
                    with_s(phonemes.to_string())
                }
                Reading::UserPronunciation { phonemes, possessive: false } => phonemes.to_string(),
                Reading::Word(Language::HiIn) => cross_lingual::in_english(&word.text),
                Reading::Word(Language::EnUs) => self.word(at, &word.text, next, before_to).read(),
            };
            next = known::first_sound(&reading).unwrap_or(next);
            before_to = matches!(word.text.as_str(), "to" | "To");
            readings.push(in_kokoros_symbols(&reading));
        }
        readings.reverse();
        readings
    }

    fn word(&self, at: usize, text: &'a str, next: Next, before_to: bool) -> Word<'_> {
        let previous = at.checked_sub(1).and_then(|at| match self.tokens[at] {
            Token::Word(word) => Some(word.text.as_str()),
            Token::Mark(_) => None,
        });
        Word {
            text,
            next,
            before_to,
            previous,
            is_shouted: self.is_shouted,
            tag: Box::new(move |part| self.tag(at, part)),
        }
    }

    /// The tag of the letters in `part` of a word: that of their weightiest piece.
    fn tag(&self, at: usize, part: Range<usize>) -> Tag {
        let mut start = 0;
        let weightiest = self.ranges[at]
            .clone()
            .filter(|piece| {
                let begins = start;
                start += self.pieces[*piece].text.len();
                begins < part.end && part.start < start
            })
            .max_by_key(|piece| weight(self.pieces[*piece].text));
        let Some(piece) = weightiest else { return Tag::UNKNOWN };
        self.asked.borrow_mut()[piece] = true;
        self.tags.borrow()[piece]
    }
}

/// Capitals weigh two.
fn weight(text: &str) -> usize {
    text.chars().map(|c| if c.is_uppercase() { 2 } else { 1 }).sum()
}

/// Whether a sentence is in capitals: several words, none with a small letter.
fn is_shouted(tokens: &[&Token]) -> bool {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.text.as_str()),
        Token::Mark(_) => None,
    });
    let is_capitals = |word: &str| word.chars().filter(|c| c.is_uppercase()).count() > 1;
    words.clone().filter(|word| is_capitals(word)).count() > 1
        && !words.flat_map(str::chars).any(char::is_lowercase)
}

/// The tap and the glottal stop of the lexicon as the model knows them.
fn in_kokoros_symbols(reading: &str) -> String {
    reading.replace('ɾ', "T").replace('ʔ', "t")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::{Options, normalize};
    use crate::segment::Sentence;

    fn read(text: &str) -> String {
        let sentence = Sentence { span: 0..text.len(), ends_paragraph: true };
        let normalized = normalize(text, &sentence, Options::plain(Language::EnUs));
        EnglishReader.read(&normalized.tokens.iter().collect::<Vec<_>>()).join(" ")
    }

    #[test]
    fn words_in_their_sentences() {
        let rows = [
            // Part of speech and neighbours.
            ("She will record the record", "ʃˌi wɪl ɹəkˈɔɹd ðə ɹˈɛkəɹd"),
            ("He led the lead singer", "hˌi lˈɛd ðə lˈid sˈɪŋəɹ"),
            ("the FBI and the UN", "ði ˌɛfbˌiˈI ænd ðə jˌuˈɛn"),
            ("an apple a day", "ɐn ˈæpᵊl ɐ dˈA"),
            ("plan A", "plˈæn ˈA"),
            ("vitamin A helps", "vˈITəmən ˈA hˈɛlps"),
            ("Type I error", "tˈIp wˈʌn ˈɛɹəɹ"),
            ("five AM", "fˈIv ˌAˈɛm"),
            ("I AM here", "ˌI æm hˈɪɹ"),
            // Acronyms, and words that are only written loudly.
            ("LED LEDs", "ˌɛlˌidˈi ˌɛlˌidˈiz"),
            ("NASA ISRO and JPEGs", "nˈæsə ˈɪzɹO ænd ʤˈApˌɛɡz"),
            ("CDs, an NGO's PhDs", "sˌidˈiz ɐn ˌɛnʤˌiˈOz pˌiˌAʧdˈiz"),
            ("SEBI and CBSE said", "sˈɛbi ænd sˌibˌiˌɛsˈi sˈɛd"),
            ("the IT department", "ði ˌItˈi dəpˈɑɹtmənt"),
            ("the WHO said", "ðə dˌʌbᵊljuˌAʧˈO sˈɛd"),
            ("STOP NOW PLEASE", "stˈɑp nˈW plˈiz"),
            ("GIVE US A BREAK", "ɡˈɪv ˌʌs ɐ bɹˈAk"),
            ("NASA AND NATO", "nˈæsə ænd nˈATO"),
            // Words made of words.
            ("MySQL iPhone", "mˌIˌɛskjˌuˈɛl ˈIfˌOn"),
            ("outofdictionary datalake", "ˈWtʌvdˈɪkʃənˌɛɹi dˈATəlˌAk"),
            ("well-known T-shirt", "wˌɛlnˈOn tˈiʃˌɜɹt"),
            ("out-of-the-way", "ˈWtʌvðəwˈA"),
            ("unfriended tokenization", "ˌʌnfɹˈɛndᵻd tˌOkənəzˈAʃən"),
            ("vlogged selfies", "vlˈɑɡd sˈɛlfiz"),
            ("what'll that'd", "wˌʌtəl ðˈætᵻd"),
            ("résumé café", "ɹˈɛzəmˌA kæfˈA"),
            // What is no word.
            ("hmmm shh psst nooooo", "hˈəm ʃː psˈt nˈO"),
            ("qzxwv btw", "kjˌuzˌiˌɛksdˌʌbᵊljuvˈi bˌitˌidˈʌbᵊlju"),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(text, expected)| read(text) != *expected)
            .map(|(text, _)| format!("{text}: {}", read(text)))
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
