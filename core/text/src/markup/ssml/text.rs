//! The characters of a text node, each with its position in the document.

use std::ops::Range;

use super::references;

/// A part of a text node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Characters that are in the document, from this byte on.
    Literal(&'a str, usize),
    /// The character of a reference.
    Reference(char, Range<usize>),
}

const CDATA: &str = "<![CDATA[";

/// The pieces of a byte range that contains only text, references and CDATA sections.
pub(super) fn pieces(document: &str, range: Range<usize>) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &document[at..range.end];
        if let Some(section) = rest.strip_prefix(CDATA) {
            let length = section.find("]]>").unwrap_or(section.len());
            pieces.push(Piece::Literal(&section[..length], at + CDATA.len()));
            at += (CDATA.len() + length + "]]>".len()).min(rest.len());
        } else if let Ok((c, length)) = references::read(rest) {
            pieces.push(Piece::Reference(c, at..at + length));
            at += length;
        } else {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let length = rest[first..].find(['&', '<']).map_or(rest.len(), |more| first + more);
            pieces.push(Piece::Literal(&rest[..length], at));
            at += length;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_sections_keep_their_places() {
        let text = "a&amp;b<![CDATA[<&c;]]>&#x939;&#33;";
        let expected = [
            Piece::Literal("a", 0),
            Piece::Reference('&', 1..6),
            Piece::Literal("b", 6),
            Piece::Literal("<&c;", 16),
            Piece::Reference('ह', 23..30),
            Piece::Reference('!', 30..35),
        ];
        assert_eq!(pieces(text, 0..text.len()), expected);
    }
}
