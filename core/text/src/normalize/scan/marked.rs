//! Scans ranges with a reading from markup.

use std::ops::Range;
use std::sync::Arc;

use speech_base::language::Language;
use unicode_normalization::char::is_combining_mark;

use super::Scanner;
use crate::normalize::marked::{MarkedAs, MarkedReading};
use crate::normalize::prelude::*;
use crate::normalize::preprocess::decimal_digit;
use crate::normalize::say::verbalize;
use crate::normalize::say_as::SayAs;
use crate::normalize::user_pronunciation::{joined, normal_words};
use crate::normalize::verbalized::TokenKind;
use crate::normalize::{Options, Reading, Token, normalize};
use crate::scripts::{is_alphabetic, is_joiner, joins_next};
use crate::segment::{Boundary, Sentence};

impl Scanner<'_> {
    /// Reads the range that begins here, if markup sets its reading.
    pub(super) fn marked(&mut self) -> bool {
        let is_here = |(place, _): &(Range<usize>, _)| place.start == self.at;
        let Some((place, readings)) = self.places.next_if(is_here) else { return false };
        let [MarkedReading { range, reading }, within @ ..] = readings else { return false };
        match reading {
            MarkedAs::Language(language) => self.other_language(*language, range, within),
            MarkedAs::Phonemes(phonemes) => self.phonemes(phonemes, range, place.end),
            MarkedAs::SayAs(SayAs::Characters) => self.characters(range),
            MarkedAs::SayAs(say_as) => self.say_as(*say_as, &place),
        }
        self.at = self.at.max(place.end);
        if matches!(reading, MarkedAs::SayAs(_)) {
            self.ending(false);
        }
        true
    }

    /// Reads a range in another language separately.
    fn other_language(
        &mut self,
        language: Language,
        range: &Range<usize>,
        within: &[MarkedReading],
    ) {
        let sentence = Sentence { span: range.clone(), boundary: Boundary::Clause };
        let options = Options { language, marked: within, ..self.options };
        let part = normalize(self.source, &sentence, options, self.locales);
        self.out.tokens.extend(part.tokens);
        self.out.choices.extend(part.choices);
        self.out.rows.extend(part.rows);
        part.skipped.into_iter().for_each(|skipped| self.skip_span(skipped.span));
    }

    /// Adds a range as phonemes. Its words are shown.
    fn phonemes(&mut self, phonemes: &Arc<str>, range: &Range<usize>, end: usize) {
        let content = &self.source[range.clone()];
        let words = joined(normal_words(content, self.options, self.locales));
        // Text that is silent alone, such as `&`, is shown as written.
        let text = if words.is_empty() { content.to_owned() } else { words };
        self.at = end;
        let ending = self.possessive_ending();
        self.at += ending.unwrap_or_default();
        let reading = Reading::UserPronunciation {
            phonemes: Arc::clone(phonemes),
            possessive: ending.is_some(),
        };
        let span = range.start..range.end + ending.unwrap_or_default();
        self.out.tokens.push(Token::word(text, reading, span));
    }

    /// Reads a range as a value in the language of the sentence, or else in that of the text.
    fn say_as(&mut self, say_as: SayAs, place: &Range<usize>) {
        let content = &self.text[place.clone()];
        let own = self.locales.of(self.options.language);
        let value = |locale| say_as.value(content, locale, self.locales).ok().flatten();
        let said = [self.locale, own]
            .into_iter()
            .find_map(|locale| Some(verbalize(locale, &value(locale)?, content)));
        self.take(said.unwrap_or_default(), place.len());
    }

    /// Reads the characters of a range one by one.
    fn characters(&mut self, range: &Range<usize>) {
        let content = &self.source[range.clone()];
        let mut at = 0;
        while let Some(c) = content[at..].chars().next() {
            let length = cluster(&content[at..]);
            let span = range.start + at..range.start + at + length;
            let text = &content[at..at + length];
            at += length;
            if c.is_whitespace() {
                continue;
            }
            if is_alphabetic(c) {
                let letter = text.chars().filter(|c| !is_joiner(*c)).collect::<String>();
                self.push_by_script(letter.to_uppercase(), Reading::Spelled(self.latin), &span);
                continue;
            }
            let words = name(c, self.locale);
            if words.is_empty() {
                self.skip_span(span.clone());
            }
            for word in words {
                self.push_by_script(word, Reading::Word(self.latin), &span);
            }
        }
    }
}

/// The words of a single digit or symbol; empty if it has no name.
fn name(c: char, locale: &Locale) -> Vec<String> {
    let Some(digit) = decimal_digit(c) else {
        let name = locale.lexicon().symbol(c).unwrap_or_default();
        return name.split_whitespace().map(String::from).collect();
    };
    let number = SemioticClass::Number(Number::of(digit));
    let words = verbalize(locale, &number, &digit.to_string()).0.into_iter();
    let words = words.filter_map(|token| match token.kind {
        TokenKind::Word(word) => Some(word),
        TokenKind::Letters(_) | TokenKind::Mark(_) => None,
    });
    words.collect()
}

/// The length of the first letter of a text, its modifying signs, and letters joined to it.
fn cluster(text: &str) -> usize {
    let mut joins = false;
    let mut is_first = true;
    let end = text.find(|c: char| {
        let goes_on = is_first || is_combining_mark(c) || is_joiner(c) || joins && is_alphabetic(c);
        is_first = false;
        joins = joins_next(c);
        !goes_on
    });
    end.unwrap_or(text.len())
}
