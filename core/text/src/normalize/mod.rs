//! Text normalization: converts a sentence to spoken words.
//!
//! One scan serves all languages. Recognizers find semiotic classes (dates, money, telephone
//! numbers, ...), and the sentence's language verbalizes them. Marks pace the speech. Characters
//! that no language reads are skipped and reported. The output contains no digits or symbols, and
//! every word keeps its source span.

pub(crate) mod abbreviation;
pub(crate) mod address;
pub(crate) mod alphanumeric;
pub(crate) mod amount;
pub(crate) mod boundaries;
pub mod choice;
pub(crate) mod code_parts;
pub(crate) mod condition;
pub(crate) mod coordinate;
pub(crate) mod cursor;
pub(crate) mod date;
pub(crate) mod electronic;
pub(crate) mod emoji;
pub(crate) mod formula;
pub(crate) mod fraction;
pub(crate) mod identifier;
pub(crate) mod kitchen;
pub(crate) mod label;
pub(crate) mod length;
pub(crate) mod locale;
pub(crate) mod markdown;
pub(crate) mod marked;
pub(crate) mod masked;
pub(crate) mod math;
pub(crate) mod measure;
pub(crate) mod money;
pub(crate) mod number;
pub(crate) mod plural;
pub(crate) mod postal;
pub(crate) mod prelude;
pub(crate) mod preprocess;
pub(crate) mod properties;
pub(crate) mod range;
pub(crate) mod recognizer;
pub(crate) mod roman;
pub(crate) mod romanized;
pub(crate) mod say;
pub(crate) mod say_as;
pub(crate) mod scan;
pub(crate) mod semiotic;
pub(crate) mod sentence_language;
pub(crate) mod shapes;
pub(crate) mod symbol;
pub(crate) mod telephone;
pub(crate) mod time_of_day;
pub(crate) mod user_pronunciation;
pub(crate) mod verbalized;
pub(crate) mod year;
pub(crate) mod zones;

use std::ops::Range;
use std::sync::Arc;

use speech_base::language::Language;

use self::choice::Choice;
use self::locale::{Abbreviation, Locales};
pub(crate) use self::marked::MarkedAs;
pub use self::marked::MarkedReading;
use self::preprocess::Preprocessed;
use self::recognizer::SentenceContext;
use self::scan::Scanner;
use crate::pronunciation::Lexicons;
use crate::segment::Sentence;

/// The request options for normalization.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The language of the request.
    pub language: Language,
    /// Read emoji by name instead of skipping them.
    pub read_emoji: bool,
    /// Read Hindi in Latin letters as Hindi.
    pub read_romanized_hindi: bool,
    /// Pronunciations and respellings from the caller.
    pub lexicons: Lexicons<'a>,
    /// Keep the alternative readings.
    pub explain: bool,
    /// Read `[word](/ipa/)` as a pronunciation.
    pub read_inline: bool,
    /// Readings of ranges from markup, in order. They do not overlap, except that a range in
    /// another language precedes the ranges inside it.
    pub marked: &'a [MarkedReading],
    /// For training: positions in the text, and the index of the candidate to choose there
    /// regardless of its score.
    pub forced: &'a [(usize, usize)],
}

impl Options<'static> {
    /// A language with default options.
    pub fn plain(language: Language) -> Self {
        Self {
            language,
            read_emoji: false,
            read_romanized_hindi: true,
            lexicons: Lexicons::none(),
            explain: false,
            read_inline: true,
            marked: &[],
            forced: &[],
        }
    }
}

/// A normalized sentence.
#[derive(Clone, Debug, Default)]
pub struct NormalizedText {
    /// The language of the request. Its voices speak the words of every language.
    pub(crate) language: Language,
    /// Words and marks, in order.
    pub tokens: Vec<Token>,
    /// Skipped characters, in order.
    pub skipped: Vec<Skipped>,
    /// Positions with several readings, if requested.
    pub choices: Vec<Choice>,
    /// The applied table rows and their byte ranges in the caller's text, if requested.
    pub(crate) rows: Vec<(Range<usize>, &'static Abbreviation)>,
}

/// A word or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word to say.
    Word(Word),
    /// A punctuation mark.
    Mark(Mark),
}

/// A spoken word: only letters, apostrophes and hyphens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The spelling that is read.
    pub text: String,
    /// The caller's spelling, if it is in another script, as for a romanized word.
    pub written: Option<String>,
    pub(crate) reading: Reading,
    /// Its source bytes in the caller's text.
    pub span: Range<usize>,
}

/// The reading of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As a word of this language in its script.
    Word(Language),
    /// Letter by letter, with this language's names of Latin letters.
    Spelled(Language),
    /// With the caller's pronunciation, in vocabulary symbols.
    UserPronunciation {
        phonemes: Arc<str>,
        /// Whether to add the English possessive ending.
        possessive: bool,
    },
}

/// A punctuation mark that paces the speech: one of `; : , . ! ? — … " ( ) “ ”`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub(crate) symbol: char,
    /// Its bytes in the caller's text.
    pub span: Range<usize>,
}

/// Skipped characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Their bytes in the caller's text.
    pub span: Range<usize>,
}

impl Token {
    /// A word with no other spelling.
    fn word(text: String, reading: Reading, span: Range<usize>) -> Self {
        Self::Word(Word { text, written: None, reading, span })
    }
}

impl Word {
    /// The word as it is shown: in the caller's script if it was transliterated, otherwise as it is
    /// read.
    pub fn shown(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.text)
    }
}

impl NormalizedText {
    /// Creates a text without words.
    pub fn new(language: Language) -> Self {
        Self { language, ..Self::default() }
    }

    /// Whether there is a spoken word.
    pub fn has_words(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Word(_)))
    }

    /// The number of words.
    pub fn word_count(&self) -> usize {
        self.tokens.iter().filter(|token| matches!(token, Token::Word(_))).count()
    }

    /// The mark at the end, if any.
    pub fn last_mark(&self) -> Option<char> {
        match self.tokens.last()? {
            Token::Mark(mark) => Some(mark.symbol),
            Token::Word(_) => None,
        }
    }

    /// Whether a mark is the last token.
    pub fn ends_with_mark(&self) -> bool {
        self.last_mark().is_some()
    }

    /// The words and marks as a line of plain text.
    pub fn to_line(&self) -> String {
        line(&self.tokens).0
    }
}

/// Words and marks as a line of plain text, and the byte range of each word in the line.
pub(crate) fn line<'a>(tokens: impl IntoIterator<Item = &'a Token>) -> (String, Vec<Range<usize>>) {
    let mut line = String::new();
    let mut words = Vec::new();
    for token in tokens {
        match token {
            Token::Word(word) => {
                if !line.is_empty() && !line.ends_with(['(', '“']) {
                    line.push(' ');
                }
                words.push(line.len()..line.len() + word.shown().len());
                line.push_str(word.shown());
            }
            Token::Mark(mark) => {
                if matches!(mark.symbol, '(' | '“' | '—') && !line.is_empty() {
                    line.push(' ');
                }
                line.push(mark.symbol);
            }
        }
    }
    (line, words)
}

/// Normalizes one sentence of `text`.
pub(crate) fn normalize(
    text: &str,
    sentence: &Sentence,
    options: Options<'_>,
    locales: Locales,
) -> NormalizedText {
    let marked = marked::within(options.marked, &sentence.span);
    let options = Options { marked: &marked, ..options };
    let preprocessed = marked::preprocess(text, &sentence.span, options, locales);
    let preprocessed = romanized::in_own_script(preprocessed, options, locales);
    scan(text, &preprocessed, options, locales)
}

/// The words and marks of a preprocessed range of a text.
fn scan(
    text: &str,
    preprocessed: &Preprocessed<'_>,
    options: Options<'_>,
    locales: Locales,
) -> NormalizedText {
    let places = marked::places(options.marked, preprocessed);
    let unmarked = marked::without_other_languages(preprocessed, &places);
    let locale = sentence_language::language(&unmarked, options.language, locales);
    let sentence = SentenceContext::new(&preprocessed.text, locale, locales);
    Scanner::new(text, preprocessed, &sentence, options, places).run()
}

#[cfg(test)]
crate::row_tests::rows! {
    said: |[language, text]| {
        let options = Options::plain(crate::row_tests::language(language));
        crate::row_tests::sentence(text, options).to_line()
    };
    other_scripts: |[text]| {
        let normalized = crate::row_tests::sentence(text, Options::plain(Language::EnUs));
        let skipped = normalized.skipped.iter().map(|one| &text[one.span.clone()]);
        format!("{} | {}", normalized.to_line(), skipped.collect::<Vec<_>>().join(" "))
    };
    sources_of_words: |[text]| {
        let normalized = crate::row_tests::sentence(text, Options::plain(Language::EnUs));
        let shown = |token: Token| match token {
            Token::Word(word) => format!("{}={}", word.text, &text[word.span]),
            Token::Mark(mark) => format!("{}={}", mark.symbol, &text[mark.span]),
        };
        normalized.tokens.into_iter().map(shown).collect::<Vec<_>>().join(" ")
    };
}
