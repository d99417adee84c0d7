//! The numeric kernels: one set for each instruction set, chosen at run time.
//!
//! A signal is a row-major matrix: a row is a time step, a column a channel. A kernel works on a block of rows that fits
//! the caches. The caller divides the signal among threads, so that a set needs none of its own. [`Scalar`], which only
//! tests use, is the specification: the textbook loops. [`Portable`] runs on every processor, and is what
//! [`self_check`] compares the others with when a model is loaded.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod byte_matrix;
mod convolution;
mod elementwise;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod emulation;
mod fast_convolution;
pub mod filter;
mod gemm;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod int16;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod int16_set;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "aarch64")]
mod neon_bf16;
#[cfg(target_arch = "aarch64")]
mod neon_rows;
#[cfg(target_arch = "x86_64")]
mod pair_products;
mod portable;
#[cfg(any(
    target_arch = "aarch64",
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod quantization;
mod recurrent;
mod scalar;
pub mod self_check;
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "aarch64")]
mod split_int16;
#[cfg(test)]
mod tests;
mod winograd;

#[cfg(target_arch = "x86_64")]
pub use amx::Amx;
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use byte_matrix::ByteMatrix;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub use int16_set::Int16;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
#[cfg(target_arch = "aarch64")]
pub use neon_bf16::NeonBf16;
pub use portable::Portable;
pub use recurrent::RecurrentMatrix;
pub use scalar::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;

use bytemuck::Pod;

use filter::Filter;

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

/// How a set of kernels runs a convolution of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The shape.
    pub shape: Shape,
    /// The panels of the packed weights: groups of neighboring output channels, each packed by one call of
    /// [`Kernels::pack`].
    pub panels: usize,
    /// Elements of a packed panel.
    pub panel_len: usize,
    /// The best number of output rows for one call of [`Kernels::convolve`]. Calls that begin at multiples of it give
    /// bit for bit what one call for all rows gives.
    pub block: usize,
    /// Output rows are computed in groups of this many. For a last group that is not full, the input rows of a full one
    /// are read.
    pub group: usize,
    /// Multiplications of a group.
    pub products: usize,
    /// Whether products are of 16-bit integers.
    pub int16: bool,
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

/// The function applied to each element of a signal before a convolution. The slices hold one parameter for each channel.
#[expect(missing_docs, reason = "the formulas name the parameters")]
#[derive(Clone, Copy, Debug)]
pub enum Activation<'a> {
    /// x
    None,
    /// x where x > 0, else slope x.
    LeakyRelu { slope: f32 },
    /// x times the cumulative normal distribution of x, in the approximation with tanh (Hendrycks and Gimpel 2016).
    Gelu,
    /// Leaky ReLU of z = scale x + shift.
    AffineLeakyRelu { scale: &'a [f32], shift: &'a [f32], slope: f32 },
    /// Snake (Ziyin et al. 2020): z + sin(alpha z)^2 / alpha of z = scale x + shift.
    AffineSnake { scale: &'a [f32], shift: &'a [f32], alpha: &'a [f32], reciprocal: &'a [f32] },
}

/// What is done to each sum of a convolution before it is written: `scale (sum + bias + residual)`, added to the output if
/// `accumulate` is set.
#[derive(Clone, Copy, Debug)]
pub struct Epilogue<'a> {
    /// One element for each output channel.
    pub bias: &'a [f32],
    /// A matrix of the output's size.
    pub residual: Option<&'a [f32]>,
    /// The factor of the sum.
    pub scale: f32,
    /// Whether the result is added to the output.
    pub accumulate: bool,
}

impl<'a> Epilogue<'a> {
    /// Writes the sum with the bias added, and nothing else.
    pub fn plain(bias: &'a [f32]) -> Self {
        Self { bias, residual: None, scale: 1.0, accumulate: false }
    }

    /// The new value of the output element `y`, whose column has this bias and whose place has this residual.
    #[inline(always)]
    pub fn apply(&self, y: f32, sum: f32, bias: f32, residual: f32) -> f32 {
        let value = self.scale * (sum + bias + residual);
        if self.accumulate { y + value } else { value }
    }
}

/// The kernels of one instruction set. A value of the type is the proof that the processor has the instructions.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// The kernels of the same processor in single precision, for the layers that need it.
    type Fp32: Kernels<Element = f32>;

    /// The type of activated inputs and packed weights.
    type Element: Pod + Into<f32> + Send + Sync;

    /// The name of the set, such as `avx2`.
    fn name(self) -> &'static str;

    /// The kernels in single precision.
    fn fp32(self) -> Self::Fp32;

    /// What products are computed in.
    fn precision(self) -> Precision {
        Precision::F32
    }

    /// How a convolution of this shape is run.
    fn plan(self, shape: Shape) -> Plan;

    /// How a convolution of this shape is run where the weights are quantized to 8 bits and the input may be quantized to
    /// 16: with integer products, if the set has them.
    fn plan_int16(self, shape: Shape) -> Plan {
        self.plan(shape)
    }

    /// Packs one panel of the weights: `packed` has [`Plan::panel_len`] elements.
    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [Self::Element]);

    /// Applies an activation to whole rows of a signal.
    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [Self::Element],
    );

    /// Convolves a block of rows.
    ///
    /// Input row `t` begins at `t * stride`. With one tap, rows may overlap (`stride` less than the shape's inputs); with
    /// more taps, `stride` is the shape's inputs. There must be [`Plan::input_rows`] rows. `output` is whole rows.
    /// `scratch` grows as needed, and its content is not kept from call to call.
    #[expect(clippy::too_many_arguments, reason = "a plain description of one operation")]
    fn convolve(
        self,
        plan: &Plan,
        packed: &[Self::Element],
        input: &[Self::Element],
        stride: usize,
        output: &mut [f32],
        epilogue: &Epilogue<'_>,
        scratch: &mut Vec<f32>,
    );

    /// Adds each column's sum and its sum of squares to what is there.
    fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]);

    /// The product of a row vector and a recurrent matrix: `products` has as many elements as `matrix` has columns.
    fn multiply_recurrent(self, matrix: &RecurrentMatrix, row: &[f32], products: &mut [f32]);

    /// One step of a long short-term memory (Hochreiter and Schmidhuber 1997). `gates` holds the pre-activations of the
    /// input, output and forget gates and of the cell's input, each as long as `cell` and `state`.
    fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]);

    /// The softmax of each row. Rows are a multiple of 16 elements; masked ones are negative infinity, and become less
    /// than 1e-37.
    fn softmax(self, rows: &mut [f32], width: usize);

    /// Log magnitude and phase to real and imaginary part, in place. A row is 16 log magnitudes m and 16 values p; it
    /// becomes 16 values exp(m) cos(sin p) and 16 values exp(m) sin(sin p).
    fn polar_to_complex(self, rows: &mut [f32]);
}
