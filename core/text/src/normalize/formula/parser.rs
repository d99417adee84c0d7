//! The parts that LaTeX and plain formulas share: arguments, powers, subscripts, limits, signs.

use std::ops::Range;

use super::{Kind, Node};
use crate::normalize::number::is_minus;
use crate::normalize::prelude::*;
use crate::normalize::semiotic::Exponent;

/// The depth at which a nested part is no longer parsed.
const DEEPEST: usize = 9;

/// A parser of one formula. `at` and `end` count bytes from the first byte of the formula.
#[derive(Clone, Copy)]
pub(super) struct Parser<'c, 'a> {
    pub(super) context: &'c MatchContext<'a>,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) is_latex: bool,
    pub(super) depth: usize,
    /// The formula has a variable, a function or a substance.
    pub(super) has_variable: bool,
    /// The formula has a chemical formula.
    pub(super) has_substance: bool,
    /// The formula has an operator that is rare outside of formulas.
    pub(super) has_operator: bool,
    /// The formula has a power, a root or a similar sign: the text cannot be anything else.
    pub(super) is_sure: bool,
    /// The variable of a limit and its value come next.
    is_limit: bool,
}

impl<'c, 'a> Parser<'c, 'a> {
    pub(super) fn new(context: &'c MatchContext<'a>, text: Range<usize>, is_latex: bool) -> Self {
        Self {
            context,
            at: text.start,
            end: text.end,
            is_latex,
            depth: 0,
            has_variable: false,
            has_substance: false,
            has_operator: false,
            is_sure: false,
            is_limit: false,
        }
    }

    /// The text that is still to be parsed.
    pub(super) fn rest(&self) -> &'a str {
        &self.context.rest[self.at..self.end]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn eat(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        self.at += if found { literal.len() } else { 0 };
        found
    }

    pub(super) fn spaces(&mut self) {
        self.at += run(self.rest(), |c| matches!(c, ' ' | '\u{a0}'));
    }

    /// A node over the next `length` bytes.
    pub(super) fn take(&mut self, length: usize, kind: Kind) -> Node {
        self.at += length;
        self.node(self.at - length, kind)
    }

    /// A node over what was parsed since `start`.
    pub(super) fn node(&self, start: usize, kind: Kind) -> Node {
        Node { span: start..self.at, kind }
    }

    /// Takes several steps, or none of them if they return `None`.
    pub(super) fn attempt<T>(&mut self, steps: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = *self;
        let found = steps(self);
        if found.is_none() {
            *self = start;
        }
        found
    }

    /// Parses the part from here to `end`. A plain part is parsed whole, or not at all.
    pub(super) fn part(&mut self, end: usize) -> Option<Vec<Node>> {
        let (outer, depth) = (self.end, self.depth);
        let nodes = self.attempt(|parser| {
            (parser.end, parser.depth) = (end, depth + 1);
            let is_latex = parser.is_latex;
            let nodes = match parser.depth {
                DEEPEST => None,
                _ if is_latex => Some(parser.latex_row()),
                _ => parser.expression(),
            };
            nodes.filter(|_| parser.at == end)
        });
        (self.end, self.depth) = (outer, depth);
        if nodes.is_none() && self.is_latex {
            let text = &self.context.rest[self.at..end];
            let letters = text.chars().filter(char::is_ascii_alphabetic).collect();
            return Some(vec![self.take(text.len(), Kind::Letters(letters))]);
        }
        nodes
    }

    /// An argument: the text in braces, or a command or a character in LaTeX. In plain text it is
    /// also the text in brackets, a number or a letter.
    pub(super) fn argument(&mut self) -> Option<Vec<Node>> {
        self.attempt(|parser| {
            if parser.is_latex {
                parser.spaces();
            }
            let close = match parser.peek()? {
                '{' => '}',
                '(' if !parser.is_latex => ')',
                _ => return parser.short_argument(),
            };
            parser.at += 1;
            let length = closing(parser.rest(), close)?;
            let nodes = parser.part(parser.at + length)?;
            parser.at += 1;
            Some(nodes)
        })
    }

    fn short_argument(&mut self) -> Option<Vec<Node>> {
        let rest = self.rest();
        let c = rest.chars().next()?;
        let sign = if is_minus(c) { c.len_utf8() } else { 0 };
        let ends = !rest[c.len_utf8()..].starts_with(char::is_alphabetic);
        let length = match run(&rest[sign..], is_digit) {
            0 if self.is_latex && c == '\\' => 1 + run(&rest[1..], is_latin_letter),
            0 if self.is_latex || ends && (c.is_alphabetic() || c == '∞') => c.len_utf8(),
            0 => return None,
            digits => {
                let decimals = rest[sign + digits..].strip_prefix('.').unwrap_or_default();
                let decimals = run(decimals, is_digit);
                sign + digits + if decimals > 0 { 1 + decimals } else { 0 }
            }
        };
        self.part(self.at + length)
    }

    /// A superscript: a power, a charge, a degree.
    pub(super) fn power(&mut self, base: Option<&Node>) -> Option<Node> {
        let start = self.at;
        self.attempt(|parser| {
            parser.at += run(parser.rest(), |c| matches!(c, '^' | '*' | ' '));
            parser.is_sure = true;
            let mut cursor = Cursor::new(parser.rest());
            if let Some(charge) = base.and_then(|base| charge(base, &mut cursor)) {
                parser.at += cursor.at();
                return Some(parser.node(start, value(SemioticClass::Power(charge))));
            }
            let nodes = parser.argument()?;
            if let [Node { kind: Kind::Sign('°' | '*'), .. }] = &nodes[..] {
                return Some(parser.node(start, Kind::Row(nodes)));
            }
            let is_two = |node: &Node| node.as_number().and_then(Number::value) == Some(2);
            let is_of_function = base.is_some_and(|base| matches!(base.kind, Kind::Name(_)));
            if is_of_function && matches!(&nodes[..], [node] if is_two(node)) {
                return Some(parser.node(start, Kind::Name("squared".to_owned())));
            }
            if let Some(exponent) = exponent(&nodes, base) {
                return Some(parser.node(start, value(SemioticClass::Power(exponent))));
            }
            let power = operator(start, Operator::ToThePower);
            Some(parser.node(start, Kind::Row(vec![power, grouped(nodes)])))
        })
    }

    /// A subscript. A number or a word is read without an operator.
    pub(super) fn subscript(&mut self) -> Option<Node> {
        let start = self.at;
        self.attempt(|parser| {
            parser.at += 1;
            let nodes = parser.argument()?;
            let is_plain = |node: &Node| {
                node.is_number()
                    || !matches!(node.kind, Kind::Letters(_) | Kind::Value(_) | Kind::Sign(_))
            };
            let kind = match nodes.iter().all(is_plain) {
                true => Kind::Row(nodes),
                false => Kind::Row(vec![operator(start, Operator::Subscript), grouped(nodes)]),
            };
            Some(parser.node(start, kind))
        })
    }

    /// A sum or an integral and its limits, if it has two: `∫_0^1`, `∑i=1^n`. The sign begins at
    /// `start`.
    pub(super) fn limits(&mut self, start: usize, sign: char) -> Node {
        self.is_sure = true;
        let limits = self.attempt(|parser| {
            let low = if parser.eat("_") {
                parser.argument()?
            } else {
                // Subscripts become plain characters.
                let low = run(parser.rest(), |c| c.is_alphanumeric() || "=-−+∞".contains(c));
                (1..=8).contains(&low).then(|| parser.part(parser.at + low))??
            };
            let to = operator(parser.at, Operator::To);
            let high = if parser.eat("^") { parser.argument()? } else { return None };
            Some([low, vec![to], high].concat())
        });
        let from = match sign {
            '∫' => Operator::IntegralFrom,
            '∑' => Operator::SumFrom,
            _ => Operator::ProductFrom,
        };
        let row = |limits| Kind::Row([vec![operator(start, from)], limits].concat());
        self.node(start, limits.map_or(Kind::Sign(sign), row))
    }

    /// The start of a limit, or a logarithm and its base: `lim x→0`, `\log_2 8`. The name takes
    /// `length` bytes.
    pub(super) fn based(&mut self, name: &str, length: usize) -> Option<Node> {
        let start = self.at;
        let is_limit = name == WordClass::LimitOf.first();
        if !is_limit && name != WordClass::Logarithm.first() {
            return None;
        }
        self.attempt(|parser| {
            parser.at += length;
            let says = if is_limit { Operator::LimitAs } else { Operator::LogBase };
            let mut nodes = vec![operator(start, says)];
            parser.is_limit = is_limit;
            let bracketed = parser.rest().strip_prefix('(').unwrap_or_default();
            let bracketed = &bracketed[..closing(bracketed, ')').unwrap_or_default()];
            if parser.eat("_")
                || is_limit && bracketed.contains(['→', '>'])
                || !is_limit && parser.rest().starts_with(is_digit)
            {
                nodes.extend(parser.argument()?);
            } else {
                parser.spaces();
                let arrow = parser.rest().trim_start_matches(char::is_alphabetic).trim_start();
                (is_limit && arrow.starts_with(['→', '-'])).then_some(())?;
            }
            parser.is_sure = true;
            Some(parser.node(start, Kind::Row(nodes)))
        })
    }

    /// The argument in the brackets of a function, or the value between bars, without these signs.
    pub(super) fn inside(&mut self, close: char, says: Operator) -> Option<Node> {
        let start = self.at;
        self.attempt(|parser| {
            parser.at += 1;
            let length = closing(parser.rest(), close).filter(|length| *length > 0)?;
            let inner = parser.part(parser.at + length)?;
            parser.at += 1;
            Some(parser.node(start, Kind::Row([vec![operator(start, says)], inner].concat())))
        })
    }

    /// A part in brackets, with a mark on each side.
    pub(super) fn bracketed(&mut self) -> Option<Node> {
        let start = self.at;
        let closes = match self.peek()? {
            '(' => [')', ']'],
            '[' => [']', ')'],
            _ => ['}', '}'],
        };
        self.attempt(|parser| {
            parser.at += 1;
            let length = closes.iter().find_map(|close| closing(parser.rest(), *close))?;
            let end = parser.at + length;
            parser.spaces();
            let trimmed = parser.context.rest[..end].trim_end().len().max(parser.at);
            let open = Node { span: start..start, kind: Kind::Mark('(') };
            let inner = parser.part(trimmed)?;
            parser.at = end + 1;
            let close = Node { span: end..end, kind: Kind::Mark(')') };
            Some(parser.node(start, Kind::Row([vec![open], inner, vec![close]].concat())))
        })
    }

    /// One sign, which begins at `start`. `last` is the node before it.
    pub(super) fn sign(&mut self, sign: char, start: usize, last: Option<&Node>) -> Node {
        let says = match sign {
            c if is_minus(c) => Operator::Minus,
            '/' if self.is_derivative(start) => Operator::Over,
            '/' => Operator::DividedBy,
            '⋅' if self.is_of_vectors(start) => {
                return self.node(start, Kind::Name("dot".into()));
            }
            '*' | '·' | '⋅' => Operator::Times,
            '±' => Operator::PlusOrMinus,
            '≤' => Operator::AtMost,
            '≥' => Operator::AtLeast,
            '!' => Operator::Factorial,
            '→' if self.approaches(last) => {
                self.is_limit = false;
                Operator::Approaches
            }
            '→' => Operator::To,
            '\'' | '′' if self.eat("'") || self.eat("′") => Operator::DoublePrime,
            '\'' | '′' => Operator::Prime,
            '|' => Operator::Given,
            ',' | ';' | ':' => return self.node(start, Kind::Mark(sign)),
            '…' => return self.node(start, Kind::Mark(',')),
            _ => return self.node(start, Kind::Sign(sign)),
        };
        self.node(start, value(SemioticClass::Operator(says)))
    }

    /// Whether the sign at `start` stands between vectors.
    fn is_of_vectors(&self, start: usize) -> bool {
        let is_vector = |text: &str| {
            ["\\vec", "\\overrightarrow", "\\mathbf", "\\nabla"]
                .iter()
                .any(|one| text.starts_with(one))
        };
        let before = match start {
            0 => self.context.before,
            _ => &self.context.rest[..start],
        };
        is_vector(self.rest().trim_start())
            && before.rfind('\\').is_some_and(|at| is_vector(&before[at..]))
    }

    /// The next sign.
    pub(super) fn next_sign(&mut self, last: Option<&Node>) -> Option<Node> {
        let (sign, start) = (self.peek()?, self.at);
        self.at += sign.len_utf8();
        Some(self.sign(sign, start, last))
    }

    /// Whether a value follows that a variable or a function approaches.
    pub(super) fn approaches(&self, last: Option<&Node>) -> bool {
        let value = self.rest().trim_start_matches([' ', '-', '−', '+', '\\', '>', '→']);
        let is_value = value.starts_with(|c: char| c.is_ascii_digit() || c == '∞')
            || value.starts_with("infty");
        self.is_limit || is_value && last.is_some_and(|last| !matches!(last.kind, Kind::Value(_)))
    }

    /// Whether the slash at `start` belongs to a derivative: `dy/dx`, `∂u/∂t`.
    pub(super) fn is_derivative(&self, start: usize) -> bool {
        let before = &self.context.rest[..start];
        let token = &before[before.rfind([' ', '(', '=']).map_or(0, |at| at + 1)..];
        let after = self.rest().trim_start_matches('/');
        ['d', '∂'].iter().any(|sign| {
            let over = token.strip_prefix(*sign).map(|of| of.trim_start_matches(['^', '2', '3']));
            let of = after.strip_prefix(*sign).unwrap_or_default();
            over.is_some_and(|variable| variable.chars().count() < 2)
                && of.starts_with(char::is_alphabetic)
                && !of.chars().nth(1).is_some_and(char::is_alphabetic)
        })
    }
}

impl Node {
    pub(super) fn says(&self, operator: Operator) -> bool {
        matches!(&self.kind, Kind::Value(value) if **value == SemioticClass::Operator(operator))
    }

    pub(super) fn as_number(&self) -> Option<&Number> {
        let Kind::Value(value) = &self.kind else { return None };
        if let SemioticClass::Number(number) = &**value { Some(number) } else { None }
    }

    pub(super) fn is_number(&self) -> bool {
        self.as_number().is_some()
    }

    pub(super) fn is_measure(&self) -> bool {
        matches!(&self.kind, Kind::Value(value) if matches!(**value, SemioticClass::Measure(_)))
    }

    /// Whether it is the letter of a function, or the prime behind one.
    pub(super) fn is_function(&self) -> bool {
        let Kind::Letters(letters) = &self.kind else {
            return self.says(Operator::Prime) || self.says(Operator::DoublePrime);
        };
        WordClass::NamedFunction.has(letters) || WordClass::Probability.has(letters)
    }

    /// Whether an operand may follow it after a space.
    pub(super) fn is_open(&self) -> bool {
        match &self.kind {
            Kind::Name(_) => true,
            Kind::Row(nodes) => nodes
                .first()
                .is_some_and(|node| node.says(Operator::LogBase) || node.says(Operator::LimitAs)),
            _ => false,
        }
    }
}

pub(super) fn value(value: SemioticClass) -> Kind {
    Kind::Value(Box::new(value))
}

/// An operator without bytes of its own.
pub(super) fn operator(at: usize, operator: Operator) -> Node {
    Node { span: at..at, kind: value(SemioticClass::Operator(operator)) }
}

/// Nodes as one. It has a mark on each side unless it is a product.
pub(super) fn grouped(mut nodes: Vec<Node>) -> Node {
    let start = nodes.first().map_or(0, |node| node.span.start);
    let end = nodes.last().map_or(start, |node| node.span.end);
    let is_factor = |node: &Node| {
        node.is_number() || matches!(node.kind, Kind::Letters(_) | Kind::Sign('∞' | 'π'))
    };
    if nodes.len() > 1 && !nodes.iter().all(is_factor) {
        nodes.insert(0, Node { span: start..start, kind: Kind::Mark('(') });
        nodes.push(Node { span: end..end, kind: Kind::Mark(')') });
    }
    Node { span: start..end, kind: Kind::Row(nodes) }
}

/// The bytes up to the bracket that closes the one before `text`.
pub(super) fn closing(text: &str, close: char) -> Option<usize> {
    let open = ['(', '[', '{'][")]}".find(close).unwrap_or_default()];
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            c if c == close && depth == 0 => return Some(at),
            c if c == close => depth -= 1,
            c if c == open && close != '|' => depth += 1,
            _ => {}
        }
    }
    None
}

/// An exponent that templates read: a number, a letter, a fraction.
fn exponent(nodes: &[Node], base: Option<&Node>) -> Option<Exponent> {
    let (negative, last) = match nodes {
        [last] => (false, last),
        [sign, last] if sign.says(Operator::Minus) => (true, last),
        [upper, over, lower] if over.says(Operator::DividedBy) => {
            let (numerator, denominator) =
                upper.as_number().cloned().zip(lower.as_number().cloned())?;
            let fraction = Fraction::of(numerator, denominator);
            return Some(Exponent::Fraction(fraction));
        }
        _ => return None,
    };
    let is_of_name = base.is_some_and(|base| match &base.kind {
        Kind::Letters(letters) => letters.len() == 1,
        kind => matches!(kind, Kind::Name(_)),
    });
    match &last.kind {
        Kind::Letters(letter) if !negative && letter.len() == 1 => {
            letter.chars().next().map(Exponent::Letter)
        }
        Kind::Value(value) => match &**value {
            SemioticClass::Number(n) if negative && n.is_one() && is_of_name => {
                Some(Exponent::Inverse)
            }
            SemioticClass::Number(n) => Some(Exponent::Number(Number { negative, ..n.clone() })),
            SemioticClass::Fraction(one) if !negative => Some(Exponent::Fraction(one.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// The charge of an ion behind its formula: `Ca^2+`, `Cl^-`.
fn charge(base: &Node, cursor: &mut Cursor<'_>) -> Option<Exponent> {
    let is_particle = match &base.kind {
        Kind::Letters(letters) | Kind::Word(letters) => {
            letters.starts_with(char::is_uppercase) || matches!(&**letters, "e" | "p" | "n")
        }
        Kind::Sign(c) => matches!(c, 'β' | 'δ' | 'μ' | 'π'),
        Kind::Value(value) => matches!(**value, SemioticClass::Alphanumeric(_)),
        _ => false,
    };
    let is_braced = cursor.eat("{").is_some();
    let count = cursor.digits(1..=1).unwrap_or_default().parse().unwrap_or(1);
    let is_negative = cursor.eat_char(|c| c == '+' || is_minus(c))? != '+';
    let ends = if is_braced { cursor.eat("}").is_some() } else { cursor.at_word_end() };
    (is_particle && ends).then_some(Exponent::Charge { count, is_negative })
}
