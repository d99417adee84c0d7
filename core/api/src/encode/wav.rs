//! RIFF/WAVE.

use std::io::Cursor;

use hound::{SampleFormat, WavSpec, WavWriter};

use crate::format::SAMPLE_RATE;

/// A RIFF/WAVE file of 16-bit mono samples at [`SAMPLE_RATE`]: what [`Speech::to_wav`](crate::Speech::to_wav)
/// gives, for samples that were collected from a stream.
pub fn wav(samples: &[i16]) -> Vec<u8> {
    let spec = WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut bytes = Vec::with_capacity(44 + samples.len() * 2);
    write(Cursor::new(&mut bytes), spec, samples).expect("writing to memory does not fail");
    bytes
}

fn write(to: Cursor<&mut Vec<u8>>, spec: WavSpec, samples: &[i16]) -> hound::Result<()> {
    let mut writer = WavWriter::new(to, spec)?;
    for sample in samples {
        writer.write_sample(*sample)?;
    }
    writer.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_canonical_one() {
        let bytes = wav(&[1, -2, 3]);
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
}
