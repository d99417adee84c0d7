//! Products with a matrix of weights.

use ndarray::Array2;
use speech_kernels::ByteMatrix;

/// A matrix of 8-bit weights.
pub(super) struct Matrix(ByteMatrix);

impl Matrix {
    /// A matrix from rows of weights, with a scale for each column.
    pub(crate) fn new(scales: &[f32], weights: &[u8]) -> Self {
        Self(ByteMatrix::new(scales, weights))
    }

    /// The product of each row of `x` with this matrix.
    pub(super) fn product(&self, x: &Array2<f32>) -> Array2<f32> {
        let products = self.0.product(x.as_slice().expect("the rows are contiguous"));
        Array2::from_shape_vec((x.nrows(), self.0.width()), products).expect("a product for each")
    }
}
