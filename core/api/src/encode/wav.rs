//! Writes RIFF/WAVE files.

use super::encode;
use crate::format::Encoding;

/// A RIFF/WAVE file of mono samples, as from [`Speech::to_wav`](crate::Speech::to_wav); for samples
/// collected from a stream.
///
/// Encodings other than [`Encoding::Pcm16`] have a `fact` chunk with the number of samples. A
/// length over 32 bits is written as the largest 32-bit number: programs then read to the end of
/// the file.
///
/// ```
/// use speech_core::{Encoding, wav};
///
/// assert_eq!(wav(&[1, -2, 3], 22_050, Encoding::Pcm16).len(), 44 + 6);
/// assert_eq!(wav(&[1, -2, 3], 8_000, Encoding::Mulaw).len(), 58 + 4);
/// ```
pub fn wav(samples: &[i16], sample_rate: u32, encoding: Encoding) -> Vec<u8> {
    let mut file = wav_header(samples.len(), sample_rate, encoding);
    let data = encode(samples, encoding);
    file.extend_from_slice(&data);
    file.extend(padding(data.len()));
    file
}

/// The header of such a file, up to its samples, for programs that write a file while speech is
/// computed: 44 bytes for [`Encoding::Pcm16`], 58 for others. If the samples take an odd number of
/// bytes, append a zero byte after them.
///
/// ```
/// use speech_core::{Encoding, encode, wav, wav_header};
///
/// let file = [wav_header(2, 8_000, Encoding::Alaw), encode(&[1, -2], Encoding::Alaw)].concat();
/// assert_eq!(file, wav(&[1, -2], 8_000, Encoding::Alaw));
/// ```
pub fn wav_header(samples: usize, sample_rate: u32, encoding: Encoding) -> Vec<u8> {
    let (format, bytes_per_sample) = (format_code(encoding), encoding.bytes_per_sample());
    let length = samples.saturating_mul(bytes_per_sample);
    let is_pcm = encoding == Encoding::Pcm16;
    // Other formats have an empty extension, and the number of samples.
    let (format_length, extension) = if is_pcm { (16_u32, &[][..]) } else { (18, &[0, 0][..]) };
    let fact = [&b"fact"[..], &4_u32.to_le_bytes(), &clamped(samples)].concat();
    let fact = if is_pcm { &[][..] } else { &fact };
    let chunks = [
        &b"WAVEfmt "[..],
        &format_length.to_le_bytes(),
        &format.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &sample_rate.to_le_bytes(),
        &sample_rate.saturating_mul(bytes_per_sample as u32).to_le_bytes(),
        &(bytes_per_sample as u16).to_le_bytes(),
        &(8 * bytes_per_sample as u16).to_le_bytes(),
        extension,
        fact,
        b"data",
        &clamped(length),
    ]
    .concat();
    let all = length.saturating_add(chunks.len() + padding(length).count());
    [&b"RIFF"[..], &clamped(all), &chunks].concat()
}

/// The padding after this many bytes of samples: chunks start at even offsets.
fn padding(length: usize) -> impl Iterator<Item = u8> {
    std::iter::repeat_n(0, length % 2)
}

/// The format code (Microsoft, Multimedia Data Standards Update, 1994).
const fn format_code(encoding: Encoding) -> u16 {
    match encoding {
        Encoding::Pcm16 => 1,
        Encoding::Float32 => 3,
        Encoding::Alaw => 6,
        Encoding::Mulaw => 7,
    }
}

/// A length, clamped to 32 bits.
fn clamped(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_canonical_one() {
        let bytes = wav(&[1, -2, 3], 22_050, Encoding::Pcm16);
        let expected = [
            &b"RIFF"[..],
            &42_u32.to_le_bytes(),
            b"WAVE",
            b"fmt ",
            &16_u32.to_le_bytes(),
            &1_u16.to_le_bytes(),
            &1_u16.to_le_bytes(),
            &22_050_u32.to_le_bytes(),
            &44_100_u32.to_le_bytes(),
            &2_u16.to_le_bytes(),
            &16_u16.to_le_bytes(),
            b"data",
            &6_u32.to_le_bytes(),
            &[1, 0, 0xfe, 0xff, 3, 0],
        ]
        .concat();
        assert_eq!(bytes, expected);
    }

    #[test]
    fn other_encodings_have_an_extension_and_a_fact_chunk() {
        for (encoding, format, bytes_per_sample, padding) in [
            (Encoding::Float32, 3_u16, 4_u16, &[][..]),
            (Encoding::Alaw, 6, 1, &[0]),
            (Encoding::Mulaw, 7, 1, &[0]),
        ] {
            let data = encode(&[1, -2, 3], encoding);
            let expected = [
                &b"RIFF"[..],
                &(50 + data.len() as u32 + padding.len() as u32).to_le_bytes(),
                b"WAVE",
                b"fmt ",
                &18_u32.to_le_bytes(),
                &format.to_le_bytes(),
                &1_u16.to_le_bytes(),
                &8_000_u32.to_le_bytes(),
                &(8_000 * u32::from(bytes_per_sample)).to_le_bytes(),
                &bytes_per_sample.to_le_bytes(),
                &(8 * bytes_per_sample).to_le_bytes(),
                &[0, 0],
                b"fact",
                &4_u32.to_le_bytes(),
                &3_u32.to_le_bytes(),
                b"data",
                &(data.len() as u32).to_le_bytes(),
                &data,
                padding,
            ]
            .concat();
            assert_eq!(wav(&[1, -2, 3], 8_000, encoding), expected, "{encoding}");
        }
    }
}
