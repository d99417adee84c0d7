//! How sound is sent: as one file, as it comes, or as lines of JSON with either.

use speech_core::{Chunk, Diagnostic, Error};

use crate::lines::{self, Events};

/// What makes bytes of the chunks of a text.
pub(crate) trait Delivery: Send {
    /// What can be sent once there is this chunk; none if the sound is sent as a whole.
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error>;

    /// What ends the sound; none if nothing does.
    fn end(&mut self, diagnostics: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error>;
}

/// One file, of samples at the rate of the library.
#[derive(Default)]
pub(crate) struct Wav(Vec<i16>);

impl Delivery for Wav {
    fn add(&mut self, chunk: &Chunk) -> Result<Option<Vec<u8>>, Error> {
        self.0.extend(&chunk.samples);
        Ok(None)
    }

    fn end(&mut self, _: &[Diagnostic]) -> Result<Option<Vec<u8>>, Error> {
        Ok(Some(speech_core::wav(&std::mem::take(&mut self.0))))
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
        sound.map(|sound| lines.line(&sound, std::mem::take(&mut self.events)))
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
        let whole = self.line(sound).unwrap_or_default();
        Ok(Some([whole, lines::Lines(&self.text).end(diagnostics)].concat()))
    }
}
