//! The lexicon of an engine: words with the pronunciations that the caller gives.

use std::collections::HashMap;
use std::sync::Arc;

use speech_base::error::{Error, Result};
use speech_base::language::Language;
use unicode_normalization::UnicodeNormalization;

use super::ipa::{IpaError, IpaNotation};

/// How words are pronounced, where a caller knows better.
///
/// An entry gives the words as a text has them (one or several; digits and symbols may be among them)
/// and how they are read: IPA between slashes, or other words to read in their place (a respelling).
/// Entries are found wherever they stand as whole words, possessives included; the longest counts, and
/// one in the same case before one in another.
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
/// The IPA may be as dictionaries write it (`/ˈfoʊni/`, `/ˈfəʊni/`) or in Kokoro's symbols (`/fˈOni/`). Sounds
/// that the voices do not have are those nearest to them.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// By the key of the words.
    entries: HashMap<String, Vec<Entry>>,
}

#[derive(Clone, Debug)]
struct Entry {
    words: String,
    replacement: Replacement,
}

/// The reading of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// Phonemes, by language.
    Pronunciation(Pronunciation),
    /// Other words.
    Respelling(Arc<str>),
}

/// The phonemes of a pronunciation in each language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pronunciation(Vec<(Language, Arc<str>)>);

impl Pronunciation {
    pub(crate) fn of(&self, language: Language) -> &Arc<str> {
        let phonemes = self.0.iter().find(|(own, _)| *own == language);
        &phonemes.expect("an entry has the phonemes of every language").1
    }
}

/// The longest words or respelling of an entry, in bytes.
const MAX_LENGTH: usize = 200;

impl Lexicon {
    /// A lexicon without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry, or replaces the one for the same words; a pronunciation must be valid in each notation.
    pub(crate) fn add(
        &mut self,
        words: &str,
        reading: &str,
        notations: impl Iterator<Item = &'static IpaNotation>,
    ) -> Result<()> {
        let (words, reading) = (words.trim(), reading.trim());
        if !words.contains(char::is_alphanumeric) || words.contains(['\n', '\t']) {
            return Err(Error::invalid_request("an entry needs words on one line"));
        }
        if words.len() > MAX_LENGTH || reading.len() > MAX_LENGTH {
            let message = format!("an entry has more than {MAX_LENGTH} bytes");
            return Err(Error::invalid_request(message));
        }
        let replacement = replacement(reading, notations)
            .map_err(|error| Error::invalid_request(format!("the pronunciation: {error}")))?;
        let words = as_in_text(words);
        let entries = self.entries.entry(key(&words)).or_default();
        entries.retain(|entry| entry.words != words);
        entries.push(Entry { words, replacement });
        Ok(())
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.values().map(Vec::len).sum()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry whose words `rest` begins with, as whole words, and their length in it.
    pub(crate) fn find(&self, before: &str, rest: &str) -> Option<(usize, &Replacement)> {
        if self.is_empty() || before.ends_with(char::is_alphanumeric) {
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

/// Words in the normalization form of the text that they are looked up in.
fn as_in_text(words: &str) -> String {
    if words.contains(|c| matches!(c, '\u{900}'..='\u{97f}')) {
        words.nfc().filter(|c| !matches!(c, '\u{200c}' | '\u{200d}')).collect()
    } else {
        words.to_owned()
    }
}

/// Whether a character continues the word before it; nukta and virama do, though they are no letters.
fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{93c}' | '\u{94d}')
}

fn replacement(
    reading: &str,
    notations: impl Iterator<Item = &'static IpaNotation>,
) -> std::result::Result<Replacement, String> {
    let slashed = reading.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    if let Some(ipa) = slashed {
        let phonemes =
            notations.map(|notation| Ok((notation.language, notation.phonemes(ipa)?.into())));
        let phonemes: std::result::Result<_, IpaError> = phonemes.collect();
        return phonemes
            .map(|phonemes| Replacement::Pronunciation(Pronunciation(phonemes)))
            .map_err(|error| error.to_string());
    }
    if !reading.contains(char::is_alphanumeric) {
        return Err("neither IPA between slashes nor words".into());
    }
    Ok(Replacement::Respelling(reading.into()))
}

/// The first run of letters and digits, or the first symbol, in lower case.
fn key(text: &str) -> String {
    let run = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[..run.max(first)].to_lowercase()
}

/// The length of the prefix of `text` that is `words` but for its case.
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

    fn respelled<'a>(lexicon: &'a Lexicon, before: &str, rest: &str) -> Option<(usize, &'a str)> {
        lexicon.find(before, rest).map(|(length, replacement)| match replacement {
            Replacement::Respelling(words) => (length, &**words),
            Replacement::Pronunciation(pronunciation) => {
                (length, &**pronunciation.of(Language::EnUs))
            }
        })
    }

    #[test]
    fn the_longest_whole_words_in_the_same_case_count() {
        let lexicon = Lexicon::parse(
            "new\tnoo\nNew Delhi\t/nu dˈɛli/\nC++\tsee plus plus\nPolish\t/ˈpoʊlɪʃ/\npolish\t/ˈpɒlɪʃ/",
        )
        .unwrap();
        for (before, rest, expected) in [
            ("", "New Delhi is", Some((9, "nu dˈɛli"))),
            ("in ", "new delhi", Some((9, "nu dˈɛli"))),
            ("", "new deal", Some((3, "noo"))),
            ("", "NEW's", Some((3, "noo"))),
            ("", "news", None),
            ("re", "new", None),
            ("", "C++, too", Some((3, "see plus plus"))),
            ("", "c++", Some((3, "see plus plus"))),
            ("", "Polish", Some((6, "pˈOlɪʃ"))),
            ("", "polish", Some((6, "pˈɑlɪʃ"))),
            ("", "", None),
        ] {
            assert_eq!(respelled(&lexicon, before, rest), expected, "{before}|{rest}");
        }
    }

    #[test]
    fn devanagari_is_found_however_it_was_typed() {
        let lexicon =
            Lexicon::parse("\u{95b}ोया\tज\u{93c}ोया जी\nराज\tराजन\nक्\u{200d}या\tक्या जी").unwrap();
        for (rest, expected) in [
            ("ज\u{93c}ोया है", Some((15, "ज\u{93c}ोया जी"))),
            ("राज", Some((9, "राजन"))),
            ("राज\u{93c}", None),
            ("राज्य", None),
            ("क्या", Some((12, "क्या जी"))),
        ] {
            assert_eq!(respelled(&lexicon, "", rest), expected, "{rest}");
        }
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        let long = "a".repeat(201);
        for (text, message) in [
            ("# x\n\nword", "line 3: no tab between the words and how they are read"),
            ("\t/a/", "line 1: an entry needs words on one line"),
            ("!\t/a/", "line 1: an entry needs words on one line"),
            ("a\t", "line 1: the pronunciation: neither IPA between slashes nor words"),
            ("a\t//", "line 1: the pronunciation: it has no sound in it"),
            ("a\t/b;/", "line 1: the pronunciation: character 2 of it is not a phoneme symbol"),
            (&format!("{long}\tb"), "line 1: an entry has more than 200 bytes"),
        ] {
            assert_eq!(Lexicon::parse(text).unwrap_err().message(), message);
        }
        assert!(Lexicon::parse("\u{feff}# only this\n").unwrap().is_empty());
    }

    #[test]
    fn a_later_entry_replaces_one_for_the_same_words() {
        let lexicon = Lexicon::parse("a\tb\na\tc\nA\td").unwrap();
        assert_eq!(lexicon.len(), 2);
        assert_eq!(respelled(&lexicon, "", "a"), Some((1, "c")));
    }
}
