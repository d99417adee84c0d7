//! A set of kernels with one wrong operation, for tests.

use super::super::elementwise::Activation;
use super::super::filter::Filter;
use super::super::kernels::{Elementwise, Kernels, Operands};
use super::super::plan::{Plan, Shape};
use super::super::portable::Portable;
use super::super::recurrent::RecurrentMatrix;

/// [`Portable`] with one wrong operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faulty(pub(crate) Operation);

/// The wrong operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Activation,
    /// Convolutions with this many taps.
    Convolution(usize),
    AccumulateSums,
    RecurrentProduct,
    LstmStep,
    Softmax,
    PolarToComplex,
    FilterSource,
    AddProductsOfRows,
    Normalize,
    Pulses,
}

impl Operation {
    pub(crate) const ALL: [Self; 14] = [
        Self::Activation,
        Self::Convolution(1),
        Self::Convolution(3),
        Self::Convolution(7),
        Self::Convolution(11),
        Self::AccumulateSums,
        Self::RecurrentProduct,
        Self::LstmStep,
        Self::Softmax,
        Self::PolarToComplex,
        Self::FilterSource,
        Self::AddProductsOfRows,
        Self::Normalize,
        Self::Pulses,
    ];
}

impl Faulty {
    /// Changes one element slightly if `operation` is the wrong one.
    fn spoil(self, operation: Operation, values: &mut [f32]) {
        if self.0 == operation && !values.is_empty() {
            let last = values.len() - 1;
            values[last] += 0.001;
        }
    }
}

impl Kernels for Faulty {
    type Fp32 = Self;
    type Element = f32;

    fn name(self) -> &'static str {
        "faulty"
    }

    fn fp32(self) -> Self {
        self
    }

    fn plan(self, shape: Shape) -> Plan {
        Portable.plan(shape)
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [f32]) {
        Portable.pack(filter, plan, panel, packed);
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [f32],
    ) {
        Portable.activate(rows, channels, activation, activated);
        self.spoil(Operation::Activation, activated);
    }

    fn convolve(self, operands: &Operands<'_, f32>, output: &mut [f32], scratch: &mut Vec<f32>) {
        Portable.convolve(operands, output, scratch);
        // Scales every output by 1.01: an error of 1 %.
        if self.0 == Operation::Convolution(operands.plan.shape.taps) {
            output.iter_mut().for_each(|y| *y *= 1.01);
        }
    }
}

impl Elementwise for Faulty {
    fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
        Portable.accumulate_sums(rows, sums, squares);
        if self.0 == Operation::AccumulateSums {
            squares[0] *= 1.01;
        }
    }

    fn multiply_recurrent(self, matrix: &RecurrentMatrix, row: &[f32], products: &mut [f32]) {
        Portable.multiply_recurrent(matrix, row, products);
        if self.0 == Operation::RecurrentProduct {
            products.swap(0, 1);
        }
    }

    fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
        Portable.lstm_step(gates, cell, state);
        self.spoil(Operation::LstmStep, state);
    }

    fn softmax(self, rows: &mut [f32], width: usize) {
        Portable.softmax(rows, width);
        self.spoil(Operation::Softmax, rows);
    }

    fn polar_to_complex(self, rows: &mut [f32]) {
        Portable.polar_to_complex(rows);
        self.spoil(Operation::PolarToComplex, rows);
    }

    fn filter_source(
        self,
        parts: &[f32],
        noise: [&[f32]; 2],
        real: &mut [f32],
        imaginary: &mut [f32],
    ) {
        Portable.filter_source(parts, noise, real, imaginary);
        self.spoil(Operation::FilterSource, imaginary);
    }

    fn add_products_of_rows(self, pairs: &[[&[f32]; 2]], sums: &mut [f32]) {
        Portable.add_products_of_rows(pairs, sums);
        self.spoil(Operation::AddProductsOfRows, sums);
    }

    fn normalize(self, row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
        Portable.normalize(row, weight, bias, epsilon);
        self.spoil(Operation::Normalize, row);
    }

    fn pulses(self, turns: &[f32], harmonics: &[f32], pulses: &mut [f32]) {
        Portable.pulses(turns, harmonics, pulses);
        self.spoil(Operation::Pulses, pulses);
    }
}
