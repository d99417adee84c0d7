//! Parses well-formed XML in one namespace. Errors have the position of the rejected content.

use std::fmt;
use std::ops::Range;

use roxmltree::{Node, NodeType};
use speech_base::error::{Error, Result};

use super::references;
use super::text::{Piece, pieces};

/// The XML vocabulary of a document.
#[derive(Clone, Copy)]
pub(in crate::markup) struct Dialect {
    /// Its name in messages.
    pub(in crate::markup) name: &'static str,
    pub(in crate::markup) root: &'static str,
    /// The optional namespace of its elements.
    pub(in crate::markup) namespace: &'static str,
}

pub(super) const SSML: Dialect =
    Dialect { name: "SSML", root: "speak", namespace: "http://www.w3.org/2001/10/synthesis" };

/// The namespace of attributes for the location of a schema.
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Maximum element depth; `speak` has depth 1.
const MAX_DEPTH: usize = 32;

/// A well-formed document.
pub(in crate::markup) struct Document<'a> {
    dialect: Dialect,
    pub(super) text: &'a str,
    tree: roxmltree::Document<'a>,
}

/// An attribute and the position of its value.
#[derive(Clone, Debug)]
pub(in crate::markup) struct Attribute<'a> {
    /// The name, including an `xml:` prefix.
    pub(in crate::markup) name: &'a str,
    /// The value with references resolved, without surrounding white space.
    pub(in crate::markup) value: String,
    pub(in crate::markup) at: usize,
    pub(in crate::markup) name_at: usize,
}

impl<'a> Document<'a> {
    /// Parses a document.
    ///
    /// # Errors
    ///
    /// `invalid_request` for malformed XML, document type declarations and processing instructions.
    pub(in crate::markup) fn parse(text: &'a str, dialect: Dialect) -> Result<Self> {
        let tree = roxmltree::Document::parse(text);
        let tree = tree.map_err(|error| dialect.not_well_formed(text, &error))?;
        if let Some(instruction) = tree.root().descendants().find(Node::is_pi) {
            let problem = "processing instructions are not supported";
            return Err(dialect.refused(text, instruction.range().start, problem));
        }
        dialect.check_references(text)?;
        Ok(Self { dialect, text, tree })
    }

    pub(in crate::markup) fn root(&self) -> Node<'_, 'a> {
        self.tree.root_element()
    }

    /// The error for content at a byte of the document.
    pub(in crate::markup) fn refuse(&self, at: usize, problem: impl fmt::Display) -> Error {
        self.dialect.refused(self.text, at, problem)
    }

    /// The qualified name of an element.
    pub(super) fn name(&self, element: Node<'_, 'a>) -> &'a str {
        let tag = &self.text[element.range().start + 1..];
        let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        &tag[..tag.find(is_end).unwrap_or(tag.len())]
    }

    /// The local name of an SSML element; `None` in another namespace.
    pub(super) fn ssml_name<'n>(element: Node<'n, 'a>) -> Option<&'a str> {
        let name = element.tag_name();
        name.namespace().is_none_or(|namespace| namespace == SSML.namespace).then(|| name.name())
    }

    /// Rejects elements that are nested too deeply.
    pub(super) fn check_depth(&self, element: Node<'_, 'a>) -> Result<()> {
        if element.ancestors().filter(Node::is_element).count() <= MAX_DEPTH {
            return Ok(());
        }
        let problem = format!("elements are nested more than {MAX_DEPTH} deep");
        Err(self.refuse(element.range().start, problem))
    }

    /// The attributes of an element, except those for XML itself, without surrounding white space.
    pub(in crate::markup) fn attributes(&self, element: Node<'_, 'a>) -> Vec<Attribute<'a>> {
        let of_ssml = element.attributes().filter(|a| a.namespace() != Some(SCHEMA_INSTANCE));
        let attribute = |attribute: roxmltree::Attribute<'_, 'a>| {
            let value = attribute.value();
            let (name, at) = (attribute.range_qname(), attribute.range_value().start);
            let value = value.trim().to_owned();
            Attribute { name: &self.text[name.clone()], value, at, name_at: name.start }
        };
        of_ssml.map(attribute).collect()
    }

    /// The bytes of a text node, including all merged CDATA sections and text.
    pub(super) fn text_range(&self, node: Node<'_, 'a>) -> Range<usize> {
        let start = node.range().start;
        let end = match (node.next_sibling(), node.parent()) {
            (Some(next), _) => next.range().start,
            (None, Some(parent)) => self.content(parent).end,
            (None, None) => node.range().end,
        };
        start..end
    }

    /// The text of a byte range, without markup.
    pub(super) fn shown(&self, span: &Range<usize>) -> String {
        let mut shown = String::new();
        let nodes = self.root().descendants().filter(Node::is_text);
        for piece in nodes.flat_map(|node| pieces(self.text, self.text_range(node))) {
            match piece {
                Piece::Literal(text, at) => {
                    let (start, end) = (span.start.max(at) - at, span.end.saturating_sub(at));
                    shown += text.get(start..end.min(text.len())).unwrap_or_default();
                }
                Piece::Reference(c, place) => {
                    shown.extend(span.contains(&place.start).then_some(c))
                }
            }
        }
        shown
    }

    /// The bytes between the tags of an element.
    pub(super) fn content(&self, element: Node<'_, 'a>) -> Range<usize> {
        let Range { start, end } = element.range();
        let tag_end = self.text[start..end].rfind("</").map_or(end, |at| start + at);
        let first = element.first_child().map_or(tag_end, |first| first.range().start);
        first..tag_end
    }
}

/// Whether a node has no speech: white space or a comment.
pub(in crate::markup) fn is_silent(node: Node<'_, '_>) -> bool {
    match node.node_type() {
        NodeType::Text => node.text().is_none_or(|text| text.chars().all(is_space)),
        NodeType::Comment => true,
        NodeType::Root | NodeType::Element | NodeType::PI => false,
    }
}

/// Whether a character is white space in XML, or a line or paragraph separator elsewhere.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

impl Dialect {
    /// The error for content at a byte of a document.
    fn refused(self, text: &str, at: usize, problem: impl fmt::Display) -> Error {
        let before = &text[..text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Error::invalid_request(format!("{} line {line}, column {column}: {problem}", self.name))
    }

    /// The error for a document that is malformed or uses unsupported XML.
    fn not_well_formed(self, text: &str, error: &roxmltree::Error) -> Error {
        use roxmltree::Error as Xml;
        let position = error.pos();
        let line = position.row as usize - 1;
        let start = if line == 0 {
            0
        } else {
            text.match_indices('\n').nth(line - 1).map_or(text.len(), |(at, _)| at + 1)
        };
        let column = position.col as usize - 1;
        let at = text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at);
        match error {
            Xml::DtdDetected => {
                let at = text.find("<!DOCTYPE").unwrap_or_default();
                self.refused(text, at, "document type declarations are not supported")
            }
            Xml::MalformedEntityReference(_) => {
                let is_here = text[at..].starts_with('&');
                let at = if is_here { at } else { text[..at].rfind('&').unwrap_or(at) };
                let problem = references::problem(&text[at..]).unwrap_or(references::NONE);
                self.refused(text, at, problem)
            }
            Xml::UnknownToken(_) if !text[at..].starts_with('<') => self.refused(
                text,
                at,
                format!("there is text outside of the element '{}'", self.root),
            ),
            Xml::UnclosedRootNode | Xml::UnexpectedEndOfStream => {
                self.refused(text, text.len(), "the document ends within an element")
            }
            _ => self.refused(text, at, rule(error)),
        }
    }

    /// Rejects references to invalid characters, which the parser replaces by U+FFFD.
    fn check_references(self, text: &str) -> Result<()> {
        /// Sections without references: start and end.
        const VERBATIM: [(&str, &str); 2] = [("<![CDATA[", "]]>"), ("<!--", "-->")];
        let mut at = 0;
        while let Some(next) = text[at..].find(['&', '<']) {
            at += next;
            let rest = &text[at..];
            if let Some((_, end)) = VERBATIM.iter().find(|(start, _)| rest.starts_with(start)) {
                at += rest.find(end).unwrap_or(rest.len());
            } else if rest.starts_with('&')
                && let Some(problem) = references::problem(rest)
            {
                return Err(self.refused(text, at, problem));
            } else {
                at += 1;
            }
        }
        Ok(())
    }
}

/// The XML rule that a document breaks. The parser's own messages are unusable: they quote text.
fn rule(error: &roxmltree::Error) -> String {
    use roxmltree::Error as Xml;
    let rule = match error {
        Xml::UnknownEntityReference(..) => {
            "the entity is not supported; use &amp;, &lt;, &gt;, &apos;, &quot;"
        }
        Xml::UnknownNamespace(..) => "the prefix is not declared, and extensions are not supported",
        Xml::UnexpectedCloseTag(..) => "this tag ends another element than the one that is open",
        Xml::DuplicatedAttribute(..) => "the attribute is given twice",
        Xml::DuplicatedNamespace(..) => "the namespace is declared twice",
        Xml::InvalidAttributeValue(_) | Xml::InvalidChar(b'"' | b'\'', b'<', _) => {
            "the character '<' stands in the value of an attribute; write &lt;"
        }
        Xml::NonXmlChar(..) => "a character stands here that XML does not allow",
        Xml::NoRootNode => "there is no element",
        Xml::InvalidName(_) => "a name must begin here",
        Xml::InvalidComment(_) => "the comment has '--' in it",
        Xml::InvalidCharacterData(_) => "text must not have ']]>' in it; write ]]&gt;",
        Xml::UnexpectedDeclaration(_) => {
            "an XML declaration stands at the start of a document only"
        }
        Xml::InvalidChar(expected, ..) => {
            return format!(
                "this is not well-formed XML: '{}' must stand here",
                char::from(*expected)
            );
        }
        Xml::InvalidChar2(expected, ..) => {
            return format!("this is not well-formed XML: {expected} must stand here");
        }
        Xml::InvalidString(expected, _) => {
            return format!("this is not well-formed XML: '{expected}' must stand here");
        }
        _ => "this is not well-formed XML",
    };
    rule.to_owned()
}
