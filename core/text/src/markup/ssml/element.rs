//! The supported elements of SSML, their attributes and their content.

use std::fmt;

use roxmltree::Node;
use speech_base::error::{Error, Result};

use super::document::{Attribute, Document, SSML, is_silent};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Speak,
    Paragraph,
    Sentence,
    Break,
    SayAs,
    Phoneme,
    Sub,
    Prosody,
    Emphasis,
    Lang,
    Voice,
    Mark,
}

/// The elements by name, with their attributes.
const ELEMENTS: [(&str, Element, &[&str]); 12] = [
    ("speak", Element::Speak, &["version", "xml:lang"]),
    ("p", Element::Paragraph, &["xml:lang"]),
    ("s", Element::Sentence, &["xml:lang"]),
    ("break", Element::Break, &["strength", "time"]),
    ("say-as", Element::SayAs, &["interpret-as", "format", "detail"]),
    ("phoneme", Element::Phoneme, &["alphabet", "ph"]),
    ("sub", Element::Sub, &["alias"]),
    ("prosody", Element::Prosody, &["rate", "pitch", "volume"]),
    ("emphasis", Element::Emphasis, &["level"]),
    ("lang", Element::Lang, &["xml:lang"]),
    ("voice", Element::Voice, &["name", "xml:lang"]),
    ("mark", Element::Mark, &["name"]),
];

/// The permitted content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Nothing,
    Text,
    /// Text and elements.
    Mixed,
}

impl Element {
    /// The element of a node.
    ///
    /// # Errors
    ///
    /// If the element is not supported, or not allowed at its position.
    pub(super) fn of(document: &Document<'_>, node: Node<'_, '_>) -> Result<Self> {
        let at = node.range().start;
        let name = Document::ssml_name(node);
        let found = ELEMENTS.iter().find(|(known, ..)| name == Some(*known));
        let Some((_, element, _)) = found else {
            if node.parent_element().is_none() && document.name(node) == "speak" {
                let problem = format!("the namespace of 'speak' must be {:?}", SSML.namespace);
                return Err(document.refuse(at, problem));
            }
            let names = ELEMENTS.map(|(name, ..)| name).join(", ");
            let problem = format!("the element is not supported; there are {names}");
            return Err(document.refuse(at, problem));
        };
        let outer = node.ancestors().skip(1).filter_map(Document::ssml_name);
        let is_root = node.parent_element().is_none();
        if is_root != (*element == Self::Speak) {
            return Err(document.refuse(at, "the first element must be 'speak', and no other may"));
        }
        for outer in outer {
            if element.may_not_be_in().contains(&outer) {
                let problem = format!("'{}' may not be in '{outer}'", element.name());
                return Err(document.refuse(at, problem));
            }
        }
        document.check_depth(node)?;
        element.check_content(document, node)?;
        Ok(*element)
    }

    fn name(self) -> &'static str {
        self.row().0
    }

    fn row(self) -> &'static (&'static str, Self, &'static [&'static str]) {
        ELEMENTS.iter().find(|(_, element, _)| *element == self).unwrap_or(&ELEMENTS[0])
    }

    /// The ancestors that the element must not have.
    fn may_not_be_in(self) -> &'static [&'static str] {
        match self {
            Self::Paragraph => &["p", "s", "emphasis"],
            Self::Sentence => &["s", "emphasis"],
            _ => &[],
        }
    }

    fn content(self) -> Content {
        match self {
            Self::Break | Self::Mark => Content::Nothing,
            Self::SayAs | Self::Phoneme | Self::Sub => Content::Text,
            _ => Content::Mixed,
        }
    }

    /// Rejects content that the element must not have.
    fn check_content(self, document: &Document<'_>, node: Node<'_, '_>) -> Result<()> {
        let is_wrong = |child: &Node<'_, '_>| match self.content() {
            Content::Nothing => !is_silent(*child),
            Content::Text => child.is_element(),
            Content::Mixed => false,
        };
        let Some(child) = node.children().find(is_wrong) else { return Ok(()) };
        let what =
            if self.content() == Content::Text { "may hold text only" } else { "must be empty" };
        Err(document.refuse(child.range().start, format!("'{}' {what}", self.name())))
    }

    /// The attributes of a node.
    ///
    /// # Errors
    ///
    /// If the element does not support an attribute.
    pub(super) fn attributes<'d, 'a>(
        self,
        document: &'d Document<'a>,
        node: Node<'d, 'a>,
    ) -> Result<Attributes<'d, 'a>> {
        let (name, _, known) = self.row();
        let attributes = document.attributes(node);
        if let Some(unknown) = attributes.iter().find(|attribute| !known.contains(&attribute.name))
        {
            let known = known.join(", ");
            let problem = format!("the attribute is not supported; '{name}' has {known}");
            return Err(document.refuse(unknown.name_at, problem));
        }
        Ok(Attributes { document, node, element: name, attributes })
    }
}

pub(super) struct Attributes<'d, 'a> {
    document: &'d Document<'a>,
    pub(super) node: Node<'d, 'a>,
    element: &'static str,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Attributes<'_, 'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// A required attribute, which must not be empty.
    pub(super) fn required(&self, name: &str) -> Result<&Attribute<'a>> {
        let Some(attribute) = self.get(name) else {
            let problem = format!("'{}' needs the attribute '{name}'", self.element);
            return Err(self.document.refuse(self.node.range().start, problem));
        };
        if attribute.value.is_empty() {
            let problem = format!("the attribute '{name}' is empty");
            return Err(self.document.refuse(attribute.at, problem));
        }
        Ok(attribute)
    }

    /// The parsed value of an attribute.
    pub(super) fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>> {
        let Some(attribute) = self.get(name) else { return Ok(None) };
        read(&attribute.value).map(Some).map_err(|problem| self.wrong(attribute, problem))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// The error for an invalid attribute value.
    pub(super) fn wrong(&self, attribute: &Attribute<'_>, problem: impl fmt::Display) -> Error {
        let problem = format!("the attribute '{}' is not valid: {problem}", attribute.name);
        self.document.refuse(attribute.at, problem)
    }
}
