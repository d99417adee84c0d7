//! Scans a sentence from left to right for all languages: preprocessed text in, tokens out.

mod marked;

use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use speech_base::language::Language;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::choice::{self, Candidate, Choice, Scored};
use super::cursor;
use super::marked::Place;
use super::prelude::*;
use super::preprocess::{Preprocessed, UNSAID};
use super::recognizer::{Begins, Certainty, Recognizer, SentenceContext, is_greek};
use super::say::{self, verbalize};
use super::verbalized::TokenKind;
use super::{
    Mark, NormalizedText, Options, Reading, Skipped, Token, Word, abbreviation, emoji, roman,
    user_pronunciation,
};
use crate::scripts::indic::is_unreadable;
use crate::scripts::{Script, is_alphabetic, is_alphanumeric, is_ignorable, is_joiner, is_latin};
use crate::segment::lines::{divider, escaped_break};

/// The symbol whose name is spoken for a blank field.
const BLANK: char = '\u{2423}';

/// Reads a sentence from left to right. Each step consumes at least one character.
pub(crate) struct Scanner<'a> {
    /// The caller's text, which contains the sentence.
    source: &'a str,
    preprocessed: &'a Preprocessed<'a>,
    sentence: &'a SentenceContext<'a>,
    text: &'a str,
    at: usize,
    options: Options<'a>,
    /// The language of the sentence, in which numbers and symbols are read.
    locale: &'static Locale,
    locales: Locales,
    /// The language of words in Latin letters.
    latin: Language,
    /// The remaining ranges with a reading from markup.
    places: Peekable<IntoIter<Place<'a>>>,
    out: NormalizedText,
}

impl<'a> Scanner<'a> {
    /// Scans `sentence`, the text of `preprocessed`, which is a range of `source`.
    pub(super) fn new(
        source: &'a str,
        preprocessed: &'a Preprocessed<'a>,
        sentence: &'a SentenceContext<'a>,
        options: Options<'a>,
        places: Vec<Place<'a>>,
    ) -> Self {
        let places = places.into_iter().peekable();
        let SentenceContext { text, locale, locales, .. } = *sentence;
        let latin = locales.latin(&[locale.language, options.language]);
        let out = NormalizedText::new(options.language);
        Self {
            source,
            preprocessed,
            sentence,
            text,
            at: 0,
            options,
            locale,
            locales,
            latin,
            places,
            out,
        }
    }

    /// The readers of the next characters, by precedence. Each returns whether it consumed any.
    const READERS: [fn(&mut Self) -> bool; 10] = [
        Self::marked,
        Self::white_space,
        Self::user_pronunciation,
        Self::emoji,
        Self::blank,
        Self::separator,
        Self::recognize,
        Self::word,
        Self::option_dashes,
        Self::mark,
    ];

    pub(crate) fn run(mut self) -> NormalizedText {
        while let Some(c) = self.rest().chars().next() {
            if !Self::READERS.iter().any(|read| read(&mut self)) {
                self.symbol(c);
            }
        }
        self.out
    }

    /// The unread text.
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The unread text before the next range with a reading from markup.
    fn unmarked(&mut self) -> &'a str {
        let end = self.places.peek().map_or(self.text.len(), |(place, _)| place.start);
        &self.text[self.at..end]
    }

    /// Whether the next `length` bytes end before the next range with a reading from markup.
    fn fits(&mut self, length: usize) -> bool {
        length <= self.unmarked().len()
    }

    /// The text that was already read.
    fn before(&self) -> &'a str {
        &self.text[..self.at]
    }

    /// Consumes one character of white space.
    fn white_space(&mut self) -> bool {
        let first = self.rest().chars().next().filter(|c| c.is_whitespace());
        self.at += first.map_or(0, char::len_utf8);
        first.is_some()
    }

    /// Reads words with a pronunciation from the caller.
    fn user_pronunciation(&mut self) -> bool {
        let found =
            user_pronunciation::find(self.before(), self.rest(), self.options, self.locales);
        let Some(found) = found.filter(|found| self.fits(found.length)) else { return false };
        let words = self.at + found.words.start..self.at + found.words.end;
        let span = self.preprocessed.source(words);
        let readings = found.readings.into_iter();
        let words = readings.map(|(text, reading)| Token::word(text, reading, span.clone()));
        self.out.tokens.extend(words);
        self.at += found.length;
        true
    }

    /// Skips an emoji, or adds its name if the caller requests it.
    fn emoji(&mut self) -> bool {
        let Some((length, value)) =
            emoji::find(self.before(), self.rest()).filter(|(length, _)| self.fits(*length))
        else {
            return false;
        };
        let mut verbalization = Verbalization::default();
        if let Some(digit) = value.keycap_digit() {
            let number = SemioticClass::number(digit);
            verbalization = verbalize(self.locale, &number, &self.rest()[..length]);
        } else if self.options.read_emoji || value.is_word(self.before(), self.rest()) {
            let value = value.in_place(self.before(), self.rest());
            say::emoji(self.locale, &value, &mut verbalization);
        }
        self.take(verbalization, length);
        true
    }

    /// Adds the name of a blank field.
    fn blank(&mut self) -> bool {
        let length = blank(self.before(), self.rest()).filter(|length| self.fits(*length));
        length.is_some_and(|length| self.name(BLANK, &[length]))
    }

    /// Skips a separator of one repeated symbol.
    fn separator(&mut self) -> bool {
        let length = separator(self.before(), self.rest()).filter(|length| self.fits(*length));
        let Some(length) = length else { return false };
        self.at += length;
        self.skip(self.at - length);
        true
    }

    /// Adds the dashes of a command line option.
    fn option_dashes(&mut self) -> bool {
        let is_code = self.sentence.is_code(self.at);
        let dashes = option_dashes(self.before(), self.rest(), is_code);
        let dashes = dashes.filter(|length| self.fits(*length));
        dashes.is_some_and(|dashes| self.name('-', &[1, 1][..dashes]))
    }

    /// Adds the name of a symbol for each of the next parts, if the language has a name for it.
    fn name(&mut self, symbol: char, lengths: &[usize]) -> bool {
        let Some(name) = self.locale.lexicon().symbol(symbol) else { return false };
        let mut verbalization = Verbalization::default();
        let mut end = 0;
        for length in lengths {
            verbalization.words(name.split(' '), end..end + length);
            end += length;
        }
        self.take(verbalization, end);
        true
    }

    /// Verbalizes the value that is recognized here.
    fn recognize(&mut self) -> bool {
        let context = MatchContext::new(self.sentence, self.at);
        let Some(begins) = Begins::of(context.before, context.rest) else { return false };
        let limit = self.unmarked().len();
        let mut candidates = candidates(&context, begins, limit);
        let taken = if candidates.len() > 1 { self.choose(&context, &candidates) } else { 0 };
        let Some((length, value)) = candidates.swap_remove(taken).value else { return false };
        if let (SemioticClass::Abbreviation { row, .. }, true) = (&value, self.options.explain) {
            self.out.rows.push((self.preprocessed.source(self.at..self.at + length), row));
        }
        let verbalization = verbalize(self.locale, &value, &context.rest[..length]);
        let is_silent = matches!(value, SemioticClass::Markup(_)) && verbalization.0.is_empty();
        if is_silent && !context.rest[..length].contains(|c| is_alphanumeric(c) || c == UNSAID) {
            self.at += length;
        } else {
            self.take(verbalization, length);
            self.ending(matches!(value, SemioticClass::Alphanumeric(_)));
        }
        true
    }

    /// The index of the likeliest candidate here.
    fn choose(&mut self, context: &MatchContext<'_>, candidates: &[Candidate]) -> usize {
        let scores = choice::score(context, candidates);
        let start = self.preprocessed.source(self.at..self.at + 1).start;
        let forced = self.options.forced.iter().find(|(place, _)| *place == start);
        let best = (0..scores.len()).rev().max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        let taken = forced.map(|(_, number)| *number).or(best).unwrap_or_default();
        if self.options.explain {
            let features = choice::features(context, candidates).into_iter();
            let scored = candidates.iter().zip(scores).zip(features);
            let candidates = scored.map(|((candidate, score), features)| {
                let (length, said) = self.said(candidate);
                let end = self.preprocessed.source(self.at..self.at + length).end;
                Scored { kind: candidate.kind, end, said, score, features }
            });
            self.out.choices.push(Choice { start, taken, candidates: candidates.collect() });
        }
        taken
    }

    /// The length and the words of a candidate here.
    fn said(&self, candidate: &Candidate) -> (usize, String) {
        let Some((length, value)) = &candidate.value else {
            let word = cursor::first_word(self.rest());
            let length = word.len().max(self.rest().chars().next().map_or(1, char::len_utf8));
            return (length, word.to_owned());
        };
        (*length, verbalize(self.locale, value, &self.rest()[..*length]).to_line())
    }

    /// Adds the verbalization of the next `length` bytes.
    fn take(&mut self, verbalization: Verbalization, length: usize) {
        let start = self.at;
        self.at += length;
        let words = self.out.tokens.len();
        self.skip_unsaid(&verbalization, start);
        let replaced = self.preprocessed.replaced_in(start..self.at);
        for token in verbalization.0 {
            let span = self.preprocessed.source(start + token.span.start..start + token.span.end);
            match token.kind {
                TokenKind::Word(text) => {
                    self.push_by_script(text, Reading::Word(self.latin), &span);
                }
                TokenKind::Letters(text) => {
                    self.push_by_script(text, Reading::Spelled(self.latin), &span);
                }
                TokenKind::Mark(symbol) => self.out.tokens.push(Token::Mark(Mark { symbol, span })),
            }
        }
        for token in &mut self.out.tokens[words..] {
            if let Token::Word(word) = token {
                let same = replaced.iter().find(|(place, _)| self.text[place.clone()] == word.text);
                word.written = same.map(|(_, written)| written.clone());
            }
        }
        if !self.out.tokens[words..].iter().any(|token| matches!(token, Token::Word(_))) {
            self.skip(start);
        }
    }

    /// Reports characters of a match that no word was read from, such as other scripts, as skipped.
    fn skip_unsaid(&mut self, verbalization: &Verbalization, start: usize) {
        let taken = &self.text[start..self.at];
        if taken.is_ascii() || verbalization.0.is_empty() {
            return;
        }
        let says = |c: char| {
            c.is_alphanumeric() || c == UNSAID || self.locale.lexicon().symbol(c).is_some()
        };
        for (at, c) in taken.char_indices().filter(|(_, c)| !c.is_ascii() && says(*c)) {
            if !verbalization.0.iter().any(|token| token.span.contains(&at)) {
                let place = start + at..start + at + c.len_utf8();
                self.skip_span(self.preprocessed.source(place));
            }
        }
    }

    /// Adds a word of any script. Letters in the script of another language are read in that
    /// language. Other letters become Latin letters, with the reading `latin`.
    fn push_by_script(&mut self, word: String, latin: Reading, span: &Range<usize>) {
        if word.is_ascii() {
            return self.out.tokens.push(Token::word(word, latin, span.clone()));
        }
        let mut rest = word.as_str();
        while let Some(first) = rest.chars().next() {
            let language = self.own_script(first).map(|locale| locale.language);
            let goes_on = |c| {
                is_joiner(c)
                    || self.own_script(c).map(|locale| locale.language) == language
                        && is_unreadable(c) == is_unreadable(first)
            };
            let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            rest = after;
            let (text, reading) = match (language, &latin) {
                (Some(language), _) => (part.to_owned(), Reading::Word(language)),
                (None, Reading::Spelled(_)) => {
                    (plain(part).nfd().filter(char::is_ascii).collect(), latin.clone())
                }
                (None, latin) => (plain(part), latin.clone()),
            };
            if text.is_empty() {
                self.skip_span(span.clone());
            } else {
                self.out.tokens.push(Token::word(text, reading, span.clone()));
            }
        }
    }

    /// The language whose non-Latin script contains a character that is no digit.
    fn own_script(&self, c: char) -> Option<&'static Locale> {
        let locale = self.locales.of_script(c, &[self.locale.language, self.options.language]);
        locale.filter(|_| !c.is_numeric())
    }

    /// Whether a word begins with `c`.
    fn starts_word(&self, c: char) -> bool {
        match self.own_script(c) {
            Some(locale) => {
                locale.script.is_word_character(c) && (is_alphabetic(c) || is_combining_mark(c))
            }
            None => is_alphabetic(c) && !is_combining_mark(c),
        }
    }

    /// Adds a possessive ending to the last word, or a plural ending to a code: `GPT-4's`, `401ks`.
    fn ending(&mut self, is_code: bool) {
        let rest = self.rest();
        let length = if is_code { ending(rest) } else { possessive_ending(rest) };
        let Some(length) = length.filter(|length| self.fits(*length)) else { return };
        let Some(Token::Word(word)) = self.out.tokens.last_mut() else { return };
        word.text.push_str("'s");
        self.at += length;
        word.span.end = self.preprocessed.source(self.at - 1..self.at).end;
    }

    /// The length of a possessive ending here.
    fn possessive_ending(&mut self) -> Option<usize> {
        possessive_ending(self.rest()).filter(|length| self.fits(*length))
    }

    fn push_word(&mut self, text: String, reading: Reading, start: usize) {
        let span = self.span_since(start);
        let written = self.preprocessed.written(start..self.at).map(str::to_owned);
        self.out.tokens.push(Token::Word(Word { text, written, reading, span }));
    }

    fn span_since(&self, start: usize) -> Range<usize> {
        self.preprocessed.source(start..self.at)
    }

    fn word(&mut self) -> bool {
        let start = self.at;
        let first = self.rest().chars().next().filter(|c| self.starts_word(*c));
        let Some(first) = first else { return false };
        if let Some(locale) = self.own_script(first) {
            self.at += self.run_length(|c| locale.script.is_word_character(c) || is_joiner(c));
            let letters = self.text[start..self.at].chars().filter(|c| !is_joiner(*c));
            let mut text: String = letters.nfc().collect();
            if let Some(length) = self.possessive_ending() {
                text.push_str("'s");
                self.at += length;
            }
            self.push_word(text, Reading::Word(locale.language), start);
        } else if let Some(letters) = self.dotted_letters() {
            match self.possessive_ending() {
                // `the U.K.'s`: an acronym in the lexicon.
                Some(length) => {
                    self.at += length;
                    self.push_word(letters + "'s", Reading::Word(self.latin), start);
                }
                None => self.push_word(letters, Reading::Spelled(self.latin), start),
            }
        } else {
            let text = self.latin_word();
            // In a sentence of another script, a single capital is no article.
            let is_letter = text == "A" && !self.locale.script.is_latin()
                || text.eq_ignore_ascii_case("a") && is_operand(self.rest());
            if is_letter {
                self.push_word(text, Reading::Spelled(self.latin), start);
            } else if text.chars().any(char::is_alphabetic) {
                self.push_word(text, Reading::Word(self.latin), start);
            } else {
                // A letter without a transliteration is silent.
                self.skip(start);
            }
        }
        true
    }

    fn run_length(&mut self, accept: impl Fn(char) -> bool) -> usize {
        let rest = self.unmarked();
        rest.find(|c| !accept(c)).unwrap_or(rest.len())
    }

    /// Letters with full stops between, as capitals: `U.S.`, `p.m.` They include the last full
    /// stop, unless the sentence ends there.
    fn dotted_letters(&mut self) -> Option<String> {
        let mut letters = String::new();
        let mut length = 0;
        let rest = self.unmarked().as_bytes();
        while rest.get(length).is_some_and(u8::is_ascii_alphabetic)
            && rest.get(length + 1) == Some(&b'.')
        {
            letters.push(rest[length].to_ascii_uppercase().into());
            length += 2;
        }
        // The last letter may have no full stop.
        let last = rest.get(length).filter(|c| c.is_ascii_alphabetic());
        let ends = !rest.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
        if let Some(last) = last.filter(|_| ends && !letters.is_empty()) {
            letters.push(last.to_ascii_uppercase().into());
            length += 1;
        }
        if letters.len() < 2 || rest.get(length).is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let is_stopped = rest[length - 1] == b'.';
        let ends_sentence = is_stopped && self.sentence.ends_with_stop(self.at + length - 1);
        self.at += length - usize::from(ends_sentence);
        Some(letters)
    }

    /// A word in plain Latin letters, from the Latin script or one without a registered language.
    fn latin_word(&mut self) -> String {
        let start = self.at;
        let rest = self.unmarked();
        let mut chars = rest.char_indices().peekable();
        let mut length = 0;
        let mut previous = ' ';
        while let Some((i, c)) = chars.next() {
            if is_greek(c) && previous.is_ascii_alphabetic() {
                break;
            }
            previous = c;
            let next = chars.peek().map(|(_, c)| *c);
            let is_hyphen = c == '-'
                && !(i > 0 && self.is_abbreviation(start + i + 1))
                && !(i > 0 && self.is_numeral(start + i + 1))
                && !(i > 0 && is_dotted(&rest[i + 1..]));
            let joins = is_apostrophe(c) || is_hyphen || c == '\u{2011}';
            let is_letter = |c| self.own_script(c).is_none() && self.starts_word(c);
            if is_letter(c) || i > 0 && (is_combining_mark(c) || is_joiner(c)) {
                length = i + c.len_utf8();
            } else if !(i > 0 && joins && next.is_some_and(|c| is_letter(c) && !is_greek(c))) {
                break;
            }
        }
        self.at += length;
        plain(&self.text[start..self.at])
    }

    /// Whether an abbreviation is at a position, with its full stop or of letters that cannot be
    /// said: `Gov.` of `Ex-Gov. Hale`, `hr` of `half-hr`.
    fn is_abbreviation(&self, at: usize) -> bool {
        let context = MatchContext::new(self.sentence, at);
        let (letters, after) = context.rest.split_at(run(context.rest, is_letter));
        let is_marked = after.starts_with('.') || abbreviation::is_unsaid(letters);
        is_marked && abbreviation::find(&context).is_some()
    }

    /// Whether a Roman numeral is at a position after a hyphen: `II` of `SALT-II`.
    fn is_numeral(&self, at: usize) -> bool {
        roman::after_hyphen(&self.text[..at], &self.text[at..]).is_some()
    }

    /// Adds a mark, or consumes a silent one.
    fn mark(&mut self) -> bool {
        let start = self.at;
        let found = mark(self.sentence, self.at);
        let Some((symbol, length)) = found else { return false };
        self.at += length.min(self.unmarked().len());
        let span = self.span_since(start);
        match (symbol, symbol.and_then(|symbol| self.repeated(symbol))) {
            (_, Some(mark)) => mark.span.end = span.end,
            (Some(symbol), None) => self.out.tokens.push(Token::Mark(Mark { symbol, span })),
            (None, None) => {}
        }
        true
    }

    /// The mark that `symbol` repeats, as in `?!?!`. Skipped characters end the repetition.
    fn repeated(&mut self, symbol: char) -> Option<&mut Mark> {
        let skipped = self.out.skipped.last().map_or(0, |skipped| skipped.span.end);
        let last = self.out.tokens.iter_mut().rev();
        let row = last.map_while(|token| match token {
            Token::Mark(mark) if ".!?…,;:—".contains(mark.symbol) => {
                Some(mark).filter(|mark| skipped <= mark.span.start)
            }
            _ => None,
        });
        row.into_iter().find(|mark| mark.symbol == symbol)
    }

    /// Adds the name of a symbol, or skips it if it has none.
    fn symbol(&mut self, c: char) {
        if !self.name(c, &[c.len_utf8()]) {
            self.at += c.len_utf8();
            self.skip(self.at - c.len_utf8());
        }
    }

    /// Reports the characters since `start` as skipped, together with adjacent ones before them.
    fn skip(&mut self, start: usize) {
        self.skip_span(self.span_since(start));
    }

    fn skip_span(&mut self, span: Range<usize>) {
        match self.out.skipped.last_mut() {
            Some(last) if last.span.end == span.start => last.span.end = span.end,
            _ => self.out.skipped.push(Skipped { span }),
        }
    }
}

/// The candidates at a position: the first match, and those that contest it. The plain word or
/// symbol comes first if no match is certain. None is longer than `limit`.
fn candidates(context: &MatchContext<'_>, begins: Begins, limit: usize) -> Vec<Candidate> {
    let recognizers = context.locale.recognizers.iter();
    let mut recognizers = recognizers.filter(|recognizer| recognizer.begins.includes(begins));
    let mut candidates = Vec::new();
    for recognizer in recognizers.by_ref() {
        let is_proposal = recognizer.certainty == Certainty::Proposal;
        let contests = recognizer.certainty != Certainty::Certain;
        if !candidates.is_empty() && !contests {
            continue;
        }
        let Some((length, value)) = find(recognizer, context, limit) else { continue };
        if candidates.is_empty() && is_proposal {
            candidates.push(Candidate::new(None));
        }
        if splits_range(context, &candidates, length)
            || !matches!(value, SemioticClass::Sequence(_))
                && leaves_unit(context, &candidates, length)
        {
            continue;
        }
        let is_known = |known: &Candidate| known.value.as_ref() == Some(&(length, value.clone()));
        if !candidates.iter().any(is_known) {
            candidates.push(Candidate::new(Some((length, value))));
        }
        if !contests {
            break;
        }
    }
    if candidates.is_empty() {
        candidates.push(Candidate::new(None));
    }
    candidates
}

/// The match within `limit` bytes. A longer match is repeated without the text after the limit.
fn find(recognizer: &Recognizer, context: &MatchContext<'_>, limit: usize) -> Found {
    let found = (recognizer.find)(context);
    let is_cut = found.is_none() || found.as_ref().is_some_and(|(length, _)| *length > limit);
    if limit < context.rest.len() && is_cut {
        return (recognizer.find)(&context.up_to(limit));
    }
    found
}

/// Whether a candidate ends before the unspaced dash of a range: `2%` of `2%-10%`.
fn splits_range(context: &MatchContext<'_>, candidates: &[Candidate], length: usize) -> bool {
    let is_range = |candidate: &Candidate| {
        let value = candidate.value.as_ref();
        value.is_some_and(|(_, value)| matches!(value, SemioticClass::Range(_)))
    };
    let mut after = context.rest[length..].chars();
    let is_dash = after.next().is_some_and(|c| matches!(c, '-' | '–' | '~' | '〜'));
    is_dash && !after.as_str().starts_with(char::is_whitespace) && candidates.iter().any(is_range)
}

/// Whether a candidate ends before an unambiguous unit: `600` of `600 mg`, `1/4` of `1/4 mi`.
fn leaves_unit(context: &MatchContext<'_>, candidates: &[Candidate], length: usize) -> bool {
    let is_measure = |candidate: &Candidate| {
        let value = candidate.value.as_ref();
        value.is_some_and(|(_, value)| matches!(value, SemioticClass::Measure(_)))
    };
    let after = context.rest[length..].trim_start_matches([' ', '\u{a0}']);
    let symbol = || {
        let (_, length) = context.lexicon().unit(after)?;
        Some(&after[..length])
    };
    let is_no_word = |symbol: &str| {
        symbol.len() > 1
            && symbol.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ')
            && (symbol.contains(' ')
                || !symbol.contains(['a', 'e', 'i', 'o', 'u'])
                || WordClass::UnitWithVowel.has(symbol))
    };
    let symbol = || symbol().map(|symbol| symbol.trim_end_matches('.'));
    candidates.iter().any(is_measure) && symbol().is_some_and(is_no_word)
}

/// Whether capitals with full stops begin here: `N.Y.` of `D-N.Y.`
fn is_dotted(text: &str) -> bool {
    let mut letters = text.bytes().take(4);
    let mut pair =
        || letters.next().is_some_and(|b| b.is_ascii_uppercase()) && letters.next() == Some(b'.');
    pair() && pair()
}

/// A word in plain Latin letters; empty without transliteration, or if its script omits vowels.
fn plain(word: &str) -> String {
    let mut text = String::new();
    for c in word.nfkc() {
        match c {
            c if is_latin(c) => text.push(c),
            c if is_apostrophe(c) => text.push('\''),
            '-' | '\u{2010}' | '\u{2011}' => text.push('-'),
            c if is_combining_mark(c) || is_joiner(c) || is_unreadable(c) => {}
            c => {
                text.extend(any_ascii::any_ascii_char(c).chars().filter(char::is_ascii_alphabetic))
            }
        }
    }
    text
}

/// Whether a letter before `after` is an operand and no word: `a ≈ b`, `A/D`.
fn is_operand(after: &str) -> bool {
    let signed = after.trim_start_matches(' ');
    let is_spaced = signed.len() < after.len();
    let mut rest = signed.chars();
    let sign = rest.next().unwrap_or_default();
    let other = rest.as_str();
    match sign {
        '/' => !is_spaced && other.strip_prefix(is_letter).is_some_and(closes),
        '<' | '>' => is_spaced && other.starts_with(' '),
        _ => {
            "=≈≠≤≥≡+×÷→∈".contains(sign) && other.starts_with(' ') == is_spaced && !other.is_empty()
        }
    }
}

/// The length of the possessive ending at the start of `rest`.
pub(crate) fn possessive_ending(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix(['\'', '’'])?.strip_prefix(['s', 'S'])?;
    (!after.starts_with(is_alphanumeric)).then(|| rest.len() - after.len())
}

/// The length of a possessive or plural ending, which sound alike after a code or pronunciation.
pub(crate) fn ending(rest: &str) -> Option<usize> {
    let plural = || rest.strip_prefix('s').filter(|after| !after.starts_with(is_alphanumeric));
    possessive_ending(rest).or_else(|| plural().map(|_| 1))
}

/// The length of a silent separator of one symbol, `=====` or `>>>`; a whole code span is none.
fn separator(before: &str, rest: &str) -> Option<usize> {
    if let Some(length) = divider(before, rest).or_else(|| music(rest)) {
        return Some(length);
    }
    let symbol = rest.chars().next().filter(|c| "=<>^~|+#%&@\\/_*:;,".contains(*c))?;
    let length = rest.find(|c| c != symbol).unwrap_or(rest.len());
    // `PA+++`
    if symbol == '+' && length < 4 && before.ends_with(is_alphanumeric) {
        return None;
    }
    // "well,,, maybe"
    if ",;:".contains(symbol) && before.ends_with(is_alphanumeric) {
        return None;
    }
    // `y === "no"`
    let compares = symbol == '='
        && length == 3
        && before.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']'))
        && !rest[length..].trim().is_empty()
        && !before.contains("===")
        && !rest[length..].contains("===");
    let is_code = before.ends_with('`') && rest[length..].starts_with('`') || compares;
    (length > 2 && !is_code).then_some(length)
}

/// The length of notes that mark song: `♪ Happy birthday ♪`, but not `♪ = 120`.
fn music(rest: &str) -> Option<usize> {
    let after = rest.trim_start_matches(['♩', '♪', '♫', '♬']);
    let is_value = after.trim_start().starts_with(['=', '≈']);
    (after.len() < rest.len() && !is_value).then_some(rest.len() - after.len())
}

/// The mark at a position of the sentence and its length. The inner `None` is a silent mark.
fn mark(sentence: &SentenceContext<'_>, at: usize) -> Option<(Option<char>, usize)> {
    let (before, rest) = sentence.text.split_at(at);
    let locales = sentence.locales;
    let c = rest.chars().next()?;
    let run = |of: char| rest.find(|c| c != of).unwrap_or(rest.len());
    let one = c.len_utf8();
    let own_script = |c: char| locales.of_script(c, &[]).is_some();
    if let Some(mark) = locales.scripts().find_map(|script| stop(rest, before, script)) {
        return Some(mark);
    }
    Some(match c {
        '.' if run('.') > 1 => (Some('…'), run('.')),
        '.' if spaced_dots(rest).is_some() => (Some('…'), spaced_dots(rest)?),
        '\\' => {
            let is_word = |word: &str| locales.0.iter().any(|locale| (locale.is_word)(word));
            (None, escaped_break(before, rest.chars(), is_word)?)
        }
        '.' if is_silent(before, &rest[one..]) && !sentence.ends_with_stop(at) => (None, one),
        '.' if before.ends_with(own_script) && rest[one..].starts_with(own_script) => {
            (Some('.'), one)
        }
        '.' if rest[one..].starts_with(is_alphanumeric) && !before.ends_with(is_closing) => {
            return None;
        }
        '.' | '。' => (Some('.'), one),
        ',' | '،' | '、' | '，' => (Some(','), one),
        // `a symbol (!, @, #)`
        '!' | '?' if before.ends_with([' ', '(']) && rest[one..].starts_with([',', ')']) => {
            return None;
        }
        ';' | ':' | '!' | '?' | '…' | '(' | ')' | '“' | '”' => (Some(c), one),
        '！' => (Some('!'), one),
        '？' | '؟' => (Some('?'), one),
        '[' | '{' => (Some('('), one),
        ']' | '}' => (Some(')'), one),
        '«' | '„' => (Some('“'), one),
        '»' => (Some('”'), one),
        '"' if before.is_empty()
            || before.ends_with(|c: char| c.is_whitespace() || "([—-".contains(c)) =>
        {
            (Some('“'), one)
        }
        '"' => (Some('”'), one),
        '—' | '–' | '―' => (Some('—'), one),
        // A row of stars repeats the number beside it.
        '★' | '☆' if !before.trim_end().ends_with(is_digit) => (None, one),
        '|' | '*' | '>' | '~' | '-' if let Some(found) = joint(rest, before, &own_script) => {
            return found;
        }
        '-' | '\'' | '‘' | '’' | '`' | '*' | '_' | '•' => (None, one),
        c if is_ignorable(c) => (None, one),
        '<' if tag(rest).is_some() => (None, if rest.starts_with("</") { 2 } else { one }),
        '/' | '>' if closes_tag(before, rest) => (None, run('/').max(one)),
        _ => return None,
    })
}

/// The pause of a sign between words or numbers, as in [`mark`]; `None` if the sign is no pause.
fn joint(
    rest: &str,
    before: &str,
    own_script: &impl Fn(char) -> bool,
) -> Option<Option<(Option<char>, usize)>> {
    let c = rest.chars().next()?;
    let run = |of: char| rest.find(|c| c != of).unwrap_or(rest.len());
    let after = &rest[1..];
    let between_words =
        before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace);
    let opens = before.trim().is_empty();
    let between_scripts =
        || after.trim_start().starts_with(own_script) && before.trim_end().ends_with(own_script);
    Some(match c {
        // Cells, fields and menu paths: `Mon | Tue`, `File > Save`.
        '|' if between_words && is_pipe(before, after) => None,
        '*' if between_words && !opens || rest.starts_with("* =") => None,
        '|' if between_words || opens && run('|') == 1 => Some((Some(','), 1)),
        '>' if between_words && is_menu(before, after) => Some((Some(','), 1)),
        // `2-4 बातें ~ बस यही`
        '~' if between_words && between_scripts() => Some((Some('—'), 1)),
        '-' if run('-') > 1 => Some((Some('—'), run('-'))),
        '-' if between_words && !opens || between_digits(before, after) => Some((Some('—'), 1)),
        _ => return None,
    })
}

/// Whether a bar is a shell pipe: `ls -la | grep log`.
fn is_pipe(before: &str, after: &str) -> bool {
    let program = cursor::first_word(after);
    let is_line = before
        .split_whitespace()
        .next()
        .is_some_and(|word| word.starts_with(|c: char| !c.is_uppercase()));
    is_line && WordClass::Program.has(program)
}

/// The length of a blank field beside words: `____`.
fn blank(before: &str, rest: &str) -> Option<usize> {
    let length = rest.find(|c| c != '_').unwrap_or(rest.len());
    let line = before.rsplit('\n').next().unwrap_or_default();
    let after = rest[length..].split('\n').next().unwrap_or_default();
    let stands = boundaries::opens(before) && closes(&rest[length..]);
    let beside = line.contains(is_alphanumeric) || after.contains(is_alphanumeric);
    (length > 1 && stands && beside && !line.trim_end().ends_with('`')).then_some(length)
}

/// The length of the dashes of a command line option: `-r`, `--save-dev`.
fn option_dashes(before: &str, rest: &str, is_code: bool) -> Option<usize> {
    let name = rest.strip_prefix("--").or_else(|| rest.strip_prefix('-'))?;
    let dashes = rest.len() - name.len();
    let letters = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    let line = before.rsplit('\n').next().unwrap_or_default();
    let follows = line.ends_with(char::is_whitespace) && !line.trim().is_empty();
    let opens = follows || is_code && line.ends_with('`');
    let is_short = (1..=3).contains(&letters)
        && name[letters..].chars().next().is_none_or(char::is_whitespace);
    let is_option = dashes == 2 && letters > 1 || letters == 1 || is_short || is_code;
    let ends = name[letters..].chars().next().is_none_or(|c| c != '\'' && c != '.');
    let is_name = name.starts_with(is_latin_letter);
    (opens && is_option && ends && is_name).then_some(dashes)
}

/// The name of the markup tag at the start of `rest`. Its brackets are silent.
fn tag(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('<')?.split_once('>')?.0;
    let name = inside.trim_matches('/');
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ' ');
    (name.starts_with(is_latin_letter) && name.chars().all(is_name)).then_some(name)
}

fn closes_tag(before: &str, rest: &str) -> bool {
    let ends = rest.trim_start_matches('/').starts_with('>');
    ends && before.rfind('<').is_some_and(|open| tag(&format!("{}>", &before[open..])).is_some())
}

/// The length of an ellipsis with spaces between its dots: `. . .`
fn spaced_dots(rest: &str) -> Option<usize> {
    let dots = &rest[..boundaries::run(rest, |c| matches!(c, '.' | ' '))];
    // ". .NET"
    let ends = dots.ends_with(' ') || !rest[dots.len()..].starts_with(is_alphanumeric);
    (ends && dots.starts_with(". .")).then(|| dots.trim_end().len())
}

/// Whether a full stop here belongs to an abbreviation and ends no sentence.
fn is_silent(before: &str, after: &str) -> bool {
    before.ends_with(is_letter) && after.starts_with(char::is_whitespace)
}

/// The stop of a script, or a mark typed instead of one, at the start of `rest`, and its length.
/// The inner `None` is a silent stop.
fn stop(rest: &str, before: &str, script: &Script) -> Option<(Option<char>, usize)> {
    let first = rest.chars().next()?;
    let run = |of: &dyn Fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
    if script.stops.contains(&first) {
        let opens = before.trim().is_empty();
        return Some(if opens {
            (None, first.len_utf8())
        } else {
            (Some('.'), run(&|c| script.stops.contains(&c)))
        });
    }
    if script.abbreviation_sign == Some(first) {
        return Some((None, first.len_utf8()));
    }
    let is_typed =
        script.stop_look_alikes.contains(&first) && stands_for_stop(before, rest, script);
    is_typed.then(|| (Some('.'), run(&|c| c == first)))
}

/// Whether marks such as one or two bars end a sentence of the script.
fn stands_for_stop(before: &str, rest: &str, script: &Script) -> bool {
    let before = before.trim_end();
    let after = rest.trim_start_matches(script.stop_look_alikes);
    let ends = after.is_empty() || after.starts_with(char::is_whitespace);
    before.ends_with(script.contains) || ends && before.contains(script.contains)
}

/// Whether capitalized menu or page names are on both sides.
fn is_menu(before: &str, after: &str) -> bool {
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let is_name = |word: &str| {
        let word = word.trim_start_matches(['*', '_', '`', '"', '“']);
        let mut chars = word.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
            && chars.next().is_some_and(is_letter)
    };
    is_name(last) && is_name(after.trim_start())
}

fn is_closing(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '”' | '’')
}

fn between_digits(before: &str, after: &str) -> bool {
    before.ends_with(is_digit) && after.starts_with(is_digit)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ')
}
