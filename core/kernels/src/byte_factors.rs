//! Quantizes input rows to bytes at run time.

use super::quantization::highest;
use super::simd::ROUNDING_BIAS;

/// The factors of a row in bytes: an element is approximately scale * (byte - zero point).
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct ByteFactors {
    pub(super) scale: f32,
    pub(super) zero_point: f32,
    /// The sum of all (byte - zero point).
    pub(super) sum: f32,
}

impl ByteFactors {
    /// The size of the factors, in `f32` elements.
    pub(super) const LEN: usize = size_of::<Self>() / size_of::<f32>();

    /// Quantizes a row. Bytes after the end of the row become 0.
    #[inline(always)]
    pub(super) fn quantize(row: &[f32], bytes: &mut [i8]) -> Self {
        /// The number of steps in a row's range: small enough that rounding twice leaves a byte
        /// within -127 to 127.
        const STEPS: f32 = 253.0;
        let (bytes, padding) = bytes.split_at_mut(row.len());
        padding.fill(0);
        let (above, below) = (highest(row, |x| x), highest(row, |x| -x));
        let range = above + below;
        // A row of subnormal elements becomes zeros, because the factor would overflow.
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
