//! Explains how a text is read: the text front end without synthesis.

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

/// How one sentence is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SentenceInspection {
    /// The position of its first byte in the text.
    pub start: usize,
    /// The byte after its end.
    pub end: usize,
    /// The sentence in the text.
    pub text: String,
    /// The words that are spoken.
    pub normalized: String,
    /// The phonemes, in Kokoro's symbols.
    pub phonemes: String,
    /// The words one by one.
    pub words: Vec<WordInspection>,
    /// The positions with several possible readings.
    pub choices: Vec<ChoiceInspection>,
    /// The table rows that decided the reading of an abbreviation or name.
    pub rows: Vec<RowInspection>,
}

/// A table row for an abbreviation or a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RowInspection {
    /// The first byte of the text that the row applies to.
    pub start: usize,
    /// The byte after that text.
    pub end: usize,
    /// The text that the row applies to.
    pub source: String,
    /// The words of the row.
    pub said: &'static str,
    /// The condition of the row, in the condition language of the tables.
    pub condition: &'static str,
    /// An example of the row, with its position between `⟦` and `⟧`.
    pub example: &'static str,
}

/// A position with several readings, such as `1/4` as a fraction or a date, and the reading chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChoiceInspection {
    /// The first byte of the chosen reading in the text.
    pub start: usize,
    /// The byte after the chosen reading.
    pub end: usize,
    /// The text of the chosen reading.
    pub source: String,
    /// The chosen reading.
    pub taken: ReadingInspection,
    /// The rejected readings, the likeliest first.
    pub refused: Vec<ReadingInspection>,
}

/// A possible reading of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReadingInspection {
    /// The kind of the reading: `date`, `fraction`, `digits`.
    pub kind: &'static str,
    /// The words of the reading.
    pub said: String,
    /// A log-linear score. A difference of 1 between two readings means odds of e to 1.
    pub score: f32,
}

/// How one word is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WordInspection {
    /// The first byte of its source.
    pub start: usize,
    /// The byte after its source.
    pub end: usize,
    /// Its source in the text. The words of one number or symbol share a source.
    pub source: String,
    /// The word that is spoken.
    pub normalized: String,
    /// The word in its own script, if it was typed in another: `है` for `hai`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_own_script: Option<String>,
    /// Its phonemes.
    pub phonemes: String,
    /// Whether no lexicon has the word, so its phonemes are guessed from its letters. This is
    /// common for English names.
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

    /// Sets pronunciations from the caller, as with `EngineBuilder::lexicon`.
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

    /// Explains a text of any length in a language. The inspection takes about 1 kB of memory for
    /// each character.
    ///
    /// An invalid inline pronunciation is ignored and its words are read, although a request would
    /// be rejected.
    pub fn inspect(&self, text: &str, language: Language) -> Inspection {
        let settings = ProsodySettings::default();
        let passage = Passage::plain(text, Voice::default(), language, settings);
        Inspection { sentences: self.sentences(text, &passage).collect() }
    }

    /// Explains an SSML document, as with `Request::ssml`. `language` is the default language.
    /// Spans are bytes of the document.
    ///
    /// # Errors
    ///
    /// `invalid_request` for every document that a request rejects, except for its length.
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

    /// Explains the sentences of a passage of `text`.
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

/// Explains a choice, unless all its readings have the same words.
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
