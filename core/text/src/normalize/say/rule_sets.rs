//! Spells out numbers with CLDR rule-based number formats (UTS #35, part 3).
//!
//! A rule has the least number that it applies to. Its divisor is the largest power of its radix
//! (10, or the number after a slash) up to that number.
//!
//! - `<<` is the quotient and `>>` the remainder, by the same set, or by the set named between the
//!   signs.
//! - `=%set=` is the number by another set, `=0=` its digits.
//! - Text in brackets is omitted without a remainder.
//! - A rule without a number applies to the next number.
//!
//! The set `%signs` has the words before a negative number, before decimals, and before decimals
//! without a digit before the point (`.x`).

use std::collections::HashMap;

use super::super::number::{Grouping, Number};

pub(crate) struct RuleSets {
    names: HashMap<&'static str, usize>,
    sets: Vec<Vec<Rule>>,
    minus: Vec<&'static str>,
    point: Vec<&'static str>,
    leading_point: Vec<&'static str>,
}

struct Rule {
    base: u128,
    divisor: u128,
    items: Vec<Item>,
}

/// An element of a rule, in order.
struct Item {
    says: Says,
    /// Whether it is omitted without a remainder.
    is_optional: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Word(&'static str),
    /// The quotient by the set with this index.
    Quotient(usize),
    Rest(usize),
    Whole(usize),
    Digits,
}

/// The first set: plain numbers and digits.
const CARDINAL: &str = "cardinal";

impl RuleSets {
    /// Parses the rules of a language.
    pub(super) fn new(rules: &'static str) -> Self {
        let lines = || rules.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let named = lines().filter_map(heading).filter(|name| *name != SIGNS);
        let names: HashMap<_, _> = named.zip(0..).collect();
        let mut sets: Vec<Vec<Rule>> = names.iter().map(|_| Vec::new()).collect();
        let mut signs: HashMap<_, Vec<_>> = HashMap::new();
        let mut current = None;
        for line in lines() {
            if let Some(name) = heading(line) {
                current = names.get(name).copied();
                continue;
            }
            for rule in line.split(';').map(str::trim).filter(|rule| !rule.is_empty()) {
                let Some(set) = current else {
                    let (sign, words) = rule.split_once(':').unwrap_or_default();
                    let words = words.split_whitespace().filter(|word| !is_substitution(word));
                    signs.insert(sign, words.collect());
                    continue;
                };
                let next = sets[set].last().map_or(0, |rule: &Rule| rule.base + 1);
                sets[set].push(Rule::new(rule, next, set, &names));
            }
        }
        let mut signs = |name| signs.remove(name).unwrap_or_default();
        Self { minus: signs("-x"), point: signs("x.x"), leading_point: signs(".x"), names, sets }
    }

    /// The words of a number by a set.
    pub(crate) fn spell(&self, set: &str, n: u128) -> Vec<&'static str> {
        let mut words = Vec::new();
        self.add(self.place(set), n, &mut words);
        words
    }

    /// The index of a set; 0 if the language has no set of this name.
    fn place(&self, set: &str) -> usize {
        self.names.get(set).copied().unwrap_or_default()
    }

    /// The name of a number.
    pub(crate) fn cardinal(&self, n: impl Into<u128>) -> Vec<&'static str> {
        self.spell(CARDINAL, n.into())
    }

    pub(crate) fn digit(&self, value: u8) -> &'static str {
        match self.sets[0]
            .get(usize::from(value))
            .and_then(|rule| rule.items.first())
            .map(|item| item.says)
        {
            Some(Says::Word(word)) => word,
            _ => "",
        }
    }

    /// Digits one by one.
    pub(crate) fn digits<'a>(&'a self, digits: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        digits.bytes().filter(u8::is_ascii_digit).map(|digit| self.digit(digit - b'0'))
    }

    /// The words of a number with its sign and decimals, in its grouping.
    pub(crate) fn number(&self, number: &Number) -> Vec<&'static str> {
        let set = match number.grouping {
            Grouping::Indian => "indian",
            Grouping::None if number.is_plain() && number.integer.ends_with("000000") => "round",
            Grouping::None if number.is_plain() => "plain",
            _ => CARDINAL,
        };
        self.signed(set, number)
    }

    /// The words of a quantity of any length.
    pub(crate) fn quantity(&self, number: &Number) -> Vec<&'static str> {
        if number.is_plain() { self.signed(CARDINAL, number) } else { self.number(number) }
    }

    /// The words of a number, with its whole part by a set.
    pub(super) fn signed(&self, set: &str, number: &Number) -> Vec<&'static str> {
        let mut words = Vec::new();
        if number.negative {
            words.extend(&self.minus);
        }
        match number.value() {
            Some(n) => self.add(self.place(set), n, &mut words),
            None if number.integer.is_empty() && number.is_whole() => words.push(self.digit(0)),
            None => words.extend(self.digits(&number.integer)),
        }
        if let Some(fraction) = &number.fraction {
            let is_leading = number.integer.is_empty();
            words.extend(if is_leading { &self.leading_point } else { &self.point });
            words.extend(self.digits(fraction));
        }
        words
    }

    fn add(&self, set: usize, n: u128, words: &mut Vec<&'static str>) {
        let rules = &self.sets[set];
        let mut at = rules.partition_point(|rule| rule.base <= n).saturating_sub(1);
        at -= usize::from(rules[at].yields_to_round(n));
        let rule = &rules[at];
        let (quotient, rest) = (n / rule.divisor, n % rule.divisor);
        for item in rule.items.iter().filter(|item| rest > 0 || !item.is_optional) {
            match item.says {
                Says::Word(word) => words.push(word),
                Says::Quotient(set) => self.add(set, quotient, words),
                Says::Rest(set) => self.add(set, rest, words),
                Says::Whole(set) => self.add(set, n, words),
                Says::Digits => words.extend(self.digits(&n.to_string())),
            }
        }
    }
}

/// The set of signs and points.
const SIGNS: &str = "signs";

/// The name of the set that begins on a line.
fn heading(line: &'static str) -> Option<&'static str> {
    Some(line.strip_prefix('%')?.strip_suffix(':')?.trim_start_matches('%'))
}

fn is_substitution(token: &str) -> bool {
    token.starts_with(['<', '>', '='])
}

impl Rule {
    fn new(
        rule: &'static str,
        next: u128,
        own: usize,
        names: &HashMap<&'static str, usize>,
    ) -> Self {
        let (base, body) = rule.split_once(':').map_or(("", rule), |(base, body)| (base, body));
        let (base, radix) = base.split_once('/').unwrap_or((base, "10"));
        let base = base.parse().unwrap_or(next);
        let radix: u128 = radix.parse().unwrap_or(10);
        let divisor = std::iter::successors(Some(1), |power| radix.checked_mul(*power));
        let divisor = divisor.take_while(|power| *power <= base.max(1)).last().unwrap_or(1);
        let mut is_optional = false;
        let mut items = Vec::new();
        // "hundred[ >>]" is three items.
        for piece in body.split_whitespace().flat_map(|token| token.split_inclusive(['[', ']'])) {
            let token = piece.trim_end_matches(['[', ']']);
            if !token.is_empty() {
                items.push(Item { says: Says::new(token, own, names), is_optional });
            }
            is_optional = piece.ends_with('[') || is_optional && !piece.ends_with(']');
        }
        Self { base, divisor, items }
    }

    /// Whether a round number takes the previous rule, as in CLDR: two hundred has no remainder.
    fn yields_to_round(&self, n: u128) -> bool {
        let says_both = || {
            let says = |wanted: fn(&Says) -> bool| {
                self.items.iter().any(|item| !item.is_optional && wanted(&item.says))
            };
            says(|says| matches!(says, Says::Quotient(_)))
                && says(|says| matches!(says, Says::Rest(_)))
        };
        !self.base.is_multiple_of(self.divisor) && n.is_multiple_of(self.divisor) && says_both()
    }
}

impl Says {
    fn new(token: &'static str, own: usize, names: &HashMap<&'static str, usize>) -> Self {
        let within = |mark: char| token.strip_prefix(mark)?.strip_suffix(mark);
        let set = |name: &'static str| match name.trim_start_matches('%') {
            "" => own,
            name => names[name],
        };
        match (within('<'), within('>'), within('=')) {
            (Some(name), ..) => Self::Quotient(set(name)),
            (_, Some(name), _) => Self::Rest(set(name)),
            (.., Some("0")) => Self::Digits,
            (.., Some(name)) => Self::Whole(set(name)),
            _ => Self::Word(token),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use speech_base::language::Language;

    use super::*;
    use crate::languages::locales;

    crate::row_tests::rows! {
        names_of_numbers: |[language, set, n]| {
            let locale = locales().of(crate::row_tests::language(language));
            let numbers = &locale.templates().numbers;
            assert!(numbers.names.contains_key(set), "{set}");
            numbers.spell(set, n.parse().expect("a number")).join(" ")
        };
    }

    #[test]
    fn every_small_number_has_its_own_name() {
        let numbers = &locales().of(Language::HiIn).templates().numbers;
        let small: HashSet<_> = (0..100_u8).flat_map(|n| numbers.cardinal(n)).collect();
        assert_eq!(small.len(), 100);
    }

    #[test]
    fn signs_and_points() {
        let rules = RuleSets::new(
            "%signs:\n-x: minus >>; x.x: << point >>;\n%cardinal:\n0: zero; one; two;\n",
        );
        let number = Number { negative: true, fraction: Some("02".into()), ..Number::whole("1") };
        assert_eq!(rules.number(&number).join(" "), "minus one point zero two");
        let number = Number { fraction: Some("2".into()), ..Number::default() };
        assert_eq!(rules.number(&number), ["two"]);
        assert_eq!(rules.number(&Number::default()), ["zero"]);
        assert_eq!(rules.number(&Number::whole("002")).join(" "), "zero zero two");
    }
}
