//! Converts byte positions to UTF-16 code units, which JavaScript and the JVM use.

use std::ops::Range;

use crate::segment::{Segment, Segmenter};

/// Bytes per block. The code units before each block are stored.
const BLOCK: usize = 256;

/// Converts byte offsets of a text, which may still grow, to UTF-16 offsets.
pub struct Utf16Offsets {
    text: Vec<u8>,
    /// The code units before each block, and before the end of the text if a block ends there.
    before: Vec<u32>,
    units: u32,
}

impl Utf16Offsets {
    /// Creates the offsets of a text.
    pub fn of(text: &str) -> Self {
        let mut offsets = Self { text: Vec::new(), before: vec![0], units: 0 };
        offsets.push(text);
        offsets
    }

    /// Appends to the text.
    pub fn push(&mut self, piece: &str) {
        for byte in piece.bytes() {
            self.text.push(byte);
            self.units += units(byte);
            if self.text.len().is_multiple_of(BLOCK) {
                self.before.push(self.units);
            }
        }
    }

    /// The code units of a range of bytes.
    pub fn range(&self, bytes: &Range<usize>) -> Range<u32> {
        self.offset(bytes.start)..self.offset(bytes.end)
    }

    /// The code units before a byte.
    pub fn offset(&self, byte: usize) -> u32 {
        let block = byte / BLOCK;
        let rest = &self.text[block * BLOCK..byte];
        self.before[block] + rest.iter().map(|byte| units(*byte)).sum::<u32>()
    }
}

/// The UTF-16 code units of the character whose first byte is `byte`; 0 for a continuation byte.
fn units(byte: u8) -> u32 {
    match byte {
        0b1000_0000..=0b1011_1111 => 0,
        0b1111_0000.. => 2,
        _ => 1,
    }
}

/// A [`Segmenter`] that returns spans in UTF-16 code units.
pub struct Utf16Segmenter {
    segmenter: Segmenter,
    /// The text after the last converted offset.
    tail: String,
    /// The start of the tail, in bytes of the pushed text.
    byte_offset: usize,
    /// The start of the tail, in UTF-16 code units.
    utf16_offset: usize,
}

impl Utf16Segmenter {
    /// Creates a segmenter at the start of a text.
    #[expect(clippy::new_without_default, reason = "as that of the segmenter")]
    pub fn new() -> Self {
        let segmenter = Segmenter::new();
        Self { segmenter, tail: String::new(), byte_offset: 0, utf16_offset: 0 }
    }

    /// Adds a piece, and returns sentences that are now certain, with spans in all pushed text.
    pub fn push(&mut self, piece: &str) -> Vec<(Segment, Range<usize>)> {
        self.tail.push_str(piece);
        let segments = self.segmenter.push(piece);
        self.place(segments)
    }

    /// Ends the text and returns the remaining sentences. The next piece begins another text.
    pub fn finish(&mut self) -> Vec<(Segment, Range<usize>)> {
        let segments = std::mem::take(&mut self.segmenter).finish();
        let sentences = self.place(segments);
        *self = Self::new();
        sentences
    }

    fn place(&mut self, segments: Vec<Segment>) -> Vec<(Segment, Range<usize>)> {
        let place = |segment: Segment| {
            let start = self.advance_to(segment.span.start);
            let end = self.advance_to(segment.span.end);
            (segment, start..end)
        };
        segments.into_iter().map(place).collect()
    }

    /// Drops the text before a byte offset, and returns its UTF-16 offset.
    fn advance_to(&mut self, byte: usize) -> usize {
        let dropped = self.tail.drain(..byte - self.byte_offset);
        self.utf16_offset += dropped.map(char::len_utf16).sum::<usize>();
        self.byte_offset = byte;
        self.utf16_offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_encoded_text() {
        let text = "a é 😀 नमस्ते ".repeat(60);
        let mut offsets = Utf16Offsets::of("");
        for piece in text.split_inclusive(' ') {
            offsets.push(piece);
        }
        for (byte, _) in text.char_indices() {
            let units = text[..byte].encode_utf16().count();
            assert_eq!(offsets.offset(byte) as usize, units, "byte {byte}");
        }
        let end = text.encode_utf16().count() as u32;
        assert_eq!(offsets.range(&(0..text.len())), 0..end);
    }

    #[test]
    fn sentences_are_where_they_were_pushed() {
        let text = "One 😀 sentence. Another é one. And the rest";
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let mut segmenter = Utf16Segmenter::new();
        for _ in 0..2 {
            let mut sentences = segmenter.push(&text[..9]);
            sentences.extend(segmenter.push(&text[9..]));
            sentences.extend(segmenter.finish());
            assert_eq!(sentences.len(), 3);
            for (segment, units) in sentences {
                assert_eq!(String::from_utf16(&utf16[units]).unwrap(), segment.text);
            }
        }
    }
}
