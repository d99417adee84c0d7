//! Writes to the server: replies to its commands, and events of the current message.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use speech_core::SAMPLE_RATE;

/// Precedes a byte with one inverted bit, as in HDLC: audio bytes must not look like line ends.
const ESCAPE: u8 = 0x7d;
const INVERTED: u8 = 0x20;

/// The output stream; each reply and each event is written atomically. Clones share the stream.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    /// Writes to a stream.
    pub fn new(stream: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(stream)))
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stream.write_all(bytes)?;
        stream.flush()
    }

    /// Writes a reply of one line, or of several lines of which all but the last have a hyphen
    /// after the number.
    ///
    /// # Errors
    ///
    /// The stream cannot be written; this holds for all methods.
    pub fn reply(&self, lines: &str) -> io::Result<()> {
        self.write(format!("{lines}\n").as_bytes())
    }

    /// The message begins: audio follows.
    pub fn begin(&self) -> io::Result<()> {
        self.reply("701 BEGIN")
    }

    /// The message was spoken to its end.
    pub fn end(&self) -> io::Result<()> {
        self.reply("702 END")
    }

    /// The message was stopped.
    pub fn stop(&self) -> io::Result<()> {
        self.reply("703 STOP")
    }

    /// The message was paused at a mark, where it can be resumed.
    pub fn pause(&self) -> io::Result<()> {
        self.reply("704 PAUSE")
    }

    /// Reports that a mark was reached.
    pub fn mark(&self, name: &str) -> io::Result<()> {
        self.reply(&format!("700-{name}\n700 INDEX MARK"))
    }

    /// Asks the server to play an audio file.
    pub fn icon(&self, path: &str) -> io::Result<()> {
        self.reply(&format!("706-{path}\n706 ICON"))
    }

    /// Sends audio for the server to play.
    pub fn audio(&self, samples: &[i16]) -> io::Result<()> {
        self.write(&audio(samples))
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

fn audio(samples: &[i16]) -> Vec<u8> {
    let mut header = String::new();
    for (name, value) in [
        ("bits", 16),
        ("num_channels", 1),
        ("sample_rate", SAMPLE_RATE as usize),
        ("num_samples", samples.len()),
        ("big_endian", 0),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(header, "705-{name}={value}");
    }
    let mut event = header.into_bytes();
    event.reserve(samples.len() * 2 + 64);
    event.extend(b"705-AUDIO\0");
    for byte in samples.iter().flat_map(|sample| sample.to_le_bytes()) {
        if byte == ESCAPE || byte == b'\n' {
            event.extend([ESCAPE, byte ^ INVERTED]);
        } else {
            event.push(byte);
        }
    }
    event.extend(b"\n705 AUDIO\n");
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_escapes_are_escaped() {
        let header = "705-bits=16\n705-num_channels=1\n705-sample_rate=22050\n705-num_samples=3\n705-big_endian=0\n";
        let data = b"705-AUDIO\0\x01\x00\x7d\x2a\x7d\x5d\xff\xff\n705 AUDIO\n";
        assert_eq!(audio(&[1, 0x7d0a, -1]), [header.as_bytes(), data].concat());
    }
}
