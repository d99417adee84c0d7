//! The matrix of a recurrent layer: each step multiplies it by one row, so what counts is how few bytes it is.

use half::bf16;

use super::filter::Filter;
use super::lanes::{Lanes, Vector};

/// Columns of a panel: a multiple of what a processor has sums for.
const PANEL: usize = 128;

/// Vectors of columns whose sums are computed together.
const VECTORS: usize = 8;

/// A matrix of rows and columns. Weights that are stored as codes lose nothing here: a code less its zero point is a whole
/// number below 256 in magnitude, which bfloat16 holds, and the scale is applied to the sum. All others are kept in two
/// parts, which add up to them within 2^-16.
#[derive(Debug)]
pub(crate) struct Recurrent {
    rows: usize,
    scales: Vec<f32>,
    /// One after another, in panels of columns: all rows of the first panel, then those of the next.
    parts: Vec<Vec<bf16>>,
}

impl Recurrent {
    /// From a matrix of weights.
    ///
    /// # Panics
    ///
    /// If the columns are no multiple of 128.
    pub(crate) fn new(filter: &Filter<'_>, rows: usize, columns: usize) -> Self {
        assert!(columns.is_multiple_of(PANEL));
        let mut scales = vec![0.0; columns];
        filter.scales(0, &mut scales);
        let mut rest = vec![0.0; rows * columns];
        for (row, numbers) in rest.chunks_exact_mut(columns).enumerate() {
            filter.expand_unscaled(row, 0, numbers);
        }
        let mut parts = Vec::new();
        while parts.len() < 2 && rest.iter().any(|number| *number != 0.0) {
            let mut part = Vec::with_capacity(rest.len());
            for panel in (0..columns).step_by(PANEL) {
                for row in rest.chunks_exact_mut(columns) {
                    for number in &mut row[panel..panel + PANEL] {
                        let near = bf16::from_f32(*number);
                        *number -= near.to_f32();
                        part.push(near);
                    }
                }
            }
            parts.push(part);
        }
        Self { rows, scales, parts }
    }

    /// A number of the matrix.
    pub(super) fn at(&self, row: usize, column: usize) -> f32 {
        let (panel, column_of_panel) = (column / PANEL, column % PANEL);
        let index = (panel * self.rows + row) * PANEL + column_of_panel;
        let sum: f32 = self.parts.iter().map(|part| part[index].to_f32()).sum();
        sum * self.scales[column]
    }
}

/// [`Kernels::multiply_recurrent`](super::Kernels::multiply_recurrent).
#[inline(always)]
pub(super) fn multiply<L: Lanes>(lanes: L, matrix: &Recurrent, row: &[f32], products: &mut [f32]) {
    assert!(row.len() == matrix.rows && products.len() == matrix.scales.len());
    products.fill(0.0);
    for part in &matrix.parts {
        assert!(part.len() == matrix.rows * products.len());
        for (panel, products) in products.chunks_exact_mut(PANEL).enumerate() {
            let panel = &part[panel * matrix.rows * PANEL..][..matrix.rows * PANEL];
            for first in (0..PANEL).step_by(VECTORS * L::WIDTH) {
                let mut sums = [lanes.splat(0.0); VECTORS];
                for (x, weights) in row.iter().zip(panel.chunks_exact(PANEL)) {
                    let x = lanes.splat(*x);
                    for (vector, sum) in sums.iter_mut().enumerate() {
                        // SAFETY: a row of a panel has `PANEL` numbers, a multiple of those of `VECTORS` vectors.
                        let weights = unsafe {
                            lanes.load_bf16(weights.as_ptr().add(first + vector * L::WIDTH))
                        };
                        *sum = x.mul_add(weights, *sum);
                    }
                }
                for (vector, sum) in sums.into_iter().enumerate() {
                    // SAFETY: the products of a panel are `PANEL` numbers too.
                    unsafe {
                        let product = products.as_mut_ptr().add(first + vector * L::WIDTH);
                        (lanes.load(product) + sum).store(product);
                    }
                }
            }
        }
    }
    for (product, scale) in products.iter_mut().zip(&matrix.scales) {
        *product *= scale;
    }
}
