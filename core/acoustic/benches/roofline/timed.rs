//! Wraps a set of kernels and records the time of each operation.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use speech_kernels::filter::Filter;
use speech_kernels::{
    Activation, Elementwise, Kernels, Operands, Plan, Precision, RecurrentMatrix, Shape,
};

/// An operation of a set of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Convolve {
        taps: usize,
        inputs: usize,
        outputs: usize,
        dilation: usize,
    },
    /// Packs the weights of convolutions with this many taps.
    Pack {
        taps: usize,
    },
    Activate,
    AccumulateSums,
    MultiplyRecurrent,
    LstmStep,
    Softmax,
    PolarToComplex,
    FilterSource,
    AddProductsOfRows,
    Normalize,
    Pulses,
}

/// The figures of an operation, summed over all calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timing {
    pub(super) calls: usize,
    pub(super) seconds: f64,
    /// The multiplications computed.
    pub(super) products: f64,
    /// The multiplications of the direct algorithm.
    pub(super) direct_products: f64,
    /// The bytes read and written; packed weights count once per block of rows.
    pub(super) bytes: f64,
}

static TIMINGS: LazyLock<Mutex<HashMap<Operation, Timing>>> = LazyLock::new(Mutex::default);

/// The records since the last call, the slowest first.
pub(super) fn take() -> Vec<(Operation, Timing)> {
    let timings = std::mem::take(&mut *TIMINGS.lock().unwrap_or_else(PoisonError::into_inner));
    let mut timings: Vec<_> = timings.into_iter().collect();
    timings.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds));
    timings
}

/// Runs an operation, and records its time with the given figures.
fn note(operation: Operation, figures: Timing, run: impl FnOnce()) {
    let started = Instant::now();
    run();
    let seconds = started.elapsed().as_secs_f64();
    let mut timings = TIMINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let sum = timings.entry(operation).or_default();
    sum.calls += 1;
    sum.seconds += seconds;
    sum.products += figures.products;
    sum.direct_products += figures.direct_products;
    sum.bytes += figures.bytes;
}

/// The figures of an operation that reads and writes elements and multiplies none with weights.
fn elements(count: usize) -> Timing {
    Timing { bytes: (count * size_of::<f32>()) as f64, ..Timing::default() }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Timed<K>(pub(super) K);

impl<K: Kernels> Kernels for Timed<K> {
    type Fp32 = Timed<K::Fp32>;
    type Element = K::Element;

    fn name(self) -> &'static str {
        self.0.name()
    }

    fn fp32(self) -> Self::Fp32 {
        Timed(self.0.fp32())
    }

    fn precision(self) -> Precision {
        self.0.precision()
    }

    fn plan(self, shape: Shape) -> Plan {
        self.0.plan(shape)
    }

    fn plan_int16(self, shape: Shape) -> Plan {
        self.0.plan_int16(shape)
    }

    fn plan_int8(self, shape: Shape) -> Plan {
        self.0.plan_int8(shape)
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [K::Element]) {
        let Shape { taps, inputs, outputs, .. } = plan.shape;
        let stored = taps * inputs * outputs / plan.panels;
        let bytes = (size_of_val(packed) + stored) as f64;
        note(Operation::Pack { taps }, Timing { bytes, ..Timing::default() }, || {
            self.0.pack(filter, plan, panel, packed);
        });
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [K::Element],
    ) {
        let bytes = (size_of_val(rows) + size_of_val(activated)) as f64;
        note(Operation::Activate, Timing { bytes, ..Timing::default() }, || {
            self.0.activate(rows, channels, activation, activated);
        });
    }

    fn convolve(
        self,
        operands: &Operands<'_, K::Element>,
        output: &mut [f32],
        scratch: &mut Vec<f32>,
    ) {
        let Operands { plan, packed, input, ref epilogue, .. } = *operands;
        let Shape { taps, inputs, outputs, dilation } = plan.shape;
        let rows = output.len() / outputs;
        let read = usize::from(epilogue.residual.is_some()) + usize::from(epilogue.accumulate);
        let bytes = rows.div_ceil(plan.block) * size_of_val(packed)
            + size_of_val(input)
            + (1 + read) * size_of_val(output);
        let figures = Timing {
            products: (rows.div_ceil(plan.group) * plan.products) as f64,
            direct_products: (rows * plan.shape.products()) as f64,
            bytes: bytes as f64,
            ..Timing::default()
        };
        note(Operation::Convolve { taps, inputs, outputs, dilation }, figures, || {
            self.0.convolve(operands, output, scratch);
        });
    }
}

impl<K: Elementwise> Elementwise for Timed<K> {
    fn accumulate_sums(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
        note(Operation::AccumulateSums, elements(rows.len()), || {
            self.0.accumulate_sums(rows, sums, squares);
        });
    }

    fn multiply_recurrent(self, matrix: &RecurrentMatrix, row: &[f32], products: &mut [f32]) {
        let count = (row.len() * products.len()) as f64;
        let figures = Timing {
            products: count,
            direct_products: count,
            // Its elements are bfloat16.
            bytes: 2.0 * count,
            ..Timing::default()
        };
        note(Operation::MultiplyRecurrent, figures, || {
            self.0.multiply_recurrent(matrix, row, products);
        });
    }

    fn lstm_step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
        note(Operation::LstmStep, elements(2 * gates.len()), || {
            self.0.lstm_step(gates, cell, state);
        });
    }

    fn softmax(self, rows: &mut [f32], width: usize) {
        note(Operation::Softmax, elements(2 * rows.len()), || self.0.softmax(rows, width));
    }

    fn polar_to_complex(self, rows: &mut [f32]) {
        note(Operation::PolarToComplex, elements(2 * rows.len()), || {
            self.0.polar_to_complex(rows);
        });
    }

    fn filter_source(
        self,
        parts: &[f32],
        noise: [&[f32]; 2],
        real: &mut [f32],
        imaginary: &mut [f32],
    ) {
        note(Operation::FilterSource, elements(parts.len() + 6 * real.len()), || {
            self.0.filter_source(parts, noise, real, imaginary);
        });
    }

    fn add_products_of_rows(self, pairs: &[[&[f32]; 2]], sums: &mut [f32]) {
        note(Operation::AddProductsOfRows, elements(2 * pairs.len() * sums.len()), || {
            self.0.add_products_of_rows(pairs, sums);
        });
    }

    fn normalize(self, row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
        note(Operation::Normalize, elements(row.len()), || {
            self.0.normalize(row, weight, bias, epsilon);
        });
    }

    fn pulses(self, turns: &[f32], harmonics: &[f32], pulses: &mut [f32]) {
        note(Operation::Pulses, elements(pulses.len()), || {
            self.0.pulses(turns, harmonics, pulses);
        });
    }
}
