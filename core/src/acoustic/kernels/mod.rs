//! What the vocoder computes with: one set of kernels for each instruction set, chosen at run time.
//!
//! Signals are channels last: `rows` of one moment each, `channels` numbers in a row, the rows one after another.
//! A kernel works on a block of rows that fits the caches; who calls it divides the signal, so a set needs no threads.
//! [`Scalar`] is the specification: the textbook's loops. The others do the same in fewer operations and are tested
//! against it.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod convolution;
mod elementwise;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
pub(crate) mod emulation;
pub(crate) mod filter;
mod gemm;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod recurrent;
#[cfg(target_arch = "x86_64")]
mod rounded;
mod scalar;
#[cfg(test)]
mod tests;
mod transform;
mod transformed;

#[cfg(target_arch = "x86_64")]
pub(crate) use amx::Amx;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
pub(crate) use portable::Portable;
pub(crate) use recurrent::Recurrent;
pub(crate) use scalar::Scalar;

use bytemuck::Pod;

use super::Precision;
use filter::Filter;

/// The extent of a convolution over time: output row `t` is the sum over taps `k` of input row `t + k dilation` times
/// the matrix of that tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// 1, 3, 7 or 11.
    pub(crate) taps: usize,
    /// Numbers of an input row that are read. With one tap any number, else a multiple of 32.
    pub(crate) inputs: usize,
    /// Numbers of an output row: a multiple of 32.
    pub(crate) outputs: usize,
    /// Rows from one tap to the next.
    pub(crate) dilation: usize,
}

impl Shape {
    /// The same as a product of overlapping windows, whose dilation is 1.
    pub(crate) fn of_windows(self) -> Self {
        debug_assert_eq!(self.dilation, 1);
        Self { taps: 1, inputs: self.taps * self.inputs, ..self }
    }

    /// Input rows that the outputs need beyond their own number.
    pub(crate) fn halo(&self) -> usize {
        (self.taps - 1) * self.dilation
    }
}

/// How a set of kernels runs a convolution of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    /// The parts that packed weights have, each made by one call of [`Kernels::pack`].
    pub(crate) panels: usize,
    /// Elements of one part.
    pub(crate) panel_len: usize,
    /// Output rows that are best computed by one call of [`Kernels::convolve`]. Calls that begin at multiples of it
    /// give what one call for all rows gives.
    pub(crate) block: usize,
    /// Output rows are computed in groups of this many: input rows are read for the last group as if it were whole.
    pub(crate) group: usize,
    /// Whether the input is rounded, and the weights are to be packed from codes.
    pub(crate) rounded: bool,
}

impl Plan {
    /// Input rows that a call for `rows` output rows reads.
    pub(crate) fn input_rows(&self, rows: usize) -> usize {
        rows.next_multiple_of(self.group) + self.shape.halo()
    }

    /// Elements of the packed weights.
    pub(crate) fn packed_len(&self) -> usize {
        self.panels * self.panel_len
    }
}

/// What is done to each number of a signal before a convolution. The slices have one number a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Activation<'a> {
    /// x
    None,
    /// x where x > 0, else slope x.
    LeakyRelu { slope: f32 },
    /// x times the cumulative normal distribution of x, in the form with tanh (Hendrycks and Gimpel 2016).
    Gelu,
    /// The leaky rectifier of z = scale x + shift.
    AffineLeakyRelu { scale: &'a [f32], shift: &'a [f32], slope: f32 },
    /// Snake (Ziyin et al. 2020): z + sin(alpha z)^2 / alpha of z = scale x + shift.
    AffineSnake { scale: &'a [f32], shift: &'a [f32], alpha: &'a [f32], reciprocal: &'a [f32] },
}

/// What is done to each number that a convolution gives: `scale (sum + bias + residual)`, added to what is there if it
/// accumulates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Epilogue<'a> {
    /// One number for each output channel.
    pub(crate) bias: &'a [f32],
    /// Rows like those of the output.
    pub(crate) residual: Option<&'a [f32]>,
    pub(crate) scale: f32,
    pub(crate) accumulate: bool,
}

/// The kernels of one instruction set. A value of the type is the proof that the processor has it.
pub(crate) trait Kernels: Copy + Send + Sync + 'static {
    /// The kernels of the same processor in 32 bits, for the layers that need them.
    type Floats: Kernels<Element = f32>;

    /// What activated rows and packed weights are made of.
    type Element: Pod + Send + Sync;

    /// As options and backend call it.
    fn name(self) -> &'static str;

    /// The kernels in 32 bits.
    fn floats(self) -> Self::Floats;

    /// What products are computed in.
    fn precision(self) -> Precision {
        Precision::F32
    }

    /// How a convolution of this shape is run.
    fn plan(self, shape: Shape) -> Plan;

    /// The same where weights are stored as codes and the input may be rounded to 16 bits, if that is faster.
    fn plan_rounded(self, shape: Shape) -> Plan {
        self.plan(shape)
    }

    /// Packs one part of the weights: `packed` has [`Plan::panel_len`] elements.
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
    /// Input row `t` begins at `t * stride`; with one tap rows may overlap (`stride` less than the shape's inputs), with
    /// more taps `stride` is the shape's inputs. There are [`Plan::input_rows`] of them. `output` is whole rows.
    /// `scratch` may grow and keeps nothing between calls.
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

    /// Adds each channel's sum and sum of squares over the rows.
    fn add_moments(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]);

    /// The products of a row and a recurrent matrix: `products` has as many numbers as `matrix` has columns.
    fn multiply_recurrent(self, matrix: &Recurrent, row: &[f32], products: &mut [f32]);

    /// One step of a long short-term memory (Hochreiter and Schmidhuber 1997): `gates` are the sums of the input, output
    /// and forget gates and of the cell's input, as many numbers each as `cell` and `state` have.
    fn step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]);

    /// The softmax of each row. Rows are a multiple of 16 numbers; those that do not count are negative infinity, and
    /// become less than 1e-37.
    fn softmax(self, rows: &mut [f32], width: usize);

    /// Log magnitude and phase to real and imaginary part, in place: a row is 16 logarithms of magnitudes m and 16
    /// numbers p, and becomes 16 numbers exp(m) cos(sin p) and 16 numbers exp(m) sin(sin p).
    fn polar(self, rows: &mut [f32]);
}
