//! Parses formulas into a tree, in LaTeX or as people type them: `$\frac{a}{b}$`, `x^2 + y_1 = 7`.
//!
//! `latex.rs` parses the text between delimiters, `plain.rs` an expression within a sentence.
//! `parser.rs` has the parts that both share. The verbalizer (`say`) walks the tree.

mod latex;
mod parser;
mod plain;

use std::ops::Range;

use super::prelude::*;

/// A part of a formula, and its bytes, counted from the first byte of the formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A number, an operator or a power.
    Value(Box<SemioticClass>),
    /// Variables, each of which is read by its name.
    Letters(String),
    /// A function or a command. `say.tsv` has the words of some names.
    Name(String),
    Word(String),
    /// A sign or a Greek letter, which is read by its name.
    Sign(char),
    /// A mark that paces the reading.
    Mark(char),
    /// Parts one after the other.
    Row(Vec<Node>),
}

/// A formula.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let (length, nodes) = latex::find(context).or_else(|| plain::find(context))?;
    let node = Node { span: 0..length, kind: Kind::Row(nodes) };
    Some((length, SemioticClass::Formula(Box::new(node))))
}

#[cfg(test)]
mod tests {
    use speech_base::language::Language;

    use crate::normalize::Options;
    use crate::row_tests::lines;

    #[test]
    fn nesting_is_bounded() {
        for part in [r"\frac{", "(", r"\sqrt{", "x^{", "x_{", "{", "|", "-"] {
            let text = format!("${}1 = x$", part.repeat(90));
            assert!(!lines(&text, Options::plain(Language::EnUs)).concat().is_empty(), "{part}");
            let plain = lines(&text.replace('$', ""), Options::plain(Language::HiIn));
            assert!(!plain.concat().is_empty(), "{part}");
        }
    }
}
