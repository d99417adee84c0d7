//! The matrix of a recurrent layer: each step multiplies it by one row, so what counts is how few bytes it is.

use half::bf16;

use super::filter::Filter;
use super::lanes::{Lanes, Vector};

/// Columns of a panel: a multiple of what a processor has sums for.
const PANEL: usize = 128;

/// Vectors of pairs of columns whose sums are computed together.
const PAIRS: usize = 4;

/// A matrix of rows and columns. Weights that are stored as codes lose nothing here: a code less its zero point is a whole
/// number below 256 in magnitude, which bfloat16 holds, and the scale is applied to the sum. All others are kept in two
/// parts, which add up to them within 2^-16.
#[derive(Debug)]
pub(crate) struct Recurrent {
    rows: usize,
    scales: Vec<f32>,
    /// Panel after panel, row after row: a column of the panel's first half with that of the second in the lower bits.
    parts: Vec<Vec<u32>>,
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
            let near: Vec<_> = rest.iter().map(|number| bf16::from_f32(*number)).collect();
            rest.iter_mut().zip(&near).for_each(|(number, near)| *number -= near.to_f32());
            parts.push(paired(&near, columns));
        }
        Self { rows, scales, parts }
    }

    /// A number of the matrix.
    pub(super) fn at(&self, row: usize, column: usize) -> f32 {
        let (panel, half, pair) = (column / PANEL, column / (PANEL / 2) % 2, column % (PANEL / 2));
        let index = (panel * self.rows + row) * PANEL / 2 + pair;
        let number =
            |part: &Vec<u32>| f32::from_bits(part[index] << (16 * half) & (u32::MAX << 16));
        self.parts.iter().map(number).sum::<f32>() * self.scales[column]
    }
}

/// The numbers of a matrix in the order of [`Recurrent::parts`].
fn paired(numbers: &[bf16], columns: usize) -> Vec<u32> {
    let mut pairs = Vec::with_capacity(numbers.len() / 2);
    for panel in (0..columns).step_by(PANEL) {
        for row in numbers.chunks_exact(columns) {
            let (upper, lower) = row[panel..panel + PANEL].split_at(PANEL / 2);
            let bits = |number: &bf16| u32::from(number.to_bits());
            pairs.extend(upper.iter().zip(lower).map(|(u, l)| bits(u) << 16 | bits(l)));
        }
    }
    pairs
}

/// [`Kernels::multiply_recurrent`](super::Kernels::multiply_recurrent).
#[inline(always)]
pub(super) fn multiply<L: Lanes>(lanes: L, matrix: &Recurrent, row: &[f32], products: &mut [f32]) {
    assert!(row.len() == matrix.rows && products.len() == matrix.scales.len());
    products.fill(0.0);
    for part in &matrix.parts {
        assert!(2 * part.len() == matrix.rows * products.len());
        let panels = part.chunks_exact((matrix.rows * PANEL / 2).max(1));
        for (panel, products) in panels.zip(products.chunks_exact_mut(PANEL)) {
            for first in (0..PANEL / 2).step_by(PAIRS * L::WIDTH) {
                let mut sums = [[lanes.splat(0.0); 2]; PAIRS];
                for (x, weights) in row.iter().zip(panel.chunks_exact(PANEL / 2)) {
                    let x = lanes.splat(*x);
                    for (vector, sums) in sums.iter_mut().enumerate() {
                        // SAFETY: a row has `PANEL / 2` pairs, a multiple of those of `PAIRS` vectors.
                        let weights = unsafe {
                            lanes.load_pairs(weights.as_ptr().add(first + vector * L::WIDTH))
                        };
                        *sums = [x.mul_add(weights[0], sums[0]), x.mul_add(weights[1], sums[1])];
                    }
                }
                for (vector, sums) in sums.into_iter().enumerate() {
                    for (half, sum) in sums.into_iter().enumerate() {
                        let column = half * PANEL / 2 + first + vector * L::WIDTH;
                        // SAFETY: the products of a panel are `PANEL` numbers.
                        unsafe {
                            let product = products.as_mut_ptr().add(column);
                            (lanes.load(product) + sum).store(product);
                        }
                    }
                }
            }
        }
    }
    for (product, scale) in products.iter_mut().zip(&matrix.scales) {
        *product *= scale;
    }
}
