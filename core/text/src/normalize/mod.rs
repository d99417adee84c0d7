//! Text normalization: converts a sentence to spoken words.
//!
//! One scan serves all languages. Recognizers find semiotic classes (dates, money, telephone
//! numbers, ...), and the sentence's language verbalizes them. Marks pace the speech. Characters
//! that no language reads are skipped and reported. The output contains no digits or symbols, and
//! every word keeps its source span.

/// A recognizer that reads only the text.
macro_rules! text_recognizer {
    ($class:ident, $variant:ident) => {
        |context| {
            let (length, value) = $crate::normalize::$class::find(context.before, context.rest)?;
            Some((length, $crate::normalize::semiotic::SemioticClass::$variant(value)))
        }
    };
}

/// A recognizer that reads the text and the context words of all languages.
macro_rules! context_recognizer {
    ($class:ident, $variant:ident) => {
        |context| {
            let locales = context.locales();
            let (length, value) =
                $crate::normalize::$class::find(context.before, context.rest, locales)?;
            Some((length, $crate::normalize::semiotic::SemioticClass::$variant(value)))
        }
    };
}

pub(crate) use {context_recognizer, text_recognizer};

pub(crate) mod abbreviation;
pub(crate) mod address;
pub(crate) mod alphanumeric;
pub(crate) mod amount;
pub(crate) mod boundaries;
pub mod choice;
pub(crate) mod code_parts;
pub(crate) mod condition;
pub(crate) mod context_words;
pub(crate) mod coordinate;
pub(crate) mod cursor;
pub(crate) mod date;
pub(crate) mod dosage;
pub(crate) mod electronic;
pub(crate) mod emoji;
pub(crate) mod fraction;
pub(crate) mod identifier;
pub(crate) mod kitchen;
pub(crate) mod label;
pub(crate) mod latex;
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

impl Word {
    /// The word in the caller's spelling.
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
mod tests {
    use super::*;
    use crate::languages::locales;

    fn line(text: &str, language: Language) -> String {
        let sentence = Sentence::whole(text);
        normalize(text, &sentence, Options::plain(language), locales()).to_line()
    }

    #[test]
    fn what_is_said() {
        let en = Language::EnUs;
        let hi = Language::HiIn;
        let rows = [
            (en, "Hello, world.", "Hello, world."),
            (en, "He paid $5 for 12 eggs!", "He paid five dollars for twelve eggs!"),
            (en, "$1.01 or £2.50", "one dollar and one cent or two pounds and fifty pence"),
            (en, "$3 million, ₹1", "three million dollars, one rupee"),
            (
                en,
                "It rose 3.05% in 1999.",
                "It rose three point zero five percent in nineteen ninety nine.",
            ),
            (
                en,
                "1,234,567",
                "one million two hundred thirty four thousand five hundred sixty seven",
            ),
            (en, "1,25,000", "one lakh twenty five thousand"),
            (en, "the 21st, 2nd and 112th", "the twenty first, second and one hundred twelfth"),
            (en, "at 10:30 or 7:05 or 9:00", "at ten thirty or seven oh five or nine o'clock"),
            (en, "007 and -4", "zero zero seven and minus four"),
            (en, "pre-1900 A-1", "pre nineteen hundred A one"),
            (en, "rock & roll @ home", "rock and roll at home"),
            (en, "the U.S. at 5 p.m.", "the US at five PM."),
            (en, "a “quoted” (and) well-known — thing…", "a “quoted” (and) well-known — thing…"),
            (en, "don’t 'quote' O'Brien's", "don't quote O'Brien's"),
            (en, "**bold** _it_ `x`", "bold it x"),
            (en, "café naïve Ærøskøbing", "café naïve Aeroskobing"),
            (en, "Привет, 你好", "Privet, NiHao"),
            (en, "Dr. No visits .NET at example.com.", "Dr No visits dot net at example dot com."),
            (en, "H2O and GPT4", "H two O and GPT four"),
            (en, "नमस्ते friend", "नमस्ते friend"),
            (en, "½ cup ٣", "one half cup three"),
            (en, "2024-11-21", "November twenty first twenty twenty four"),
            (en, "a😀b \u{0}\u{e000}c", "a b c"),
            (en, "...", "…"),
            (en, "wait -- what", "wait — what"),
            (en, "=== Title === >>> x", "Title x"),
            (
                en,
                "10000000000000000000",
                "one zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero zero",
            ),
            (hi, "मेरे पास ₹50 हैं।", "मेरे पास पचास रुपए हैं."),
            (hi, "१२,३४,५६७", "बारह लाख चौंतीस हज़ार पाँच सौ सड़सठ"),
            (hi, "3.5% बढ़ा", "तीन दशमलव पाँच प्रतिशत बढ़ा"),
            (hi, "WiFi ठीक है", "WiFi ठीक है"),
            (hi, "serverपर राम's app-आधारित", "server पर राम's app आधारित"),
            (hi, "Please pay 500 rupees.", "Please pay five hundred rupees."),
            (en, "मुझे 5 files चाहिए।", "मुझे पाँच files चाहिए."),
        ];
        assert_said(&rows);
    }

    /// Asserts the words of texts in a language.
    fn assert_said(rows: &[(Language, &str, &str)]) {
        let failures: Vec<_> = rows
            .iter()
            .filter_map(|(language, text, expected)| {
                let got = line(text, *language);
                (got != *expected).then(|| format!("{text:?}: {got:?}, not {expected:?}"))
            })
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[expect(clippy::too_many_lines, reason = "a table")]
    #[test]
    fn texts_as_people_type_them() {
        let (en, hi) = (Language::EnUs, Language::HiIn);
        assert_said(&[
            (
                en,
                "The Rev. Mr. Collins took £400.",
                "The Reverend Mister Collins took four hundred pounds.",
            ),
            (
                en,
                "Rev. up 4% on $2M of sales",
                "revenue up four percent on two million dollars of sales",
            ),
            (en, "Ver. 2, Rev. B, Rev. J. Smith", "version two, revision B, Reverend J Smith"),
            (en, "VAT no. GB 12, no UK 5", "VAT number GB twelve, no UK five"),
            (en, "my account no longer works", "my account no longer works"),
            (en, "c/o Mrs. J. Finch, 9 Elm Ct.", "care of misses J Finch, nine Elm Court."),
            (en, "Pt c/o chest pain.", "patient complaining of chest pain."),
            (en, "Acme, d/b/a Roadrunner", "Acme, doing business as Roadrunner"),
            (en, "a PhD in math", "a PhD in math"),
            (
                en,
                "He moved to Toronto, ON M5V 2T6.",
                "He moved to Toronto, Ontario M five V, two T six.",
            ),
            (en, "Turn it, ON or off", "Turn it, ON or off"),
            (en, "Press 0# for an agent", "Press zero pound for an agent"),
            (en, "a 50# bag", "a fifty pound bag"),
            (
                en,
                "Chords: C#m7, F#m, G#7",
                "Chords: C sharp minor seven, F sharp minor, G number seven",
            ),
            (en, "Dial 999 in an emergency", "Dial nine nine nine in an emergency"),
            (en, "$12$ apples, $2n$ or $0.5$", "twelve apples, two n or zero point five"),
            (en, r"$a \cdot b$, ${x}_{1}$", "a times b, x one"),
            (
                en,
                "$5-$10 for $5 or $6",
                "five dollars to ten dollars for five dollars or six dollars",
            ),
            (en, "$n!$ is $120$, MP3s", "n! is one hundred twenty, MP threes"),
            (en, "A380s and F-16s", "A three eighties and F sixteens"),
            (en, "the 747s and 737s", "the seven forty sevens and seven thirty sevens"),
            (en, "Stop!!!!!!! Now??? ?!?!", "Stop! Now?!"),
            (
                en,
                "so...... maybe . . . later,, yes;;; no…… and .NET",
                "so… maybe… later, yes; no… and dot net",
            ),
            (en, "20~30 minutes", "twenty to thirty minutes"),
            (en, "open 5〜10 pm", "open five to ten PM"),
            (en, "5~10 kg and $5～10", "five to ten kilograms and five to ten dollars"),
            (en, "20 ~ 30 minutes", "twenty to thirty minutes"),
            (en, "~5 km, about ~5 km", "about five kilometers, about five kilometers"),
            (en, "roughly ~300 people", "roughly three hundred people"),
            (hi, "20~30 मिनट", "बीस से तीस मिनट"),
            (hi, "लगभग ~5 किमी", "लगभग पाँच किलोमीटर"),
            (
                en,
                "-1.2 °C, −3 °C and - 5 °C",
                "minus one point two degrees Celsius, minus three degrees Celsius and minus five degrees Celsius",
            ),
            (en, "It fell to - 5 °C.", "It fell to minus five degrees Celsius."),
            (en, "London - 5 °C", "London — five degrees Celsius"),
            (en, "5 - 5 °C and to - 5 kg", "five — five degrees Celsius and to — five kilograms"),
            (en, "First para-\ngraph here.", "First paragraph here."),
            (
                en,
                "We re-\nduce the infor-\r\nmation to-\n  day.",
                "We reduce the information today.",
            ),
            (en, "a well-\nknown self-\nmade man", "a well known self made man"),
            (
                en,
                "wo\u{200b}rd in\u{2060}vis\u{feff}ible 1\u{2060}000",
                "word invisible one thousand",
            ),
            (en, "a \u{200b}b \u{feff}c\u{2060} d", "a b c d"),
            (
                en,
                "He won`t, she´ll, it′s, I´m, don‛t, O´Brien",
                "He won't, she'll, it's, I'm, don't, O'Brien",
            ),
            (en, "We didnˈt see Benʹs, wasnꞌt in Hawaiʻi", "We didn't see Ben's, wasn't in Hawaii"),
            (en, "mid\u{200e}night cup\u{2063}cake", "midnight cupcake"),
            (en, "Zorgk-\nlubs de\u{ad}\nclined", "Zorgklubs declined"),
            (en, "* * * She woke.", "She woke."),
            (en, "two 401ks and W2s", "two four oh one K's and W twos"),
            (
                en,
                "“It was late. We saw Mr. Lee.” he said",
                "“It was late. We saw Mister Lee.” he said",
            ),
            (en, "(She was in the U.S. It rained.) So", "(She was in the US. It rained.) So"),
            (en, "Run `ls`and `cat`, 5′ tall", "Run ls and cat, five feet tall"),
            (
                en,
                "∠ABC = 90°, so AB ⟂ BC.",
                "angle ABC equals ninety degrees, so AB is perpendicular to BC.",
            ),
            (en, "a ∦ b", "a is not parallel to b"),
            (en, "First line\\n", "First line"),
        ]);
    }

    #[test]
    fn words_keep_their_spans_and_skips_are_listed() {
        let text = "I ❤ 12 eggs";
        let sentence = Sentence::whole(text);
        let normalized = normalize(text, &sentence, Options::plain(Language::EnUs), locales());
        let words: Vec<_> = normalized
            .tokens
            .iter()
            .map(|token| match token {
                Token::Word(word) => (word.text.as_str(), &text[word.span.clone()]),
                Token::Mark(mark) => panic!("{mark:?}"),
            })
            .collect();
        assert_eq!(words, [("I", "I"), ("twelve", "12"), ("eggs", "eggs")]);
        assert_eq!(normalized.skipped.len(), 1);
        assert_eq!(&text[normalized.skipped[0].span.clone()], "❤");
    }

    #[test]
    fn other_scripts_are_transliterated_or_skipped() {
        let read = |text: &str| {
            let sentence = Sentence::whole(text);
            let options = Options::plain(Language::EnUs);
            let normalized = normalize(text, &sentence, options, locales());
            let words = normalized.tokens.iter().filter_map(|token| match token {
                Token::Word(word) => Some(word.text.clone()),
                Token::Mark(_) => None,
            });
            let skipped = normalized.skipped.iter().map(|one| text[one.span.clone()].to_owned());
            (words.collect::<Vec<_>>().join(" "), skipped.collect::<Vec<_>>().join(" "))
        };
        for (text, said, skipped) in [
            ("Привет there", "Privet there", ""),
            ("ગુજરાત is a state", "गुजरात is a state", ""),
            ("தமிழ் songs", "तमिळ् songs", ""),
            ("say مرحبا twice", "say twice", "مرحبا"),
            ("שלום and สวัสดี", "and", "שלום สวัสดี"),
        ] {
            assert_eq!(read(text), (said.into(), skipped.into()), "{text}");
        }
    }
}
