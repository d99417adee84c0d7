//! What is done to sums, with AVX-512.

use std::arch::x86_64::*;

use super::super::Epilogue;
use super::tiles::{SIDE, Sums};

/// Numbers of a vector, and of a line of the caches.
const LANES: usize = 16;

/// A part of the output: at most [`SIDE`] rows of [`SIDE`] columns.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The first row.
    pub(super) row: usize,
    /// Rows of the part.
    pub(super) rows: usize,
    /// The first column.
    pub(super) column: usize,
    /// Numbers of an output row.
    pub(super) outputs: usize,
    /// What each column's sums are multiplied by first.
    pub(super) scales: [f32; SIDE],
}

impl Block {
    /// Brings near what [`Self::finish`] will read and write.
    pub(super) fn approach(&self, output: &[f32], epilogue: &Epilogue<'_>) {
        for t in 0..self.rows {
            for lane in (0..SIDE).step_by(LANES) {
                let at = self.at(t, lane);
                for values in [Some(output), epilogue.residual].into_iter().flatten() {
                    // SAFETY: a prefetch reads nothing, and every processor of this architecture has it.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(at).cast()) }
                }
            }
        }
    }

    /// Applies the epilogue to sums, and writes them.
    #[target_feature(enable = "avx512f")]
    pub(super) fn finish(&self, sums: &Sums, output: &mut [f32], epilogue: &Epilogue<'_>) {
        let scale = _mm512_set1_ps(epilogue.scale);
        for t in 0..self.rows {
            for lane in (0..SIDE).step_by(LANES) {
                let (at, bias) = (self.at(t, lane), load(epilogue.bias, self.column + lane));
                let sum = load(&sums.0, t * SIDE + lane);
                let mut y = _mm512_fmadd_ps(sum, load(&self.scales, lane), bias);
                if let Some(residual) = epilogue.residual {
                    y = _mm512_add_ps(y, load(residual, at));
                }
                y = _mm512_mul_ps(y, scale);
                if epilogue.accumulate {
                    y = _mm512_add_ps(y, load(output, at));
                }
                store(output, at, y);
            }
        }
    }

    fn at(&self, t: usize, lane: usize) -> usize {
        (self.row + t) * self.outputs + self.column + lane
    }
}

/// The vector from a number on.
#[target_feature(enable = "avx512f")]
#[inline]
fn load(values: &[f32], first: usize) -> __m512 {
    let values = &values[first..first + LANES];
    // SAFETY: the slice has as many numbers as a vector.
    unsafe { _mm512_loadu_ps(values.as_ptr()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store(to: &mut [f32], first: usize, values: __m512) {
    let to = &mut to[first..first + LANES];
    // SAFETY: the slice has as many numbers as a vector.
    unsafe { _mm512_storeu_ps(to.as_mut_ptr(), values) }
}
