//! Writes the tiles' sums to the output, with AVX-512.

use std::arch::x86_64::*;

use super::super::epilogue::Epilogue;
use super::tiles::{BlockSums, SIDE};

/// The elements of a vector, and of a cache line.
const LANES: usize = 16;

/// A block of the output: at most [`SIDE`] rows of [`SIDE`] columns.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The first row.
    pub(super) row: usize,
    /// The number of rows.
    pub(super) rows: usize,
    /// The first column.
    pub(super) column: usize,
    /// The length of an output row.
    pub(super) outputs: usize,
    /// The scale of each column's weights.
    pub(super) scales: [f32; SIDE],
}

impl Block {
    /// Prefetches the memory that [`Self::write`] will access.
    pub(super) fn prefetch(&self, output: &[f32], epilogue: &Epilogue<'_>) {
        for t in 0..self.rows {
            for lane in (0..SIDE).step_by(LANES) {
                let at = self.at(t, lane);
                for values in [Some(output), epilogue.residual].into_iter().flatten() {
                    // SAFETY: any address may be prefetched, and every x86-64 processor has the
                    // instruction.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(at).cast()) }
                }
            }
        }
    }

    /// Applies the epilogue to the sums and writes them.
    #[target_feature(enable = "avx512f")]
    pub(super) fn write(&self, sums: &BlockSums, output: &mut [f32], epilogue: &Epilogue<'_>) {
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

/// The vector that starts at an index.
#[target_feature(enable = "avx512f")]
#[inline]
fn load(values: &[f32], first: usize) -> __m512 {
    let values = &values[first..first + LANES];
    // SAFETY: the slice has as many elements as a vector.
    unsafe { _mm512_loadu_ps(values.as_ptr()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store(to: &mut [f32], first: usize, values: __m512) {
    let to = &mut to[first..first + LANES];
    // SAFETY: the slice has as many elements as a vector.
    unsafe { _mm512_storeu_ps(to.as_mut_ptr(), values) }
}
