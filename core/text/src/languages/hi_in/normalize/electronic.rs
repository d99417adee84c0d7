//! Verbalizes electronic addresses: known words by Hindi spelling, others letter by letter.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::{letters, numbers, templates};
use crate::languages::en_us::phonemize::grade;
use crate::normalize::label;
use crate::normalize::locale::rows;
use crate::normalize::prelude::*;
use crate::normalize::say;

/// Minimum letters of a word-like name that is read as an English word instead of spelled.
const LONG: usize = 9;

/// Minimum letters of an English word that is read as a word.
const ENGLISH: usize = 4;

/// Hindi spellings by section and lower-case word.
static WORDS: LazyLock<HashMap<(&str, &str), &str>> = LazyLock::new(|| {
    let table = include_str!("../data/electronic.tsv");
    rows(table).map(|row| ((row[0], row[1]), row[2])).collect()
});

/// Verbalizes an address, with symbols by name.
pub(super) fn verbalize(address: &str, out: &mut Verbalization) {
    Address::new(address).verbalize(out);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Scheme,
    /// The local part of an e-mail address.
    Person,
    Host,
    /// A path or file name.
    Path,
}

struct Address<'a> {
    text: &'a str,
    is_mail: bool,
    /// The range of the host.
    host: std::ops::Range<usize>,
}

impl<'a> Address<'a> {
    fn new(text: &'a str) -> Self {
        let scheme = text.find("://").map_or(0, |at| at + 3);
        let path = text[scheme..].find(['/', '\\', '?', '#']).map_or(text.len(), |at| scheme + at);
        let person = text[scheme..path].rfind('@');
        let host = scheme + person.map_or(0, |at| at + 1);
        let end = text[host..path].find(':').map_or(path, |at| host + at);
        Self { text, is_mail: person.is_some() && scheme == 0, host: host..end }
    }

    fn section(&self, at: usize) -> Section {
        match at {
            at if self.host.contains(&at) => Section::Host,
            at if at > self.host.start => Section::Path,
            _ if self.text.contains("://") => Section::Scheme,
            _ => Section::Person,
        }
    }

    fn verbalize(&self, out: &mut Verbalization) {
        let mut at = 0;
        while let Some(c) = self.text[at..].chars().next() {
            let length = run(&self.text[at..], is_inner);
            if length == 0 {
                let span = at..at + c.len_utf8();
                say::symbol(templates(), "symbol", c, &span, out);
                at += c.len_utf8();
                continue;
            }
            self.verbalize_label(at, at + length, out);
            at += length;
        }
    }

    /// Verbalizes adjacent letters and digits.
    fn verbalize_label(&self, start: usize, end: usize, out: &mut Verbalization) {
        let label = &self.text[start..end];
        if let Some(words) = self.known(label, start, end) {
            return out.words(words.split(' '), start..end);
        }
        let mut at = start;
        while at < end {
            let rest = &self.text[at..end];
            let is_digit = rest.starts_with(is_digit);
            let length = run(rest, |c| c.is_ascii_digit() == is_digit);
            let (part, span) = (&rest[..length], at..at + length);
            if is_digit {
                out.words(numbers().digits(part), span);
            } else if !part.is_ascii() {
                out.words([part], span);
            } else if let Some(words) = self.known(part, at, at + length) {
                out.words(words.split(' '), span);
            } else if self.is_word(part, at) {
                out.words([part], span);
            } else {
                letters::verbalize(part, &span, out);
            }
            at += length;
        }
    }

    /// The Hindi spelling of a label in its section.
    fn known(&self, label: &str, start: usize, end: usize) -> Option<&'static str> {
        let lower = label.to_ascii_lowercase();
        let listed = |place| WORDS.get(&(place, lower.as_str())).copied();
        let section = self.section(start);
        let after_stop = self.text[..start].ends_with('.');
        let domain = || listed("domain").filter(|_| after_stop && section == Section::Host);
        let is_last = !self.text[end..].starts_with('.');
        let file = || listed("file").filter(|_| after_stop && is_last);
        let mail = || listed("mail").filter(|_| self.is_mail);
        domain().or_else(file).or_else(mail).or_else(|| listed("word"))
    }

    /// Whether a part is read as a word: it is English or long, and no name before an at sign.
    fn is_word(&self, part: &str, at: usize) -> bool {
        let is_english = || part.len() >= ENGLISH && grade(&part.to_ascii_lowercase()) > 1;
        self.section(at) != Section::Person
            && (part.len() >= LONG || is_english())
            && matches!(label::reading(part), CodePart::Word(_))
    }
}
