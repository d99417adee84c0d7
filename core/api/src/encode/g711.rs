//! The 8-bit telephone encodings mu-law and A-law (ITU-T G.711).
//!
//! A code has a sign bit, three bits for one of eight segments, and four for the position in it;
//! the steps of each segment are twice as long as those of the segment below. A sample is encoded
//! as the nearest code; of two equally near codes, as the one farther from zero.

use speech_base::fork::LazyLock;

/// The number of codes of one sign.
const LEVELS: usize = 128;

/// The nearest level, indexed by the magnitude of a sample.
type Table = Vec<u8>;

static MULAW: LazyLock<Table> =
    LazyLock::new(|| table(|segment, place| (((place << 3) + 132) << segment) - 132));

static ALAW: LazyLock<Table> = LazyLock::new(|| {
    table(|segment, place| match segment {
        0 => (place << 4) + 8,
        _ => ((place << 4) + 264) << (segment - 1),
    })
});

/// The mu-law code of a sample; all bits are inverted.
pub(super) fn mulaw(sample: i16) -> u8 {
    !code(&MULAW, sample, sample < 0)
}

/// The A-law code of a sample; the even bits are inverted.
pub(super) fn alaw(sample: i16) -> u8 {
    code(&ALAW, sample, sample >= 0) ^ 0x55
}

fn code(table: &Table, sample: i16, has_sign_bit: bool) -> u8 {
    table[usize::from(sample.unsigned_abs())] | (u8::from(has_sign_bit) << 7)
}

/// The nearest level of each magnitude; `value` returns the value of a position in a segment.
fn table(value: impl Fn(u32, u32) -> u32) -> Table {
    let level = |level: usize| value(level as u32 >> 4, level as u32 & 15);
    let mut nearest = 0;
    let magnitudes = 0..=u32::from(i16::MIN.unsigned_abs());
    let nearest_of = magnitudes.map(|magnitude| {
        while nearest + 1 < LEVELS && 2 * magnitude >= level(nearest) + level(nearest + 1) {
            nearest += 1;
        }
        nearest as u8
    });
    nearest_of.collect()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// The SHA-256 of the codes of all samples, from the least to the greatest, made with an
    /// independent decoder. Among the codes whose highest bit marks a non-negative sample, Python
    /// 3.11 chose by `min(codes, key=lambda code: (abs(value[code] - sample), -abs(value[code])))`,
    /// where `value[code]` is the result of `audioop.ulaw2lin` or `audioop.alaw2lin` (in
    /// `audioop-lts` since Python 3.13).
    #[test]
    fn every_sample_has_the_nearest_code_of_another_decoder() {
        let digest = |code: fn(i16) -> u8| {
            let codes: Vec<u8> = (i16::MIN..=i16::MAX).map(code).collect();
            Sha256::digest(codes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        assert_eq!(
            digest(mulaw),
            "4167e3114d8b24c3410329dcbfe2a6a58ba4ee4d2ec2165762f3d4a0721f8ed3"
        );
        assert_eq!(
            digest(alaw),
            "a4c874ea5467e60befc3ca8ddaddba3877eb5b012f7cc8f54949cf0837c6ef7f"
        );
    }

    #[test]
    fn silence_and_full_scale_have_their_codes() {
        let samples = [0, -1, i16::MAX, i16::MIN];
        assert_eq!(samples.map(mulaw), [0xff, 0x7f, 0x80, 0x00]);
        assert_eq!(samples.map(alaw), [0xd5, 0x55, 0xaa, 0x2a]);
    }
}
