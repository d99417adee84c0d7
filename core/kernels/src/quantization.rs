//! Quantizes input rows at run time, for integer products.

use super::simd::ROUNDING_BIAS;

/// The elements of a row that share a scale: the sum of this many products of a 16-bit and a 9-bit
/// integer cannot overflow 32 bits.
pub(super) const BLOCK: usize = 128;

/// Quantizes a block to integers of at most this magnitude; returns the factor by which to multiply
/// them.
#[inline(always)]
pub(super) fn quantize(block: &[f32], largest: f32, out: &mut [i16]) -> f32 {
    let max = highest(block, f32::abs);
    // A block of subnormal elements becomes zeros, because the factor would overflow.
    let factor = if max > f32::MIN_POSITIVE { largest / max } else { 0.0 };
    round(block, factor, out);
    max / largest
}

/// Multiplies by a factor and rounds. The products are within the integer range.
#[inline(always)]
pub(super) fn round(row: &[f32], factor: f32, out: &mut [i16]) {
    for (out, x) in out.iter_mut().zip(row) {
        // The low bits of the sum are the rounded integer.
        *out = (x * factor + ROUNDING_BIAS).to_bits() as i16;
    }
}

/// The largest value of a function over the elements, at least 0. Computed in 16 lanes, which the
/// compiler vectorizes.
#[inline(always)]
pub(super) fn highest(row: &[f32], value: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<16>();
    let mut max = [0.0_f32; 16];
    for chunk in chunks {
        for (max, x) in max.iter_mut().zip(chunk) {
            *max = larger(*max, value(*x));
        }
    }
    max.into_iter().chain(rest.iter().map(|x| value(*x))).fold(0.0, larger)
}

/// The larger of two elements. A single instruction, where `f32::max` takes several.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
