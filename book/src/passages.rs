//! Divides a book into rows of a batch, with some paragraphs and a pause each.

use speech_batch::Row;
use speech_core::split_text;

use crate::book::{Block, Book};

/// The maximum number of characters in a row, except for longer sentences: about a minute of
/// speech. An interrupted run loses one row per job.
const ROW: usize = 1000;

/// Pauses in milliseconds, in addition to about 220 ms of silence around each sentence.
const AFTER_PARAGRAPH: u32 = 560;
const AFTER_SENTENCE: u32 = 280;
const AFTER_HEADING: u32 = 1000;
const AFTER_CHAPTER: u32 = 2000;

/// A part of a chapter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Passage {
    /// The number of the chapter, from 0.
    pub(crate) chapter: usize,
    pub(crate) row: Row,
    /// The pause after it, in milliseconds.
    pub(crate) pause: u32,
}

/// The passages of a book, each a row with the given settings.
pub(crate) fn passages(book: &Book, settings: &Row) -> Vec<Passage> {
    let mut passages = Vec::new();
    for (chapter, content) in book.chapters.iter().enumerate() {
        let texts = texts(&content.blocks);
        let count = texts.len();
        for (at, (text, pause)) in texts.into_iter().enumerate() {
            let row = Row {
                id: format!("{:04}-{:04}", chapter + 1, at + 1),
                text,
                // Books do not contain this library's pause markup.
                read_pauses: Some(false),
                ..settings.clone()
            };
            let pause = if at + 1 == count { AFTER_CHAPTER } else { pause };
            passages.push(Passage { chapter, row, pause });
        }
    }
    passages
}

/// The texts of a chapter, each with the pause after it.
fn texts(blocks: &[Block]) -> Vec<(String, u32)> {
    let mut texts: Vec<(String, u32)> = Vec::new();
    // Whether another paragraph may join the last text.
    let mut is_open = false;
    for block in blocks {
        let text = match block {
            Block::Heading(text) => {
                texts.push((text.clone(), AFTER_HEADING));
                is_open = false;
                continue;
            }
            Block::Paragraph(text) => text,
        };
        match texts.last_mut().filter(|(last, _)| is_open && last.len() + text.len() <= ROW) {
            Some((last, _)) => {
                last.push_str("\n\n");
                last.push_str(text);
            }
            None => {
                let parts = split_text(text, ROW).into_iter();
                texts.extend(parts.map(|part| (part.to_owned(), AFTER_SENTENCE)));
                if let Some((_, pause)) = texts.last_mut() {
                    *pause = AFTER_PARAGRAPH;
                }
            }
        }
        is_open = true;
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Chapter;

    #[test]
    fn paragraphs_share_rows_and_long_ones_are_cut_between_sentences() {
        let long = "A sentence of some words. ".repeat(100);
        let blocks = vec![
            Block::Heading("One".to_owned()),
            Block::Paragraph("First.".to_owned()),
            Block::Paragraph("Second.".to_owned()),
            Block::Paragraph(long.trim().to_owned()),
        ];
        let chapter = Chapter { title: "One".to_owned(), blocks };
        let book = Book { chapters: vec![chapter.clone(), chapter], ..Book::default() };
        let passages = passages(&book, &Row::default());
        let rows: Vec<_> = passages.iter().map(|it| (it.row.text.as_str(), it.pause)).collect();
        assert_eq!(rows[..2], [("One", 1000), ("First.\n\nSecond.", 560)]);
        assert_eq!(
            rows.iter().map(|it| it.1).collect::<Vec<_>>(),
            [1000, 560, 280, 280, 2000, 1000, 560, 280, 280, 2000]
        );
        assert!(rows.iter().all(|(text, _)| text.len() <= ROW && text.ends_with(['.', 'e'])));
        assert_eq!(passages[0].row.id, "0001-0001");
        assert_eq!((passages[5].row.id.as_str(), passages[5].chapter), ("0002-0001", 1));
        let spoken: usize = rows[2..5].iter().map(|it| it.0.matches("sentence").count()).sum();
        assert_eq!(spoken, 100);
    }
}
