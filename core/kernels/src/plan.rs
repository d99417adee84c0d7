//! The shape of a convolution, and how a set of kernels runs it.

/// The shape of a one-dimensional convolution: output row `t` is the sum over taps `k` of input row `t + k dilation`
/// times the weight matrix of that tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// 1, 3, 7 or 11.
    pub taps: usize,
    /// Input channels: any number with one tap, else a multiple of 32.
    pub inputs: usize,
    /// Output channels: a multiple of 32.
    pub outputs: usize,
    /// Rows from one tap to the next.
    pub dilation: usize,
}

impl Shape {
    /// The same convolution as one matrix product over overlapping windows of the input (im2col without the copy). The
    /// dilation must be 1.
    pub fn as_im2col(self) -> Self {
        debug_assert_eq!(self.dilation, 1);
        Self { taps: 1, inputs: self.taps * self.inputs, ..self }
    }

    /// Multiplications of an output row without a fast algorithm.
    pub fn products(&self) -> usize {
        self.taps * self.inputs * self.outputs
    }

    /// How many more input rows than output rows there are.
    pub fn halo(&self) -> usize {
        (self.taps - 1) * self.dilation
    }
}

/// What a set of kernels computes products in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Single precision.
    F32,
    /// 16-bit integers.
    Int16,
    /// bfloat16.
    Bf16,
}

/// What the input of a product is quantized to at run time, so that it is one of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantization {
    /// It is not.
    None,
    /// 16-bit integers, with a scale for each block of a row.
    Int16,
    /// 8-bit integers, with a scale and a zero point for each row.
    Int8,
}

/// How a set of kernels runs a convolution of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The shape.
    pub shape: Shape,
    /// The panels of the packed weights: groups of neighboring output channels, each packed by one call of
    /// [`Kernels::pack`](crate::Kernels::pack).
    pub panels: usize,
    /// Elements of a packed panel.
    pub panel_len: usize,
    /// The best number of output rows for one call of [`Kernels::convolve`](crate::Kernels::convolve). Calls that begin at multiples of it give
    /// bit for bit what one call for all rows gives.
    pub block: usize,
    /// Output rows are computed in groups of this many. For a last group that is not full, the input rows of a full one
    /// are read.
    pub group: usize,
    /// Multiplications of a group.
    pub products: usize,
    /// What the input is quantized to.
    pub quantization: Quantization,
}

impl Plan {
    /// Input rows that a call for `rows` output rows reads.
    pub fn input_rows(&self, rows: usize) -> usize {
        rows.next_multiple_of(self.group) + self.shape.halo()
    }

    /// Whether an algorithm with fewer products than the textbook's is used.
    pub fn is_fast(&self) -> bool {
        self.products < self.group * self.shape.products()
    }

    /// Elements of the packed weights.
    pub fn packed_len(&self) -> usize {
        self.panels * self.panel_len
    }
}
