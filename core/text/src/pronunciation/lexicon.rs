//! Lexicons of an engine or a request: words with pronunciations that the caller supplies.

use std::collections::HashMap;
use std::iter::once;
use std::sync::Arc;

use speech_base::error::{Error, Result};
use speech_base::fork::LazyLock;
use speech_base::language::Language;
use speech_base::limits::{MAX_PRONUNCIATION_BYTES, MAX_PRONUNCIATIONS};
use unicode_normalization::UnicodeNormalization;

use super::ipa::{IpaError, IpaNotation};

/// Words with pronunciations that the caller supplies.
///
/// An entry has one or more words as they are in the text, with digits and symbols allowed. Its
/// value is IPA between slashes, or other words to read instead (a respelling). Entries match whole
/// words, including possessives. The longest match applies; of equal matches, the one in the same
/// case.
///
/// ```
/// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
/// use speech_core::Lexicon;
///
/// let mut lexicon = Lexicon::new();
/// lexicon.insert("Siobhan", "/ʃɪˈvɔːn/")?;
/// lexicon.insert("kubectl", "cube control")?;
///
/// let error = lexicon.insert("Nguyen", "/ŋwi9n/").unwrap_err();
/// assert_eq!(error.message(), "the pronunciation: character 4 of it is not a phoneme symbol");
/// # Ok::<(), speech_core::Error>(())
/// ```
///
/// The IPA may be that of dictionaries (`/ˈfoʊni/`, `/ˈfəʊni/`) or Kokoro's symbols (`/fˈOni/`).
/// The nearest sound replaces a sound that the voices lack.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lexicon {
    /// Entries by the key of their words.
    entries: HashMap<String, Vec<Entry>>,
    /// The language of the texts that it applies to; `None` for all languages.
    pub(crate) language: Option<Language>,
    /// The number of entries.
    len: usize,
    /// The total bytes of their words and readings.
    bytes: usize,
}

/// The lexicons of a text, in search order.
#[derive(Clone, Copy, Debug)]
pub struct Lexicons<'a> {
    /// The pronunciations of the request.
    pub request: &'a Lexicon,
    /// Further lexicons of the request.
    pub named: &'a [Arc<Lexicon>],
    /// The lexicon of the engine.
    pub engine: &'a Lexicon,
}

impl Lexicons<'static> {
    /// Empty lexicons.
    pub fn none() -> Self {
        static NO_ENTRIES: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);
        Self { request: &NO_ENTRIES, named: &[], engine: &NO_ENTRIES }
    }
}

impl<'a> Lexicons<'a> {
    /// Only the lexicon of an engine.
    pub fn of(engine: &'a Lexicon) -> Self {
        Self { engine, ..Lexicons::none() }
    }

    /// The result of [`Lexicon::find`] in the first lexicon that has a match.
    pub(crate) fn find(
        self,
        before: &str,
        rest: &str,
        language: Language,
    ) -> Option<(usize, &'a Replacement)> {
        let named = self.named.iter().map(|lexicon| &**lexicon);
        let mut lexicons = once(self.request).chain(named).chain(once(self.engine));
        lexicons.find_map(|lexicon| lexicon.find(before, rest, language))
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    words: String,
    replacement: Replacement,
    /// The bytes of the words and the reading, as the caller gave them.
    bytes: usize,
}

/// The reading of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// Phonemes, by language.
    Pronunciation(Pronunciation),
    /// Other words.
    Respelling(Arc<str>),
}

/// The phonemes of a pronunciation, for each language of its lexicon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pronunciation(Vec<(Language, Arc<str>)>);

impl Pronunciation {
    pub(crate) fn of(&self, language: Language) -> &Arc<str> {
        let phonemes = self.0.iter().find(|(own, _)| *own == language);
        &phonemes.expect("an entry has the phonemes of every language of its lexicon").1
    }
}

/// Maximum bytes of the words or respelling of an entry.
const MAX_LENGTH: usize = 200;

impl Lexicon {
    /// Creates an empty lexicon.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a lexicon for texts in one language. Its IPA need not be valid in other languages.
    pub fn for_language(language: Language) -> Self {
        Self { language: Some(language), ..Self::default() }
    }

    /// The language of the texts that it applies to; `None` for all languages.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Adds an entry or replaces the one for the same words. `bytes` is its size as given.
    pub(crate) fn add(
        &mut self,
        words: &str,
        replacement: Replacement,
        bytes: usize,
    ) -> Result<()> {
        let words = words.trim();
        if !words.contains(char::is_alphanumeric) || words.contains(['\n', '\t']) {
            return Err(Error::invalid_request("an entry needs words on one line"));
        }
        check_bytes(words)?;
        let words = as_in_text(words);
        let entries = self.entries.entry(key(&words)).or_default();
        if let Some(index) = entries.iter().position(|entry| entry.words == words) {
            self.len -= 1;
            self.bytes -= entries.remove(index).bytes;
        }
        self.len += 1;
        self.bytes += bytes;
        entries.push(Entry { words, replacement, bytes });
        Ok(())
    }

    /// Rejects a lexicon that exceeds the limits of a request.
    #[doc(hidden)]
    pub fn check_request(&self) -> Result<()> {
        let message = if self.len() > MAX_PRONUNCIATIONS {
            format!("a request may have {MAX_PRONUNCIATIONS} pronunciations")
        } else if self.bytes > MAX_PRONUNCIATION_BYTES {
            format!("the pronunciations of a request may have {MAX_PRONUNCIATION_BYTES} bytes")
        } else {
            return Ok(());
        };
        Err(Error::invalid_request(message))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry whose words begin `rest` as whole words, and the length of the match.
    fn find(&self, before: &str, rest: &str, language: Language) -> Option<(usize, &Replacement)> {
        let is_for_it = self.language.is_none_or(|own| own == language);
        if self.is_empty() || !is_for_it || before.ends_with(char::is_alphanumeric) {
            return None;
        }
        let entries = self.entries.get(&key(rest))?;
        let found = entries.iter().filter_map(|entry| {
            let end = folded_prefix(rest, &entry.words)?;
            let is_whole = !rest[end..].starts_with(continues_word);
            is_whole.then_some((end, rest.starts_with(entry.words.as_str()), &entry.replacement))
        });
        let (end, _, replacement) = found.max_by_key(|(end, in_case, _)| (*end, *in_case))?;
        Some((end, replacement))
    }
}

/// The words in the Unicode normalization form of the text to search.
pub(crate) fn as_in_text(words: &str) -> String {
    if words.contains(|c| matches!(c, '\u{900}'..='\u{97f}')) {
        words.nfc().filter(|c| !matches!(c, '\u{200c}' | '\u{200d}')).collect()
    } else {
        words.to_owned()
    }
}

/// Whether a character continues the word before it. Nukta and virama do without being letters.
fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{93c}' | '\u{94d}')
}

/// Rejects words or a reading that are too long.
fn check_bytes(text: &str) -> Result<()> {
    if text.len() <= MAX_LENGTH {
        return Ok(());
    }
    Err(Error::invalid_request(format!("an entry has more than {MAX_LENGTH} bytes")))
}

impl Replacement {
    /// Parses a reading from the caller: IPA between slashes, or words.
    pub(crate) fn read(
        reading: &str,
        notations: impl Iterator<Item = &'static IpaNotation>,
    ) -> Result<Self> {
        let reading = reading.trim();
        let slashed = reading.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match slashed {
            Some(ipa) => Self::ipa(ipa, notations),
            None => Self::respelling(reading),
        }
    }

    /// A pronunciation, which must be valid in the notation of each language.
    pub(crate) fn ipa(
        ipa: &str,
        notations: impl Iterator<Item = &'static IpaNotation>,
    ) -> Result<Self> {
        check_bytes(ipa)?;
        let phonemes =
            notations.map(|notation| Ok((notation.language, notation.phonemes(ipa)?.into())));
        let phonemes: std::result::Result<_, IpaError> = phonemes.collect();
        let phonemes = phonemes.map_err(|error| wrong_pronunciation(&error))?;
        Ok(Self::Pronunciation(Pronunciation(phonemes)))
    }

    /// A pronunciation from the phoneme symbols of one language.
    pub(crate) fn phonemes(language: Language, phonemes: &str) -> Self {
        Self::Pronunciation(Pronunciation(vec![(language, phonemes.into())]))
    }

    /// A respelling: words to read instead.
    pub(crate) fn respelling(words: &str) -> Result<Self> {
        check_bytes(words)?;
        if !words.contains(char::is_alphanumeric) {
            return Err(wrong_pronunciation(&"neither IPA between slashes nor words"));
        }
        Ok(Self::Respelling(words.into()))
    }
}

fn wrong_pronunciation(problem: &dyn std::fmt::Display) -> Error {
    Error::invalid_request(format!("the pronunciation: {problem}"))
}

/// The search key: the first run of letters and digits, or the first symbol, in lower case.
fn key(text: &str) -> String {
    let run = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[..run.max(first)].to_lowercase()
}

/// The length of the prefix of `text` that equals `words`, ignoring case.
fn folded_prefix(text: &str, words: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    for expected in words.chars() {
        let (_, c) = chars.next()?;
        if c != expected && !c.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    Some(chars.next().map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_tests::or_dash;

    /// The length of the words that a lexicon has an entry for, and what it has for them.
    fn respelled(lexicon: &Lexicon, before: &str, rest: &str) -> String {
        let found = lexicon.find(before, rest, Language::EnUs);
        or_dash(found.map(|(length, replacement)| match replacement {
            Replacement::Respelling(words) => format!("{length} {words}"),
            Replacement::Pronunciation(pronunciation) => {
                format!("{length} {}", pronunciation.of(Language::EnUs))
            }
        }))
    }

    fn refusal(text: &str) -> String {
        Lexicon::parse(text).unwrap_err().message().to_owned()
    }

    crate::row_tests::rows! {
        entries_for_words: |[lexicon, before, rest]| {
            respelled(&Lexicon::parse(lexicon).unwrap(), before, rest)
        };
        refused_entries: |[text]| refusal(text);
    }

    #[test]
    fn an_entry_has_a_limit() {
        let long = format!("{}\tb", "a".repeat(201));
        assert_eq!(refusal(&long), "line 1: an entry has more than 200 bytes");
        assert!(Lexicon::parse("\u{feff}# only this\n").unwrap().is_empty());
    }

    #[test]
    fn the_first_lexicon_that_has_the_words_counts() {
        let lexicon = |text: &str| Lexicon::parse(text).unwrap();
        let request = lexicon("a\tone");
        let named = [lexicon("a\ttwo\nb\ttwo"), lexicon("a b\tthree\nc\tthree")].map(Arc::new);
        let engine = lexicon("b c\tfour\nd\tfour");
        let lexicons = Lexicons { request: &request, named: &named, engine: &engine };
        for (text, expected) in
            [("a b", "one"), ("b c", "two"), ("c", "three"), ("d", "four"), ("B", "two")]
        {
            let (_, found) = lexicons.find("", text, Language::EnUs).unwrap();
            assert_eq!(*found, Replacement::Respelling(expected.into()), "{text}");
        }
        assert!(lexicons.find("", "e", Language::EnUs).is_none());
    }

    #[test]
    fn a_lexicon_of_one_language() {
        let mut lexicon = Lexicon::for_language(Language::HiIn);
        lexicon.insert("a", "/lˈʌr.kaː/").unwrap();
        lexicon.insert("b", "ka").unwrap();
        for words in ["a", "b"] {
            assert!(lexicon.find("", words, Language::HiIn).is_some());
            assert!(lexicon.find("", words, Language::EnUs).is_none());
        }
    }

    #[test]
    fn a_file_and_a_request_have_limits() {
        let lines = |count| (0..count).map(|n| format!("w{n}\ta\n")).collect::<String>();
        assert_eq!(Lexicon::parse(&lines(5000)).unwrap().len(), 5000);
        let error = Lexicon::parse(&lines(5001)).unwrap_err();
        assert_eq!(error.message(), "line 5001: a lexicon may have 5000 entries");

        let insert = |count, words: &str| {
            let entries = (0..count).map(|n| (format!("{words}{n}"), "a"));
            Lexicon::new().insert_of_request(entries).map_err(|error| error.message().to_owned())
        };
        assert_eq!(insert(200, "w"), Ok(()));
        let refused = "entry 201: a request may have 200 pronunciations";
        assert_eq!(insert(usize::MAX, "w"), Err(refused.into()));
        let refused = "entry 90: the pronunciations of a request may have 16384 bytes";
        assert_eq!(insert(200, &"w".repeat(180)), Err(refused.into()));
        // Replaced entries do not count, in any form.
        let (mut lexicon, words) = (Lexicon::new(), "w".repeat(180));
        let same = (0..1000).map(|n| (&*words, if n % 2 == 0 { "a" } else { "/a/" }));
        lexicon.insert_of_request(same).unwrap();
        assert_eq!((lexicon.len(), lexicon.bytes), (1, 183));
    }

    #[test]
    fn a_later_entry_replaces_one_for_the_same_words() {
        let lexicon = Lexicon::parse("a\tb\na\tc\nA\td").unwrap();
        assert_eq!(lexicon.len(), 2);
        assert_eq!(respelled(&lexicon, "", "a"), "1 c");
    }
}
