//! The shape of a convolution, and the plan by which a set of kernels runs it.

/// The shape of a one-dimensional convolution: output row `t` is the sum over taps `k` of input row
/// `t + k dilation` times the weight matrix of that tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// 1, 3, 7 or 11.
    pub taps: usize,
    /// Input channels: any number with one tap, else a multiple of 32.
    pub inputs: usize,
    /// Output channels: a multiple of 32.
    pub outputs: usize,
    /// The distance between two taps, in input rows.
    pub dilation: usize,
}

impl Shape {
    /// The same convolution as one matrix product over overlapping windows of the input (im2col
    /// without the copy). The dilation must be 1.
    pub fn as_im2col(self) -> Self {
        debug_assert_eq!(self.dilation, 1);
        Self { taps: 1, inputs: self.taps * self.inputs, ..self }
    }

    /// The multiplications per output row without a fast algorithm.
    pub fn products(&self) -> usize {
        self.taps * self.inputs * self.outputs
    }

    /// The number of input rows beyond the number of output rows.
    pub fn halo(&self) -> usize {
        (self.taps - 1) * self.dilation
    }
}

/// The precision of a set's products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Single precision.
    F32,
    /// 16-bit integers.
    Int16,
    /// bfloat16.
    Bf16,
}

/// The run-time quantization of a product's input, for integer products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantization {
    /// No quantization.
    None,
    /// 16-bit integers, with one scale per block of a row.
    Int16,
    /// 8-bit integers, with one scale and zero point per row.
    Int8,
}

/// How a set of kernels runs a convolution of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The shape.
    pub shape: Shape,
    /// The panels of the packed weights: groups of neighboring output channels, each packed by one
    /// call of [`Kernels::pack`](crate::Kernels::pack).
    pub panels: usize,
    /// The elements of a packed panel.
    pub panel_len: usize,
    /// The best number of output rows for one call of
    /// [`Kernels::convolve`](crate::Kernels::convolve). Calls that begin at multiples of it
    /// together give the result of one call for all rows, bit for bit.
    pub block: usize,
    /// Output rows are computed in groups of this size. The last group may be partial, but the
    /// input rows of a full group must be readable.
    pub group: usize,
    /// The multiplications per group of output rows, over all channels.
    pub products: usize,
    /// The quantization of the input.
    pub quantization: Quantization,
}

impl Plan {
    /// The input rows read by a call for `rows` output rows.
    pub fn input_rows(&self, rows: usize) -> usize {
        rows.next_multiple_of(self.group) + self.shape.halo()
    }

    /// Whether an algorithm with fewer products than the textbook's is used.
    pub fn is_fast(&self) -> bool {
        self.products < self.group * self.shape.products()
    }

    /// The elements of the packed weights.
    pub fn packed_len(&self) -> usize {
        self.panels * self.panel_len
    }
}
