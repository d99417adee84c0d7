//! Finds uncertain readings in a book.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use speech_core::{Inspector, Language, SentenceInspection};

use crate::passages::Passage;

/// The maximum number of rows in the table. A book has some hundreds; other texts may have any
/// number.
const MAX_ROWS: usize = 20_000;

/// The threshold of uncertainty in log probability: another reading is likelier than e⁻² (about
/// 1/7) times the chosen one.
const CLOSE: f32 = 2.0;

/// The reason for an uncertain reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// No lexicon has the word: its phonemes are predicted from its letters.
    Guess,
    /// Another reading of a number or symbol is nearly as likely.
    Ambiguous,
}

impl Reason {
    /// The name, such as `guess`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// A text with an uncertain reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsure {
    /// The normalized word, or the number or symbol as it is in the book.
    pub text: String,
    /// The chosen reading: the phonemes of a word, or the words of a number or symbol.
    pub reading: String,
    /// The second best reading; empty for a word.
    pub other: String,
    /// The reason.
    pub reason: Reason,
    /// The number of occurrences in the book.
    pub count: usize,
    /// The chapter of the first occurrence, from 1.
    pub chapter: usize,
}

/// The uncertain readings of passages, the most frequent first.
pub(crate) fn unsure(
    passages: &[Passage],
    inspector: &Inspector,
    language: Language,
) -> Vec<Unsure> {
    let mut rows: BTreeMap<(Reason, String, String), Unsure> = BTreeMap::new();
    for passage in passages {
        for sentence in inspector.inspect(&passage.row.text, language).sentences {
            for found in of_sentence(&sentence, passage.chapter + 1) {
                let key = (found.reason, found.text.clone(), found.reading.clone());
                let is_full = rows.len() >= MAX_ROWS;
                match rows.entry(key) {
                    Entry::Occupied(mut row) => row.get_mut().count += 1,
                    Entry::Vacant(_) if is_full => (),
                    Entry::Vacant(row) => {
                        row.insert(found);
                    }
                }
            }
        }
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.sort_by(|a, b| b.count.cmp(&a.count).then(a.chapter.cmp(&b.chapter)));
    rows
}

fn of_sentence(sentence: &SentenceInspection, chapter: usize) -> Vec<Unsure> {
    let words = sentence.words.iter().filter(|word| word.is_guess).map(|word| Unsure {
        text: word.normalized.clone(),
        reading: word.phonemes.clone(),
        other: String::new(),
        reason: Reason::Guess,
        count: 1,
        chapter,
    });
    let choices = sentence.choices.iter().filter_map(|choice| {
        let other = choice.refused.first()?;
        (choice.taken.score - other.score < CLOSE).then(|| Unsure {
            text: choice.source.clone(),
            reading: choice.taken.said.clone(),
            other: other.said.clone(),
            reason: Reason::Ambiguous,
            count: 1,
            chapter,
        })
    });
    words.chain(choices).collect()
}

/// The table as tab-separated values with a header. The first two columns of a row for a word are a
/// line of a lexicon.
pub fn table(rows: &[Unsure]) -> String {
    let mut table = "text\treading\treason\tcount\tchapter\tother\n".to_owned();
    for row in rows {
        let reading = match row.reason {
            Reason::Guess => format!("/{}/", row.reading),
            Reason::Ambiguous => row.reading.clone(),
        };
        let cells = [&row.text, &reading, row.reason.as_str(), &row.count.to_string()];
        let cells = cells.map(crate::subtitles::one_line);
        let (chapter, other) = (row.chapter, crate::subtitles::one_line(&row.other));
        table += &format!("{}\t{chapter}\t{other}\n", cells.join("\t"));
    }
    table
}
