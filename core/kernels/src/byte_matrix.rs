//! Products with a matrix of weights.
//!
//! Each product reads all weights once, so memory traffic dominates its time. The weights stay in
//! eight bits, in the order in which they are read: as floats, packed anew for each product, they
//! took five million bytes to read and to write.

use std::array;

/// The number of columns in a panel, whose weights are dequantized together.
const COLUMNS: usize = 16;
/// The rows multiplied with a panel at a time; their sums stay in registers.
const ROWS: usize = 4;

/// A matrix of 8-bit weights with one scale per column, in panels. The last panel is zero-padded.
pub struct ByteMatrix {
    width: usize,
    depth: usize,
    scales: Vec<[f32; COLUMNS]>,
    /// The rows of each panel, panel by panel.
    weights: Vec<[i8; COLUMNS]>,
}

impl ByteMatrix {
    /// A matrix with one column per scale, from row-major weights.
    pub fn new(scales: &[f32], weights: &[u8]) -> Self {
        let width = scales.len();
        let starts = || (0..width).step_by(COLUMNS);
        let rows = || weights.chunks_exact(width);
        let scale = |column: usize| scales.get(column).copied().unwrap_or(0.0);
        let weight = |row: &[u8], column: usize| row.get(column).map_or(0, |w| w.cast_signed());
        let panel_row = |row: &[u8], start: usize| array::from_fn(|i| weight(row, start + i));
        Self {
            width,
            depth: rows().len(),
            scales: starts().map(|start| array::from_fn(|i| scale(start + i))).collect(),
            weights: starts()
                .flat_map(|start| rows().map(move |row| panel_row(row, start)))
                .collect(),
        }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Each row of `x` times this matrix, row by row.
    ///
    /// # Panics
    ///
    /// If `x` does not consist of rows as long as a column of the matrix.
    pub fn product(&self, x: &[f32]) -> Vec<f32> {
        assert!(x.len().is_multiple_of(self.depth), "the rows are as long as a column");
        let mut product = vec![0.0; x.len() / self.depth * self.width];
        let out = product.as_mut_slice();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has AVX2 and FMA.
            unsafe { self.multiply_with_avx2(x, out) };
            return product;
        }
        // Without the instruction, `mul_add` is a function call.
        let is_fused = cfg!(target_arch = "aarch64");
        self.multiply(x, out, |a, b, sum| if is_fused { a.mul_add(b, sum) } else { a * b + sum });
        product
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn multiply_with_avx2(&self, x: &[f32], out: &mut [f32]) {
        self.multiply(x, out, |a, b, sum| a.mul_add(b, sum));
    }

    /// Inlined, so that it is compiled for the caller's instructions.
    #[inline(always)]
    fn multiply(&self, x: &[f32], out: &mut [f32], mul_add: impl Fn(f32, f32, f32) -> f32 + Copy) {
        let Self { width, depth, .. } = *self;
        let mut panel = vec![[0.0; COLUMNS]; depth];
        let panels = self.weights.chunks_exact(depth).zip(&self.scales);
        for (start, (weights, scales)) in (0..width).step_by(COLUMNS).zip(panels) {
            for (values, weights) in panel.iter_mut().zip(weights) {
                *values = array::from_fn(|i| f32::from(weights[i]) * scales[i]);
            }
            let columns = start..width.min(start + COLUMNS);
            for (x, out) in x.chunks(ROWS * depth).zip(out.chunks_mut(ROWS * width)) {
                // If there are fewer rows, the first replaces the missing ones.
                let row = |i: usize| x.chunks_exact(depth).nth(i).unwrap_or(&x[..depth]);
                let sums = sums(array::from_fn(row), &panel, mul_add);
                for (sums, out) in sums.iter().zip(out.chunks_exact_mut(width)) {
                    out[columns.clone()].copy_from_slice(&sums[..columns.len()]);
                }
            }
        }
    }
}

/// Multiplies rows with a panel. The sums are fixed-size arrays, which the compiler keeps in
/// vectors.
#[inline(always)]
fn sums(
    rows: [&[f32]; ROWS],
    panel: &[[f32; COLUMNS]],
    mul_add: impl Fn(f32, f32, f32) -> f32 + Copy,
) -> [[f32; COLUMNS]; ROWS] {
    let rows = rows.map(|row| &row[..panel.len()]);
    let mut sums = [[0.0; COLUMNS]; ROWS];
    for (at, weights) in panel.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            *sums = array::from_fn(|i| mul_add(row[at], weights[i], sums[i]));
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_all_sizes() {
        let bytes: Vec<u8> = (0..=255).cycle().take(37 * 35).collect();
        for (rows, depth, width) in [(1, 1, 1), (4, 3, 16), (5, 37, 35), (9, 35, 37), (0, 5, 5)] {
            let scales: Vec<f32> = (1..=width).map(|i| i as f32 / 64.0).collect();
            let weights = &bytes[..depth * width];
            let x: Vec<f32> =
                (0..rows * depth).map(|at| (at / depth * 7 + at % depth) as f32 - 8.0).collect();
            let weight = |at: usize| f32::from(weights[at].cast_signed());
            let expected: Vec<f32> = (0..rows * width)
                .map(|at| {
                    let (row, column) = (at / width, at % width);
                    let terms = (0..depth).map(|k| x[row * depth + k] * weight(k * width + column));
                    terms.sum::<f32>() * scales[column]
                })
                .collect();
            let mut portable = vec![0.0; rows * width];
            let matrix = ByteMatrix::new(&scales, weights);
            matrix.multiply(&x, &mut portable, |a, b, sum| a * b + sum);
            // No sum is rounded: the scales are multiples of a power of two.
            assert_eq!(matrix.product(&x), expected);
            assert_eq!(portable, expected);
        }
    }
}
