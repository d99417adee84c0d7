//! Parses formulas as people type them in a sentence: `E = mc^2`, `f(x) = x_1 + 2`.
//!
//! The parser takes the longest expression. The expression is a formula if a sign in it has no
//! other meaning, or if it has a variable and an operator.

use super::parser::{Parser, closing, value};
use super::{Kind, Node};
use crate::normalize::number::is_minus;
use crate::normalize::prelude::*;
use crate::normalize::recognizer::is_greek;
use crate::normalize::{alphanumeric, fraction, math, measure, money};

/// Signs of formulas. In a text without them, a number takes no unit here.
const RECKONS: &[char] = &['=', '+', '^', '√', '×', '÷', '<', '>', '≤', '≥', '≈', '≠', '→', '⇒'];

/// The longest expression that is parsed.
const LONGEST: usize = 160;

pub(super) fn find(context: &MatchContext<'_>) -> Option<(usize, Vec<Node>)> {
    let before = context.before;
    let line = context.rest.find('\n').unwrap_or(context.rest.len());
    let end = context.rest.char_indices().nth(LONGEST).map_or(line, |(at, _)| at.min(line));
    let mut parser = Parser::new(context, 0..end, false);
    // The power of a base that another recognizer has read: `mL^2`.
    if context.rest.starts_with('^') && before.ends_with(|c: char| is_inner(c) || c == ')') {
        let power = parser.power(None)?;
        return Some((parser.at, vec![power]));
    }
    let is_joined = |c: char| ".@#/\\$-&'’₹€£".contains(c);
    if !opens(before) || before.ends_with(is_joined) {
        return None;
    }
    let nodes = parser.expression()?;
    let after = &context.rest[parser.at..];
    let is_part = after.starts_with(['_', '@', '\\', '^', '%', '°'])
        || !closes(after)
        || after.starts_with('.') && !closes(&after[1..]);
    let is_formula = parser.is_sure || parser.has_variable && parser.has_operator;
    let is_unit = || measure::find_unit_alone(context).is_some();
    (is_formula && !is_part && !is_unit()).then_some((parser.at, nodes))
}

impl Parser<'_, '_> {
    /// Operands with operators between.
    pub(super) fn expression(&mut self) -> Option<Vec<Node>> {
        let mut nodes = self.operand()?;
        while let Some(more) = self.attempt(|parser| {
            let is_spaced = parser.rest().starts_with([' ', '\u{a0}']);
            parser.spaces();
            if parser.rest().starts_with("** ") {
                return Some(vec![parser.power(nodes.last())?]);
            }
            let operator = parser.binary(is_spaced, nodes.last())?;
            parser.spaces();
            let mut more = vec![operator];
            more.extend(parser.operand()?);
            Some(more)
        }) {
            nodes.extend(more);
        }
        Some(nodes)
    }

    /// A sign between two operands, with white space on both sides of it or on none.
    fn binary(&mut self, is_spaced: bool, last: Option<&Node>) -> Option<Node> {
        let (rest, start) = (self.rest(), self.at);
        let c = rest.chars().next()?;
        let is_balanced = rest[c.len_utf8()..].starts_with([' ', '\u{a0}']) == is_spaced;
        let compound =
            math::compound_sign(rest).filter(|(written, _)| written.len() > c.len_utf8());
        if let Some((written, says)) = compound {
            self.at += written.len();
            self.has_operator |=
                says != Operator::To || self.has_substance || self.approaches(last);
            return match says {
                Operator::And | Operator::Or => None,
                Operator::To => Some(self.sign('→', start, last)),
                says => Some(self.node(start, value(SemioticClass::Operator(says)))),
            };
        }
        let is_variable =
            |node: &Node| matches!(&node.kind, Kind::Letters(l) if "kmnxyz".contains(&**l));
        // `T-3`, `A+`, `Home · Help`
        let is_capital =
            |node: &Node| matches!(&node.kind, Kind::Letters(l) if l.ends_with(char::is_uppercase));
        let is_name = !is_spaced && !self.has_operator && last.is_some_and(is_capital);
        let is_separator = is_spaced && !self.context.text().contains(['=', '^', '√', '≈']);
        match c {
            ',' | '|' if self.depth > 0 => {}
            '=' => self.has_operator = true,
            _ if !is_balanced || is_name && (c == '+' || is_minus(c)) => return None,
            // `L·atm`
            '·' if is_separator || last.is_some_and(Node::is_measure) => return None,
            '→' => self.has_operator |= self.has_substance || self.approaches(last),
            '<' | '>' => {}
            '/' if self.is_derivative(start) => self.is_sure = true,
            '/' if math::is_per(&self.context.advanced(start), 0) => return None,
            '/' => {}
            '⊥' | '⟂' | '∥' => self.is_sure = true,
            c if is_minus(c) => self.has_operator |= is_spaced && last.is_some_and(is_variable),
            c if "≤≥+±×÷·⋅*≠≈≡≅∝∼∈∉⊂⊆⊃∪∩∧∨⇒⇔≪≫⇌".contains(c) => {
                self.has_operator = true
            }
            _ => return None,
        }
        self.next_sign(last)
    }

    /// Signs before an operand, and the operand. Its parts have no space between.
    fn operand(&mut self) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        let mut is_open = false;
        while let Some(c) = self.peek() {
            let start = self.at;
            let after = &self.rest()[c.len_utf8()..];
            match c {
                '∫' | '∑' | '∏' => {
                    self.at += c.len_utf8();
                    nodes.push(self.limits(start, c));
                    is_open = true;
                    self.spaces();
                }
                '√' | '∛' | '∜' | '∇' | '∠' => {
                    self.is_sure = true;
                    nodes.extend(self.next_sign(None));
                }
                '±' | '¬' | '∀' | '∃' | '△' | '∂' => nodes.extend(self.next_sign(None)),
                c if is_minus(c) && nodes.is_empty() && self.is_signed(after) => {
                    nodes.extend(self.next_sign(None));
                    self.spaces();
                }
                _ => break,
            }
        }
        let signs = nodes.len();
        let mut end = self.at;
        while let Some(node) =
            self.attempt(|parser| parser.item(nodes.get(signs..).and_then(<[Node]>::last)))
        {
            is_open |= node.is_open();
            nodes.push(node);
            end = self.at;
            if is_open {
                self.spaces();
            }
        }
        self.at = end;
        let is_whole = match &nodes.last()?.kind {
            Kind::Name(_) => false,
            Kind::Row(_) => true,
            _ => nodes.len() > signs,
        };
        (is_whole && closes(self.rest())).then_some(nodes)
    }

    /// Whether a minus sign before `after` is of a value: `-3`, `x = - 3`.
    fn is_signed(&self, after: &str) -> bool {
        let spaced = after.strip_prefix(' ');
        !after.starts_with([' ', '-'])
            || self.has_operator && spaced.is_some_and(|value| value.starts_with(is_digit))
    }

    /// One part of an operand. `last` is the part directly before it.
    fn item(&mut self, last: Option<&Node>) -> Option<Node> {
        let rest = self.rest();
        let c = rest.chars().next()?;
        let after = &rest[c.len_utf8()..];
        match (c, last) {
            ('^', Some(_)) => self.power(last),
            ('*', Some(_)) if after.starts_with('*') && !after[1..].starts_with(['*', ' ']) => {
                self.power(last)
            }
            ('_', Some(Node { kind: Kind::Letters(letters), .. })) if letters.len() == 1 => {
                self.is_sure = true;
                let is_short = run(after, |c| c.is_alphanumeric() || c == '_') < 3;
                is_short.then(|| self.subscript())?
            }
            ('!', Some(_)) => self.factorial(after.trim_start()),
            ('\'' | '′', Some(last)) if last.is_function() => {
                let is_prime = after.trim_start_matches(c).starts_with(['(', ' ']);
                is_prime.then(|| self.next_sign(None))?
            }
            ('(', Some(last)) if last.is_function() => {
                let argument = &after[..closing(after, ')')?];
                self.is_sure |= argument.contains('|')
                    || argument.trim_start_matches(is_minus).bytes().all(|b| b.is_ascii_digit())
                    || matches!(argument, "n" | "t" | "x" | "y" | "z");
                self.inside(')', Operator::Of)
            }
            ('(' | '[' | '{', _) => self.bracketed(),
            ('|', None) if !after.starts_with(' ') => {
                let text = self.context.text();
                let is_alone = text.matches('|').count() == 2 && text.trim().chars().count() < 12;
                self.is_sure |= is_alone || text.contains(RECKONS);
                self.inside('|', Operator::AbsoluteValue)
            }
            ('.' | '0'..='9', _) => self.amount(last),
            ('∂' | '∞' | '∅' | '…' | '°', _) => self.next_sign(None),
            (c, _) if is_greek(c) => {
                self.has_variable = true;
                let is_word =
                    after.starts_with(|c: char| !c.is_ascii() && c.is_alphabetic() && !is_greek(c));
                (!is_word).then(|| self.next_sign(None))?
            }
            (c, _) if c.is_numeric() => self.amount(last),
            (c, _) if c.is_ascii_alphabetic() => self.letters(last),
            _ => None,
        }
    }

    /// A factorial, if the expression continues or ends behind the sign.
    fn factorial(&mut self, next: &str) -> Option<Node> {
        let is_formula = self.has_operator || self.is_sure;
        let goes_on =
            next.starts_with(['=', '+', '×', '/', '*', '·', '÷', '≈', '<', '>', '≤', '≥']);
        let ends = next.starts_with(')') || next.trim_start_matches('.').is_empty() && is_formula;
        self.is_sure |= goes_on;
        (goes_on || ends).then(|| self.next_sign(None))?
    }

    /// A number, with its unit unless the unit is a variable.
    fn amount(&mut self, last: Option<&Node>) -> Option<Node> {
        let place = self.context.advanced(self.at);
        let mut cursor = place.cursor();
        let number = Number::scan(&mut cursor);
        let (digits, after) = (cursor.at(), cursor.rest());
        // `10:30`, `12"`
        let is_cut = after.starts_with(':') && after[1..].starts_with(is_digit)
            || after.starts_with(['"', '″', '\'', '′', '¼', '½', '¾']);
        if is_cut || last.is_some_and(Node::is_number) {
            return None;
        }
        let variables = run(after, |c| "abcnpqrxyz".contains(c));
        let variables = variables.max(run(after, |c| "defijtuvw".contains(c)).min(1));
        let ends = closes(&after[variables..]) || after[variables..].starts_with(is_greek);
        let is_substance = after.starts_with(is_upper)
            && after[1..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let may_be =
            !(variables > 0 && ends || is_substance) && self.context.text().contains(RECKONS);
        let found = math::find_scientific(&place)
            .or_else(|| may_be.then(|| measure::find(&place))?)
            .or_else(|| may_be.then(|| money::find_trailing(&place))?);
        let fits =
            |(length, _): &(usize, SemioticClass)| *length > digits && self.at + length <= self.end;
        if let Some((length, found)) = found.filter(fits) {
            return Some(self.take(length, value(found)));
        }
        let mut written = place.cursor();
        let fraction = fraction::scan(&place, &mut written).filter(|fraction| {
            let is_whole = self.at + written.at() == self.end;
            !place.before.ends_with(['√', '∛', '∜'])
                && (is_whole || fraction.numerator.value() < fraction.denominator.value())
        });
        let length = if fraction.is_some() { written.at() } else { digits };
        let found = fraction.map(SemioticClass::Fraction).or(number.map(SemioticClass::Number))?;
        (self.at + length <= self.end).then(|| self.take(length, value(found)))
    }

    /// A variable, a product of some, a function or a substance.
    fn letters(&mut self, last: Option<&Node>) -> Option<Node> {
        let (start, rest) = (self.at, self.rest());
        let letters = &rest[..run(rest, is_latin_letter)];
        let after = &rest[letters.len()..];
        if let Some(node) = self.function(letters, after) {
            self.has_variable = true;
            return Some(node);
        }
        let is_capital = letters.starts_with(char::is_uppercase);
        let is_reaction = letters.len() > 1 && self.context.text().contains(['→', '⇌']);
        if is_capital && (after.starts_with(is_digit) || is_reaction) {
            return self.substance();
        }
        // `1920x1080`, `5G`
        let follows_number = last.is_some_and(Node::is_number);
        if follows_number && (is_capital || letters == "x" && after.starts_with(is_digit)) {
            return None;
        }
        let is_inner = |c: char| matches!(c, '\'' | '’' | '-');
        let is_joined =
            after.strip_prefix(is_inner).is_some_and(|next| next.starts_with(char::is_alphabetic));
        let is_letter = letters.len() == 1 && !is_joined;
        let kind = match () {
            () if is_letter || self.is_product(letters, after, last) => Kind::Letters,
            () if after.starts_with('^') => Kind::Word,
            () => return None,
        };
        self.has_variable |= is_letter;
        // `ΔT`
        self.is_sure |= last.is_some_and(|last| matches!(last.kind, Kind::Sign(c) if is_greek(c)));
        let variable = self.take(letters.len(), kind(letters.to_owned()));
        let index = run(after, is_digit);
        let number = Number::whole(&after[..index]);
        match index {
            0 => Some(variable),
            1..=2 => {
                let index = self.take(index, value(SemioticClass::Number(number)));
                Some(self.node(start, Kind::Row(vec![variable, index])))
            }
            _ => None,
        }
    }

    /// Whether letters are a product of variables and no word: `mc` of `E = mc^2`.
    fn is_product(&self, letters: &str, after: &str, last: Option<&Node>) -> bool {
        let reckons = self.is_sure || self.has_operator || last.is_some();
        let next = after.trim_start();
        let ends = next.is_empty()
            || next.starts_with(['=', '+', '/', '×', '−', '<', '>'])
            || next.starts_with(|c: char| c.is_alphabetic() && !c.is_ascii() && !is_greek(c))
            || after.starts_with(['.', ',', ';', ')', '^']);
        let is_unit = self.depth == 0 && self.context.lexicon().units.contains_key(letters)
            || WordClass::EnglishOrdinal.has(letters);
        let follows_number = last.is_some_and(Node::is_number);
        let is_titled = letters.starts_with(char::is_uppercase) && !after.starts_with('^');
        let is_pair = letters.len() == 2 && letters.bytes().all(|b| b"abcdmnrtuvxyz".contains(&b));
        let is_derivative = letters.starts_with('d') && after.starts_with("/d");
        let length = letters.len();
        match length {
            2..=3 if letters.bytes().all(|b| b.is_ascii_uppercase()) => true,
            2 if is_derivative || is_pair && ends && reckons => true,
            _ if is_titled || is_unit || !(2..=4).contains(&length) => false,
            // `arr[0]`
            _ if length > 2 && after.starts_with(['[', '(']) => false,
            4 if !follows_number => false,
            _ => (reckons || after.starts_with('^')) && !self.is_word(letters),
        }
    }

    /// A function before its operand.
    fn function(&mut self, name: &str, after: &str) -> Option<Node> {
        if let Some(node) = self.based(name, name.len()) {
            return Some(node);
        }
        let operand = after.trim_start_matches(' ');
        let is_operand = operand.starts_with(['(', '[', '^', '√', '|'])
            || operand.starts_with(|c: char| c.is_ascii_digit() || is_greek(c))
            || operand.starts_with(is_latin_letter) && closes(&operand[1..]);
        let is_function = is_operand && WordClass::Function.has(name);
        // "sec 5" is a section.
        let is_number = operand.starts_with(is_digit);
        self.is_sure |=
            is_function && !operand.starts_with(['a', 'A', 'I']) && !(is_number && name == "sec");
        is_function.then(|| self.take(name.len(), Kind::Name(name.to_owned())))
    }

    /// A chemical formula: `H2O`.
    fn substance(&mut self) -> Option<Node> {
        let text = &self.rest()[..run(self.rest(), |c| c.is_ascii_alphanumeric())];
        let is_reaction = self.context.text().contains(['→', '⇌']);
        let code = alphanumeric::formula(text, if is_reaction { 1 } else { 2 })?;
        self.has_variable = true;
        self.has_substance = true;
        Some(self.take(text.len(), value(SemioticClass::Alphanumeric(code))))
    }
}
