//! The weights of one layer as stored in the bundle, and their decoding to single precision.

use std::ops::{Mul, Range, Sub};

use half::f16;

use super::simd::{Simd, Vector};

/// How many rows ahead of the decoded one are prefetched.
const PREFETCH_DISTANCE: usize = 64;

/// A matrix of stored weights: one row per tap and input channel (the inputs of a tap are
/// contiguous), and one column per output channel.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    /// The number of columns in the stored matrix.
    columns: usize,
    /// The stored column that is column 0 of this matrix.
    first: usize,
    values: Values<'a>,
}

/// The stored elements, in little-endian bytes.
#[expect(missing_docs, reason = "the formulas name the parameters")]
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [[u8; 4]]),
    /// Half precision.
    F16(&'a [[u8; 2]]),
    /// value = code scale, with one scale per column.
    I16 { codes: &'a [[u8; 2]], scale: &'a [f32] },
    /// Affine quantization: value = (code - zero point) scale.
    U8 { codes: &'a [u8], scale: &'a [f32], zero_point: &'a [f32] },
}

impl<'a> Values<'a> {
    /// Elements in memory.
    pub fn of(elements: &'a [f32]) -> Self {
        const { assert!(cfg!(target_endian = "little")) };
        Self::F32(bytemuck::cast_slice(elements))
    }
}

impl<'a> Filter<'a> {
    /// A matrix with this many columns. There is one scale and zero point for all columns, or one
    /// per column.
    pub fn new(columns: usize, values: Values<'a>) -> Self {
        Self { columns, first: 0, values }
    }

    /// The matrix without its first `first` columns.
    pub fn columns_from(self, first: usize) -> Self {
        Self { first: self.first + first, ..self }
    }

    /// Decodes `out.len()` elements of a row, starting at a column.
    #[inline(always)]
    pub fn decode(&self, row: usize, column: usize, out: &mut [f32]) {
        let column = self.first + column;
        let start = row * self.columns + column;
        let range = start..start + out.len();
        match self.values {
            Values::F32(words) => decode(words, range, f32::from_le_bytes, out),
            Values::F16(words) => {
                decode(words, range, |bytes| f16::from_le_bytes(bytes).to_f32(), out);
            }
            Values::I16 { codes, scale } => {
                decode(codes, range, |code| f32::from(i16::from_le_bytes(code)), out);
                out.iter_mut().zip(&scale[column..]).for_each(|(value, scale)| *value *= scale);
            }
            Values::U8 { codes, scale: &[scale], zero_point: &[zero] } => {
                decode(codes, range, |code| dequantize(f32::from(code), zero, scale), out);
            }
            Values::U8 { codes, scale, zero_point } => {
                let scales = scale[column..].iter().zip(&zero_point[column..]);
                for ((value, code), (scale, zero)) in out.iter_mut().zip(&codes[range]).zip(scales)
                {
                    *value = dequantize(f32::from(*code), *zero, *scale);
                }
            }
        }
    }

    /// As [`Self::decode`], with vectors; `out` is whole vectors. Prefetches later rows: the
    /// hardware prefetcher does not follow strides as long as a row.
    #[inline(always)]
    pub(super) fn decode_simd<S: Simd>(&self, simd: S, row: usize, column: usize, out: &mut [f32]) {
        let Values::U8 { scale, zero_point, .. } = self.values else {
            return self.decode(row, column, out);
        };
        let codes = self.codes(simd, row, column, out.len());
        let column = self.first + column;
        let constants = |at| match (scale, zero_point) {
            (&[scale], &[zero]) => (simd.splat(scale), simd.splat(zero)),
            _ => {
                let (scale, zero) = (&scale[column + at..], &zero_point[column + at..]);
                assert!(scale.len().min(zero.len()) >= S::WIDTH);
                // SAFETY: the assert shows that both slices are at least as long as a vector.
                unsafe { (simd.load(scale.as_ptr()), simd.load(zero.as_ptr())) }
            }
        };
        for (vector, out) in out.chunks_exact_mut(S::WIDTH).enumerate() {
            let at = vector * S::WIDTH;
            let (scale, zero) = constants(at);
            // SAFETY: `codes` is as long as `out`, and this chunk is as long as a vector.
            unsafe {
                let codes = simd.load_bytes(codes.as_ptr().add(at));
                dequantize(codes, zero, scale).store(out.as_mut_ptr());
            }
        }
    }

    /// `count` codes of a row, starting at a column. Prefetches those of a later row.
    ///
    /// # Panics
    ///
    /// If the weights are not quantized.
    #[inline(always)]
    pub(super) fn codes<S: Simd>(
        &self,
        simd: S,
        row: usize,
        column: usize,
        count: usize,
    ) -> &'a [u8] {
        let Values::U8 { codes, .. } = self.values else {
            panic!("these weights are not quantized")
        };
        let start = row * self.columns + self.first + column;
        simd.prefetch(codes.as_ptr().wrapping_add(start + PREFETCH_DISTANCE * self.columns));
        &codes[start..][..count]
    }

    /// As [`Self::decode`], without the scale: integers below 256 in magnitude if the weights are
    /// quantized.
    #[inline(always)]
    pub fn decode_unscaled(&self, row: usize, column: usize, out: &mut [f32]) {
        let Values::U8 { codes, zero_point, .. } = self.values else {
            return self.decode(row, column, out);
        };
        let column = self.first + column;
        let start = row * self.columns + column;
        let range = start..start + out.len();
        if let &[zero] = zero_point {
            return decode(codes, range, |code| f32::from(code) - zero, out);
        }
        for ((value, code), zero) in out.iter_mut().zip(&codes[range]).zip(&zero_point[column..]) {
            *value = f32::from(*code) - zero;
        }
    }

    /// Whether the weights are quantized to 8 bits.
    pub fn is_quantized(&self) -> bool {
        matches!(self.values, Values::U8 { .. })
    }

    /// The scales of columns, which [`Self::decode_unscaled`] leaves out.
    pub fn scales(&self, column: usize, out: &mut [f32]) {
        match self.values {
            Values::U8 { scale: [scale], .. } => out.fill(*scale),
            Values::U8 { scale, .. } => {
                let column = self.first + column;
                out.copy_from_slice(&scale[column..][..out.len()]);
            }
            Values::F32(_) | Values::F16(_) | Values::I16 { .. } => out.fill(1.0),
        }
    }
}

#[cfg(any(
    target_arch = "aarch64",
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
impl Filter<'_> {
    /// The zero points of columns, for integer products.
    ///
    /// # Panics
    ///
    /// If the weights are not quantized.
    pub(super) fn zero_points(&self, column: usize, out: &mut [i32]) {
        let Values::U8 { zero_point, .. } = self.values else {
            panic!("weights that are not quantized have no zero points")
        };
        match zero_point {
            [zero] => out.fill(*zero as i32),
            _ => {
                let zeros = &zero_point[self.first + column..];
                out.iter_mut().zip(zeros).for_each(|(out, zero)| *out = *zero as i32);
            }
        }
    }
}

/// The value of a quantized weight, or of a vector of weights.
#[inline(always)]
fn dequantize<T: Sub<Output = T> + Mul<Output = T>>(code: T, zero_point: T, scale: T) -> T {
    (code - zero_point) * scale
}

#[inline(always)]
fn decode<T: Copy>(words: &[T], range: Range<usize>, read: impl Fn(T) -> f32, out: &mut [f32]) {
    let (words, last) = words[range].as_chunks::<16>();
    let (values, rest) = out.as_chunks_mut::<16>();
    for (values, words) in values.iter_mut().zip(words) {
        *values = words.map(&read);
    }
    for (value, word) in rest.iter_mut().zip(last) {
        *value = read(*word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_decoded_from_every_format() {
        let bytes = [1.0_f32, -2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes);
        let halves = [1.0_f32, -2.0, 3.0, 4.0, 5.0, 6.0].map(|x| f16::from_f32(x).to_le_bytes());
        let words = [4_i16, -4, 6, 16, 10, 12].map(i16::to_le_bytes);
        let words = Values::I16 { codes: &words, scale: &[0.25, 0.5, 0.5] };
        let codes = [12, 6, 16, 18, 20, 22];
        let one = Values::U8 { codes: &codes, scale: &[0.5], zero_point: &[10.0] };
        let each =
            Values::U8 { codes: &codes, scale: &[0.25, 0.5, 0.5], zero_point: &[8.0, 10.0, 10.0] };
        for values in [Values::F32(&bytes), Values::F16(&halves), words, one, each] {
            let mut out = [0.0; 2];
            Filter::new(3, values).decode(1, 1, &mut out);
            assert_eq!(out, [5.0, 6.0], "{values:?}");
            Filter::new(3, values).columns_from(1).decode(1, 0, &mut out);
            assert_eq!(out, [5.0, 6.0], "{values:?}");
            Filter::new(3, values).decode(0, 0, &mut out);
            assert_eq!(out, [1.0, -2.0], "{values:?}");
            let mut scales = [0.0; 2];
            let filter = Filter::new(3, values).columns_from(1);
            filter.decode_unscaled(1, 0, &mut out);
            filter.scales(0, &mut scales);
            let quantized = matches!(values, Values::U8 { .. });
            assert_eq!(filter.is_quantized(), quantized);
            #[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
            if quantized {
                let mut zeros = [0; 2];
                filter.zero_points(0, &mut zeros);
                assert_eq!(
                    (zeros, filter.codes(crate::Portable, 1, 0, 2)),
                    ([10; 2], &[20, 22][..])
                );
            }
            let wanted = if quantized { ([10.0, 12.0], [0.5; 2]) } else { ([5.0, 6.0], [1.0; 2]) };
            assert_eq!((out, scales), wanted, "{values:?}");
        }
    }
}
