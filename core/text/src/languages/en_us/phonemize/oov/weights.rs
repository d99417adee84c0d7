//! Reads the network weights, `languages/en_us/data/g2p.bin`, which `research/g2p` writes.
//!
//! Integers are little-endian. In order:
//!
//! - the magic `LSPG2P` and the version, two bytes;
//! - eight `u16`, the fields of [`Shape`] from labels to window width;
//! - for each window three `u16`: letters before, letters after, log2 of the table size;
//! - for each label a byte with its length, and its UTF-8;
//! - the tensors in the order of [`Network`](super::network::Network). A vector is `f32`; a matrix
//!   an `f32` scale for each column, then rows of `i8`. In window tables a byte has two columns,
//!   the first in its low half, each with 8 added;
//! - the n-grams: a `u16` with the number of buckets, then eight two-byte slots for each.

use ndarray::Array2;
use speech_kernels::ByteMatrix;

use super::ngrams::{self, Ngrams};

const MAGIC: &[u8; 8] = b"LSPG2P\x03\x00";

/// The dimensions of a network.
pub(super) struct Shape {
    pub(super) labels: usize,
    pub(super) width: usize,
    pub(super) heads: usize,
    pub(super) inner: usize,
    pub(super) blocks: usize,
    /// The largest relative distance with its own position bias.
    pub(super) reach: usize,
    pub(super) windows: Vec<Window>,
    pub(super) window_width: usize,
}

/// A window of adjacent letters, embedded by its hash.
pub(super) struct Window {
    pub(super) before: usize,
    pub(super) after: usize,
    /// The number of table rows, a power of two.
    pub(super) size: usize,
}

/// A matrix of 4-bit weights, dequantized row by row.
pub(super) struct Table {
    scales: Vec<f32>,
    rows: &'static [u8],
}

impl Table {
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = f32> {
        let bytes = self.scales.len() / 2;
        let row = &self.rows[row * bytes..][..bytes];
        let halves = row.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        halves.zip(&self.scales).map(|(half, scale)| (f32::from(half) - 8.0) * scale)
    }
}

fn dequantized(row: &[u8], scales: &[f32]) -> impl Iterator<Item = f32> {
    row.iter().zip(scales).map(|(byte, scale)| f32::from(byte.cast_signed()) * scale)
}

/// Reads the built-in weights file. Panics if it is malformed, which tests exclude.
pub(super) struct Reader(&'static [u8]);

impl Reader {
    pub(super) fn new(file: &'static [u8]) -> Self {
        let mut reader = Self(file);
        assert_eq!(reader.take(MAGIC.len()), MAGIC, "the weights are of this version");
        reader
    }

    fn take(&mut self, count: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn u16(&mut self) -> usize {
        let bytes = self.take(2);
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn shape(&mut self) -> Shape {
        let [labels, width, heads, inner, blocks, reach, windows, window_width] =
            std::array::from_fn(|_| self.u16());
        let windows = (0..windows).map(|_| self.window()).collect();
        Shape { labels, width, heads, inner, blocks, reach, windows, window_width }
    }

    fn window(&mut self) -> Window {
        Window { before: self.u16(), after: self.u16(), size: 1 << self.u16() }
    }

    pub(super) fn labels(&mut self, count: usize) -> Vec<&'static str> {
        (0..count)
            .map(|_| {
                let length = usize::from(self.take(1)[0]);
                str::from_utf8(self.take(length)).expect("labels are UTF-8")
            })
            .collect()
    }

    pub(super) fn vector(&mut self, length: usize) -> Vec<f32> {
        let (floats, _) = self.take(4 * length).as_chunks();
        floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    pub(super) fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        Matrix(ByteMatrix::new(&self.vector(columns), self.take(rows * columns)))
    }

    /// A matrix for row lookups.
    pub(super) fn rows(&mut self, rows: usize, columns: usize) -> Array2<f32> {
        let scales = self.vector(columns);
        let bytes = self.take(rows * columns);
        let values =
            bytes.chunks_exact(columns).flat_map(|row| dequantized(row, &scales)).collect();
        Array2::from_shape_vec((rows, columns), values).expect("as many values as the shape has")
    }

    pub(super) fn table(&mut self, rows: usize, columns: usize) -> Table {
        Table { scales: self.vector(columns), rows: self.take(rows * columns / 2) }
    }

    pub(super) fn ngrams(&mut self) -> Ngrams {
        let buckets = self.u16();
        Ngrams::new(self.take(buckets * ngrams::BUCKET * 2))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}

/// A matrix of 8-bit weights.
pub(super) struct Matrix(ByteMatrix);

impl Matrix {
    /// The product of each row of `x` with this matrix.
    pub(super) fn product(&self, x: &Array2<f32>) -> Array2<f32> {
        let products = self.0.product(x.as_slice().expect("the rows are contiguous"));
        Array2::from_shape_vec((x.nrows(), self.0.width()), products).expect("a product for each")
    }
}
