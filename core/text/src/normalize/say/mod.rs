//! Verbalizes values in all languages, with words from the tables `numbers.rbnf` and `say.tsv`.

mod facts;
pub(crate) mod rule_sets;
pub(crate) mod templates;

use std::ops::Range as Span;

pub(crate) use facts::half_of_day;
use templates::say_words;
pub(crate) use templates::{Facts, Templates};

use super::electronic::{self, Kind};
use super::emoji::{self, Emoji};
use super::formula::{Kind as Part, Node};
use super::{coordinate, markdown, roman, telephone, time_of_day};
use crate::named::Named;
use crate::normalize::prelude::*;

/// The readings of a language that templates cannot express.
pub(crate) struct OwnWords {
    /// Verbalizes a value and returns true, or leaves it to the templates.
    pub(crate) value: fn(value: &SemioticClass, source: &str, out: &mut Verbalization) -> bool,
    /// Verbalizes a part of a code and returns true, or leaves it to the templates.
    pub(crate) code_part: fn(part: &CodePart, span: &Span<usize>, out: &mut Verbalization) -> bool,
    /// The words for an emoji with this name.
    pub(crate) emoji: fn(sequence: &str, name: &'static str) -> &'static str,
}

impl OwnWords {
    pub(crate) const NONE: Self =
        Self { value: |_, _, _| false, code_part: |_, _, _| false, emoji: |_, name| name };
}

/// The words of a value that was recognized in `source`.
pub(crate) fn verbalize(locale: &Locale, value: &SemioticClass, source: &str) -> Verbalization {
    let mut out = Verbalization::default();
    if !(locale.own_words.value)(value, source, &mut out) {
        Verbalizer::new(locale, source, &mut out).value(value);
    }
    out
}

/// Adds the words of a range by templates, ignoring the language's own words.
pub(crate) fn range(locale: &Locale, range: &Range, source: &str, out: &mut Verbalization) {
    Verbalizer::new(locale, source, out).range(range);
}

/// Adds the words of code parts. `kind` selects the names of symbols.
pub(crate) fn code_parts(
    locale: &Locale,
    code_parts: &CodeParts,
    symbols: &str,
    out: &mut Verbalization,
) {
    let templates = locale.templates();
    for (part, span) in &code_parts.0 {
        if (locale.own_words.code_part)(part, span, out) {
            continue;
        }
        let say_digits = |kind, n: &u64, out: &mut Verbalization| {
            templates.say(kind, &facts::digits(&n.to_string()), span, out);
        };
        let numbers = &templates.numbers;
        match part {
            CodePart::Word(word) => out.words([word.as_str()], span.clone()),
            CodePart::Letters(letters) => out.spelled(letters.as_str(), span.clone()),
            CodePart::Digits(digits) => {
                out.words(digits.iter().map(|digit| numbers.digit(*digit)), span.clone());
            }
            CodePart::Number(n) => out.words(numbers.cardinal(*n), span.clone()),
            CodePart::Plural(n) => say_digits("digit-pairs-plural", n, out),
            CodePart::Pairs(n) => say_digits("digit-pairs", n, out),
            CodePart::Symbol(c) => symbol(templates, symbols, *c, span, out),
            CodePart::Pause => out.mark(',', span.clone()),
        }
    }
}

/// The name of a symbol for a kind, else its general name; `None` without either.
pub(crate) fn symbol(
    templates: &Templates,
    kind: &str,
    c: char,
    span: &Span<usize>,
    out: &mut Verbalization,
) {
    let sign = Facts::default().with("sign", c.to_string());
    if !templates.say(kind, &sign, span, out) {
        templates.say("symbol", &sign, span, out);
    }
}

/// Adds the words of markup, if any.
pub(crate) fn markup(locale: &Locale, value: &markdown::Value, out: &mut Verbalization) {
    let templates = locale.templates();
    let (c, span) = match value {
        markdown::Value::Nothing => return,
        markdown::Value::Break(length) => return out.mark(',', 0..*length),
        markdown::Value::Word(word, length) => return out.words([word.as_str()], 0..*length),
        markdown::Value::Character(c, length) => (*c, 0..*length),
    };
    match c {
        '0'..='9' => out.words([templates.numbers.digit(c as u8 - b'0')], span),
        '—' | '–' => out.mark('—', span),
        '“' | '«' => out.mark('“', span),
        '”' | '»' => out.mark('”', span),
        ';' | ':' | ',' | '.' | '!' | '?' | '…' | '(' | ')' => out.mark(c, span),
        '।' if locale.script.stops.contains(&c) => out.mark('.', span),
        c if c.is_alphabetic() => out.words([String::from(c)], span),
        c => {
            let sign = Facts::default().with("sign", c.to_string());
            if !templates.say("written-sign", &sign, &span, out) {
                let name = locale.lexicon().symbol(c).unwrap_or_default();
                out.words(name.split_ascii_whitespace(), span);
            }
        }
    }
}

/// Adds the words of a coordinate.
pub(crate) fn coordinate(locale: &Locale, value: &coordinate::Value, out: &mut Verbalization) {
    let templates = locale.templates();
    let compass = Facts::default().flag(value.compass.name(), true);
    let is_leading = value.compass_span.start == 0;
    if is_leading {
        templates.say("compass", &compass, &value.compass_span, out);
    }
    for (n, angle) in (1_u8..).zip(&value.angles) {
        let decimals: String =
            angle.fraction.iter().map(|digit| char::from(b'0' + digit)).collect();
        let fraction = Some(decimals).filter(|decimals| !decimals.is_empty());
        let number = Number { fraction, ..Number::whole(&angle.whole.to_string()) };
        out.words(templates.numbers.number(&number), angle.span.clone());
        let unit = Facts::default().with("n", n).flag("one", number.is_one());
        templates.say("angle", &unit, &angle.unit_span, out);
    }
    if !is_leading {
        templates.say("compass", &compass, &value.compass_span, out);
    }
}

/// Adds the words of a number in groups and its extension.
pub(crate) fn telephone(locale: &Locale, value: &telephone::Value, out: &mut Verbalization) {
    code_parts(locale, &value.code_parts, "symbol", out);
    if let Some((word, digits)) = &value.extension {
        if !value.code_parts.0.is_empty() {
            out.mark(',', word.clone());
        }
        locale.templates().say("extension", &Facts::default(), word, out);
        code_parts(locale, digits, "symbol", out);
    }
}

/// Adds the words of an address.
pub(crate) fn electronic(locale: &Locale, value: &electronic::Value, out: &mut Verbalization) {
    let symbols = match value.kind {
        Kind::Address | Kind::Network | Kind::Handle => "symbol",
        Kind::Hashtag => "hashtag",
        Kind::Version => "version",
    };
    code_parts(locale, &value.code_parts, symbols, out);
}

/// Adds the words of a Roman numeral.
pub(crate) fn roman(locale: &Locale, value: &roman::Value, out: &mut Verbalization) {
    let templates = locale.templates();
    let facts = Facts::default()
        .with("number", u128::from(value.number))
        .flag(value.form.name(), true)
        .flag("possessive", value.is_possessive);
    let is_war = value.form == roman::Form::WorldWar;
    let start = if is_war && templates.say("war", &facts, &(0..2), out) { 2 } else { 0 };
    templates.say("roman", &facts, &(start..value.length), out);
    if let Some(part) = value.part {
        out.spelled(part, value.length..value.length + 1);
    }
}

/// Adds the name of an emoji, if the caller wants emoji read.
pub(crate) fn emoji(locale: &Locale, value: &emoji::Value, out: &mut Verbalization) {
    let (templates, span) = (locale.templates(), 0..value.length);
    let (kind, facts) = match &value.emoji {
        Emoji::Sequence(sequence) => match emoji::name(sequence, &locale.tables.emoji) {
            Some(name) => {
                let name = (locale.own_words.emoji)(sequence, name);
                return out.words(name.split_ascii_whitespace(), span);
            }
            None => ("emoji", Facts::default()),
        },
        Emoji::Emoticon(name) => ("emoticon", Facts::default().flag(name, true)),
        Emoji::Suit { suit, is_bid } => {
            ("suit", Facts::default().with("sign", suit.to_string()).flag("bid", *is_bid))
        }
    };
    templates.say(kind, &facts, &span, out);
}

/// The words of one value.
struct Verbalizer<'a> {
    locale: &'a Locale,
    templates: &'static Templates,
    source: &'a str,
    /// The whole of `source`.
    span: Span<usize>,
    out: &'a mut Verbalization,
}

impl<'a> Verbalizer<'a> {
    fn new(locale: &'a Locale, source: &'a str, out: &'a mut Verbalization) -> Self {
        Self { locale, templates: locale.templates(), source, span: 0..source.len(), out }
    }

    /// The match is exhaustive, so a new class cannot be left silent.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn value(&mut self, value: &SemioticClass) {
        match value {
            SemioticClass::Markup(value) => markup(self.locale, value, self.out),
            SemioticClass::Coordinate(value) => coordinate(self.locale, value, self.out),
            SemioticClass::Electronic(value) => electronic(self.locale, value, self.out),
            SemioticClass::Telephone(value) => telephone(self.locale, value, self.out),
            SemioticClass::Postal(code) => code_parts(self.locale, code, "symbol", self.out),
            SemioticClass::Alphanumeric(code) => {
                code_parts(self.locale, code, "code-symbol", self.out)
            }
            SemioticClass::Roman(numeral) => roman(self.locale, numeral, self.out),
            SemioticClass::Year(year) => self.say("year", &facts::year(year)),
            SemioticClass::Date(date) => self.date(date, self.span.clone()),
            SemioticClass::YearPeriod(period) => self.say("period", &facts::period(period)),
            SemioticClass::TimeOfDay(time) => self.time_of_day(time, self.span.clone()),
            SemioticClass::DateTime(date, time) => {
                let start = time_of_day::start(self.source);
                self.date(date, 0..start);
                self.time_of_day(time, start..self.source.len());
            }
            SemioticClass::Duration(duration) => self.say("duration", &facts::duration(duration)),
            SemioticClass::Fraction(fraction) => self.say("fraction", &facts::fraction(fraction)),
            SemioticClass::Money(money) => self.money(money),
            SemioticClass::Measure(measure) => {
                let lexicon = self.locale.lexicon();
                self.say("measure", &facts::measure(measure, self.source, self.templates, lexicon));
            }
            SemioticClass::Length(length) => {
                let inch = self.templates.words_of("inch", "counted");
                let amount = length.inches.clone();
                let amount = amount.map(|quantity| Amount { quantity, magnitudes: Vec::new() });
                let inches = amount.as_ref().map(|amount| self.amount(amount, &inch));
                self.say("length", &facts::length(length, inches));
            }
            SemioticClass::Range(range) => self.range(range),
            SemioticClass::Power(exponent) => self.say("power", &facts::exponent(exponent)),
            SemioticClass::Operator(operator) => {
                self.say("operator", &Facts::default().flag(operator.name(), true));
            }
            SemioticClass::Formula(node) => self.formula(node),
            SemioticClass::Pause => self.out.mark(',', self.span.clone()),
            SemioticClass::Phrase { words, ends_sentence } => self.phrase(words, *ends_sentence),
            SemioticClass::Abbreviation { row, ends_sentence } => {
                self.phrase(row.words, *ends_sentence);
            }
            SemioticClass::State { name, digits, gap } => {
                say_words(name, &(0..2), self.out);
                self.out.words(self.templates.numbers.digits(digits), *gap..self.source.len());
            }
            SemioticClass::Number(_)
            | SemioticClass::DigitPairs(_)
            | SemioticClass::Ordinal { .. }
            | SemioticClass::Plural(_)
            | SemioticClass::NumberedGroup(_)
            | SemioticClass::Score { .. }
            | SemioticClass::Stars { .. }
            | SemioticClass::Ratio(_)
            | SemioticClass::BloodPressure { .. }
            | SemioticClass::Sequence(_)
            | SemioticClass::Scientific { .. } => self.numbers(value),
        }
    }

    fn formula(&mut self, node: &Node) {
        self.node(node);
        self.tile();
    }

    fn node(&mut self, node: &Node) {
        let span = || node.span.clone();
        match &node.kind {
            Part::Row(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Part::Value(value) => {
                let said = verbalize(self.locale, value, &self.source[span()]);
                self.out.extend_from(node.span.start, said);
            }
            Part::Letters(letters) => {
                let letters = CodeParts(vec![(CodePart::Letters(letters.clone()), span())]);
                code_parts(self.locale, &letters, "symbol", self.out);
            }
            Part::Name(name) => {
                let facts = Facts::default().with("name", name.as_str());
                if !self.templates.say("function", &facts, &node.span, self.out) {
                    self.out.words([name.as_str()], span());
                }
            }
            Part::Word(word) => self.out.words(word.split(' '), span()),
            Part::Sign(sign) => {
                let name = self.locale.lexicon().symbol(*sign).unwrap_or_default();
                say_words(name, &node.span, self.out);
            }
            Part::Mark(mark) => self.out.mark(*mark, span()),
        }
    }

    /// Makes the parts of a formula follow each other, each up to the next, so that they cover it.
    fn tile(&mut self) {
        let last = self.source.char_indices().next_back().map_or(0, |(at, _)| at);
        let mut start = 0;
        for (number, token) in self.out.0.iter_mut().enumerate() {
            start = if number == 0 { 0 } else { token.span.start.clamp(start, last) };
            token.span.start = start;
        }
        let (mut next, mut end) = (self.source.len(), self.source.len());
        for token in self.out.0.iter_mut().rev() {
            if token.span.start < next {
                end = std::mem::replace(&mut next, token.span.start);
            }
            token.span.end = end;
        }
    }

    /// Verbalizes values of only numbers.
    fn numbers(&mut self, value: &SemioticClass) {
        let pair =
            |one, first, other, second| Facts::default().with(one, first).with(other, second);
        match value {
            SemioticClass::Number(number) => self.number(number),
            SemioticClass::DigitPairs(digits) => self.say("digit-pairs", &facts::digits(digits)),
            SemioticClass::Ordinal { number, suffix } => {
                let suffix = suffix.as_deref().map(str::to_uppercase);
                let facts = Facts::default().with("number", number).with_some("suffix", suffix);
                self.say("ordinal", &facts.flag("padded", number.value().is_none()));
            }
            SemioticClass::Plural(number) => {
                let digits = &number.integer;
                let is_long = (3..=4).contains(&digits.len());
                let is_name = number.is_plain() && is_long && !digits.ends_with("00");
                self.say("plural", &Facts::default().with("number", number).flag("name", is_name));
            }
            SemioticClass::NumberedGroup(number) => {
                self.say("group", &Facts::default().with("number", number));
            }
            SemioticClass::Score { got, of } => self.say("score", &pair("got", got, "of", of)),
            SemioticClass::Stars { got, of } => self.say("stars", &pair("got", got, "of", of)),
            SemioticClass::Ratio(parts) => {
                for (i, number) in parts.iter().enumerate() {
                    if i > 0 {
                        self.connector(Connector::Ratio, self.span.clone());
                    }
                    self.number(number);
                }
            }
            SemioticClass::BloodPressure { systolic, diastolic } => {
                for (of, number) in [("systolic", systolic), ("diastolic", diastolic)] {
                    self.say("pressure", &facts::digits(&number.integer).flag(of, true));
                }
            }
            SemioticClass::Sequence(numbers) => numbers.iter().for_each(|one| self.number(one)),
            SemioticClass::Scientific { mantissa, exponent } => {
                self.say("scientific", &pair("mantissa", mantissa, "exponent", exponent));
            }
            _ => {}
        }
    }

    fn say(&mut self, kind: &str, facts: &Facts<'_>) {
        self.templates.say(kind, facts, &self.span, self.out);
    }

    fn number(&mut self, number: &Number) {
        self.out.words(self.templates.numbers.number(number), self.span.clone());
    }

    fn date(&mut self, date: &Date, span: Span<usize>) {
        self.templates.say("date", &facts::date(date), &span, self.out);
    }

    fn time_of_day(&mut self, time: &TimeOfDay, span: Span<usize>) {
        self.templates.say("time", &facts::time_of_day(time), &span, self.out);
    }

    fn amount<'v>(&self, amount: &'v Amount, counted: &str) -> Facts<'v> {
        facts::amount(amount, counted, self.templates, self.locale.lexicon())
    }

    fn money(&mut self, money: &Money) {
        let number = money.amount.as_ref().and_then(Amount::as_number).cloned().unwrap_or_default();
        let trimmed = |digits: &String| digits.trim_end_matches('0').to_owned();
        let fraction = number.fraction.as_ref().map(trimmed);
        let parts = [Number { fraction: None, ..number.clone() }, Number { fraction, ..number }];
        let facts = facts::money(money, &parts, self.templates, self.locale.lexicon());
        self.say("money", &facts);
    }

    /// Adds a phrase. The full stop of an abbreviation may also end the sentence.
    fn phrase(&mut self, words: &str, ends_sentence: bool) {
        say_words(words, &self.span, self.out);
        if ends_sentence {
            let stop = self.source.chars().next_back().map_or(0, char::len_utf8);
            self.out.mark('.', self.source.len() - stop..self.source.len());
        }
    }

    fn connector(&mut self, connector: Connector, span: Span<usize>) {
        let facts = Facts::default().flag(connector.name(), true);
        self.templates.say("connector", &facts, &span, self.out);
    }

    fn range(&mut self, range: &Range) {
        let low = 0..range.low_length;
        match (&range.low, &range.high) {
            (
                SemioticClass::Number(number),
                SemioticClass::Measure(Measure { amount, unit, .. }),
            ) => self.low(number, amount.as_ref(), unit.map_or("", |unit| unit.many), &low),
            (SemioticClass::Number(number), SemioticClass::Money(Money { amount, .. })) => {
                self.low(number, amount.as_ref(), "", &low);
            }
            (value, _) => self.out.0.extend(verbalize(self.locale, value, &self.source[low]).0),
        }
        self.connector(range.connector, range.low_length..range.high_start);
        let high = verbalize(self.locale, &range.high, &self.source[range.high_start..]);
        self.out.extend_from(range.high_start, high);
    }

    /// The lower of two amounts, with the count of the higher one: `डेढ़ से दो लाख`.
    fn low(&mut self, number: &Number, high: Option<&Amount>, counted: &str, span: &Span<usize>) {
        let magnitude = high.and_then(|high| high.magnitudes.first());
        let magnitude = magnitude.map(|one| self.templates.words_of("magnitude", one.name()));
        let quantity = Quantity::Number(number.clone());
        let amount = Amount { quantity, magnitudes: Vec::new() };
        let facts = self.amount(&amount, magnitude.as_deref().unwrap_or(counted));
        self.templates.say("amount", &facts, span, self.out);
    }
}
