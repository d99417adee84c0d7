//! How Hindi words are spelled in Latin letters: a noisy channel from the sounds of a word to letters.
//!
//! A word in Devanagari is a row of symbols: consonants, vowels (letter and sign alike), an inherent vowel by its place, a
//! nasal. Each symbol is spelled on its own. The cost of a spelling is the sum along the cheapest alignment (Viterbi).

/// Costs are in sixteenths.
pub(super) const UNIT: u16 = 16;
/// Words of more letters are not looked for.
pub(super) const LONGEST: usize = 24;

const VIRAMA: char = '\u{94d}';
const NUKTA: char = '\u{93c}';
const SIGNS: &str = "ािीुूृेैोौॉ";
const LETTERS: &str = "आइईउऊऋएऐओऔऑ";
/// The names of the symbols that are no letters: a vowel that is said, that is silent between syllables, that is silent at
/// the end of a word, and a nasal.
const INHERENT: &str = "ə";
const SILENT: &str = "ɘ";
const FINAL: &str = "Ə";
const NASAL: &str = "N";

pub(super) struct Channel {
    symbols: Vec<Symbol>,
}

pub(super) struct Symbol {
    name: &'static str,
    spellings: Vec<Spelling>,
}

struct Spelling {
    letters: &'static [u8],
    /// At the start of a word, inside, and at the end.
    costs: [u8; 3],
}

impl Channel {
    /// Reads the number of symbols, then each: its name, its spellings with their costs; lengths stand before all names.
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
            symbols.push(Symbol { name, spellings });
        }
        Self { symbols }
    }

    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    fn code(&self, name: &str) -> Option<u8> {
        self.symbols
            .iter()
            .position(|symbol| symbol.name == name)
            .and_then(|at| u8::try_from(at).ok())
    }

    fn is_consonant(&self, symbol: u8) -> bool {
        self.symbols[usize::from(symbol)].name.starts_with(|c| matches!(c, 'क'..='ह'))
    }

    /// The symbols of a word in Devanagari; none if it is no row of syllables.
    pub(super) fn symbols_of(&self, word: &str) -> Option<Vec<u8>> {
        let mut row: Vec<u8> = Vec::with_capacity(2 * LONGEST);
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let length = ["ज्ञ", "क्ष"].into_iter().find(|pair| rest.starts_with(pair)).map_or_else(
                || {
                    let has_nukta = rest[first.len_utf8()..].starts_with(NUKTA);
                    first.len_utf8() + if has_nukta { NUKTA.len_utf8() } else { 0 }
                },
                str::len,
            );
            let (letter, after) = rest.split_at(length);
            rest = after;
            let next = rest.chars().next();
            match first {
                'क'..='ह' => {
                    row.push(self.code(letter)?);
                    match next {
                        None => row.push(self.code(FINAL)?),
                        Some(next) if next == VIRAMA || SIGNS.contains(next) => {}
                        Some(_) => row.push(self.code(INHERENT)?),
                    }
                }
                sign if SIGNS.contains(sign) => {
                    let at = SIGNS.chars().position(|one| one == sign)?;
                    let vowel = LETTERS.chars().nth(at)?;
                    row.push(self.code(vowel.encode_utf8(&mut [0; 4]))?);
                }
                'ं' | 'ँ' => row.push(self.code(NASAL)?),
                _ => row.push(self.code(letter)?),
            }
        }
        self.silence(&mut row)?;
        Some(row)
    }

    /// Marks the inherent vowels that are silent between syllables.
    fn silence(&self, row: &mut [u8]) -> Option<()> {
        let (inherent, silent) = (self.code(INHERENT)?, self.code(SILENT)?);
        let is_vowel = |symbol: u8| {
            let name = self.symbols[usize::from(symbol)].name;
            symbol == inherent || name == "अ" || LETTERS.contains(name)
        };
        let precedes =
            |symbol: u8| is_vowel(symbol) || symbol == silent || !self.is_consonant(symbol);
        for at in 3..row.len().saturating_sub(2) {
            let is_between = self.is_consonant(row[at + 1]) && is_vowel(row[at + 2]);
            if row[at] == inherent && precedes(row[at - 2]) && is_between {
                row[at] = silent;
            }
        }
        Some(())
    }

    /// The cost of spelling a row of symbols so, if it is possible for no more than `limit`.
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
                for spelling in &self.symbols[usize::from(*symbol)].spellings {
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

    /// The symbols that may be spelled by the start of `latin` (by nothing, if they are silent): each with the letters that
    /// it takes and the cost, inside a word or at its start.
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

    /// A row of symbols in Devanagari.
    pub(super) fn written(&self, row: &[u8]) -> String {
        let mut word = String::new();
        let mut after_consonant = false;
        for symbol in row {
            let name = self.symbols[usize::from(*symbol)].name;
            let sign = LETTERS.chars().position(|letter| name.chars().eq([letter]));
            match (name, sign) {
                (INHERENT | SILENT | FINAL, _) => {}
                (NASAL, _) => word.push('ं'),
                (_, Some(at)) if after_consonant => word.extend(SIGNS.chars().nth(at)),
                (name, _) => word.push_str(name),
            }
            after_consonant = self.is_consonant(*symbol);
        }
        word
    }
}
