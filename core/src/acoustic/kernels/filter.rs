//! The weights of one layer, as they lie in the bundle.

use std::ops::Range;

use half::f16;

use super::lanes::{Lanes, Vector};

/// Rows between one that is expanded and one that is asked for.
const AHEAD: usize = 64;

/// A matrix of weights in its narrow form: rows of taps and inputs (the inputs of a tap together), one column an output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filter<'a> {
    /// Columns of the stored matrix.
    columns: usize,
    /// The stored column that is this matrix's first.
    first: usize,
    values: Values<'a>,
}

/// How the numbers are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a> {
    F32(&'a [[u8; 4]]),
    F16(&'a [[u8; 2]]),
    /// value = (code - zero point) * scale
    U8 {
        codes: &'a [u8],
        scale: &'a [f32],
        zero_point: &'a [f32],
    },
}

impl<'a> Values<'a> {
    /// Numbers in memory.
    pub(crate) fn of(numbers: &'a [f32]) -> Self {
        const { assert!(cfg!(target_endian = "little")) };
        Self::F32(bytemuck::cast_slice(numbers))
    }
}

impl<'a> Filter<'a> {
    /// A matrix with this many columns. Scales and zero points are one for all, or one a column.
    pub(crate) fn new(columns: usize, values: Values<'a>) -> Self {
        Self { columns, first: 0, values }
    }

    /// The matrix without its first columns.
    pub(crate) fn columns_from(self, first: usize) -> Self {
        Self { first: self.first + first, ..self }
    }

    /// The numbers of one row, from a column on, as many as `out` takes.
    #[inline(always)]
    pub(crate) fn expand(&self, row: usize, column: usize, out: &mut [f32]) {
        let column = self.first + column;
        let start = row * self.columns + column;
        let range = start..start + out.len();
        match self.values {
            Values::F32(words) => expand(words, range, f32::from_le_bytes, out),
            Values::F16(words) => {
                expand(words, range, |bytes| f16::from_le_bytes(bytes).to_f32(), out);
            }
            Values::U8 { codes, scale: &[scale], zero_point: &[zero] } => {
                expand(codes, range, |code| (f32::from(code) - zero) * scale, out);
            }
            Values::U8 { codes, scale, zero_point } => {
                let scales = scale[column..].iter().zip(&zero_point[column..]);
                for ((value, code), (scale, zero)) in out.iter_mut().zip(&codes[range]).zip(scales)
                {
                    *value = (f32::from(*code) - zero) * scale;
                }
            }
        }
    }

    /// What [`Self::expand`] gives, in vectors; `out` is whole vectors. Rows further on are asked for: the processor does
    /// not guess steps of a row.
    #[inline(always)]
    pub(super) fn expand_vectors<L: Lanes>(
        &self,
        lanes: L,
        row: usize,
        column: usize,
        out: &mut [f32],
    ) {
        let Values::U8 { scale, zero_point, .. } = self.values else {
            return self.expand(row, column, out);
        };
        let codes = self.codes(lanes, row, column, out.len());
        let column = self.first + column;
        let constants = |at| match (scale, zero_point) {
            (&[scale], &[zero]) => (lanes.splat(scale), lanes.splat(zero)),
            _ => {
                let (scale, zero) = (&scale[column + at..], &zero_point[column + at..]);
                assert!(scale.len().min(zero.len()) >= L::WIDTH);
                // SAFETY: there are as many numbers as a vector has.
                unsafe { (lanes.load(scale.as_ptr()), lanes.load(zero.as_ptr())) }
            }
        };
        for (vector, out) in out.chunks_exact_mut(L::WIDTH).enumerate() {
            let at = vector * L::WIDTH;
            let (scale, zero) = constants(at);
            // SAFETY: there are as many codes and as much room as a vector has.
            unsafe {
                let codes = lanes.load_bytes(codes.as_ptr().add(at));
                ((codes - zero) * scale).store(out.as_mut_ptr());
            }
        }
    }

    /// The codes of one row, from a column on, so many. Those of a row further on are asked for.
    ///
    /// # Panics
    ///
    /// If no codes are stored.
    #[inline(always)]
    pub(super) fn codes<L: Lanes>(
        &self,
        lanes: L,
        row: usize,
        column: usize,
        count: usize,
    ) -> &'a [u8] {
        let Values::U8 { codes, .. } = self.values else {
            panic!("these weights are not stored as codes")
        };
        let start = row * self.columns + self.first + column;
        lanes.prefetch(codes.as_ptr().wrapping_add(start + AHEAD * self.columns));
        &codes[start..][..count]
    }

    /// What [`Self::expand`] gives before the scale: where codes are stored, whole numbers below 256 in magnitude.
    #[inline(always)]
    pub(crate) fn expand_unscaled(&self, row: usize, column: usize, out: &mut [f32]) {
        let Values::U8 { codes, zero_point, .. } = self.values else {
            return self.expand(row, column, out);
        };
        let column = self.first + column;
        let start = row * self.columns + column;
        let range = start..start + out.len();
        if let &[zero] = zero_point {
            return expand(codes, range, |code| f32::from(code) - zero, out);
        }
        for ((value, code), zero) in out.iter_mut().zip(&codes[range]).zip(&zero_point[column..]) {
            *value = f32::from(*code) - zero;
        }
    }

    /// Whether codes are stored.
    pub(crate) fn is_coded(&self) -> bool {
        matches!(self.values, Values::U8 { .. })
    }

    /// The scales of columns: what the numbers of [`Self::expand_unscaled`] are to be multiplied by.
    pub(crate) fn scales(&self, column: usize, out: &mut [f32]) {
        match self.values {
            Values::U8 { scale: [scale], .. } => out.fill(*scale),
            Values::U8 { scale, .. } => {
                let column = self.first + column;
                out.copy_from_slice(&scale[column..][..out.len()]);
            }
            Values::F32(_) | Values::F16(_) => out.fill(1.0),
        }
    }
}

/// What products of whole numbers need.
#[cfg(target_arch = "x86_64")]
impl Filter<'_> {
    /// The zero points of columns.
    ///
    /// # Panics
    ///
    /// If no codes are stored.
    pub(super) fn zero_points(&self, column: usize, out: &mut [i32]) {
        let Values::U8 { zero_point, .. } = self.values else {
            panic!("weights that are not codes have no zero points")
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

#[inline(always)]
fn expand<T: Copy>(words: &[T], range: Range<usize>, read: impl Fn(T) -> f32, out: &mut [f32]) {
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
    fn rows_expand_from_every_form() {
        let bytes = [1.0_f32, -2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes);
        let halves = [1.0_f32, -2.0, 3.0, 4.0, 5.0, 6.0].map(|x| f16::from_f32(x).to_le_bytes());
        let codes = [12, 6, 16, 18, 20, 22];
        let one = Values::U8 { codes: &codes, scale: &[0.5], zero_point: &[10.0] };
        let each =
            Values::U8 { codes: &codes, scale: &[0.25, 0.5, 0.5], zero_point: &[8.0, 10.0, 10.0] };
        for values in [Values::F32(&bytes), Values::F16(&halves), one, each] {
            let mut out = [0.0; 2];
            Filter::new(3, values).expand(1, 1, &mut out);
            assert_eq!(out, [5.0, 6.0], "{values:?}");
            Filter::new(3, values).columns_from(1).expand(1, 0, &mut out);
            assert_eq!(out, [5.0, 6.0], "{values:?}");
            Filter::new(3, values).expand(0, 0, &mut out);
            assert_eq!(out, [1.0, -2.0], "{values:?}");
            let mut scales = [0.0; 2];
            let filter = Filter::new(3, values).columns_from(1);
            filter.expand_unscaled(1, 0, &mut out);
            filter.scales(0, &mut scales);
            let coded = matches!(values, Values::U8 { .. });
            assert_eq!(filter.is_coded(), coded);
            #[cfg(target_arch = "x86_64")]
            if coded {
                let mut zeros = [0; 2];
                filter.zero_points(0, &mut zeros);
                assert_eq!(
                    (zeros, filter.codes(crate::acoustic::kernels::Portable, 1, 0, 2)),
                    ([10; 2], &[20, 22][..])
                );
            }
            let wanted = if coded { ([10.0, 12.0], [0.5; 2]) } else { ([5.0, 6.0], [1.0; 2]) };
            assert_eq!((out, scales), wanted, "{values:?}");
        }
    }
}
