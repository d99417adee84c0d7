//! What would be said, and why: the text front end on its own.

use serde::Serialize;
use speech_base::error::Result;
use speech_base::language::Language;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::voice::Voice;

use crate::front_end::FrontEnd;
use crate::markup::{self, Passage};
use crate::normalize::choice::{Choice, Scored};
use crate::normalize::{Options, Token};
use crate::pronunciation::{Lexicon, Lexicons};

/// The text front end without the model: it needs no voice bundle.
///
/// ```
/// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
/// use speech_core::{Inspector, Language};
///
/// let inspection = Inspector::new().inspect("I paid $5.", Language::EnUs);
/// let sentence = &inspection.sentences[0];
/// assert_eq!(sentence.normalized, "I paid five dollars.");
/// assert_eq!(sentence.words[2].source, "$5");
/// assert_eq!(sentence.words[2].normalized, "five");
/// ```
pub struct Inspector {
    front_end: FrontEnd,
    lexicon: Lexicon,
    read_emoji: bool,
    read_romanized_hindi: bool,
}

/// How a text is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// Its sentences, in order.
    pub sentences: Vec<SentenceInspection>,
}

/// How a sentence is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SentenceInspection {
    /// The first byte of it in the text.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// The sentence as it stands in the text.
    pub text: String,
    /// The words that are said.
    pub normalized: String,
    /// The phonemes, in Kokoro's symbols.
    pub phonemes: String,
    /// The words one by one.
    pub words: Vec<WordInspection>,
    /// Where it could have been read in several ways.
    pub choices: Vec<ChoiceInspection>,
    /// The rows of tables that decided how an abbreviation or a name is read.
    pub rows: Vec<RowInspection>,
}

/// A row of a table of abbreviations or names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RowInspection {
    /// The first byte of the text that it was taken for.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// That text.
    pub source: String,
    /// The words that the row has for it.
    pub said: &'static str,
    /// The condition under which it has them, in the language of the tables.
    pub condition: &'static str,
    /// A text that it decides, with the place between `⟦` and `⟧`.
    pub example: &'static str,
}

/// A place that could be read in several ways, `1/4` as a fraction or a date, and how the choice fell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChoiceInspection {
    /// The first byte of it in the text.
    pub start: usize,
    /// The byte after it, where the reading that was taken ends.
    pub end: usize,
    /// The text of it.
    pub source: String,
    /// The reading that was taken.
    pub taken: ReadingInspection,
    /// Those that were refused, the likeliest first.
    pub refused: Vec<ReadingInspection>,
}

/// A way to read a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReadingInspection {
    /// What the place is taken for: `date`, `fraction`, `digits`.
    pub kind: &'static str,
    /// The words that are said for it.
    pub said: String,
    /// The higher, the likelier: a difference of 1 between two readings is odds of e to 1.
    pub score: f32,
}

/// How a word is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WordInspection {
    /// The first byte of what it was read from.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// What it was read from; several words share it where a number or a symbol is read as several.
    pub source: String,
    /// The word that is said.
    pub normalized: String,
    /// The word in the script of its language, if it was typed in another: `है` for `hai`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_own_script: Option<String>,
    /// Its phonemes.
    pub phonemes: String,
    /// Whether no lexicon has the word, so that its phonemes are a guess from its letters, as for many names in English.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_guess: bool,
}

impl Inspector {
    /// Loads the front end.
    #[expect(clippy::new_without_default, reason = "it takes a moment: a default should not")]
    pub fn new() -> Self {
        Self {
            front_end: FrontEnd::load(),
            lexicon: Lexicon::new(),
            read_emoji: false,
            read_romanized_hindi: true,
        }
    }

    /// Words that are to be read as the caller says, as with `EngineBuilder::lexicon`.
    #[must_use]
    pub fn lexicon(mut self, lexicon: Lexicon) -> Self {
        self.lexicon = lexicon;
        self
    }

    /// Whether emoji are read by their names, as with `Request::read_emoji`.
    #[must_use]
    pub fn read_emoji(mut self, read: bool) -> Self {
        self.read_emoji = read;
        self
    }

    /// Whether Hindi in Latin letters is read as Hindi, as with `Request::read_romanized_hindi`.
    #[must_use]
    pub fn read_romanized_hindi(mut self, read: bool) -> Self {
        self.read_romanized_hindi = read;
        self
    }

    /// How a text of any length is read in a language. The inspection takes about 1 kB of memory for each character of
    /// the text.
    ///
    /// An inline pronunciation that a request would be refused for is left out: its words are read.
    pub fn inspect(&self, text: &str, language: Language) -> Inspection {
        let settings = ProsodySettings::default();
        let passage = Passage::plain(text, Voice::default(), language, settings);
        Inspection { sentences: self.sentences(text, &passage).collect() }
    }

    /// How a document of SSML is read, as with `Request::ssml`; `language` is that of what names none. Spans are bytes of
    /// the document.
    ///
    /// # Errors
    ///
    /// `invalid_request` for what a request would be refused for, but for the length of the document.
    ///
    /// ```
    /// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
    /// use speech_core::{Inspector, Language};
    ///
    /// let document = r#"<speak>Born <say-as interpret-as="date" format="dm">4/5</say-as>.</speak>"#;
    /// let inspection = Inspector::new().inspect_ssml(document, Language::EnUs)?;
    /// let sentence = &inspection.sentences[0];
    /// assert_eq!(sentence.normalized, "Born the fourth of May.");
    /// assert_eq!(sentence.words[1].source, "4/5");
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    pub fn inspect_ssml(&self, document: &str, language: Language) -> Result<Inspection> {
        let settings = ProsodySettings::default();
        let passages = markup::ssml::passages(document, Voice::default(), language, settings)?;
        let sentences = passages.iter().flat_map(|passage| self.sentences(document, passage));
        Ok(Inspection { sentences: sentences.collect() })
    }

    /// How the sentences of a passage of `text` are read.
    fn sentences<'a>(
        &'a self,
        text: &'a str,
        passage: &'a Passage,
    ) -> impl Iterator<Item = SentenceInspection> {
        let options = Options {
            read_emoji: self.read_emoji,
            read_romanized_hindi: self.read_romanized_hindi,
            lexicons: Lexicons::of(&self.lexicon),
            explain: true,
            ..Options::plain(passage.language)
        };
        let sentences = self.front_end.normalize_passage(passage, passage.options(options));
        sentences.map(move |(sentence, normalized)| {
            let phonemes = self.front_end.phonemize(&normalized);
            let words = normalized.tokens.iter().filter_map(|token| match token {
                Token::Word(word) => Some(word),
                Token::Mark(_) => None,
            });
            let choices = normalized
                .choices
                .iter()
                .filter_map(|choice| explain(text, passage, choice))
                .collect();
            let rows = normalized.rows.iter().map(|(span, row)| {
                let span = passage.source.source(span);
                let source = text[span.clone()].to_owned();
                let (said, condition, example) = (row.words, row.when.text, row.example);
                RowInspection { start: span.start, end: span.end, source, said, condition, example }
            });
            let rows = rows.collect();
            let reading = |word| phonemes.word(word).map(|unit| unit.symbols.clone());
            let words = words
                .enumerate()
                .map(|(i, word)| {
                    let span = passage.source.source(&word.span);
                    WordInspection {
                        start: span.start,
                        end: span.end,
                        source: text[span].to_owned(),
                        normalized: word.shown().to_owned(),
                        in_own_script: word.written.is_some().then(|| word.text.clone()),
                        phonemes: reading(i).unwrap_or_default(),
                        is_guess: self.front_end.is_guess(word),
                    }
                })
                .collect();
            let span = passage.source.source(&sentence.span);
            SentenceInspection {
                start: span.start,
                end: span.end,
                text: text[span].to_owned(),
                normalized: normalized.to_line(),
                phonemes: phonemes.to_line(),
                words,
                choices,
                rows,
            }
        })
    }
}

/// The readings of a place, unless all say the same.
fn explain(text: &str, passage: &Passage, choice: &Choice) -> Option<ChoiceInspection> {
    let reading = |scored: &Scored| ReadingInspection {
        kind: scored.kind.name(),
        said: scored.said.clone(),
        score: scored.score,
    };
    let taken = &choice.candidates[choice.taken];
    let others = choice.candidates.iter().filter(|scored| scored.said != taken.said);
    let mut refused: Vec<_> = others.map(reading).collect();
    refused.sort_by(|a, b| b.score.total_cmp(&a.score));
    refused.dedup_by(|a, b| a.said == b.said);
    let place = passage.source.source(&(choice.start..taken.end));
    (!refused.is_empty()).then(|| ChoiceInspection {
        start: place.start,
        end: place.end,
        source: text[place].to_owned(),
        taken: reading(taken),
        refused,
    })
}

impl Inspection {
    /// The inspection as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an inspection always serialises")
    }
}
