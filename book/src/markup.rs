//! Reads HTML, XHTML and XML as a sequence of tags and text, by a tokenizer of HTML 5.
//!
//! The tokenizer accepts anything, expands no entities of the document, and takes little more than
//! linear time. A tree could take far more, for tags that are nested a million times.

use std::borrow::Cow;

use html5gum::{StartTag, State, Token, Tokenizer};

/// An event of a document, in order.
pub(crate) enum Event<'a> {
    /// A start tag, or one that closes itself.
    Start(&'a Element),
    /// The end tag of an element of this name.
    End(&'a str),
    Text(&'a str),
}

/// A start tag.
pub(crate) struct Element {
    name: String,
    tag: StartTag<()>,
}

impl Element {
    /// The name without a prefix, in small letters.
    pub(crate) fn name(&self) -> &str {
        local(&self.name)
    }

    /// The value of an attribute, by its name with its prefix in small letters.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.tag.attributes.get(name.as_bytes()).and_then(|value| str::from_utf8(value).ok())
    }

    /// Whether one of the words of an attribute is one of these.
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

    /// How the tokenizer reads the content of the element, if that has no tags. XHTML may close
    /// such an element at once.
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

/// Tells the events of a document, in order.
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
            // For HTML a CDATA section is a comment, and for XHTML it is text.
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
