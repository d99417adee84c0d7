//! Parses LaTeX, as language models write it: `$x = \frac{1}{2}$`, `\(\sqrt{2} \approx 1.41\)`.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::parser::{Parser, closing, grouped, operator, value};
use super::{Kind, Node};
use crate::normalize::locale::rows;
use crate::normalize::prelude::*;
use crate::normalize::recognizer::is_greek;

/// The longest formula that is looked for.
const LONGEST: usize = 400;

/// The meaning of each command, from `latex.tsv`.
static COMMANDS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../languages/data/latex.tsv"));
    rows.flat_map(|row| row[0].split(' ').map(move |name| (name, row[1]))).collect()
});

/// A formula between delimiters, or a command outside of them.
pub(super) fn find(context: &MatchContext<'_>) -> Option<(usize, Vec<Node>)> {
    let (open, close) = match context.rest.as_bytes() {
        [b'$', b'$', ..] => ("$$", "$$"),
        [b'$', ..] => ("$", "$"),
        [b'\\', b'(', ..] => ("\\(", "\\)"),
        [b'\\', b'[', ..] => ("\\[", "\\]"),
        [b'\\', ..] => return command_alone(context),
        _ => return None,
    };
    let inner = &context.rest[open.len()..];
    let length = inner.find(close).filter(|length| (1..LONGEST).contains(length))?;
    let end = open.len() + length + close.len();
    let is_formula = !inner[..length].contains('\n')
        && (open.starts_with('\\')
            || is_formula(context.before, &inner[..length], &context.rest[end..]));
    let mut parser = Parser::new(context, open.len()..open.len() + length, true);
    is_formula.then(|| (end, parser.latex_row()))
}

/// Whether text between dollar signs is a formula, and not the text between two prices.
fn is_formula(before: &str, formula: &str, after: &str) -> bool {
    let is_tight =
        !formula.starts_with(char::is_whitespace) && !formula.ends_with(char::is_whitespace);
    let is_command = formula.contains('\\');
    let is_letter = formula.len() == 1 && formula.starts_with(is_latin_letter);
    // `O(n)`, `f(x)`
    let is_function = formula
        .strip_prefix(is_latin_letter)
        .is_some_and(|rest| rest.starts_with('(') && rest.ends_with(')'));
    let has_sign = formula.contains(['^', '_', '=', '<', '>', '+']);
    let is_price = formula.starts_with(is_digit) && formula.contains(' ') && !formula.contains('=');
    // `$12$`, `$0.5$`, `$2n$`: text without a space is not between two prices, because no price
    // ends in a dollar sign.
    let is_plain = formula.starts_with(|c: char| c.is_ascii_alphanumeric())
        && formula.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '!' | '\''))
        && formula.bytes().all(|b| b.is_ascii_alphanumeric() || b".,-*/!|'".contains(&b))
        && (formula.len() < 3 || formula.contains(is_digit));
    is_tight
        && (is_command || is_letter || is_function || is_plain || has_sign && !is_price)
        && !before.ends_with(|c: char| c.is_alphanumeric() || c == '$')
        && !after.starts_with(char::is_alphanumeric)
}

/// A fraction, a root or a symbol without delimiters: `\frac{1}{2}`.
fn command_alone(context: &MatchContext<'_>) -> Option<(usize, Vec<Node>)> {
    let name = name(context.rest)?;
    let meaning = COMMANDS.get(name)?;
    let is_known = match *meaning {
        "fraction" | "root" => context.rest[1 + name.len()..].starts_with('{'),
        "vector" | "accent" => context.rest[1 + name.len()..].starts_with(['{', ' ']),
        sign => sign.chars().count() == 1,
    };
    let end = context.rest.char_indices().nth(LONGEST).map_or(context.rest.len(), |(at, _)| at);
    let mut parser = Parser::new(context, 0..end, true);
    // `C:\times` is a path.
    let is_path = context.before.ends_with(|c: char| c.is_alphabetic() || ":\\/".contains(c));
    let node = (is_known && !is_path).then(|| parser.command(&mut Vec::new()))??;
    Some((parser.at, vec![node]))
}

/// The name of the command at the start of a text: letters after a backslash.
fn name(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix('\\')?;
    Some(&name[..run(name, is_latin_letter)]).filter(|name| !name.is_empty())
}

impl Parser<'_, '_> {
    /// Parses all of the text. A character that nothing parses is skipped.
    pub(super) fn latex_row(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek() {
            let start = self.at;
            let last = nodes.last();
            let node = match c {
                '\\' => self.command(&mut nodes),
                '^' => self.power(last),
                '_' => self.subscript(),
                '{' => self.argument().map(|inner| self.node(start, Kind::Row(inner))),
                '(' if last.is_some_and(Node::is_function) => self.inside(')', Operator::Of),
                '(' | '[' => self.bracketed(),
                '|' => self.inside('|', Operator::AbsoluteValue).or_else(|| self.next_sign(None)),
                '.' | '0'..='9' => self.latex_number(),
                c if c.is_alphabetic() && !is_greek(c) => Some(self.latex_letters()),
                c if c.is_whitespace() || "{}$&~)]".contains(c) => None,
                _ => self.next_sign(last),
            };
            nodes.extend(node);
            if self.at == start {
                self.at += c.len_utf8();
            }
        }
        nodes
    }

    /// Letters, each of which is a variable, or a word of at least four letters.
    fn latex_letters(&mut self) -> Node {
        let length = run(self.rest(), |c| c.is_alphabetic() && !is_greek(c));
        let letters = &self.rest()[..length];
        let is_word = !letters.is_ascii() || length > 3 && self.is_word(letters);
        self.take(length, if is_word { Kind::Word } else { Kind::Letters }(letters.to_owned()))
    }

    /// Whether a language has a word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.context.locales().0.iter().any(|locale| (locale.is_word)(word))
    }

    fn latex_number(&mut self) -> Option<Node> {
        let mut cursor = Cursor::new(self.rest());
        let number = Number::scan(&mut cursor)?;
        Some(self.take(cursor.at(), value(SemioticClass::Number(number))))
    }

    /// A command and its arguments.
    pub(super) fn command(&mut self, nodes: &mut Vec<Node>) -> Option<Node> {
        let start = self.at;
        let Some(name) = name(self.rest()) else { return self.escaped() };
        if let Some(node) = self.based(name, 1 + name.len()) {
            return Some(node);
        }
        self.at += 1 + name.len();
        let meaning = COMMANDS.get(name).copied().unwrap_or_default();
        let mut signs = meaning.chars();
        if let (Some(sign), None) = (signs.next(), signs.next()) {
            return Some(match sign {
                '∫' | '∑' | '∏' => self.limits(start, sign),
                _ => self.sign(sign, start, nodes.last()),
            });
        }
        let named = |name: &str| Node { span: start..start, kind: Kind::Name(name.to_owned()) };
        let row = match meaning {
            "fraction" => return self.fraction(start, nodes),
            "root" => self.root(start)?,
            "words" => self.words(nodes.last())?,
            "inside" => self.argument()?,
            "choose" => {
                let (upper, between, lower) = (self.argument()?, self.at, self.argument()?);
                let choose = Node { span: between..between, ..named(meaning) };
                vec![grouped(upper), choose, grouped(lower)]
            }
            "accent" => {
                let inner = self.argument()?;
                let accent = Node { span: self.at..self.at, ..named(name) };
                inner.into_iter().chain([accent]).collect()
            }
            "vector" | "mod" => [named(meaning)].into_iter().chain(self.argument()?).collect(),
            "silent" => {
                self.eat(".");
                return None;
            }
            _ => vec![named(name)],
        };
        Some(self.node(start, Kind::Row(row)))
    }

    /// A sign behind a backslash. Braces enclose a set.
    fn escaped(&mut self) -> Option<Node> {
        self.at += 1;
        let c = self.peek()?;
        let kind = match c {
            '{' => Kind::Mark('('),
            '}' => Kind::Mark(')'),
            c => Kind::Sign(c),
        };
        let node = self.take(c.len_utf8(), kind);
        (!matches!(c, ',' | ';' | ':' | '!' | '\\' | ' ')).then_some(node)
    }

    /// An argument, or the first digit of `\frac12`.
    fn digit(&mut self) -> Option<Vec<Node>> {
        if self.rest().starts_with(is_digit) { self.part(self.at + 1) } else { self.argument() }
    }

    /// A fraction. A proper fraction behind a whole number joins it.
    fn fraction(&mut self, start: usize, nodes: &mut Vec<Node>) -> Option<Node> {
        let (upper, between, lower) = (self.digit()?, self.at, self.digit()?);
        let number = |nodes: &[Node]| match nodes {
            [node] => node.as_number().filter(|n| n.is_plain()).cloned(),
            _ => None,
        };
        let proper = number(&upper).zip(number(&lower));
        let proper = proper.filter(|(upper, lower)| upper.value() < lower.value());
        if let Some((numerator, denominator)) = proper {
            let whole = nodes.last().and_then(|last| number(std::slice::from_ref(last)));
            let start = match &whole {
                Some(_) => nodes.pop()?.span.start,
                None => start,
            };
            let fraction = Fraction { negative: false, whole, numerator, denominator };
            return Some(self.node(start, value(SemioticClass::Fraction(fraction))));
        }
        let is_of = |nodes: &[Node], sign: char| match nodes.first().map(|node| &node.kind) {
            Some(Kind::Letters(letters)) => letters.starts_with(sign),
            Some(Kind::Sign(c)) => *c == sign,
            _ => false,
        };
        let is_derivative = ['d', '∂'].iter().any(|d| is_of(&upper, *d) && is_of(&lower, *d));
        let sides = if is_derivative {
            [upper, vec![operator(between, Operator::Over)], lower].concat()
        } else {
            vec![grouped(upper), operator(between, Operator::DividedBy), grouped(lower)]
        };
        Some(self.node(start, Kind::Row(sides)))
    }

    /// A root: the index, the sign and the radicand of `\sqrt[3]{27}`.
    fn root(&mut self, start: usize) -> Option<Vec<Node>> {
        let index = self.rest().strip_prefix('[').and_then(|index| closing(index, ']'));
        let written = index.map_or("", |length| &self.rest()[1..=length]);
        let root = match written {
            "" => Kind::Sign('√'),
            "3" => Kind::Sign('∛'),
            "4" => Kind::Sign('∜'),
            _ => operator(start, Operator::NthRoot).kind,
        };
        let mut nodes = Vec::new();
        if let Some(length) = index {
            self.at += 1;
            let index = self.part(self.at + length)?;
            nodes.extend(index.into_iter().filter(|_| !matches!(root, Kind::Sign(_))));
            self.at += 1;
        }
        nodes.push(Node { span: self.at..self.at, kind: root });
        nodes.push(grouped(self.argument()?));
        Some(nodes)
    }

    /// Words within a formula, or a unit behind a number.
    fn words(&mut self, last: Option<&Node>) -> Option<Vec<Node>> {
        let length = closing(self.rest().strip_prefix('{')?, '}')?;
        self.at += 1;
        let (text, end) = (&self.rest()[..length], self.at + length);
        let is_counted = last.is_some_and(Node::is_number);
        let unit = self.context.lexicon().units.get(text.trim()).filter(|_| is_counted);
        let mut nodes = Vec::new();
        nodes.extend(unit.map(|unit| self.take(length, Kind::Word(unit.many.to_owned()))));
        while let Some(c) = self.context.rest[self.at..end].chars().next() {
            let text = &self.context.rest[self.at..end];
            match run(text, char::is_alphabetic) {
                0 if c.is_ascii_digit() => nodes.extend(self.latex_number()),
                0 => self.at += c.len_utf8(),
                letters => nodes.push(self.take(letters, Kind::Word(text[..letters].to_owned()))),
            }
        }
        self.at = end + 1;
        Some(nodes)
    }
}
