//! Names of symbols in English.

use super::lexicon::lexicon;

/// The name of a symbol on its own; `None` for one that only decorates.
pub(super) fn name(symbol: char) -> Option<&'static str> {
    punctuation(symbol)
        .or_else(|| mathematical(symbol))
        .or_else(|| greek(symbol))
        .or_else(|| arrow_or_key(symbol))
        .or_else(|| currency(symbol))
}

fn currency(symbol: char) -> Option<&'static str> {
    let currencies = lexicon().currencies.get(&symbol)?;
    let alone = currencies.iter().find(|(written, _)| written.len() == symbol.len_utf8());
    alone.filter(|_| !symbol.is_ascii_alphabetic()).map(|(_, currency)| currency.one)
}

fn punctuation(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '.' => "dot",
        '&' => "and",
        '@' => "at",
        '%' => "percent",
        '‰' => "per mille",
        '#' | '№' => "number",
        '/' | '∕' => "slash",
        '\\' => "backslash",
        '_' => "underscore",
        '^' => "caret",
        '|' => "bar",
        '§' => "section",
        '¶' => "paragraph",
        '©' => "copyright",
        '®' => "registered",
        '™' => "trademark",
        '℠' => "service mark",
        '℗' => "sound recording copyright",
        '℅' => "care of",
        '℞' => "prescription",
        '°' => "degrees",
        '′' => "prime",
        '″' => "double prime",
        '♀' => "female",
        '♂' => "male",
        '♭' => "flat",
        '♮' => "natural",
        '♯' => "sharp",
        '♩' => "quarter note",
        '♪' => "eighth note",
        '✓' | '✔' => "check",
        '✗' | '✘' => "cross",
        '-' => "dash",
        '*' => "star",
        '!' => "exclamation mark",
        '?' => "question mark",
        '†' => "dagger",
        '‡' => "double dagger",
        '★' => "star",
        _ => return None,
    })
}

/// Arrows, and the keys of a keyboard.
fn arrow_or_key(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '→' | '⟶' | '➔' | '➜' => "to",
        '←' | '⟵' => "left arrow",
        '↑' | '▲' => "up",
        '↓' | '▼' => "down",
        '⇌' => "in equilibrium with",
        '↔' | '⇄' => "to and from",
        '⇏' => "does not imply",
        '⇒' | '⟹' => "implies",
        '⇔' | '⟺' => "if and only if",
        '↩' | '↵' | '⏎' => "return",
        '⌘' => "command",
        '⌥' => "option",
        '⇧' => "shift",
        '⌃' => "control",
        '⇥' => "tab",
        '⌫' | '⌦' => "delete",
        '⎋' => "escape",
        '␣' => "blank",
        _ => return None,
    })
}

fn mathematical(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '+' => "plus",
        '−' => "minus",
        '=' => "equals",
        '<' => "less than",
        '>' => "greater than",
        '×' | '✕' | '✖' => "times",
        '÷' => "divided by",
        '±' => "plus or minus",
        '∓' => "minus or plus",
        '≠' => "is not equal to",
        '≈' | '≃' => "is approximately equal to",
        '≅' => "is congruent to",
        '≡' => "is identical to",
        '≤' | '⩽' => "is less than or equal to",
        '≥' | '⩾' => "is greater than or equal to",
        '≪' => "is much less than",
        '≫' => "is much greater than",
        '∝' => "is proportional to",
        '~' | '∼' => "tilde",
        '√' => "square root of",
        '∛' => "cube root of",
        '∜' => "fourth root of",
        '⌊' => "the floor of",
        '⌈' => "the ceiling of",
        '∮' => "the closed integral of",
        '∘' => "composed with",
        '∞' => "infinity",
        '∑' => "sum of",
        '∏' => "product of",
        '∫' => "integral of",
        '∂' => "partial",
        '∇' => "nabla",
        '∆' => "delta",
        '∈' => "is an element of",
        '∉' => "is not an element of",
        '⊂' => "is a subset of",
        '⊆' => "is a subset of or equal to",
        '∩' => "intersection",
        '∪' => "union",
        '∅' => "empty set",
        '∀' => "for all",
        '∃' => "there exists",
        '∴' => "therefore",
        '∵' => "because",
        '¬' => "not",
        '∧' => "and",
        '∨' => "or",
        '⊕' => "exclusive or",
        '∠' => "angle",
        '△' => "triangle",
        '⊥' | '⟂' => "is perpendicular to",
        '∥' => "is parallel to",
        '∦' => "is not parallel to",
        '≉' => "is not approximately equal to",
        '≢' => "is not identical to",
        '⊃' => "is a superset of",
        '⊇' => "is a superset of or equal to",
        '⊄' => "is not a subset of",
        '∄' => "there does not exist",
        '⋅' => "times",
        'Ⅰ'..='Ⅻ' => roman(symbol as u32 - 'Ⅰ' as u32),
        'ⅰ'..='ⅻ' => roman(symbol as u32 - 'ⅰ' as u32),
        'Ⅼ' | 'ⅼ' => "fifty",
        'Ⅽ' | 'ⅽ' => "one hundred",
        'Ⅾ' | 'ⅾ' => "five hundred",
        'Ⅿ' | 'ⅿ' | 'ↀ' => "one thousand",
        _ => return None,
    })
}

fn roman(index: u32) -> &'static str {
    const NUMBERS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    NUMBERS[index as usize]
}

/// A Greek letter on its own.
pub(super) fn greek(symbol: char) -> Option<&'static str> {
    const NAMES: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
        "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon",
        "phi", "chi", "psi", "omega",
    ];
    let index = match symbol {
        'Α'..='Ω' => symbol as usize - 'Α' as usize,
        'α'..='ω' => symbol as usize - 'α' as usize,
        'µ' => return Some("mu"),
        'ϵ' => return Some("epsilon"),
        'ϑ' => return Some("theta"),
        'ϕ' => return Some("phi"),
        _ => return None,
    };
    Some(NAMES[index])
}
