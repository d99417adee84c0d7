//! Converts words to phonemes, and phonemes to the tokens of the acoustic model.
//!
//! A sentence may mix languages, but the voice speaks one of them. The phonemizer of each language
//! reads the runs of its words. The spoken language adapts foreign phonemes to its own, and reads
//! its own words with these as context.

mod phones;
mod utterance;

use std::mem;
use std::ops::Range;

use speech_base::language::Language;

use crate::normalize::{NormalizedText, Reading, Token, Word};
use crate::vocabulary;
use phones::possessive_stem;
pub use phones::{Phone, elasticity, phones};
pub(crate) use phones::{is_voiceless, with_s};

/// The phonemes of a sentence, a unit for each word and mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phonemes {
    /// In order.
    pub units: Vec<Unit>,
}

/// A word or a mark as phoneme symbols of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Symbols of the vocabulary.
    pub symbols: String,
    /// The index of the word in the sentence; `None` for a mark.
    pub word: Option<usize>,
    /// Whether a space precedes the unit.
    pub spaced: bool,
    /// Whether the word begins a clause: "because", "and".
    pub conjunction: bool,
    /// The pause that the caller sets at a mark, in milliseconds.
    pub pause: Option<u32>,
    /// The names of the caller's bookmarks that the start of the unit reaches.
    pub marks: Vec<String>,
    /// Bytes of the caller's text.
    pub span: Range<usize>,
}

/// A token of the acoustic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhonemeToken {
    /// Its id in the model.
    pub id: u16,
    /// Its vocabulary symbol.
    pub symbol: char,
    /// Its unit; `None` for the space before a unit.
    pub unit: Option<usize>,
}

impl Phonemes {
    /// The symbols as one line.
    pub fn to_line(&self) -> String {
        let mut line = String::new();
        for unit in &self.units {
            if unit.spaced && !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&unit.symbols);
        }
        line
    }

    /// The unit of the word with this index in the sentence.
    pub fn word(&self, word: usize) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.word == Some(word))
    }

    /// The tokens in order.
    pub fn tokens(&self) -> Vec<PhonemeToken> {
        let mut tokens: Vec<PhonemeToken> = Vec::new();
        for (index, unit) in self.units.iter().enumerate() {
            let space = (unit.spaced && !tokens.is_empty()).then_some((' ', None));
            let symbols = unit.symbols.chars().map(|symbol| (symbol, Some(index)));
            tokens.extend(space.into_iter().chain(symbols).filter_map(|(symbol, unit)| {
                vocabulary::id(symbol).map(|id| PhonemeToken { id, symbol, unit })
            }));
        }
        tokens
    }

    /// Inserts a pause before or after the first unit that begins at a position of the text: at the
    /// mark there, or at a new comma. Returns the index of its unit; `None` if no unit precedes or
    /// follows it.
    pub fn insert_pause(&mut self, at: usize, milliseconds: u32) -> Option<usize> {
        let next = self.units.iter().position(|unit| unit.span.start >= at);
        let next = next.filter(|next| *next > 0)?;
        let is_pausing =
            |unit: &Unit| unit.word.is_none() && !matches!(unit.symbols.as_str(), "(" | "“");
        let beside = [next - 1, next].into_iter().find(|index| is_pausing(&self.units[*index]));
        if let Some(beside) = beside {
            let unit = &mut self.units[beside];
            unit.pause = Some(unit.pause.unwrap_or(0).saturating_add(milliseconds));
            Some(beside)
        } else {
            let comma = Unit {
                symbols: ",".into(),
                word: None,
                spaced: false,
                conjunction: false,
                pause: Some(milliseconds),
                marks: Vec::new(),
                span: at..at,
            };
            self.units.insert(next, comma);
            Some(next)
        }
    }
}

/// The phonemizer of one language: words in context to phonemes.
///
/// Implementations are thread-safe, and may load tables and models on first use.
pub(crate) trait LanguagePhonemizer: Sync {
    fn language(&self) -> Language;

    /// The phonemes of each [`RunToken::Word`] and [`RunToken::Spelled`] of a run, in order: never
    /// empty, only vocabulary symbols. The other tokens are context.
    fn phonemize(&self, run: &[RunToken<'_>]) -> Vec<String>;

    /// The phonemes of a word of another language in the voices of this one.
    ///
    /// The default is the phonemes of the other language, all of which the vocabulary contains.
    fn adapt(&self, word: ForeignWord<'_>) -> String {
        word.phonemes.to_owned()
    }

    /// Whether `phonemize` reads words of this language with an English possessive ending. If not,
    /// it gets them without the ending, and [`with_possessive`](Self::with_possessive) adds its
    /// sounds.
    fn has_possessive(&self) -> bool {
        false
    }

    /// Adds the English possessive ending to phonemes of this language.
    fn with_possessive(&self, phonemes: String) -> String {
        with_s(&phonemes)
    }

    /// Whether a word in small letters often begins a clause. A long sentence is cut before it.
    fn begins_clause(&self, word: &str) -> bool;

    /// Whether the phonemes of an isolated word are guessed from its letters, in a language whose
    /// spelling does not determine them.
    fn is_guess(&self, _word: &str) -> bool {
        false
    }
}

/// A token of a run that a [`LanguagePhonemizer`] reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RunToken<'a> {
    /// A word of the language.
    Word(&'a str),
    /// A word to read letter by letter.
    Spelled(&'a str),
    /// A word with known phonemes: of another language, or with a pronunciation from the caller.
    Known {
        text: &'a str,
        phonemes: &'a str,
    },
    Mark(char),
}

impl<'a> RunToken<'a> {
    fn new(token: &'a Token, reading: Option<&'a str>, own: &dyn LanguagePhonemizer) -> Self {
        let word = match token {
            Token::Word(word) => word,
            Token::Mark(mark) => return Self::Mark(mark.symbol),
        };
        let text = word.text.as_str();
        match word.reading {
            Reading::Word(language) if language == own.language() => {
                Self::Word(without_possessive(word, own))
            }
            Reading::Spelled(language) if language == own.language() => Self::Spelled(text),
            _ => Self::Known { text, phonemes: reading.unwrap_or_default() },
        }
    }

    /// The letters of a word; `None` for a mark.
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Self::Word(text) | Self::Spelled(text) | Self::Known { text, .. } => Some(text),
            Self::Mark(_) => None,
        }
    }
}

/// A word of a language other than the spoken one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForeignWord<'a> {
    pub(crate) language: Language,
    pub(crate) text: &'a str,
    /// The phonemes of the word in its own language.
    pub(crate) phonemes: &'a str,
    /// Whether it is read letter by letter.
    pub(crate) is_spelled: bool,
}

/// Phonemizes sentences in all languages. Using it needs no lock.
pub(crate) struct Phonemizer {
    languages: Vec<&'static dyn LanguagePhonemizer>,
}

impl Phonemizer {
    /// Creates a phonemizer of the languages that a [`NormalizedText`] may name.
    pub(crate) fn new(
        languages: impl IntoIterator<Item = &'static dyn LanguagePhonemizer>,
    ) -> Self {
        Self { languages: languages.into_iter().collect() }
    }

    pub(crate) fn phonemize(&self, text: &NormalizedText) -> Phonemes {
        let mut units = Vec::new();
        let mut words = 0;
        let mut opened = true;
        for (token, reading) in text.tokens.iter().zip(self.readings(text)) {
            match token {
                Token::Word(word) => {
                    let symbols = in_vocabulary(&reading.unwrap_or_default());
                    if !symbols.is_empty() {
                        units.push(Unit {
                            symbols,
                            word: Some(words),
                            spaced: !opened,
                            conjunction: self.is_conjunction(&word.text),
                            pause: None,
                            marks: Vec::new(),
                            span: word.span.clone(),
                        });
                        opened = false;
                    }
                    words += 1;
                }
                Token::Mark(mark) => {
                    let opens = matches!(mark.symbol, '(' | '“');
                    let spaced = (opens || mark.symbol == '—') && !opened;
                    units.push(Unit {
                        symbols: mark.symbol.into(),
                        word: None,
                        spaced,
                        conjunction: false,
                        pause: None,
                        marks: Vec::new(),
                        span: mark.span.clone(),
                    });
                    opened = opens;
                }
            }
        }
        Phonemes { units }
    }

    /// The phonemes of each word, adapted to the spoken language; `None` for a mark.
    fn readings(&self, text: &NormalizedText) -> Vec<Option<String>> {
        let tokens = text.tokens.as_slice();
        let spoken = self.languages.iter().find(|own| own.language() == text.language);
        let spoken = *spoken.expect("every language has a phonemizer");
        let mut readings: Vec<Option<String>> =
            tokens.iter().map(|token| user_pronunciation(token, spoken)).collect();
        for own in self.languages.iter().filter(|own| own.language() != text.language) {
            for run in runs(tokens, own.language()) {
                read_run(tokens, run, &mut readings, *own, spoken);
            }
        }
        // Read last, with the words of other languages as context.
        if tokens.iter().any(|token| language_of(token) == Some(text.language)) {
            read_run(tokens, 0..tokens.len(), &mut readings, spoken, spoken);
        }
        readings
    }

    /// Whether no lexicon has the word and its letters do not determine its phonemes.
    pub(crate) fn is_guess(&self, word: &Word) -> bool {
        let Reading::Word(language) = word.reading else { return false };
        let own = self.languages.iter().find(|own| own.language() == language);
        own.is_some_and(|own| own.is_guess(without_possessive(word, *own)))
    }

    /// Whether a word often begins a clause, in any language.
    fn is_conjunction(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.languages.iter().any(|own| own.begins_clause(&word))
    }
}

/// The phonemes of a word with a pronunciation from the caller.
fn user_pronunciation(token: &Token, spoken: &dyn LanguagePhonemizer) -> Option<String> {
    let Token::Word(word) = token else { return None };
    let Reading::UserPronunciation { phonemes, possessive } = &word.reading else { return None };
    let phonemes = phonemes.to_string();
    Some(if *possessive { spoken.with_possessive(phonemes) } else { phonemes })
}

/// The language of a word; `None` for a mark or a word with a pronunciation from the caller.
fn language_of(token: &Token) -> Option<Language> {
    match token {
        Token::Word(Word { reading: Reading::Word(own) | Reading::Spelled(own), .. }) => Some(*own),
        _ => None,
    }
}

/// The longest ranges whose words are all of `language`.
fn runs(tokens: &[Token], language: Language) -> Vec<Range<usize>> {
    let is_other = |at: &usize| language_of(&tokens[*at]).is_some_and(|own| own != language);
    let ends = (0..tokens.len()).filter(is_other).chain([tokens.len()]);
    let mut start = 0;
    ends.map(|end| mem::replace(&mut start, end + 1)..end)
        .filter(|run| tokens[run.clone()].iter().any(|token| language_of(token).is_some()))
        .collect()
}

/// Reads the words of one language in a run, and adapts their phonemes to the spoken language.
fn read_run(
    tokens: &[Token],
    run: Range<usize>,
    readings: &mut [Option<String>],
    own: &dyn LanguagePhonemizer,
    spoken: &dyn LanguagePhonemizer,
) {
    let in_context = |at: usize| RunToken::new(&tokens[at], readings[at].as_deref(), own);
    let read = own.phonemize(&run.clone().map(in_context).collect::<Vec<_>>());
    let words = run.filter(|at| language_of(&tokens[*at]) == Some(own.language()));
    for (at, phonemes) in words.zip(read) {
        if let Token::Word(word) = &tokens[at] {
            readings[at] = Some(adapted(word, phonemes, own, spoken));
        }
    }
}

fn adapted(
    word: &Word,
    phonemes: String,
    own: &dyn LanguagePhonemizer,
    spoken: &dyn LanguagePhonemizer,
) -> String {
    let text = without_possessive(word, own);
    let phonemes = if own.language() == spoken.language() {
        phonemes
    } else {
        let is_spelled = matches!(word.reading, Reading::Spelled(_));
        let phonemes = phonemes.as_str();
        spoken.adapt(ForeignWord { language: own.language(), text, phonemes, is_spelled })
    };
    if text.len() < word.text.len() { spoken.with_possessive(phonemes) } else { phonemes }
}

/// The letters of a word, without the possessive if its language has none.
fn without_possessive<'a>(word: &'a Word, own: &dyn LanguagePhonemizer) -> &'a str {
    let stem = match word.reading {
        Reading::Word(_) if !own.has_possessive() => possessive_stem(&word.text),
        _ => None,
    };
    stem.unwrap_or(&word.text)
}

/// Removes symbols outside the vocabulary. Only a faulty lexicon entry can have any.
fn in_vocabulary(symbols: &str) -> String {
    symbols.chars().filter(|symbol| vocabulary::id(*symbol).is_some()).collect()
}
