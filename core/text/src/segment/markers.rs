//! Recognizes list markers: bullets, numbers and letters.

use super::prelude::*;

/// Characters that are bullets in every position.
const BULLETS: &[char] = &['•', '‣', '◦', '▪', '●', '○', '■', '□', '⁃', '∙'];

/// A list marker and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    style: Style,
    label: Option<Label>,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Bullet,
    /// "1."
    Stop,
    /// "1)"
    Bracket,
    /// "1.)"
    StopBracket,
    /// "(1)"
    Brackets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LabelKind {
    Digits,
    Small,
    Capital,
    /// Letters of a script without case.
    Caseless,
}

/// The number of an item. "i" is both the first Roman numeral and the ninth letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label {
    kind: LabelKind,
    plain: Option<u32>,
    /// Its number in a second order, such as Roman numerals or अ ब स द.
    other: Option<u32>,
}

impl Label {
    fn new(label: &str, rules: &Rules) -> Option<Self> {
        let first = label.chars().next()?;
        if rules.digit(first).is_some() {
            let value = label.chars().try_fold(0, |value, c| Some(value * 10 + rules.digit(c)?));
            let plain = value.filter(|_| label.chars().count() <= 3);
            return plain.map(|n| Self { kind: LabelKind::Digits, plain: Some(n), other: None });
        }
        if rules.is_caseless(first) {
            let [plain, other] = rules.item_places(first)?;
            return Some(Self { kind: LabelKind::Caseless, plain, other });
        }
        let small = label.chars().all(|c| c.is_ascii_lowercase());
        if !small && !label.chars().all(|c| c.is_ascii_uppercase()) {
            return None;
        }
        let kind = if small { LabelKind::Small } else { LabelKind::Capital };
        let plain = (label.len() == 1).then(|| u32::from(first.to_ascii_lowercase()) - 96);
        let other = roman(&label.to_ascii_lowercase());
        (plain.is_some() || other.is_some()).then_some(Self { kind, plain, other })
    }

    fn is_first(self) -> bool {
        self.plain == Some(1) || self.other == Some(1)
    }

    fn follows(self, before: Self) -> bool {
        let next = |before: Option<u32>, this: Option<u32>| {
            before.zip(this).is_some_and(|(before, this)| this == before + 1)
        };
        self.kind == before.kind
            && (next(before.plain, self.plain) || next(before.other, self.other))
    }
}

/// The value of a Roman numeral below 40. Longer lists are rare.
fn roman(numeral: &str) -> Option<u32> {
    let tens = numeral.len() - numeral.trim_start_matches('x').len();
    let ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
        .iter()
        .position(|ones| *ones == &numeral[tens..])?;
    (tens <= 3).then_some(tens as u32 * 10 + ones as u32).filter(|value| *value > 0)
}

impl Marker {
    /// The marker at `at` and the white space after it. Dashes are markers only on a fresh line.
    pub(super) fn at(view: &View, at: usize, fresh_line: bool) -> Option<Self> {
        let first = view.char(at)?;
        if BULLETS.contains(&first) || fresh_line && matches!(first, '-' | '*' | '+' | '–') {
            let end = at + first.len_utf8();
            let gap = view.gap(end);
            if gap.is_empty && !BULLETS.contains(&first) || gap.breaks > 0 {
                return None;
            }
            let end = Self::numbered(view, gap.next).map_or(end, |marker| marker.end);
            return Some(Self { style: Style::Bullet, label: None, end });
        }
        Self::numbered(view, at)
    }

    fn numbered(view: &View, at: usize) -> Option<Self> {
        let opened = view.char(at)? == '(';
        let from = at + usize::from(opened);
        let rules = view.rules();
        let is_digit = |c: char| rules.digit(c).is_some();
        let is_first = |c: &char| c.is_ascii_alphanumeric() || rules.is_caseless(*c);
        let first = view.char(from).filter(is_first)?;
        let is_label = |i: usize, c: char| {
            i == from
                || is_digit(first) && is_digit(c)
                || first.is_ascii_alphabetic() && matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X')
        };
        let to = view.chars(from).take(6).find(|(i, c)| !is_label(*i, *c)).map(|(i, _)| i)?;
        let closing = view.run(to, |c| matches!(c, '.' | ')'));
        let style = match (opened, closing) {
            (false, ".") => Style::Stop,
            (false, ")") => Style::Bracket,
            (false, ".)") => Style::StopBracket,
            (true, ")") => Style::Brackets,
            _ => return None,
        };
        let end = to + closing.len();
        view.char(end).filter(|c| c.is_whitespace())?;
        Label::new(view.seen(from, to), rules).map(|label| Self { style, label: Some(label), end })
    }

    /// Whether the marker begins an item at the start of a line. An initial of a name does not.
    pub(super) fn begins_item(&self, previous: Option<&Self>) -> bool {
        !self.is_initial()
            || self.is_first()
            || previous.is_some_and(|previous| self.follows(previous))
    }

    /// Whether the marker begins an item in the middle of a line, after the end of a sentence.
    pub(super) fn begins_item_inline(&self, previous: Option<&Self>) -> bool {
        let is_lettered = self.label.is_some_and(|label| label.kind != LabelKind::Digits);
        let is_plain = is_lettered && matches!(self.style, Style::Bracket | Style::StopBracket);
        is_plain
            || self.is_first() && !self.is_initial()
            || previous.is_some_and(|previous| self.follows(previous))
    }

    /// Whether the marker begins a list in the middle of a sentence, after a colon.
    pub(super) fn begins_list(&self) -> bool {
        self.label.is_some_and(Label::is_first) && !self.is_initial()
    }

    /// Whether the marker may be an initial before a surname: "A."
    fn is_initial(&self) -> bool {
        let may_be = |label: Label| matches!(label.kind, LabelKind::Capital | LabelKind::Caseless);
        self.style == Style::Stop && self.label.is_some_and(may_be)
    }

    fn is_first(&self) -> bool {
        self.label.is_none_or(Label::is_first)
    }

    /// Whether the marker is the next item after `previous` in the same list.
    fn follows(&self, previous: &Self) -> bool {
        self.style == previous.style
            && match (self.label, previous.label) {
                (Some(this), Some(previous)) => this.follows(previous),
                (this, previous) => this.is_none() && previous.is_none(),
            }
    }

    /// Whether the marker begins an item in the middle of a line without a full stop before it,
    /// inside the item that `previous` began.
    pub(super) fn follows_inline(&self, previous: &Self) -> bool {
        !self.is_initial() && self.label.is_some() && self.follows(previous)
    }

    /// Whether `c` is a bullet in every position.
    pub(super) fn is_bullet(c: char) -> bool {
        BULLETS.contains(&c)
    }
}
