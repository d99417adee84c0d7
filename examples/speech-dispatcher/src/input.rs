//! Reads the lines that the server sends.

use std::io::{self, BufRead, Read};

/// The longest message that is kept, in bytes. A longer one is read to its end and rejected.
pub const MAX_MESSAGE: usize = 4 << 20;

/// Reads commands and the data after them.
#[derive(Debug)]
pub struct Input<R> {
    reader: R,
}

/// The lines up to a line that is a single dot.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    /// All lines, with escaped dots unescaped.
    Lines(Vec<String>),
    /// There were more than [`MAX_MESSAGE`] bytes.
    TooLong,
}

impl<R: BufRead> Input<R> {
    /// Reads from a stream.
    pub fn new(reader: R) -> Self {
        Self { reader }
    }

    /// The next line without its end; none at the end of the stream. Invalid UTF-8 is replaced, and
    /// bytes beyond the longest message are dropped.
    ///
    /// # Errors
    ///
    /// The stream cannot be read.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        let (mut bytes, mut is_whole) = (Vec::new(), false);
        let mut part = self.reader.by_ref().take(MAX_MESSAGE as u64 + 1);
        if part.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        while bytes.last() != Some(&b'\n') && !is_whole {
            let mut rest = Vec::new();
            let mut part = self.reader.by_ref().take(1 << 16);
            part.read_until(b'\n', &mut rest)?;
            is_whole = rest.is_empty() || rest.last() == Some(&b'\n');
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The lines up to a line that is a single dot; none if the stream ends first.
    ///
    /// # Errors
    ///
    /// The stream cannot be read.
    pub fn block(&mut self) -> io::Result<Option<Block>> {
        let (mut lines, mut length) = (Vec::new(), 0);
        loop {
            let Some(line) = self.line()? else { return Ok(None) };
            if line == "." {
                break;
            }
            length += line.len() + 1;
            if length <= MAX_MESSAGE {
                lines.push(line.strip_prefix('.').unwrap_or(&line).to_owned());
            } else {
                lines.clear();
            }
        }
        Ok(Some(if length <= MAX_MESSAGE { Block::Lines(lines) } else { Block::TooLong }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(bytes: &[u8]) -> Vec<Option<Block>> {
        let mut input = Input::new(bytes);
        let mut blocks = vec![input.block().unwrap()];
        while blocks.last() != Some(&None) {
            blocks.push(input.block().unwrap());
        }
        blocks
    }

    #[test]
    fn blocks_end_with_a_dot() {
        let lines = |lines: &[&str]| {
            Some(Block::Lines(lines.iter().map(|line| (*line).to_owned()).collect()))
        };
        assert_eq!(blocks(b"a\n.\n"), [lines(&["a"]), None]);
        assert_eq!(blocks(b"..b\n...\n\n.\r\nc"), [lines(&[".b", "..", ""]), None]);
        assert_eq!(blocks(b".\n.\n"), [lines(&[]), lines(&[]), None]);
        assert_eq!(blocks(b"\xff\xc3\xa9\n.\n"), [lines(&["\u{fffd}\u{e9}"]), None]);
    }

    #[test]
    fn what_is_too_long_costs_that_message_alone() {
        let mut bytes = vec![b'a'; MAX_MESSAGE + 5];
        bytes.extend(b"\n.\nb\n.\n");
        let short = Block::Lines(vec!["b".to_owned()]);
        assert_eq!(blocks(&bytes), [Some(Block::TooLong), Some(short), None]);
        let mut bytes = b"aaaaaaaa\n".repeat(MAX_MESSAGE / 8);
        bytes.extend(b".\n");
        assert_eq!(blocks(&bytes), [Some(Block::TooLong), None]);
    }
}
