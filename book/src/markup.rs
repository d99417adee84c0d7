//! Parses HTML, XHTML and XML into a sequence of tags and text with an HTML 5 tokenizer.
//!
//! The tokenizer accepts any input, expands no entities that the document defines, and takes nearly
//! linear time. Building a tree could take far longer for a million nested tags.

use std::borrow::Cow;

use html5gum::{StartTag, State, Token, Tokenizer};

/// An event of the parser.
pub(crate) enum Event<'a> {
    /// A start tag, possibly self-closing.
    Start(&'a Element),
    /// An end tag with this name.
    End(&'a str),
    Text(&'a str),
}

/// A start tag.
pub(crate) struct Element {
    name: String,
    tag: StartTag<()>,
}

impl Element {
    /// The name without a prefix, in lower case.
    pub(crate) fn name(&self) -> &str {
        local(&self.name)
    }

    /// The value of an attribute; its name has its prefix and is in lower case.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.tag.attributes.get(name.as_bytes()).and_then(|value| str::from_utf8(value).ok())
    }

    /// Whether an attribute's value contains one of these words.
    pub(crate) fn has(&self, name: &str, words: &[&str]) -> bool {
        let mut values = self.attribute(name).unwrap_or_default().split_ascii_whitespace();
        values.any(|value| words.contains(&value))
    }

    /// Whether it has no end tag.
    pub(crate) fn is_empty(&self) -> bool {
        let void = [
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
            "source", "track", "wbr",
        ];
        self.tag.self_closing || void.contains(&self.name())
    }

    /// The tokenizer state for elements whose content is not markup. XHTML may self-close such an
    /// element.
    fn content(&self) -> Option<State> {
        match self.name.as_str() {
            _ if self.tag.self_closing => None,
            "script" => Some(State::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(State::RawText),
            "title" | "textarea" => Some(State::RcData),
            _ => None,
        }
    }
}

/// Calls `each` for every event of a document in order.
pub(crate) fn read(document: &str, mut each: impl FnMut(Event<'_>)) {
    let mut tokenizer = Tokenizer::new(document);
    while let Some(Ok(token)) = tokenizer.next() {
        match token {
            Token::StartTag(tag) => {
                let element = Element { name: string(&tag.name).into_owned(), tag };
                each(Event::Start(&element));
                if let Some(state) = element.content() {
                    tokenizer.set_state(state);
                }
            }
            Token::EndTag(tag) => each(Event::End(local(&string(&tag.name)))),
            Token::String(text) => each(Event::Text(&string(&text))),
            // A CDATA section is a comment in HTML, and text in XHTML.
            Token::Comment(comment) => {
                let comment = string(&comment);
                let section = comment.strip_prefix("[CDATA[");
                if let Some(text) = section.and_then(|it| it.strip_suffix("]]")) {
                    each(Event::Text(text));
                }
            }
            Token::Doctype(_) | Token::Error(_) => (),
        }
    }
}

fn string(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
