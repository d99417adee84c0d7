//! Samples as they are, with or without a header.

use speech_core::Error;

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
        let mut bytes = if self.begun { Vec::new() } else { header().to_vec() };
        self.begun = true;
        bytes.extend(Pcm.push(samples)?);
        Ok(bytes)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }
}

fn header() -> [u8; 44] {
    const BYTES_PER_SAMPLE: u16 = 2;
    let unknown = &u32::MAX.to_le_bytes()[..];
    let fields = [
        b"RIFF",
        unknown,
        b"WAVEfmt ",
        &16_u32.to_le_bytes(),
        // PCM, of one channel.
        &1_u16.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &RATE.to_le_bytes(),
        &(RATE * u32::from(BYTES_PER_SAMPLE)).to_le_bytes(),
        &BYTES_PER_SAMPLE.to_le_bytes(),
        &(8 * BYTES_PER_SAMPLE).to_le_bytes(),
        b"data",
        unknown,
    ];
    fields.concat().try_into().expect("a header has 44 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_comes_once_and_knows_no_size() {
        let mut wav = Wav::default();
        let first = wav.push(&[1, -2]).unwrap();
        assert_eq!(first.len(), 48);
        let whole = speech_core::wav(&[1, -2]);
        assert_eq!(
            (&first[..4], &first[8..24], &first[32..40]),
            (&whole[..4], &whole[8..24], &whole[32..40])
        );
        assert_eq!(u32::from_le_bytes(first[24..28].try_into().unwrap()), RATE);
        assert_eq!((&first[4..8], &first[40..44]), (&[255; 4][..], &[255; 4][..]));
        assert_eq!(first[44..], whole[44..]);
        assert_eq!(wav.push(&[3]).unwrap(), [3, 0]);
        assert!(wav.finish().unwrap().is_empty());
    }
}
