//! The noisy channel from the sounds of a Hindi word to Latin letters.
//!
//! A Devanagari word is a sequence of symbols: consonants, vowels (a letter and its sign are one
//! symbol), inherent vowels (pronounced, silent or final), the virama, and nasals. Each symbol is
//! spelled independently. The cost of a spelling is the sum along the cheapest alignment (Viterbi).

/// The number of cost units in a cost of 1. Costs are negative natural logarithms.
pub(super) const UNIT: u16 = 16;
/// Maximum letters of a word to look up.
pub(super) const LONGEST: usize = 24;

const VIRAMA: char = '\u{94d}';
const NUKTA: char = '\u{93c}';
const SIGNS: &str = "ािीुूृेैोौॉ";
const LETTERS: &str = "आइईउऊऋएऐओऔऑ";
/// Names of symbols that are not letters: an inherent vowel that is pronounced, silent between
/// syllables, or at the end of the word; and a nasal.
const INHERENT: &str = "ə";
const SILENT: &str = "ɘ";
const FINAL: &str = "Ə";
const NASAL: &str = "N";

pub(super) struct Channel {
    symbols: Vec<Symbol>,
    /// The codes of Devanagari letters, and of letters with nukta; `NONE` for others.
    letters: [u8; 128],
    with_nukta: [u8; 128],
    /// The codes of letter pairs that are one symbol, and of the inherent vowels.
    pairs: [u8; 2],
    inherent: u8,
    silent: u8,
    last: u8,
}

/// A code that no symbol has.
const NONE: u8 = u8::MAX;
/// Letter pairs that are one symbol.
const PAIRS: [&str; 2] = ["ज्ञ", "क्ष"];

struct Symbol {
    name: &'static str,
    is_consonant: bool,
    is_vowel: bool,
    spellings: Vec<Spelling>,
}

struct Spelling {
    letters: &'static [u8],
    /// The costs at the start of a word, inside it, and at its end.
    costs: [u8; 3],
}

impl Channel {
    /// Reads the number of symbols, then each symbol's name and its spellings with their costs. A
    /// length precedes each name, list of spellings and spelling.
    pub(super) fn read(bytes: &'static [u8]) -> Self {
        let mut rest = bytes;
        let mut take = |length: usize| {
            let (taken, after) = rest.split_at(length);
            rest = after;
            taken
        };
        let mut symbols = Vec::new();
        for _ in 0..take(1)[0] {
            let length = usize::from(take(1)[0]);
            let name = std::str::from_utf8(take(length)).expect("names are text");
            let mut spellings = Vec::new();
            for _ in 0..take(1)[0] {
                let length = usize::from(take(1)[0]);
                let letters = take(length);
                let costs = take(3);
                spellings.push(Spelling { letters, costs: [costs[0], costs[1], costs[2]] });
            }
            let is_consonant = name.starts_with(|c| matches!(c, 'क'..='ह'));
            let is_vowel = name == INHERENT || name == "अ" || LETTERS.contains(name);
            symbols.push(Symbol { name, is_consonant, is_vowel, spellings });
        }
        Self::of(symbols)
    }

    fn of(symbols: Vec<Symbol>) -> Self {
        let code = |name: &str| {
            let at = symbols.iter().position(|symbol| symbol.name == name);
            at.and_then(|at| u8::try_from(at).ok()).unwrap_or(NONE)
        };
        let mut letters = [NONE; 128];
        let mut with_nukta = [NONE; 128];
        for (at, letter) in ('\u{900}'..='\u{97f}').enumerate() {
            letters[at] = code(letter.encode_utf8(&mut [0; 4]));
            with_nukta[at] = code(&format!("{letter}{NUKTA}"));
        }
        for (sign, vowel) in SIGNS.chars().zip(LETTERS.chars()) {
            letters[index(sign)] = code(vowel.encode_utf8(&mut [0; 4]));
        }
        letters[index('ं')] = code(NASAL);
        letters[index('ँ')] = code(NASAL);
        Self {
            letters,
            with_nukta,
            pairs: PAIRS.map(code),
            inherent: code(INHERENT),
            silent: code(SILENT),
            last: code(FINAL),
            symbols,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    fn symbol(&self, code: u8) -> &Symbol {
        &self.symbols[usize::from(code)]
    }

    /// Writes the symbols of a Devanagari word to `row`; `None` if a letter has no symbol.
    pub(super) fn symbols_of(&self, word: &str, row: &mut Vec<u8>) -> Option<()> {
        row.clear();
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let pair = PAIRS.iter().position(|pair| rest.starts_with(pair));
            rest = &rest[pair.map_or(first.len_utf8(), |at| PAIRS[at].len())..];
            let after_nukta = rest.strip_prefix(NUKTA).filter(|_| pair.is_none());
            rest = after_nukta.unwrap_or(rest);
            let letters = if after_nukta.is_some() { &self.with_nukta } else { &self.letters };
            let code = pair.map_or_else(|| letters[index(first)], |at| self.pairs[at]);
            if code == NONE {
                return None;
            }
            row.push(code);
            if matches!(first, 'क'..='ह') {
                match rest.chars().next() {
                    None => row.push(self.last),
                    Some(next) if next == VIRAMA || SIGNS.contains(next) => {}
                    Some(_) => row.push(self.inherent),
                }
            }
        }
        self.silence(row);
        Some(())
    }

    /// Marks silent inherent vowels between syllables.
    fn silence(&self, row: &mut [u8]) {
        for at in 3..row.len().saturating_sub(2) {
            let follows_syllable = !self.symbol(row[at - 2]).is_consonant;
            let is_between =
                self.symbol(row[at + 1]).is_consonant && self.symbol(row[at + 2]).is_vowel;
            if row[at] == self.inherent && follows_syllable && is_between {
                row[at] = self.silent;
            }
        }
    }

    /// The cost of spelling all of a row of symbols as all of `latin`, if it is at most `limit`.
    pub(super) fn score(&self, row: &[u8], latin: &[u8], limit: u16) -> Option<u16> {
        const NEVER: u16 = u16::MAX;
        let mut best = [NEVER; LONGEST + 1];
        best[0] = 0;
        for (at, symbol) in row.iter().enumerate() {
            let place = if at == 0 {
                0
            } else if at + 1 >= row.len() {
                2
            } else {
                1
            };
            let mut next = [NEVER; LONGEST + 1];
            let mut least = NEVER;
            for (start, cost) in
                best[..=latin.len()].iter().enumerate().filter(|(_, cost)| **cost != NEVER)
            {
                for spelling in &self.symbol(*symbol).spellings {
                    if latin[start..].starts_with(spelling.letters) {
                        let total = cost + u16::from(spelling.costs[place]);
                        let end = &mut next[start + spelling.letters.len()];
                        *end = total.min(*end);
                        least = total.min(least);
                    }
                }
            }
            if least > limit {
                return None;
            }
            best = next;
        }
        Some(best[latin.len()]).filter(|cost| *cost <= limit)
    }

    /// Symbols that the start of `latin` may spell, each with the number of letters and the cost:
    /// that at the start of a word if `is_first`, else that inside. Only silent symbols may have no
    /// letters.
    pub(super) fn steps<'a>(
        &'a self,
        latin: &'a [u8],
        is_first: bool,
    ) -> impl Iterator<Item = (u8, usize, u16)> + 'a {
        let symbols = self.symbols.iter().enumerate();
        symbols.flat_map(move |(code, symbol)| {
            let is_silent = matches!(symbol.name, SILENT | FINAL | "्");
            let fits = move |spelling: &&Spelling| {
                latin.starts_with(spelling.letters) && (is_silent || !spelling.letters.is_empty())
            };
            let code = u8::try_from(code).expect("few symbols");
            symbol.spellings.iter().filter(fits).map(move |spelling| {
                (code, spelling.letters.len(), u16::from(spelling.costs[usize::from(!is_first)]))
            })
        })
    }

    /// The Devanagari text of a row of symbols.
    pub(super) fn written(&self, row: &[u8]) -> String {
        let mut word = String::new();
        let mut after_consonant = false;
        for symbol in row {
            let Symbol { name, is_consonant, .. } = *self.symbol(*symbol);
            let sign = LETTERS.chars().position(|letter| name.chars().eq([letter]));
            match (name, sign) {
                (INHERENT | SILENT | FINAL, _) => {}
                (NASAL, _) => word.push('ं'),
                (_, Some(at)) if after_consonant => word.extend(SIGNS.chars().nth(at)),
                (name, _) => word.push_str(name),
            }
            after_consonant = is_consonant;
        }
        word
    }
}

/// The index of a Devanagari letter.
fn index(letter: char) -> usize {
    (letter as usize).wrapping_sub(0x900) & 0x7f
}
