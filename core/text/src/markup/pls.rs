//! Reads W3C Pronunciation Lexicon Specification 1.0 documents. Unsupported content is rejected.

mod arpabet;

use std::collections::HashMap;
use std::fmt;

use roxmltree::Node;
use speech_base::error::{Error, Result};
use speech_base::language::Language;
use speech_base::limits::MAX_LEXICON_ENTRIES;

use super::ssml::document::{Attribute, Dialect, Document, is_silent};
use crate::languages::too_many_entries;
use crate::pronunciation::{Lexicon, Replacement, as_in_text};

const PLS: Dialect = Dialect {
    name: "PLS",
    root: "lexicon",
    namespace: "http://www.w3.org/2005/01/pronunciation-lexicon",
};

/// The notation of a `phoneme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Ipa,
    /// The phonemes of the CMU Pronouncing Dictionary, for English only.
    Arpabet,
}

impl Lexicon {
    /// Reads a lexicon in the Pronunciation Lexicon Specification 1.0 (PLS), for texts in the
    /// language of its `xml:lang`. The region of the tag is ignored: `en-GB` means English.
    ///
    /// Each `grapheme` of a `lexeme` gets the first `phoneme` or `alias` with `prefer="true"`, else
    /// the first one. The alphabets are `ipa`, the default, and `cmu-arpabet`. No lexicon applies
    /// to the words of an `alias`. A `role` is ignored with a log message: of several lexemes with
    /// one grapheme the first preferred one applies, else the first.
    ///
    /// ```
    /// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
    /// use speech_core::{Language, Lexicon};
    ///
    /// let lexicon = Lexicon::from_pls(
    ///     r#"<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon"
    ///              alphabet="ipa" xml:lang="en-US">
    ///          <lexeme><grapheme>Siobhan</grapheme><phoneme>ʃɪˈvɔːn</phoneme></lexeme>
    ///          <lexeme><grapheme>W3C</grapheme><alias>World Wide Web Consortium</alias></lexeme>
    ///        </lexicon>"#,
    /// )?;
    /// assert_eq!((lexicon.len(), lexicon.language()), (2, Some(Language::EnUs)));
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_request`, with line and column, for malformed or unsupported content:
    ///
    /// - document types, other elements, alphabets or languages
    /// - a lexeme without a grapheme or reading
    /// - IPA with an unknown symbol
    /// - more than [`MAX_LEXICON_ENTRIES`](speech_base::limits::MAX_LEXICON_ENTRIES) entries
    pub fn from_pls(document: &str) -> Result<Self> {
        Reader::read(&Document::parse(document.trim_start_matches('\u{feff}'), PLS)?)
    }
}

/// Reads the lexemes of a document.
struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    language: Language,
    alphabet: Alphabet,
    lexicon: Lexicon,
    /// The graphemes so far, and whether each has a preferred reading.
    graphemes: HashMap<String, bool>,
    has_roles: bool,
}

impl<'d, 'a> Reader<'d, 'a> {
    fn read(document: &'d Document<'a>) -> Result<Lexicon> {
        let root = document.root();
        if name(root) != Some(PLS.root) {
            let problem = format!("the first element must be 'lexicon' of {:?}", PLS.namespace);
            return Err(document.refuse(root.range().start, problem));
        }
        let known = ["version", "alphabet", "xml:lang", "xml:base"];
        let [version, alphabet, tag, _] = attributes(document, root, known)?;
        let required = |found: Option<Attribute<'a>>, name| {
            let missing = || format!("'lexicon' needs the attribute '{name}'");
            found.ok_or_else(|| document.refuse(root.range().start, missing()))
        };
        let version = required(version, "version")?;
        if version.value != "1.0" {
            return Err(document.refuse(version.at, "the version must be 1.0"));
        }
        let tag = required(tag, "xml:lang")?;
        let language = language(&tag.value).ok_or_else(|| {
            let tags = Language::ALL.map(Language::as_str).join(", ");
            document.refuse(tag.at, format!("the language is not supported; there are {tags}"))
        })?;
        let alphabet =
            alphabet.map_or(Ok(Alphabet::Ipa), |value| alphabet_of(document, language, &value))?;
        let lexicon = Lexicon::for_language(language);
        let (graphemes, has_roles) = (HashMap::new(), false);
        let mut reader = Self { document, language, alphabet, lexicon, graphemes, has_roles };
        for child in children(document, root, &["lexeme", "meta", "metadata"])? {
            if name(child) == Some("lexeme") {
                reader.lexeme(child)?;
            }
        }
        if reader.has_roles {
            log::warn!("a PLS lexicon has roles, which are ignored");
        }
        Ok(reader.lexicon)
    }

    fn lexeme(&mut self, lexeme: Node<'d, 'a>) -> Result<()> {
        let document = self.document;
        let [role, _] = attributes(document, lexeme, ["role", "xml:id"])?;
        self.has_roles |= role.is_some();
        let (mut graphemes, mut readings) = (Vec::new(), Vec::new());
        for child in children(document, lexeme, &["grapheme", "phoneme", "alias", "example"])? {
            match name(child) {
                Some("grapheme") => {
                    attributes(document, child, ["orthography"])?;
                    graphemes.push((child, text(document, child)?));
                }
                Some("phoneme" | "alias") => readings.push(self.reading(child)?),
                _ => {}
            }
        }
        let preferred = readings.iter().find(|(is_preferred, _)| *is_preferred);
        let reading = preferred.or_else(|| readings.first());
        let (Some((is_preferred, replacement)), false) = (reading, graphemes.is_empty()) else {
            let problem = "'lexeme' needs a 'grapheme', and a 'phoneme' or an 'alias'";
            return Err(document.refuse(lexeme.range().start, problem));
        };
        for (node, grapheme) in graphemes {
            let at = node.range().start;
            let key = as_in_text(&grapheme);
            match self.graphemes.get(&key) {
                Some(was_preferred) if *was_preferred || !is_preferred => continue,
                Some(_) => {}
                None if self.graphemes.len() == MAX_LEXICON_ENTRIES => {
                    return Err(document.refuse(at, too_many_entries()));
                }
                None => {}
            }
            self.lexicon
                .add(&grapheme, replacement.clone(), 0)
                .map_err(|error| document.refuse(at, error.message()))?;
            self.graphemes.insert(key, *is_preferred);
        }
        Ok(())
    }

    /// The reading of a `phoneme` or `alias`, and whether it is preferred.
    fn reading(&self, node: Node<'d, 'a>) -> Result<(bool, Replacement)> {
        let document = self.document;
        let at = node.range().start;
        let is_phoneme = name(node) == Some("phoneme");
        let [prefer, alphabet] = if is_phoneme {
            attributes(document, node, ["prefer", "alphabet"])?
        } else {
            let [prefer] = attributes(document, node, ["prefer"])?;
            [prefer, None]
        };
        let is_preferred = match prefer.as_ref().map(|prefer| &*prefer.value) {
            None | Some("false" | "0") => false,
            Some("true" | "1") => true,
            Some(_) => {
                let at = prefer.map_or(at, |prefer| prefer.at);
                return Err(document.refuse(at, "'prefer' must be true or false"));
            }
        };
        let alphabet = alphabet
            .map_or(Ok(self.alphabet), |value| alphabet_of(document, self.language, &value))?;
        let text = text(document, node)?;
        let replacement = match alphabet {
            _ if !is_phoneme => Replacement::respelling(&text),
            Alphabet::Ipa => {
                let slashed = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
                Replacement::ipa(slashed.unwrap_or(&text), self.lexicon.notations())
            }
            Alphabet::Arpabet => arpabet::phonemes(&text)
                .map(|phonemes| Replacement::phonemes(self.language, &phonemes)),
        };
        let replacement = replacement.map_err(|error| document.refuse(at, error.message()))?;
        Ok((is_preferred, replacement))
    }
}

/// The attributes of an element by name.
///
/// # Errors
///
/// If the element has another attribute.
fn attributes<'a, const N: usize>(
    document: &Document<'a>,
    node: Node<'_, 'a>,
    known: [&str; N],
) -> Result<[Option<Attribute<'a>>; N]> {
    let mut found = [const { None }; N];
    for attribute in document.attributes(node) {
        let Some(index) = known.iter().position(|known| *known == attribute.name) else {
            let problem = format!("the attribute is not supported; there are {}", known.join(", "));
            return Err(document.refuse(attribute.name_at, problem));
        };
        found[index] = Some(attribute);
    }
    Ok(found)
}

/// The child elements of an element.
///
/// # Errors
///
/// For text between them, and for elements that are not allowed there.
fn children<'d, 'a>(
    document: &Document<'a>,
    parent: Node<'d, 'a>,
    known: &[&str],
) -> Result<Vec<Node<'d, 'a>>> {
    let mut elements = Vec::new();
    for child in parent.children().filter(|child| !is_silent(*child)) {
        if !name(child).is_some_and(|name| known.contains(&name)) {
            let text = child.text().filter(|_| child.is_text()).unwrap_or_default();
            let at = child.range().start + text.len() - text.trim_start().len();
            return Err(document.refuse(at, format!("here may be {}", known.join(", "))));
        }
        elements.push(child);
    }
    Ok(elements)
}

/// The text of an element without children, with white space collapsed.
fn text(document: &Document<'_>, node: Node<'_, '_>) -> Result<String> {
    if let Some(child) = node.children().find(Node::is_element) {
        return Err(document.refuse(child.range().start, "here may be text only"));
    }
    let text: String = node.children().filter_map(|child| child.text()).collect();
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The name of a PLS element.
fn name<'n>(node: Node<'n, '_>) -> Option<&'n str> {
    let tag = node.tag_name();
    let is_here = node.is_element() && tag.namespace().is_none_or(|uri| uri == PLS.namespace);
    is_here.then(|| tag.name())
}

/// The language of a tag; the region is ignored.
fn language(tag: &str) -> Option<Language> {
    let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    Language::ALL.into_iter().find(|language| primary(language.as_str()) == primary(tag))
}

fn alphabet_of(
    document: &Document<'_>,
    language: Language,
    value: &Attribute<'_>,
) -> Result<Alphabet> {
    let refuse = |problem: &dyn fmt::Display| Err::<_, Error>(document.refuse(value.at, problem));
    match &*value.value {
        "ipa" => Ok(Alphabet::Ipa),
        "cmu-arpabet" if language == Language::EnUs => Ok(Alphabet::Arpabet),
        "cmu-arpabet" => refuse(&"the alphabet cmu-arpabet is for English"),
        _ => refuse(&"the alphabet is not supported; there are ipa, cmu-arpabet"),
    }
}

#[cfg(test)]
mod tests;
