//! How sound is sent: as one file, as it comes, or as lines of JSON with either.

use std::ops::Range;

use speech_core::{Chunk, Diagnostic, Error, SAMPLE_RATE};

use crate::lines::{self, Events};
use crate::sound::IN_LINES;

const BYTES_PER_SAMPLE: usize = 2;

/// What makes bytes of the chunks of a text.
pub(crate) trait Delivery: Send {
    /// What can be sent once there is this chunk; none if the sound is sent as a whole.
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error>;

    /// What ends the sound; none if nothing does.
    fn end(&mut self, diagnostics: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error>;

    /// The seconds of sound that it keeps once it has this chunk too.
    fn held_with(&self, _: &Chunk) -> f64 {
        0.0
    }
}

/// One file, of samples at the rate of the library: its header stands before them from the first on.
pub(crate) struct Wav(Vec<u8>);

/// Where the header has the bytes after it, and those of the samples.
const RIFF_SIZE: Range<usize> = 4..8;
const DATA_SIZE: Range<usize> = 40..44;

impl Wav {
    pub(crate) fn new() -> Self {
        Self(speech_core::wav(&[]))
    }
}

impl Delivery for Wav {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        // No more memory than is counted.
        self.0.reserve_exact(chunk.samples().len() * BYTES_PER_SAMPLE);
        self.0.extend(chunk.samples().iter().flat_map(|sample| sample.to_le_bytes()));
        Ok(None)
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        let mut file = std::mem::take(&mut self.0);
        for size in [RIFF_SIZE, DATA_SIZE] {
            let bytes = u32::try_from(file.len() - size.end).expect("a request is short");
            file[size].copy_from_slice(&bytes.to_le_bytes());
        }
        Ok(Some(file))
    }

    fn held_with(&self, chunk: &Chunk) -> f64 {
        let samples = self.0.len() / BYTES_PER_SAMPLE + chunk.samples().len();
        samples as f64 / f64::from(SAMPLE_RATE)
    }
}

/// Samples at the rate of the library, as they come.
pub(crate) struct Pcm;

impl Delivery for Pcm {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        Ok(Some(chunk.to_pcm()))
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }
}

/// Lines of JSON: the sound, what is heard when, and at the end what was skipped.
pub(crate) struct Lines {
    text: String,
    sound: Box<dyn Delivery>,
    events: Events,
}

impl Lines {
    pub(crate) fn new(text: &str, sound: Box<dyn Delivery>) -> Self {
        Self { text: text.to_owned(), sound, events: Events::default() }
    }

    fn line(&mut self, sound: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let lines = lines::Lines(&self.text);
        sound.map(|sound| lines.line(sound, std::mem::take(&mut self.events)))
    }
}

impl Delivery for Lines {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        lines::Lines(&self.text).add(chunk, &mut self.events);
        let sound = self.sound.add(chunk)?;
        Ok(self.line(sound))
    }

    fn end(&mut self, diagnostics: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        let sound = self.sound.end(diagnostics)?;
        let mut rest = self.line(sound).unwrap_or_default();
        rest.extend(lines::Lines(&self.text).end(diagnostics));
        Ok(Some(rest))
    }

    fn held_with(&self, chunk: &Chunk) -> f64 {
        IN_LINES * self.sound.held_with(chunk)
    }
}

#[cfg(test)]
mod tests {
    use speech_core::{Engine, Request};

    use super::*;

    #[test]
    fn a_file_that_is_made_in_parts_is_that_of_the_library() {
        let dir = tempfile::tempdir().unwrap();
        speech_tests::fake_model::write(dir.path()).unwrap();
        let engine = Engine::builder().bundle(dir.path()).load().unwrap();
        let request = Request::new("One. [pause 3s] Two.");
        let mut wav = Wav::new();
        for chunk in engine.stream(&request).unwrap() {
            let chunk = chunk.unwrap();
            let held = wav.held_with(&chunk);
            assert!(wav.add(&chunk).unwrap().is_none());
            assert!((held - wav.0.len() as f64 / 44_100.0).abs() < 0.01);
            assert_eq!(wav.0.capacity(), wav.0.len());
        }
        let whole = engine.synthesize(&request).unwrap().to_wav();
        assert!(wav.end(&[]).unwrap().unwrap() == whole);
    }
}
