//! The interface of a set of kernels.

use bytemuck::Pod;

use super::elementwise::Activation;
use super::epilogue::Epilogue;
use super::filter::Filter;
use super::plan::{Plan, Precision, Shape};
use super::recurrent::RecurrentMatrix;

/// The operands of [`Kernels::convolve`].
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a, E> {
    /// The plan of the convolution, from [`Kernels::plan`], [`Kernels::plan_int16`] or
    /// [`Kernels::plan_int8`].
    pub plan: &'a Plan,
    /// All panels of the weights, packed by [`Kernels::pack`].
    pub packed: &'a [E],
    /// [`Plan::input_rows`] activated rows.
    pub input: &'a [E],
    /// The elements from the start of one input row to the next. With one tap, rows may overlap
    /// (fewer than the shape's inputs); with more taps, it equals the shape's inputs.
    pub stride: usize,
    /// How the sums are written.
    pub epilogue: Epilogue<'a>,
}

impl Operands<'_, f32> {
    /// Asserts that the plan is the set's own, and the lengths of everything accessed without
    /// bounds checks. Returns the number of output rows.
    #[inline(always)]
    pub(super) fn check(&self, plan: &Plan, output: &[f32]) -> usize {
        let Shape { taps, inputs, outputs, .. } = plan.shape;
        let rows = output.len() / outputs;
        assert!(self.plan == plan && (self.stride == inputs || taps == 1));
        assert!(self.packed.len() == plan.packed_len() && self.epilogue.bias.len() == outputs);
        assert!(output.len() == rows * outputs);
        assert!(self.epilogue.residual.is_none_or(|residual| residual.len() == output.len()));
        let needed = |rows| (plan.input_rows(rows) - 1) * self.stride + inputs;
        assert!(rows == 0 || self.input.len() >= needed(rows));
        rows
    }
}

/// The convolutions of one instruction set in one precision. A value is the proof that the
/// processor has the instructions.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// The kernels of the same processor in single precision.
    type Fp32: Kernels<Element = f32> + Elementwise;

    /// The type of activated inputs and packed weights.
    type Element: Pod + Into<f32> + Send + Sync;

    /// The name of the set, such as `avx2`.
    fn name(self) -> &'static str;

    /// The single-precision kernels, for the layers that need them and for everything except
    /// convolutions.
    fn fp32(self) -> Self::Fp32;

    /// The precision of products.
    fn precision(self) -> Precision {
        Precision::F32
    }

    /// The plan for a convolution of this shape.
    fn plan(self, shape: Shape) -> Plan;

    /// The plan for a convolution of this shape if the weights are quantized to 8 bits and the
    /// input may be quantized to 16: integer products, if the set has them.
    fn plan_int16(self, shape: Shape) -> Plan {
        self.plan(shape)
    }

    /// The plan for a convolution of this shape if the weights are quantized to 8 bits and the
    /// input may be, too.
    fn plan_int8(self, shape: Shape) -> Plan {
        self.plan_int16(shape)
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

    /// Convolves a block of rows. `output` is whole rows. `scratch` grows as needed; its content is
    /// not kept between calls.
    fn convolve(
        self,
        operands: &Operands<'_, Self::Element>,
        output: &mut [f32],
        scratch: &mut Vec<f32>,
    );
}

/// The single-precision operations of an instruction set other than convolutions.
pub trait Elementwise: Copy {
    /// Adds each column's sum and sum of squares to the existing ones.
    fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]);

    /// The product of a row vector and a recurrent matrix; `products` has one element per column of
    /// `matrix`.
    fn multiply_recurrent(self, matrix: &RecurrentMatrix, row: &[f32], products: &mut [f32]);

    /// One step of a long short-term memory (Hochreiter and Schmidhuber 1997). `gates` holds the
    /// pre-activations of the input, output and forget gates and of the cell's input, each as long
    /// as `cell` and `state`.
    fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]);

    /// The softmax of each row. Rows are a multiple of 16 elements; masked elements are negative
    /// infinity, and become less than 1e-37.
    fn softmax(self, rows: &mut [f32], width: usize);

    /// Log magnitude and phase to real and imaginary part, in place. A row is 16 log magnitudes m
    /// and 16 values p; it becomes 16 values exp(m) cos(sin p) and 16 values exp(m) sin(sin p).
    fn polar_to_complex(self, rows: &mut [f32]);

    /// Replaces the spectrum of a source by that of the filtered source. All rows have the same
    /// length, a multiple of 16.
    ///
    /// `parts` is five rows: the log gain of the source and a value t, whose phase is pi tanh(t);
    /// the log gain of the noise; and the log magnitude and the phase of a further component.
    /// Logarithms are clamped to at most 7.
    fn filter_source(
        self,
        parts: &[f32],
        noise: [&[f32]; 2],
        real: &mut [f32],
        imaginary: &mut [f32],
    );

    /// Adds the products of pairs of rows to a row, element by element. All rows have the same
    /// length, a multiple of 16.
    fn add_products_of_rows(self, pairs: &[[&[f32]; 2]], sums: &mut [f32]);

    /// Layer normalization (Ba, Kiros and Hinton 2016) of a row, whose length is a multiple of 16.
    fn normalize(self, row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32);

    /// The samples of a pulse train: sums of the cosines of all harmonics of a phase, with equal
    /// amplitudes.
    ///
    /// `turns` are phases from 0 to 1, and `harmonics` the numbers of harmonics plus 0.5. All
    /// slices have the same length, a multiple of 16.
    fn pulses(self, turns: &[f32], harmonics: &[f32], pulses: &mut [f32]);
}
