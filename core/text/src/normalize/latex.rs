//! Converts LaTeX formulas, as language models write them, to plain text: `$x = \frac{1}{2}$`,
//! `\(\sqrt{2} \approx 1.41\)`.
//!
//! Preprocessing replaces commands by the characters of plain formulas, which the recognizers read.

use std::ops::Range;

/// A piece of a formula in plain characters, and its source bytes.
pub(super) type Piece = (String, Range<usize>);

/// Maximum bytes of a formula.
const LONGEST: usize = 400;

/// The pieces and length of a delimited formula, or of a command alone, at the start of `rest`.
pub(super) fn find(before: &str, rest: &str) -> Option<(Vec<Piece>, usize)> {
    let (open, close) = match rest.as_bytes() {
        [b'$', b'$', ..] => ("$$", "$$"),
        [b'$', ..] => ("$", "$"),
        [b'\\', b'(', ..] => ("\\(", "\\)"),
        [b'\\', b'[', ..] => ("\\[", "\\]"),
        [b'\\', ..] => return command_alone(before, rest),
        _ => return None,
    };
    let inner = &rest[open.len()..];
    let end = inner.find(close).filter(|end| (1..LONGEST).contains(end))?;
    let formula = &inner[..end];
    let length = open.len() + end + close.len();
    let is_formula = !formula.contains('\n')
        && (open.starts_with('\\') || is_formula(before, formula, &rest[length..]));
    is_formula.then(|| {
        let mut writer = Writer::default();
        writer.formula(formula, open.len());
        (joined(writer.0), length)
    })
}

/// Whether text between dollar signs is a formula, and not the text between two prices.
fn is_formula(before: &str, formula: &str, after: &str) -> bool {
    let is_tight =
        !formula.starts_with(char::is_whitespace) && !formula.ends_with(char::is_whitespace);
    let is_command = formula.contains('\\');
    let is_letter = formula.len() == 1 && formula.starts_with(|c: char| c.is_ascii_alphabetic());
    // `O(n)`, `f(x)`
    let is_function = formula
        .strip_prefix(|c: char| c.is_ascii_alphabetic())
        .is_some_and(|rest| rest.starts_with('(') && rest.ends_with(')'));
    let has_sign = formula.contains(['^', '_', '=', '<', '>', '+']);
    let is_price = formula.starts_with(|c: char| c.is_ascii_digit())
        && formula.contains(' ')
        && !formula.contains('=');
    // `$12$`, `$0.5$`, `$2n$`: no two prices, since no price ends in a dollar sign.
    let is_plain = formula.starts_with(|c: char| c.is_ascii_alphanumeric())
        && formula.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '!' | '\''))
        && formula.bytes().all(|b| b.is_ascii_alphanumeric() || b".,-*/!|'".contains(&b))
        && (formula.len() < 3 || formula.contains(|c: char| c.is_ascii_digit()));
    is_tight
        && (is_command || is_letter || is_function || is_plain || has_sign && !is_price)
        && !before.ends_with(|c: char| c.is_alphanumeric() || c == '$')
        && !after.starts_with(char::is_alphanumeric)
}

/// A fraction, root or symbol without delimiters: `\frac{1}{2}`.
fn command_alone(before: &str, rest: &str) -> Option<(Vec<Piece>, usize)> {
    let name = command(rest)?;
    let takes_group = matches!(name, "frac" | "dfrac" | "tfrac" | "sqrt");
    let is_known = takes_group && rest[1 + name.len()..].starts_with('{')
        || !takes_group
            && matches!(symbol(name), Some("×" | "⋅" | "±" | "≤" | "≥" | "≠" | "≈" | "∞" | "π"));
    // `C:\times` is a path.
    if !is_known || before.ends_with([':', '\\', '/']) {
        return None;
    }
    let mut writer = Writer::default();
    let length = writer.command(rest, 0);
    Some((joined(writer.0), length))
}

/// Joins silent pieces to the next piece, so that every byte belongs to a character.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::new();
    let mut start = None;
    for (text, place) in pieces {
        let first = *start.get_or_insert(place.start);
        if !text.is_empty() {
            joined.push((text, first.min(place.start)..place.end));
            start = None;
        }
    }
    joined
}

/// The command at the start of a text: letters after a backslash.
fn command(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix('\\')?;
    let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}

/// The range between the braces at the start of `rest`, or of its first character; total length.
fn argument(rest: &str) -> Option<(Range<usize>, usize)> {
    let start = rest.len() - rest.trim_start_matches(' ').len();
    let group = &rest[start..];
    let Some(inner) = group.strip_prefix('{') else {
        let length = command(group).map_or_else(
            || group.chars().next().map(char::len_utf8),
            |name| Some(1 + name.len()),
        )?;
        return Some((start..start + length, start + length));
    };
    let mut depth = 0;
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some((start + 1..start + 1 + at, start + at + 2)),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[derive(Default)]
struct Writer(Vec<Piece>);

impl Writer {
    fn push(&mut self, text: &str, place: Range<usize>) {
        self.0.push((text.to_owned(), place));
    }

    /// Writes a formula that begins at byte `start` of the source.
    fn formula(&mut self, formula: &str, start: usize) {
        let mut at = 0;
        while let Some(c) = formula[at..].chars().next() {
            let rest = &formula[at..];
            at += match c {
                '\\' => self.command(rest, start + at),
                '^' | '_' => self.script(rest, start + at),
                '{' | '}' | '$' | '&' => {
                    self.push("", start + at..start + at + 1);
                    1
                }
                c => {
                    self.push(c.encode_utf8(&mut [0; 4]), start + at..start + at + c.len_utf8());
                    c.len_utf8()
                }
            };
        }
    }

    /// Writes a command and its arguments; returns their length.
    fn command(&mut self, rest: &str, start: usize) -> usize {
        let Some(name) = command(rest) else { return self.escaped(rest, start) };
        let length = 1 + name.len();
        let written = start..start + length;
        match name {
            "frac" | "dfrac" | "tfrac" => {
                self.push(if self.ends_in_operand() { " " } else { "" }, written);
                return self.arguments(rest, start, length, &["/", ""]);
            }
            "sqrt" => return self.root(rest, start, length),
            "text" | "textbf" | "textit" | "mathrm" | "mathbf" | "mathit" | "mathsf" | "mathbb"
            | "mathcal" | "mathscr" | "mathfrak" | "operatorname" | "boxed" | "overline"
            | "underline" => self.push("", written),
            "binom" | "dbinom" | "tbinom" => {
                self.push("", written);
                return self.arguments(rest, start, length, &[" choose ", ""]);
            }
            "log" if rest[length..].starts_with('_') => return self.logarithm(rest, start, length),
            "pmod" => {
                self.push("(mod ", written);
                let Some((inner, end)) = argument(&rest[length..]) else { return length };
                let inner = length + inner.start..length + inner.end;
                self.formula(&rest[inner.clone()], start + inner.start);
                self.push(")", start + length + end - 1..start + length + end);
                return length + end;
            }
            "bmod" => self.push(" mod ", written),
            "hat" | "bar" | "tilde" => return self.accent(rest, start, name),
            "vec" => self.push("vector ", written),
            _ => {
                let text = symbol(name).unwrap_or(name);
                let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
                let text = if is_word { format!(" {text} ") } else { text.to_owned() };
                self.push(&text, written);
            }
        }
        length
    }

    /// Writes a sign after a backslash; returns its length.
    fn escaped(&mut self, rest: &str, start: usize) -> usize {
        let Some(c) = rest[1..].chars().next() else { return 1 };
        let length = 1 + c.len_utf8();
        let text = match c {
            '{' => "(".into(),
            '}' => ")".into(),
            ',' | ';' | ':' | '!' | '\\' | ' ' => " ".into(),
            c => String::from(c),
        };
        self.push(&text, start..start + length);
        length
    }

    /// Writes the arguments of a command of `length` bytes, each followed by its suffix; returns
    /// the length up to their end.
    fn arguments(&mut self, rest: &str, start: usize, length: usize, behind: &[&str]) -> usize {
        let mut length = length;
        for text in behind {
            let Some((inner, end)) = argument(&rest[length..]) else { break };
            let inner = length + inner.start..length + inner.end;
            self.operand(&rest[inner.clone()], start + inner.start);
            length += end;
            self.push(text, start + length - 1..start + length);
        }
        length
    }

    /// Writes a root, `\sqrt[3]{27}`; returns its length.
    fn root(&mut self, rest: &str, start: usize, length: usize) -> usize {
        let index = rest[length..].strip_prefix('[').and_then(|index| {
            let end = index.find(']')?;
            Some((&index[..end], end + 2))
        });
        let root = match index {
            Some(("3", _)) => "∛",
            Some(("4", _)) => "∜",
            _ => "√",
        };
        let mut length = length + index.map_or(0, |(_, end)| end);
        self.push(root, start..start + length);
        if let Some((inner, end)) = argument(&rest[length..]) {
            let inner = length + inner.start..length + inner.end;
            self.operand(&rest[inner.clone()], start + inner.start);
            length += end;
        }
        length
    }

    /// Writes a logarithm and its base, which follows the name, `log_2 8`; returns its length.
    fn logarithm(&mut self, rest: &str, start: usize, length: usize) -> usize {
        let Some((inner, end)) = argument(&rest[length + 1..]) else { return length };
        let base = &rest[length + 1 + inner.start..length + 1 + inner.end];
        if !base.bytes().all(|b| b.is_ascii_digit()) {
            self.push(" log ", start..start + length);
            return length;
        }
        let length = length + 1 + end;
        self.push(&format!(" log_{base} "), start..start + length);
        length
    }

    /// Writes a letter and the name of its accent, `\hat{y}`; returns their length.
    fn accent(&mut self, rest: &str, start: usize, name: &str) -> usize {
        let length = 1 + name.len();
        let Some((inner, end)) = argument(&rest[length..]) else { return length };
        let inner = length + inner.start..length + inner.end;
        self.push("", start..start + inner.start);
        self.operand(&rest[inner.clone()], start + inner.start);
        self.push(&format!(" {name}"), start + inner.end..start + length + end);
        length + end
    }

    /// Writes a superscript or subscript; returns its length.
    fn script(&mut self, rest: &str, start: usize) -> usize {
        let Some((inner, end)) = argument(&rest[1..]) else {
            self.push("", start..start + 1);
            return 1;
        };
        let text = &rest[1 + inner.start..1 + inner.end];
        let is_raised = rest.starts_with('^');
        if is_raised && text == "\\circ" {
            self.push("°", start..start + 1 + end);
            return 1 + end;
        }
        let is_simple = text.chars().count() == 1 || text.parse::<i32>().is_ok();
        self.push(if is_raised { "^" } else { "" }, start..start + 1);
        if is_raised && !is_simple {
            self.operand(text, start + 1 + inner.start);
        } else {
            self.formula(text, start + 1 + inner.start);
        }
        1 + end
    }

    /// Writes a formula, with brackets unless it is a number or a letter.
    fn operand(&mut self, formula: &str, start: usize) {
        let is_simple = formula.chars().all(char::is_alphanumeric)
            || command(formula).is_some_and(|name| name.len() + 1 == formula.len());
        let place = start..start + formula.len();
        if !is_simple {
            self.push("(", place.clone());
        }
        self.formula(formula, start);
        if !is_simple {
            self.push(")", place);
        }
    }

    fn ends_in_operand(&self) -> bool {
        self.0.last().is_some_and(|(text, _)| text.ends_with(char::is_alphanumeric))
    }
}

/// The character or name of a command without arguments.
#[rustfmt::skip]
fn symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "times" => "×", "cdot" => "⋅", "div" => "÷", "pm" => "±", "mp" => "∓", "ast" => "*",
        "le" | "leq" | "leqslant" => "≤", "ge" | "geq" | "geqslant" => "≥", "ne" | "neq" => "≠", "lt" => "<", "gt" => ">",
        "ll" => "≪", "gg" => "≫", "approx" => "≈", "sim" => "~", "equiv" => "≡", "propto" => "∝", "cong" => "≅",
        "infty" => "∞", "to" | "rightarrow" | "longrightarrow" | "mapsto" => "→", "leftarrow" => "←",
        "Rightarrow" | "implies" | "Longrightarrow" => "⇒", "iff" | "Leftrightarrow" => "⇔",
        "int" => "∫", "sum" => "∑", "prod" => "∏", "partial" => "∂", "nabla" => "∇", "in" => "∈", "notin" => "∉",
        "lfloor" => "⌊", "rfloor" => "⌋", "lceil" => "⌈", "rceil" => "⌉", "langle" => "⟨", "rangle" => "⟩", "oint" => "∮",
        "subset" => "⊂", "subseteq" => "⊆", "cup" => "∪", "cap" => "∩", "emptyset" | "varnothing" => "∅",
        "forall" => "∀", "exists" => "∃", "therefore" => "∴", "because" => "∵", "neg" | "lnot" => "¬", "land" | "wedge" => "∧",
        "lor" | "vee" => "∨", "angle" => "∠", "perp" => "⊥", "parallel" => "∥", "degree" | "circ" => "°", "mid" => "|",
        "ldots" | "dots" | "cdots" => "…", "quad" | "qquad" => "  ", "left" | "right" | "displaystyle" | "limits" | "big"
        | "Big" | "bigl" | "bigr" => "",
        "alpha" => "α", "beta" => "β", "gamma" => "γ", "delta" => "δ", "epsilon" | "varepsilon" => "ε", "zeta" => "ζ",
        "eta" => "η", "theta" | "vartheta" => "θ", "iota" => "ι", "kappa" => "κ", "lambda" => "λ", "mu" => "μ", "nu" => "ν",
        "xi" => "ξ", "pi" => "π", "rho" => "ρ", "sigma" => "σ", "tau" => "τ", "upsilon" => "υ", "phi" | "varphi" => "φ",
        "chi" => "χ", "psi" => "ψ", "omega" => "ω", "Gamma" => "Γ", "Delta" => "Δ", "Theta" => "Θ", "Lambda" => "Λ",
        "Xi" => "Ξ", "Pi" => "Π", "Sigma" => "Σ", "Phi" => "Φ", "Psi" => "Ψ", "Omega" => "Ω",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let Some((pieces, length)) = find("", text) else { return text.into() };
        let formula: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
        for (_, place) in &pieces {
            assert!(place.start <= place.end && place.end <= length, "{text}: {place:?}");
        }
        formula + &text[length..]
    }

    #[test]
    fn formulas_become_plain_text() {
        for (text, expected) in [
            (r"$x = \frac{1}{2}$.", "x = 1/2."),
            (r"\(\frac{a+b}{2}\)", "(a+b)/2"),
            (r"$$\sqrt{2} \approx 1.41$$", "√2 ≈ 1.41"),
            (r"$x^{2} + y_1$", "x^2 + y1"),
            (r"$e^{-kt}$", "e^(-kt)"),
            (r"$\sin\theta$", " sin θ"),
            (r"\[ a \le b \]", " a ≤ b "),
            (r"$90^\circ$", "90°"),
            (r"$\int_0^1 x\,dx$", "∫0^1 x dx"),
            (r"$\binom{n}{k}$", "n choose k"),
            (r"$\vec{v}$", "vector v"),
            (r"$\mathcal{O}(n^3)$", "O(n^3)"),
            (r"$\sqrt[3]{27} = 3$", "∛27 = 3"),
            (r"$\log_{10} 1000 = 3$", " log_10  1000 = 3"),
            (r"$a \equiv b \pmod{n}$", "a ≡ b (mod n)"),
            (r"$n$", "n"),
            ("$12$ and", "12 and"),
            ("$0.5$.", "0.5."),
            ("$2n$, $3n$", "2n, $3n$"),
            ("$1,200$", "1,200"),
            ("$HOME$", "$HOME$"),
            ("$5/$6", "$5/$6"),
            ("$5-$10", "$5-$10"),
            ("$5 or $6", "$5 or $6"),
            (r"$5 and a $", r"$5 and a $"),
            (r"$5 and $6", r"$5 and $6"),
            (r"\frac{1}{2} cup", "1/2 cup"),
            (r"\name", r"\name"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
        // Unmatched braces lose no text.
        assert!(plain(r"$\frac{1$").contains('1'));
    }
}
