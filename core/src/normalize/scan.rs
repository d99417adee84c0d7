//! The scan over one sentence that both languages share.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Mark, NormalizedText, Reading, Skipped, Token, Word, en, hi, is_devanagari};
use crate::request::Language;

/// Reads a sentence from left to right; each step consumes at least one character.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    start: usize,
    language: Language,
    out: NormalizedText,
}

/// Digits as they were written, with what makes them one number.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Number {
    /// The digits before the decimal point, as values.
    pub(super) integer: Vec<u8>,
    /// The digits after it; empty if there is none.
    pub(super) fraction: Vec<u8>,
    /// The lengths of the groups between commas, first to last; empty without commas.
    pub(super) groups: Vec<usize>,
    /// A minus sign stands before it.
    pub(super) negative: bool,
}

impl Number {
    /// The integer part, if it is small enough and has no leading zero that must be said.
    pub(super) fn value(&self) -> Option<u64> {
        if self.integer.len() > 18 || (self.integer.len() > 1 && self.integer[0] == 0) {
            return None;
        }
        Some(self.integer.iter().fold(0, |value, digit| value * 10 + u64::from(*digit)))
    }

    /// Whether the commas stand as India groups: twos before the last three.
    pub(super) fn is_indian(&self) -> bool {
        self.groups.len() > 2 && self.groups[1] == 2
    }
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, span: Range<usize>, language: Language) -> Self {
        Self {
            text,
            at: span.start,
            end: span.end,
            start: span.start,
            language,
            out: NormalizedText::default(),
        }
    }

    pub(super) fn run(mut self) -> NormalizedText {
        while let Some(c) = self.peek() {
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if starts_word(c) {
                self.word();
            } else if self.number_starts() {
                self.number();
            } else {
                self.symbol(c);
            }
        }
        self.out
    }

    /// The text that is still to be read.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// The text of the sentence that was read already.
    fn before(&self) -> &'a str {
        &self.text[self.start..self.at]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes `literal` if it stands here.
    pub(super) fn eat(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    /// Consumes a word of Latin letters if `accept` takes it; white space may stand before it.
    pub(super) fn eat_word<T>(&mut self, accept: impl Fn(&str) -> Option<T>) -> Option<T> {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let length = trimmed.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
        let accepted = accept(&trimmed[..length])?;
        self.at += rest.len() - trimmed.len() + length;
        Some(accepted)
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Adds words that were all read from the characters since `start`.
    pub(super) fn say<S: Into<String>>(
        &mut self,
        start: usize,
        words: impl IntoIterator<Item = S>,
    ) {
        let span = start..self.at;
        for text in words {
            let text = text.into();
            let reading =
                if text.chars().any(is_devanagari) { Reading::Hindi } else { Reading::English };
            self.out.tokens.push(Token::Word(Word { text, reading, span: span.clone() }));
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let first = self.peek().expect("called at a letter");
        if is_devanagari(first) {
            self.at +=
                self.run_length(|c| is_devanagari(c) && !is_devanagari_stop(c) || is_joiner(c));
            let text: String =
                self.text[start..self.at].chars().filter(|c| !is_joiner(*c)).nfc().collect();
            self.out.tokens.push(Token::Word(Word {
                text,
                reading: Reading::Hindi,
                span: start..self.at,
            }));
        } else if let Some(letters) = self.dotted_letters() {
            self.out.tokens.push(Token::Word(Word {
                text: letters,
                reading: Reading::Spelled,
                span: start..self.at,
            }));
        } else {
            let text = self.latin_word();
            // A letter that no transliteration knows leaves nothing to say.
            if text.chars().any(char::is_alphabetic) {
                self.out.tokens.push(Token::Word(Word {
                    text,
                    reading: Reading::English,
                    span: start..self.at,
                }));
            } else {
                self.out.skipped.push(Skipped { span: start..self.at });
            }
        }
    }

    fn run_length(&self, accept: impl Fn(char) -> bool) -> usize {
        self.rest().find(|c| !accept(c)).unwrap_or(self.rest().len())
    }

    /// Letters with full stops between, `U.S.` or `p.m.`, as capitals. The full stop after the last
    /// belongs to them, unless the sentence ends there.
    fn dotted_letters(&mut self) -> Option<String> {
        let mut letters = String::new();
        let mut length = 0;
        let rest = self.rest().as_bytes();
        while rest.get(length).is_some_and(u8::is_ascii_alphabetic)
            && rest.get(length + 1) == Some(&b'.')
        {
            letters.push(rest[length].to_ascii_uppercase().into());
            length += 2;
        }
        if letters.len() < 2 {
            return None;
        }
        if rest.get(length).is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        self.at += length;
        Some(letters)
    }

    /// A word of letters other than Devanagari, in plain Latin letters.
    fn latin_word(&mut self) -> String {
        let start = self.at;
        let rest = self.rest();
        let mut chars = rest.char_indices().peekable();
        let mut length = 0;
        while let Some((i, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            let joins = is_apostrophe(c) || c == '-' || c == '\u{2011}';
            if starts_word(c) && !is_devanagari(c)
                || i > 0 && (is_combining_mark(c) || is_joiner(c))
            {
                length = i + c.len_utf8();
            } else if !(i > 0 && joins && next.is_some_and(|c| starts_word(c) && !is_devanagari(c)))
            {
                break;
            }
        }
        self.at += length;
        let mut text = String::new();
        for c in self.text[start..self.at].nfkd() {
            match c {
                c if c.is_ascii_alphabetic() => text.push(c),
                c if is_apostrophe(c) => text.push('\''),
                '-' | '\u{2010}' | '\u{2011}' => text.push('-'),
                c if is_combining_mark(c) || is_joiner(c) => {}
                c => text
                    .extend(any_ascii::any_ascii_char(c).chars().filter(char::is_ascii_alphabetic)),
            }
        }
        text
    }

    fn number_starts(&self) -> bool {
        let mut chars = self.rest().chars();
        let first = chars.next();
        let signed = matches!(first, Some('-' | '−'))
            && !self.before().ends_with(|c: char| !c.is_whitespace() && c != '(');
        first.is_some_and(|c| digit(c).is_some())
            || signed && chars.next().is_some_and(|c| digit(c).is_some())
    }

    fn number(&mut self) {
        let start = self.at;
        let number = self.scan_number();
        match self.language {
            Language::EnUs => en::say_number(self, start, &number),
            Language::HiIn => hi::say_number(self, start, &number),
        }
    }

    /// Consumes a number: digits, commas between groups of them, a decimal point before digits.
    pub(super) fn scan_number(&mut self) -> Number {
        let mut number = Number { negative: self.eat("-") || self.eat("−"), ..Number::default() };
        number.integer = self.digits();
        let mut groups = vec![number.integer.len()];
        while let Some(group) = self.group_after_comma() {
            groups.push(group.len());
            number.integer.extend(group);
        }
        if groups.len() > 1 {
            number.groups = groups;
        }
        let rest = self.rest();
        if rest.starts_with('.') && rest[1..].chars().next().is_some_and(|c| digit(c).is_some()) {
            self.at += 1;
            number.fraction = self.digits();
        }
        number
    }

    pub(super) fn digits(&mut self) -> Vec<u8> {
        let length = self.run_length(|c| digit(c).is_some());
        let digits = self.rest()[..length].chars().filter_map(digit).collect();
        self.at += length;
        digits
    }

    /// Two or three digits after a comma, and no more: a group of thousands, or of Indian hundreds.
    fn group_after_comma(&mut self) -> Option<Vec<u8>> {
        let rest = self.rest().strip_prefix(',')?;
        let length = rest.find(|c| digit(c).is_none()).unwrap_or(rest.len());
        let digits: Vec<u8> = rest[..length].chars().filter_map(digit).collect();
        let more_follow = rest[length..].starts_with(',');
        if !(digits.len() == 3 || digits.len() == 2 && more_follow) {
            return None;
        }
        self.at += 1 + length;
        Some(digits)
    }

    fn symbol(&mut self, c: char) {
        let start = self.at;
        if let Some((symbol, length)) = mark(self.rest(), self.before()) {
            self.at += length;
            if let Some(symbol) = symbol {
                self.out.tokens.push(Token::Mark(Mark { symbol, span: start..self.at }));
            }
            return;
        }
        let said = match self.language {
            Language::EnUs => en::say_symbol(self, c),
            Language::HiIn => hi::say_symbol(self, c),
        };
        if !said {
            self.at = start + c.len_utf8();
            self.skip(start);
        }
    }

    /// Lists the characters since `start` as not said, together with those right before them.
    fn skip(&mut self, start: usize) {
        match self.out.skipped.last_mut() {
            Some(last) if last.span.end == start => last.span.end = self.at,
            _ => self.out.skipped.push(Skipped { span: start..self.at }),
        }
    }
}

/// The mark at the start of `rest` and its length; `None` inside for one that says nothing.
fn mark(rest: &str, before: &str) -> Option<(Option<char>, usize)> {
    let c = rest.chars().next()?;
    let run = |of: char| rest.find(|c| c != of).unwrap_or(rest.len());
    let one = c.len_utf8();
    let between_words =
        before.ends_with(char::is_whitespace) && rest[one..].starts_with(char::is_whitespace);
    Some(match c {
        '.' if run('.') > 1 => (Some('…'), run('.')),
        '.' if abbreviates(before, &rest[one..]) => (None, one),
        '.' if rest[one..].starts_with(char::is_alphanumeric) => return None,
        '.' | '।' | '॥' | '。' => (Some('.'), one),
        '|' if before.trim_end().ends_with(is_devanagari) => (Some('.'), one),
        ',' | '،' | '、' | '，' => (Some(','), one),
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
        '-' if run('-') > 1 => (Some('—'), run('-')),
        '-' if between_words && !before.trim().is_empty() => (Some('—'), one),
        '-' if between_digits(before, &rest[one..]) => (Some('—'), one),
        '-' | '\'' | '‘' | '’' | '`' | '*' | '_' | '•' | '\u{200b}' | '\u{200c}' | '\u{200d}'
        | '\u{feff}' => (None, one),
        _ => return None,
    })
}

/// Whether a full stop here belongs to an abbreviation: the sentence goes on after it.
fn abbreviates(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphabetic)
        && after.starts_with(char::is_whitespace)
        && after.contains(char::is_alphanumeric)
}

fn between_digits(before: &str, after: &str) -> bool {
    before.chars().next_back().is_some_and(|c| digit(c).is_some())
        && after.chars().next().is_some_and(|c| digit(c).is_some())
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() && !is_devanagari_stop(c) && (is_devanagari(c) || !is_combining_mark(c))
        || is_devanagari(c) && is_combining_mark(c)
}

/// Dandas, digits and the abbreviation sign: Devanagari, but no part of a word.
fn is_devanagari_stop(c: char) -> bool {
    matches!(c, '\u{964}'..='\u{970}')
}

/// Joiners shape letters and say nothing.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ')
}

/// The value of a decimal digit of any script.
fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).map(|value| value as u8);
    }
    if !c.is_numeric() {
        return None;
    }
    match any_ascii::any_ascii_char(c).as_bytes() {
        [digit @ b'0'..=b'9'] if !matches!(c, '²' | '³' | '¹') => Some(digit - b'0'),
        _ => None,
    }
}
