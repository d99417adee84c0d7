//! The specification: every kernel as in a textbook.

use super::elementwise::Activation;
use super::filter::Filter;
use super::kernels::{Elementwise, Kernels, Operands};
use super::plan::{Plan, Quantization, Shape};
use super::recurrent::RecurrentMatrix;

/// Kernels as plain loops over elements.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

/// The output rows of one call. Results do not depend on it.
const BLOCK: usize = 256;

impl Kernels for Scalar {
    type Fp32 = Self;
    type Element = f32;

    fn fp32(self) -> Self {
        self
    }

    /// Callers cannot select this set, so it has no name of its own.
    fn name(self) -> &'static str {
        "scalar"
    }

    fn plan(self, shape: Shape) -> Plan {
        // A panel is the matrix of one tap: inputs by outputs.
        let panel_len = shape.inputs * shape.outputs;
        let (panels, products) = (shape.taps, shape.products());
        Plan {
            shape,
            panels,
            panel_len,
            block: BLOCK,
            group: 1,
            products,
            quantization: Quantization::None,
        }
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [f32]) {
        let Shape { inputs, outputs, .. } = plan.shape;
        for (input, row) in packed.chunks_exact_mut(outputs).enumerate() {
            filter.decode(panel * inputs + input, 0, row);
        }
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [f32],
    ) {
        for (row, activated) in
            rows.chunks_exact(channels).zip(activated.chunks_exact_mut(channels))
        {
            for (channel, (x, y)) in row.iter().zip(activated).enumerate() {
                *y = activate(*x, channel, activation);
            }
        }
    }

    fn convolve(self, operands: &Operands<'_, f32>, output: &mut [f32], scratch: &mut Vec<f32>) {
        let Operands { plan, packed, input, stride, ref epilogue } = *operands;
        let Shape { inputs, outputs, dilation, .. } = plan.shape;
        for (t, row) in output.chunks_exact_mut(outputs).enumerate() {
            scratch.clear();
            scratch.resize(outputs, 0.0);
            for (tap, matrix) in packed.chunks_exact(plan.panel_len).enumerate() {
                let x = &input[(t + tap * dilation) * stride..][..inputs];
                for (x, weights) in x.iter().zip(matrix.chunks_exact(outputs)) {
                    for (sum, weight) in scratch.iter_mut().zip(weights) {
                        *sum += x * weight;
                    }
                }
            }
            for (channel, (y, sum)) in row.iter_mut().zip(scratch.iter()).enumerate() {
                let residual = epilogue.residual.map_or(0.0, |rows| rows[t * outputs + channel]);
                *y = epilogue.apply(*y, *sum, epilogue.bias[channel], residual);
            }
        }
    }
}

impl Elementwise for Scalar {
    fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
        for row in rows.chunks_exact(sums.len()) {
            for ((x, sum), square) in row.iter().zip(&mut *sums).zip(&mut *squares) {
                *sum += f64::from(*x);
                *square += f64::from(*x) * f64::from(*x);
            }
        }
    }

    fn multiply_recurrent(self, matrix: &RecurrentMatrix, row: &[f32], products: &mut [f32]) {
        for (column, product) in products.iter_mut().enumerate() {
            *product = row.iter().enumerate().map(|(i, x)| x * matrix.at(i, column)).sum();
        }
    }

    fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
        let count = cell.len();
        let logistic = |x: f32| 1.0 / (1.0 + (-x).exp());
        for (i, (cell, state)) in cell.iter_mut().zip(state).enumerate() {
            let gate = |gate: usize| gates[gate * count + i];
            *cell = logistic(gate(2)) * *cell + logistic(gate(0)) * gate(3).tanh();
            *state = logistic(gate(1)) * cell.tanh();
        }
    }

    fn softmax(self, rows: &mut [f32], width: usize) {
        for row in rows.chunks_exact_mut(width) {
            let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            row.iter_mut().for_each(|x| *x = (*x - max).exp());
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= sum);
        }
    }

    fn polar_to_complex(self, rows: &mut [f32]) {
        for row in rows.as_chunks_mut::<32>().0 {
            let (real, imaginary) = row.split_at_mut(16);
            for (real, imaginary) in real.iter_mut().zip(imaginary) {
                let (sine, cosine) = imaginary.sin().sin_cos();
                let magnitude = real.exp();
                (*real, *imaginary) = (magnitude * cosine, magnitude * sine);
            }
        }
    }

    fn filter_source(
        self,
        parts: &[f32],
        noise: [&[f32]; 2],
        real: &mut [f32],
        imaginary: &mut [f32],
    ) {
        let count = real.len();
        for (n, (real, imaginary)) in real.iter_mut().zip(imaginary).enumerate() {
            let part = |part: usize| parts[part * count + n];
            let gain = |logarithm: f32| logarithm.min(7.0).exp();
            let (sine, cosine) = (std::f32::consts::PI * part(1).tanh()).sin_cos();
            let (filter_real, filter_imaginary) = (gain(part(0)) * cosine, gain(part(0)) * sine);
            let (own_sine, own_cosine) = part(4).sin_cos();
            let filtered = *real * filter_real - *imaginary * filter_imaginary;
            *imaginary = *real * filter_imaginary
                + *imaginary * filter_real
                + gain(part(2)) * noise[1][n]
                + gain(part(3)) * own_sine;
            *real = filtered + gain(part(2)) * noise[0][n] + gain(part(3)) * own_cosine;
        }
    }

    fn add_products_of_rows(self, pairs: &[[&[f32]; 2]], sums: &mut [f32]) {
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum += pairs.iter().map(|[a, b]| a[n] * b[n]).sum::<f32>();
        }
    }

    fn normalize(self, row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
        let count = row.len() as f32;
        let mean = row.iter().sum::<f32>() / count;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / count;
        for ((x, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
            *x = (*x - mean) / (variance + epsilon).sqrt() * weight + bias;
        }
    }

    fn pulses(self, turns: &[f32], harmonics: &[f32], pulses: &mut [f32]) {
        for ((pulse, turns), harmonics) in pulses.iter_mut().zip(turns).zip(harmonics) {
            let count = harmonics.floor() as u32;
            let angle = std::f64::consts::TAU * f64::from(*turns);
            *pulse = (1..=count).map(|n| (f64::from(n) * angle).cos()).sum::<f64>() as f32;
        }
    }
}

fn activate(x: f32, channel: usize, activation: &Activation<'_>) -> f32 {
    let leaky = |z: f32, slope: f32| if z > 0.0 { z } else { slope * z };
    match *activation {
        Activation::None => x,
        Activation::LeakyRelu { slope } => leaky(x, slope),
        Activation::Gelu => {
            let z = (2.0 / std::f32::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
            0.5 * x * (1.0 + z.tanh())
        }
        Activation::AffineLeakyRelu { scale, shift, slope } => {
            leaky(scale[channel] * x + shift[channel], slope)
        }
        Activation::AffineSnake { scale, shift, alpha, reciprocal } => {
            let z = scale[channel] * x + shift[channel];
            let sine = (alpha[channel] * z).sin();
            z + reciprocal[channel] * sine * sine
        }
    }
}
