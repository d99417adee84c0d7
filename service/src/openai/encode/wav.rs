//! Samples as they are, with or without a header.

use speech_core::{Encoding, Error, wav_header};

use super::{Encoder, RATE};

/// 16-bit little-endian samples.
pub(crate) struct Pcm;

impl Encoder for Pcm {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        Ok(samples.iter().flat_map(|sample| sample.to_le_bytes()).collect())
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
}

/// The same after a header whose sizes are not known, and therefore the greatest there are: as OpenAI streams it.
#[derive(Default)]
pub(crate) struct Wav {
    begun: bool,
}

impl Encoder for Wav {
    fn push(&mut self, samples: &[i16]) -> Result<Vec<u8>, Error> {
        let mut bytes = if self.begun { Vec::new() } else { header() };
        self.begun = true;
        bytes.extend(Pcm.push(samples)?);
        Ok(bytes)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
}

fn header() -> Vec<u8> {
    // As many samples as no file has: all sizes are then the greatest there are.
    wav_header(usize::MAX, RATE, Encoding::Pcm16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_comes_once_and_knows_no_size() {
        let mut wav = Wav::default();
        let first = wav.push(&[1, -2]).unwrap();
        assert_eq!(first.len(), 48);
        let whole = speech_core::wav(&[1, -2], RATE, Encoding::Pcm16);
        assert_eq!((&first[..4], &first[8..40]), (&whole[..4], &whole[8..40]));
        assert_eq!((&first[4..8], &first[40..44]), (&[255; 4][..], &[255; 4][..]));
        assert_eq!(first[44..], whole[44..]);
        assert_eq!(wav.push(&[3]).unwrap(), [3, 0]);
        assert!(wav.finish().unwrap().is_empty());
    }
}
