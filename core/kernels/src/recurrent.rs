//! The weight matrix of a recurrent layer. Each time step is one vector-matrix product, which is
//! bound by memory bandwidth, so the matrix is stored compactly.

use half::bf16;

use super::filter::Filter;
use super::simd::{Simd, Vector};

/// The number of columns in a panel; a multiple of the number whose sums stay in registers.
const PANEL: usize = 128;

/// The vectors of column pairs whose sums are computed in one pass.
const PAIR_VECTORS: usize = 4;

/// A matrix in bfloat16. Quantized weights lose nothing: a code minus its zero point is an integer
/// below 256 in magnitude, which bfloat16 represents exactly, and the scale is applied to the sum.
/// Other weights are split into two bfloat16 terms, whose sum equals the weight to within 2^-16 of
/// it.
#[derive(Debug)]
pub struct RecurrentMatrix {
    rows: usize,
    scales: Vec<f32>,
    /// The terms of the split, each panel by panel and row by row. The upper half of a word is an
    /// element of the panel's first columns, the lower half the one [`PANEL`] / 2 columns later.
    terms: Vec<Vec<u32>>,
}

impl RecurrentMatrix {
    /// Converts a matrix of weights.
    ///
    /// # Panics
    ///
    /// If `columns` is not a multiple of 128.
    pub fn new(filter: &Filter<'_>, rows: usize, columns: usize) -> Self {
        assert!(columns.is_multiple_of(PANEL));
        let mut scales = vec![0.0; columns];
        filter.scales(0, &mut scales);
        let mut rest = vec![0.0; rows * columns];
        for (row, elements) in rest.chunks_exact_mut(columns).enumerate() {
            filter.decode_unscaled(row, 0, elements);
        }
        let mut terms = Vec::new();
        while terms.len() < 2 && rest.iter().any(|x| *x != 0.0) {
            let term: Vec<_> = rest.iter().map(|x| bf16::from_f32(*x)).collect();
            rest.iter_mut().zip(&term).for_each(|(x, term)| *x -= term.to_f32());
            terms.push(interleave_halves(&term, columns));
        }
        Self { rows, scales, terms }
    }

    /// An element of the matrix.
    pub(super) fn at(&self, row: usize, column: usize) -> f32 {
        let (panel, half, pair) = (column / PANEL, column / (PANEL / 2) % 2, column % (PANEL / 2));
        let index = (panel * self.rows + row) * PANEL / 2 + pair;
        let element =
            |term: &Vec<u32>| f32::from_bits(term[index] << (16 * half) & (u32::MAX << 16));
        self.terms.iter().map(element).sum::<f32>() * self.scales[column]
    }
}

/// Orders the elements of a matrix as in [`RecurrentMatrix::terms`].
fn interleave_halves(elements: &[bf16], columns: usize) -> Vec<u32> {
    let mut pairs = Vec::with_capacity(elements.len() / 2);
    for panel in (0..columns).step_by(PANEL) {
        for row in elements.chunks_exact(columns) {
            let (upper, lower) = row[panel..panel + PANEL].split_at(PANEL / 2);
            let bits = |x: &bf16| u32::from(x.to_bits());
            pairs.extend(upper.iter().zip(lower).map(|(u, l)| bits(u) << 16 | bits(l)));
        }
    }
    pairs
}

/// [`Elementwise::multiply_recurrent`](crate::Elementwise::multiply_recurrent).
#[inline(always)]
pub(super) fn multiply_recurrent<S: Simd>(
    simd: S,
    matrix: &RecurrentMatrix,
    row: &[f32],
    products: &mut [f32],
) {
    assert!(row.len() == matrix.rows && products.len() == matrix.scales.len());
    products.fill(0.0);
    for term in &matrix.terms {
        assert!(2 * term.len() == matrix.rows * products.len());
        let panels = term.chunks_exact((matrix.rows * PANEL / 2).max(1));
        for (panel, products) in panels.zip(products.chunks_exact_mut(PANEL)) {
            for first in (0..PANEL / 2).step_by(PAIR_VECTORS * S::WIDTH) {
                let mut sums = [[simd.splat(0.0); 2]; PAIR_VECTORS];
                for (x, weights) in row.iter().zip(panel.chunks_exact(PANEL / 2)) {
                    let x = simd.splat(*x);
                    for (vector, sums) in sums.iter_mut().enumerate() {
                        // SAFETY: a row of a panel has `PANEL / 2` pairs, a multiple of
                        // `PAIR_VECTORS` vectors.
                        let weights = unsafe {
                            simd.load_pairs(weights.as_ptr().add(first + vector * S::WIDTH))
                        };
                        *sums = [x.mul_add(weights[0], sums[0]), x.mul_add(weights[1], sums[1])];
                    }
                }
                for (vector, sums) in sums.into_iter().enumerate() {
                    for (half, sum) in sums.into_iter().enumerate() {
                        let column = half * PANEL / 2 + first + vector * S::WIDTH;
                        // SAFETY: the chunk of products has `PANEL` elements, and `column + WIDTH`
                        // is at most that.
                        unsafe {
                            let product = products.as_mut_ptr().add(column);
                            (simd.load(product) + sum).store(product);
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
