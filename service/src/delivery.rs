//! How audio is sent: as one file, as a stream, or as lines of JSON with either.

use speech_core::{Chunk, Diagnostic, Encoding, Error, wav_header};

use crate::lines::{self, Events};
use crate::sound::{self, IN_LINES};

/// Converts the chunks of a text into bytes.
pub(crate) trait Delivery: Send {
    /// Adds a chunk. Returns the bytes that can be sent; none if the audio is sent as a whole.
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error>;

    /// Ends the audio. Returns the last bytes, if there are any.
    fn end(&mut self, diagnostics: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error>;

    /// The seconds of audio that are held once this chunk is added.
    fn held_with(&self, _: &Chunk) -> f64 {
        0.0
    }
}

/// One file. The header comes before the samples, which are held.
pub(crate) struct Wav {
    sample_rate: u32,
    encoding: Encoding,
    file: Vec<u8>,
    samples: usize,
}

impl Wav {
    pub(crate) fn new(sample_rate: u32, encoding: Encoding) -> Self {
        let file = wav_header(0, sample_rate, encoding);
        Self { sample_rate, encoding, file, samples: 0 }
    }
}

impl Delivery for Wav {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        let bytes = chunk.to_bytes();
        // Reserve no more memory than is counted.
        self.file.reserve_exact(bytes.len());
        self.file.extend(bytes);
        self.samples += chunk.samples().len();
        Ok(None)
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        let mut file = std::mem::take(&mut self.file);
        let header = wav_header(self.samples, self.sample_rate, self.encoding);
        file[..header.len()].copy_from_slice(&header);
        // Chunks of a file begin at even bytes.
        file.resize(file.len().next_multiple_of(2), 0);
        Ok(Some(file))
    }

    fn held_with(&self, chunk: &Chunk) -> f64 {
        sound::seconds_of_bytes(
            self.file.len() + chunk.samples().len() * self.encoding.bytes_per_sample(),
        )
    }
}

/// The samples as a stream.
pub(crate) struct Pcm;

impl Delivery for Pcm {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        Ok(Some(chunk.to_bytes()))
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }
}

/// Lines of JSON: the audio, the timestamps, and at the end the skipped places.
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
        for encoding in Encoding::ALL {
            let request = Request::new("One. [pause 3s] Two.").sample_rate(8_000);
            let request = request.encoding(encoding);
            let mut wav = Wav::new(8_000, encoding);
            for chunk in engine.stream(&request).unwrap() {
                let chunk = chunk.unwrap();
                let held = wav.held_with(&chunk);
                assert!(wav.add(&chunk).unwrap().is_none());
                assert!((held - wav.file.len() as f64 / 44_100.0).abs() < 0.01);
                assert_eq!(wav.file.capacity(), wav.file.len());
            }
            let whole = engine.synthesize(&request).unwrap().to_wav();
            assert!(wav.end(&[]).unwrap().unwrap() == whole, "{encoding}");
        }
    }
}
