//! Quantization of input rows at run time, for integer products.

use super::simd::ROUNDING_BIAS;

/// Elements of a row that share a scale: as many products of a 16-bit and a 9-bit integer cannot overflow 32 bits.
pub(super) const BLOCK: usize = 128;

/// Quantizes a block to integers of at most a magnitude, and gives the factor that they are to be multiplied with.
#[inline(always)]
pub(super) fn quantize(block: &[f32], largest: f32, out: &mut [i16]) -> f32 {
    let max = highest(block, f32::abs);
    // A block of subnormal elements becomes zeros: the factor would overflow.
    let factor = if max > f32::MIN_POSITIVE { largest / max } else { 0.0 };
    round(block, factor, out);
    max / largest
}

/// What the sums of a row in bytes are computed with: an element is about the scale times (byte - zero point).
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct ByteFactors {
    pub(super) scale: f32,
    pub(super) zero_point: f32,
    /// The sum of all (byte - zero point).
    pub(super) sum: f32,
}

impl ByteFactors {
    /// Elements that one takes in memory.
    pub(super) const LEN: usize = size_of::<Self>() / size_of::<f32>();

    /// Quantizes a row. Bytes after those of the row become 0.
    #[inline(always)]
    pub(super) fn quantize(row: &[f32], bytes: &mut [i8]) -> Self {
        /// The range of a row: with it, rounding twice leaves a byte within -127 to 127.
        const STEPS: f32 = 253.0;
        let (bytes, padding) = bytes.split_at_mut(row.len());
        padding.fill(0);
        let (above, below) = (highest(row, |x| x), highest(row, |x| -x));
        let range = above + below;
        // As in `quantize`.
        let factor = if range > f32::MIN_POSITIVE * STEPS { STEPS / range } else { 0.0 };
        let zero_point = (below * factor).round_ties_even() - 127.0;
        for (byte, x) in bytes.iter_mut().zip(row) {
            *byte = (x * factor + (ROUNDING_BIAS + zero_point)).to_bits() as i8;
        }
        let sum = bytes.iter().map(|byte| i32::from(*byte)).sum::<i32>();
        let sum = sum - zero_point as i32 * row.len() as i32;
        Self { scale: range / STEPS, zero_point, sum: sum as f32 }
    }
}

/// Multiplies by a factor and rounds. The products are within the range of an integer.
#[inline(always)]
pub(super) fn round(row: &[f32], factor: f32, out: &mut [i16]) {
    for (out, x) in out.iter_mut().zip(row) {
        // The low bits of the sum are those of the rounded integer.
        *out = (x * factor + ROUNDING_BIAS).to_bits() as i16;
    }
}

/// The largest value of a function of an element, and at least 0. It is found in 16 lanes, which the compiler vectorizes.
#[inline(always)]
fn highest(row: &[f32], value: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<16>();
    let mut max = [0.0_f32; 16];
    for chunk in chunks {
        for (max, x) in max.iter_mut().zip(chunk) {
            *max = larger(*max, value(*x));
        }
    }
    max.into_iter().chain(rest.iter().map(|x| value(*x))).fold(0.0, larger)
}

/// The larger of two elements, which is one instruction where `f32::max` is several.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
