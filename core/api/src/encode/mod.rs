//! Encodes samples as bytes.

mod g711;
mod wav;

use crate::format::Encoding;
pub use wav::{wav, wav_header};

/// Encodes 16-bit samples, as [`Speech::to_bytes`](crate::Speech::to_bytes) does; for samples
/// collected from a stream.
///
/// ```
/// use speech_core::{Encoding, encode};
///
/// assert_eq!(encode(&[0, -2], Encoding::Pcm16), [0, 0, 0xfe, 0xff]);
/// assert_eq!(encode(&[0, i16::MAX], Encoding::Mulaw), [0xff, 0x80]);
/// ```
pub fn encode(samples: &[i16], encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Pcm16 => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
        Encoding::Float32 => floats(samples).flat_map(f32::to_le_bytes).collect(),
        Encoding::Mulaw => samples.iter().map(|sample| g711::mulaw(*sample)).collect(),
        Encoding::Alaw => samples.iter().map(|sample| g711::alaw(*sample)).collect(),
    }
}

/// The samples as floats from -1 to 1.
pub(crate) fn floats(samples: &[i16]) -> impl Iterator<Item = f32> {
    samples.iter().map(|sample| f32::from(*sample) / 32_768.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_scale_is_one() {
        let expected = [0.0, -1.0, 0.5].map(f32::to_le_bytes).concat();
        assert_eq!(encode(&[0, i16::MIN, 16_384], Encoding::Float32), expected);
    }

    #[test]
    fn a_sample_has_its_bytes() {
        for encoding in Encoding::ALL {
            assert_eq!(encode(&[1, 2, 3], encoding).len(), 3 * encoding.bytes_per_sample());
        }
    }
}
