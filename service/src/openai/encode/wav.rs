//! Samples as they are, with or without a header.

use speech_core::{Encoding, Error, encode, wav_header};

use super::Encoder;

/// Samples in an encoding.
pub(crate) struct Pcm(pub(crate) Encoding);

impl Encoder for Pcm {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        Ok(encode(samples, self.0))
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
}

/// The same after a header whose sizes are not known, and therefore the greatest there are: as OpenAI streams it.
pub(crate) struct Wav {
    sample_rate: u32,
    encoding: Encoding,
    begun: bool,
}

impl Wav {
    pub(crate) fn new(sample_rate: u32, encoding: Encoding) -> Self {
        Self { sample_rate, encoding, begun: false }
    }
}

impl Encoder for Wav {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        // As many samples as no file has.
        let header = || wav_header(usize::MAX, self.sample_rate, self.encoding);
        let mut bytes = if self.begun { Vec::new() } else { header() };
        self.begun = true;
        bytes.extend(encode(samples, self.encoding));
        Ok(bytes)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_comes_once_and_knows_no_size() {
        let mut wav = Wav::new(24_000, Encoding::Pcm16);
        let first = wav.push(&[1, -2]).unwrap();
        assert_eq!(first.len(), 48);
        let whole = speech_core::wav(&[1, -2], 24_000, Encoding::Pcm16);
        assert_eq!((&first[..4], &first[8..40]), (&whole[..4], &whole[8..40]));
        assert_eq!((&first[4..8], &first[40..44]), (&[255; 4][..], &[255; 4][..]));
        assert_eq!(first[44..], whole[44..]);
        assert_eq!(wav.push(&[3]).unwrap(), [3, 0]);
        assert!(wav.finish().unwrap().is_empty());
    }
}
