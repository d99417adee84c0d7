//! The places of a book whose reading is uncertain.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use speech_core::{Inspector, Language, SentenceInspection};

use crate::passages::Passage;

/// The most rows of the table. A book has some hundreds; another text may have any number.
const MAX_ROWS: usize = 20_000;

/// A reading is uncertain if another one is likelier than e⁻² times it, about 1 to 7.
const CLOSE: f32 = 2.0;

/// Why a reading is uncertain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// No lexicon has the word: its phonemes are a guess from its letters.
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

/// A text whose reading is uncertain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsure {
    /// As it stands in the book.
    pub text: String,
    /// How it is read: the phonemes of a word, or the words of a number.
    pub reading: String,
    /// The other reading, empty for a word.
    pub other: String,
    /// Why.
    pub reason: Reason,
    /// How often the book has it.
    pub count: usize,
    /// The chapter where it stands first, from 1.
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

/// The table, as tab-separated values with a header. The first two columns of a word are a line of
/// a lexicon.
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
