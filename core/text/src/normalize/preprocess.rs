//! Preprocessing: converts character variants to plain characters, and maps every byte to its
//! source.
//!
//! Digits of every script become ASCII, styled and enclosed letters plain ones, superscripts a
//! power (`x²` to `x^2`). Mistyped words are repaired, and other Indian scripts become Devanagari.
//! Later stages see only the result.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::prelude::*;
use super::zones::Zones;
use crate::pronunciation::inline;
use crate::scripts::{Repair, indic, is_alphanumeric, is_ignorable, is_joiner};
use crate::segment::runs::{is_raised, note};

/// Replaces text without speech. It has no name, so it is reported as skipped.
pub(super) const UNSAID: char = '\u{fffd}';

/// Whether a character is silent inside a word: a line break control or a text direction. Joiners
/// shape letters, and selectors and tags modify emoji, so they are excluded.
fn is_invisible(c: char) -> bool {
    is_ignorable(c)
        && !is_joiner(c)
        && !c.is_alphabetic()
        && !matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..)
}

/// A text in plain characters and its source map.
pub(crate) struct Preprocessed<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The source bytes of each byte of the preprocessed text; empty if nothing changed.
    places: Vec<Range<usize>>,
    /// The position of the source in the caller's text.
    base: usize,
    /// Words that were converted to another script, in order, with their original spelling.
    replaced: Vec<(Range<usize>, String)>,
}

impl<'a> Preprocessed<'a> {
    /// Preprocesses `source`, which begins at byte `base` of the caller's text. `keep_inline` keeps
    /// inline pronunciations unchanged.
    pub(crate) fn new(source: &'a str, base: usize, locales: Locales, keep_inline: bool) -> Self {
        let is_plain = |c: char| {
            let is_kept = || !is_invisible(c) && !looks_like_apostrophe(c) && !is_raised(c);
            c.is_ascii() || stays(c) && is_kept()
        };
        let repairs = || locales.scripts().filter_map(|script| script.repair.as_ref());
        let is_clean = || repairs().all(|repair| (repair.is_clean)(source));
        let has_joint = source.contains("-\n") || source.contains("-\r\n") || source.contains('`');
        let is_plain =
            |source: &str| source.is_ascii() || source.chars().all(is_plain) && is_clean();
        if is_plain(source) && !has_joint {
            return Self {
                text: Cow::Borrowed(source),
                places: Vec::new(),
                base,
                replaced: Vec::new(),
            };
        }
        let mut writer = Writer::default();
        let mut at = 0;
        while let Some(c) = source[at..].chars().next() {
            let rest = &source[at..];
            if c == '['
                && keep_inline
                && let Some(pronunciation) = inline(rest)
            {
                writer.push_each(&rest[..pronunciation.length], at);
                at += pronunciation.length;
            } else if let Some(length) = writer.repair(&source[..at], rest, repairs()) {
                at += length;
            } else if let Some((word, length)) = indic::word(rest) {
                writer.push_word(&word, at..at + length);
                at += length;
            } else if let length @ 1.. = note(&source[..at], rest) {
                writer.push_word("", at..at + length);
                at += length;
            } else if let Some(length) = broken_word(&source[..at], rest, locales) {
                at += length;
            } else {
                let is_apostrophe = looks_like_apostrophe(c)
                    && is_apostrophe(c, &source[..at], &rest[c.len_utf8()..]);
                writer.write(if is_apostrophe { '’' } else { c }, at..at + c.len_utf8());
                at += c.len_utf8();
            }
        }
        Self { text: Cow::Owned(writer.text), places: writer.places, base, replaced: Vec::new() }
    }

    /// Joins separately preprocessed texts; the first begins at byte `base` of the caller's text.
    pub(crate) fn concat(parts: &[Preprocessed<'_>], base: usize) -> Self {
        let mut writer = Writer::default();
        for part in parts {
            let offset = part.base - base;
            writer.push_with(&part.text, 0, |at| {
                let place = part.places.get(at).cloned().unwrap_or(at..at + 1);
                offset + place.start..offset + place.end
            });
        }
        let Writer { text, places, .. } = writer;
        Self { text: Cow::Owned(text), places, base, replaced: Vec::new() }
    }

    /// The position in the preprocessed text for a byte of the caller's text.
    pub(crate) fn position(&self, source: usize) -> usize {
        let at = source - self.base;
        if self.places.is_empty() {
            return at.min(self.text.len());
        }
        self.places.partition_point(|place| place.start < at)
    }

    /// Replaces words in order, without overlap. Each replacement maps to all of the replaced text.
    pub(crate) fn with_replaced(&self, words: &[(Range<usize>, String)]) -> Self {
        let place = |at: usize| self.places.get(at).cloned().unwrap_or(at..at + 1);
        let mut writer = Writer::default();
        let mut written = Vec::with_capacity(words.len());
        let mut at = 0;
        for (replaced, word) in words {
            writer.push_with(&self.text[at..replaced.start], at, place);
            let source = place(replaced.start).start..place(replaced.end - 1).end;
            let start = writer.text.len();
            word.chars().for_each(|c| writer.push(c, &source));
            written.push((start..writer.text.len(), self.text[replaced.clone()].to_owned()));
            at = replaced.end;
        }
        writer.push_with(&self.text[at..], at, place);
        let Writer { text, places, .. } = writer;
        Self { text: Cow::Owned(text), places, base: self.base, replaced: written }
    }

    /// The original spelling of a word that was converted to another script.
    pub(crate) fn written(&self, place: Range<usize>) -> Option<&str> {
        let found = self.replaced.binary_search_by_key(&place.start, |(place, _)| place.start);
        let (replaced, written) = &self.replaced[found.ok()?];
        (*replaced == place).then_some(written)
    }

    /// The converted words in a range of the text, in their original spelling.
    pub(crate) fn replaced_in(&self, place: Range<usize>) -> &[(Range<usize>, String)] {
        let start = self.replaced.partition_point(|(replaced, _)| replaced.start < place.start);
        let end = self.replaced.partition_point(|(replaced, _)| replaced.start < place.end);
        &self.replaced[start..end.max(start)]
    }

    /// The bytes of the caller's text for a range of the preprocessed text.
    pub(crate) fn source(&self, preprocessed: Range<usize>) -> Range<usize> {
        if self.places.is_empty() {
            return self.base + preprocessed.start..self.base + preprocessed.end;
        }
        let start = self.places[preprocessed.start].start;
        let end = self.places[preprocessed.end.max(preprocessed.start + 1) - 1].end;
        self.base + start..self.base + end
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    places: Vec<Range<usize>>,
    in_superscript: bool,
}

impl Writer {
    /// Adds the repaired word or stop at the start of `rest`, and returns its length.
    fn repair<'r>(
        &mut self,
        before: &str,
        rest: &str,
        mut repairs: impl Iterator<Item = &'r Repair>,
    ) -> Option<usize> {
        let (text, length) = repairs.find_map(|repair| (repair.find)(before, rest))?;
        self.in_superscript = false;
        let place = before.len()..before.len() + length;
        match text {
            Cow::Borrowed(text) if text.len() == length => self.push_each(text, place.start),
            text => self.push_word(&text, place),
        }
        Some(length)
    }

    /// Adds a replaced word that maps as a whole to `place`. An empty word is skipped.
    fn push_word(&mut self, word: &str, place: Range<usize>) {
        if word.is_empty() {
            return self.push(UNSAID, &place);
        }
        word.chars().for_each(|c| self.push(c, &place));
    }

    /// Adds characters unchanged; they begin at byte `start` of the source.
    fn push_each(&mut self, text: &str, start: usize) {
        for (i, c) in text.char_indices() {
            self.push(c, &(start + i..start + i + c.len_utf8()));
        }
    }

    /// Adds a text that begins at byte `start` with source bytes `place`.
    fn push_with(&mut self, text: &str, start: usize, place: impl Fn(usize) -> Range<usize>) {
        self.text.push_str(text);
        self.places.extend((start..start + text.len()).map(place));
    }

    fn write(&mut self, c: char, place: Range<usize>) {
        let superscript = superscript(c);
        let continues = std::mem::replace(&mut self.in_superscript, superscript.is_some());
        if let Some(plain) = superscript {
            if !continues {
                self.push(if self.is_base() { '^' } else { ' ' }, &place);
            }
            return self.push(plain, &place);
        }
        match c {
            c if c.is_ascii() => self.push(c, &place),
            c if is_invisible(c) && self.text.ends_with(is_alphanumeric) => {}
            'º' if self.text.ends_with(is_digit) => self.push('°', &place),
            c if stays(c) => self.push(c, &place),
            c => self.push_compatible(c, &place),
        }
    }

    fn push_compatible(&mut self, c: char, place: &Range<usize>) {
        if let Some(digit) = decimal_digit(c) {
            return self.push(char::from(b'0' + digit), place);
        }
        if c.is_whitespace() {
            return self.push(' ', place);
        }
        let apart = is_enclosed(c);
        if apart {
            self.push(' ', place);
        }
        let is_square_unit = matches!(c, '\u{3380}'..='\u{33df}');
        for plain in c.nfkc() {
            if is_square_unit && plain.is_ascii_digit() {
                self.push('^', place);
            }
            self.push(if plain == '\u{2044}' { '/' } else { plain }, place);
        }
        if apart {
            self.push(' ', place);
        }
    }

    fn push(&mut self, c: char, place: &Range<usize>) {
        self.text.push(c);
        self.places.extend(std::iter::repeat_n(place.clone(), c.len_utf8()));
    }

    /// Whether a superscript here is a power. It is after a number, a bracket or a short symbol
    /// such as `cm`. It also is after a counted word of a script without short symbols:
    /// `154 सेमी²`.
    fn is_base(&self) -> bool {
        let before = self.text.trim_end_matches(char::is_alphabetic);
        let symbol = &self.text[before.len()..];
        if !symbol.is_ascii() && before.trim_end().ends_with(is_digit) {
            return true;
        }
        let letters = symbol.chars().count();
        match letters {
            0 => self.text.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']' | '°')),
            letters => letters <= 3,
        }
    }
}

/// The length of a hyphen and line end that split a word: the lexicon has the whole word, or
/// neither half. A soft hyphen splits only before a line end.
fn broken_word(before: &str, rest: &str, locales: Locales) -> Option<usize> {
    let after = rest.strip_prefix(['-', '\u{2010}', '\u{ad}'])?;
    let after =
        after.strip_prefix('\n').or_else(|| after.strip_prefix("\r\n"))?.trim_start_matches(' ');
    let head = before[before.trim_end_matches(char::is_alphabetic).len()..].to_lowercase();
    let tail = &after[..run(after, char::is_lowercase)];
    let is_word = |word: &str| locales.0.iter().any(|locale| (locale.is_word)(word));
    let is_broken = !head.is_empty() && !tail.is_empty();
    let is_one = || {
        rest.starts_with('\u{ad}')
            || is_word(&format!("{head}{tail}"))
            || !is_word(&head) && !is_word(tail)
    };
    (is_broken && is_one()).then(|| rest.len() - after.len())
}

/// Whether a character is a sign or letter that people type instead of an apostrophe.
fn looks_like_apostrophe(c: char) -> bool {
    let is_near =
        c == '`' || !c.is_ascii() && !matches!(c, '\u{900}'..='\u{1fff}' | '‘' | '’' | 'ʼ');
    is_near && matches!(any_ascii::any_ascii_char(c), "'" | "`")
}

/// Whether such a character inside a word is an apostrophe: won`t. A backquote may end code, a
/// prime may be real, and a letter may be correct: Hawaiʻi.
fn is_apostrophe(c: char, before: &str, after: &str) -> bool {
    let is_inner = before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic);
    let letters = || before.len() - before.trim_end_matches(char::is_alphabetic).len();
    is_inner
        && match c {
            '`' => !Zones::of(before).is_code(before.len()),
            '′' => {
                after.starts_with(char::is_lowercase) && (letters() > 1 || before.ends_with('I'))
            }
            c if c.is_alphabetic() => {
                let ending = &after[..run(after, char::is_alphabetic)];
                WordClass::Contracted.has(ending)
            }
            _ => true,
        }
}

/// Whether a character needs no folding, as most do.
fn stays(c: char) -> bool {
    !matches!(c,
        '\u{a0}' | '\u{ad}' | 'º' | '²' | '³' | '¹'
        | '\u{2b0}'..='\u{2b8}' | '\u{2e0}'..='\u{2e4}' | '\u{1d2c}'..='\u{1d6a}'
        | '\u{2000}'..='\u{200a}' | '\u{2010}' | '\u{2011}' | '\u{202f}' | '\u{205f}'
        | '\u{2044}' | '\u{2070}'..='\u{209c}'
        | '\u{2100}'..='\u{2115}' | '\u{2118}'..='\u{211f}' | '\u{2121}' | '\u{2123}'..='\u{214f}'
        | '\u{2215}' | '\u{2460}'..='\u{24ff}' | '\u{2776}'..='\u{2793}'
        | '\u{3000}' | '\u{3200}'..='\u{33ff}' | '\u{fb00}'..='\u{fb06}'
        | '\u{fe50}'..='\u{fe6f}' | '\u{ff00}'..='\u{ffef}'
        | indic::FIRST..=indic::LAST
        | '\u{1d400}'..='\u{1d7ff}' | '\u{1f100}'..='\u{1f190}' | '\u{1fbf0}'..='\u{1fbf9}')
        && (c < '\u{660}' || !c.is_numeric() || decimal_digit(c).is_none())
}

/// The value of a decimal digit of any script.
pub(super) fn decimal_digit(c: char) -> Option<u8> {
    if !c.is_numeric() || is_enclosed(c) || c.nfkc().ne([c]) && !is_styled_digit(c) {
        return None;
    }
    match any_ascii::any_ascii_char(c).as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

fn is_styled_digit(c: char) -> bool {
    matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{1d7ce}'..='\u{1d7ff}' | '\u{1fbf0}'..='\u{1fbf9}')
}

/// Whether `c` is an enclosed number or letter, which is a sign of its own.
fn is_enclosed(c: char) -> bool {
    matches!(c, '\u{2460}'..='\u{24ff}' | '\u{2776}'..='\u{2793}' | '\u{3200}'..='\u{32ff}' | '\u{1f100}'..='\u{1f190}')
}

fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from(b'4' + (c as u32 - '⁴' as u32) as u8),
        '⁺' => '+',
        '⁻' => '-',
        'ⁿ' => 'n',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preprocess(text: &str, base: usize) -> Preprocessed<'_> {
        Preprocessed::new(text, base, crate::languages::locales(), true)
    }

    crate::row_tests::rows! { plain_characters: |[text]| preprocess(text, 0).text.into_owned(); }

    #[test]
    fn plain_characters_map_back() {
        for (text, expected, last) in [
            ("a ক\u{9d7}\u{200d}", "a क", 2..11),
            ("\u{9d7}", "\u{fffd}", 0..3),
            ("4\u{9d7}", "4\u{fffd}", 1..4),
        ] {
            let preprocessed = preprocess(text, 0);
            assert_eq!(preprocessed.text, expected);
            assert_eq!(preprocessed.source(expected.len() - 1..expected.len()), last, "{text}");
        }
        let preprocessed = preprocess("a ½² b", 7);
        let place = preprocessed.text.find('2').unwrap();
        assert_eq!(preprocessed.source(place..place + 1), 11..13);
    }

    #[test]
    fn a_repaired_word_maps_back_to_all_of_it() {
        let text = "वह काे\u{200d} गया";
        let preprocessed = preprocess(text, 0);
        let place = preprocessed.text.find("को").expect("it is repaired");
        let source = preprocessed.source(place..place + "को".len());
        assert_eq!(&text[source], "काे\u{200d}");
        let last = preprocessed.text.find("गया").expect("it is kept");
        assert_eq!(&text[preprocessed.source(last..last + 3)], "ग");
    }

    #[test]
    fn text_that_is_as_it_should_be_is_borrowed() {
        for text in ["Plain ASCII: 5|6", "यह दुःख है। क़लम, पढ़ाई ॥ समय: शाम", "a–b…"]
        {
            assert!(matches!(preprocess(text, 0).text, Cow::Borrowed(_)), "{text}");
        }
    }
}
