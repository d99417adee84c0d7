//! Parses SSML messages; the server turns every text into SSML.
//!
//! Parsing is lenient: malformed markup and unknown elements are dropped, and their text is spoken.
//! The library itself rejects such documents.

use crate::message::Marked;

/// A message, and whether its markup contains more than marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flattened {
    /// The text without markup, and its marks.
    pub marked: Marked,
    /// Whether there is other meaningful markup, so that the library should read the document
    /// itself.
    pub is_rich: bool,
}

/// The text and the marks of a message.
pub fn flatten(message: &str) -> Flattened {
    let is_markup = ["<speak", "<?xml"].iter().any(|start| message.trim_start().starts_with(start));
    if !is_markup {
        let marked = Marked { text: printable(message), marks: Vec::new() };
        return Flattened { marked, is_rich: false };
    }
    let mut flattened = Flattened::default();
    let mut rest = message;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '<' => flattened.tag(rest),
            '&' => flattened.reference(rest),
            _ => None,
        };
        rest = &rest[length.unwrap_or_else(|| {
            flattened.marked.text.extend(Some(c).filter(|c| is_printable(*c)));
            c.len_utf8()
        })..];
    }
    flattened
}

impl Flattened {
    /// Reads a tag that begins with `<`, and returns its length; none if it is not markup.
    fn tag(&mut self, rest: &str) -> Option<usize> {
        for (start, end) in [("<!--", "-->"), ("<?", "?>")] {
            if let Some(inside) = rest.strip_prefix(start) {
                let length = inside.find(end).map(|at| at + end.len());
                return Some(start.len() + length.unwrap_or(inside.len()));
            }
        }
        if let Some(section) = rest.strip_prefix("<![CDATA[") {
            let length = section.find("]]>").unwrap_or(section.len());
            self.marked.text += &printable(&section[..length]);
            return Some((rest.len() - section.len() + length + 3).min(rest.len()));
        }
        let inside = &rest[1..];
        let is_markup = |c: char| c.is_alphabetic() || c == '/' || c == '!';
        if !inside.starts_with(is_markup) {
            return None;
        }
        let length = end_of_tag(inside)?;
        self.element(&inside[..length]);
        Some(length + 2)
    }

    fn element(&mut self, tag: &str) {
        let name_end = |c: char| c.is_whitespace() || c == '/' || c == '>';
        let closing = tag.strip_prefix('/');
        let (name, attributes) = match closing {
            Some(tag) => (tag.split(name_end).next().unwrap_or_default(), ""),
            None => tag.split_at(tag.find(name_end).unwrap_or(tag.len())),
        };
        match name {
            "speak" => self.is_rich |= attribute(attributes, "xml:lang").is_some(),
            "mark" if closing.is_none() => {
                if let Some(name) = attribute(attributes, "name") {
                    self.marked.marks.push((self.marked.text.len(), one_line(&name)));
                }
            }
            "mark" => {}
            "p" | "s" => self.marked.text += "\n\n",
            _ => self.is_rich = true,
        }
    }

    /// Reads a reference that begins with `&`, and returns its length; none if it is not a
    /// reference.
    fn reference(&mut self, rest: &str) -> Option<usize> {
        let (c, length) = reference(rest)?;
        self.marked.text.extend(Some(c).filter(|c| is_printable(*c)));
        Some(length)
    }
}

/// The end of a tag, outside quotes; none if it never ends, or another tag begins first.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '<') => return None,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

/// The value of an attribute.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    while let Some((before, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, others) = after[1..].split_once(quote)?;
        if before.trim() == name {
            return Some(resolve(value));
        }
        rest = others;
    }
    None
}

/// A value with its references resolved.
fn resolve(value: &str) -> String {
    let (mut text, mut rest) = (String::new(), value);
    while let Some(c) = rest.chars().next() {
        let (c, length) = reference(rest).unwrap_or((c, c.len_utf8()));
        text.push(c);
        rest = &rest[length..];
    }
    text
}

/// The character of the reference at the start, and the reference's length.
fn reference(rest: &str) -> Option<(char, usize)> {
    let inside = rest.strip_prefix('&')?;
    let name = &inside[..inside.bytes().take(12).position(|byte| byte == b';')?];
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        "quot" => '"',
        "nbsp" => '\u{a0}',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((c, name.len() + 2))
}

/// Joins a mark's name into one line, because it is sent on one line.
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn printable(text: &str) -> String {
    text.chars().filter(|c| is_printable(*c)).collect()
}

/// Whether a character is read; control characters are not, except those that separate words.
fn is_printable(c: char) -> bool {
    !c.is_control() || matches!(c, '\n' | '\t')
}
