//! Checks a set of kernels when a model is loaded: runs every operation on small fixed data, and
//! compares the results with [`Portable`]. This detects wrong instructions of a processor, an
//! emulator or a compiler before they become audible.
//!
//! The data of convolutions is short binary fractions, which bfloat16 represents exactly, so that
//! in any precision only the order of additions may differ. Values that a bfloat16 set rounds
//! nevertheless (activations and transformed elements) have their own bounds.

use std::fmt;

use bytemuck::Zeroable;

use super::elementwise::Activation;
use super::epilogue::Epilogue;
use super::filter::{Filter, Values};
use super::kernels::{Elementwise, Kernels, Operands};
use super::plan::{Plan, Precision, Quantization, Shape};
use super::portable::Portable;
use super::recurrent::RecurrentMatrix;

/// An operation in which a set of kernels differs from [`Portable`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    operation: &'static str,
    /// The largest difference between two elements, relative to the largest magnitude.
    error: f32,
    /// The largest allowed difference.
    bound: f32,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, error, bound } = self;
        write!(f, "{operation} is off by {error:.1e}, and {bound:.1e} is allowed")
    }
}

/// Bounds relative to the largest magnitude: about eight times the differences of sets known to be
/// correct.
mod bound {
    use super::Precision;

    /// Sums of products in another order.
    pub(super) const PRODUCTS: f32 = 1e-5;

    /// Inputs quantized to 16-bit integers.
    pub(super) const INT16_PRODUCTS: f32 = 1e-4;

    /// Inputs and weights quantized to 16-bit integers.
    pub(super) const INT16_WEIGHTS: f32 = 5e-3;

    /// Transformed inputs and weights rounded to bfloat16.
    pub(super) const BF16_TRANSFORMED: f32 = 3e-2;

    /// Functions of one element.
    pub(super) const ELEMENTWISE: f32 = 4e-6;

    /// Functions of one element whose result is rounded to a precision.
    pub(super) fn activation(precision: Precision) -> f32 {
        // bfloat16 has 8 significant bits: half a unit in the last place is 2^-9, and 2^-8 leaves
        // room for ties.
        if precision == Precision::Bf16 { 1.0 / 256.0 } else { ELEMENTWISE }
    }
}

/// Compares every operation of the set, and of its single-precision part, with [`Portable`].
pub fn run<K: Kernels>(kernels: K) -> Result<(), Disagreement> {
    check_convolutions(kernels)?;
    if kernels.precision() != Precision::F32 {
        check_convolutions(kernels.fp32())?;
    }
    check_recurrence(kernels.fp32())?;
    check_rows(kernels.fp32())
}

fn check_convolutions<K: Kernels>(kernels: K) -> Result<(), Disagreement> {
    CASES.iter().try_for_each(|case| check_convolution(kernels, case))?;
    check_activations(kernels)
}

/// A convolution to compare.
struct Case {
    operation: &'static str,
    shape: Shape,
    /// The elements from one input row to the next.
    stride: usize,
    /// The number of output rows: more than a group, and not a multiple of it.
    rows: usize,
    weights: Format,
    /// The quantization of the input.
    quantization: Quantization,
}

/// The storage format of a case's weights.
#[derive(Clone, Copy)]
enum Format {
    F32,
    /// Quantized, with one scale for all columns.
    U8,
    /// Quantized, with one scale per column.
    U8PerColumn,
}

const fn shape(taps: usize, inputs: usize, outputs: usize, dilation: usize) -> Shape {
    Shape { taps, inputs, outputs, dilation }
}

/// Every algorithm and every weight format that the model uses.
const CASES: [Case; 7] = [
    Case {
        operation: "a matrix product",
        shape: shape(1, 70, 64, 1),
        stride: 70,
        rows: 29,
        weights: Format::F32,
        quantization: Quantization::None,
    },
    Case {
        operation: "a strided convolution",
        shape: shape(1, 96, 32, 1),
        stride: 40,
        rows: 29,
        weights: Format::U8,
        quantization: Quantization::None,
    },
    Case {
        operation: "a product of 16-bit integers",
        shape: shape(1, 131, 64, 1),
        stride: 131,
        rows: 29,
        weights: Format::U8PerColumn,
        quantization: Quantization::Int16,
    },
    Case {
        operation: "a product of bytes",
        shape: shape(1, 131, 64, 1),
        stride: 131,
        rows: 29,
        weights: Format::U8PerColumn,
        quantization: Quantization::Int8,
    },
    Case {
        operation: "a convolution of 3 taps",
        // More inputs than are transformed in one pass.
        shape: shape(3, 160, 32, 1),
        stride: 160,
        rows: 29,
        weights: Format::U8PerColumn,
        quantization: Quantization::None,
    },
    Case {
        operation: "a convolution of 7 taps",
        shape: shape(7, 32, 32, 3),
        stride: 32,
        rows: 100,
        weights: Format::U8,
        quantization: Quantization::None,
    },
    Case {
        operation: "a convolution of 11 taps",
        shape: shape(11, 32, 32, 1),
        stride: 32,
        rows: 29,
        weights: Format::F32,
        quantization: Quantization::None,
    },
];

/// Pseudorandom codes, the same on every machine (a linear congruential generator, Knuth 1997).
fn codes(count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

/// Pseudorandom multiples of 1/64 from -2 to 2: 8 significant bits.
fn fractions(count: usize, seed: u32) -> Vec<f32> {
    codes(count, seed).into_iter().map(|code| (f32::from(code) - 128.0) / 64.0).collect()
}

/// Fails if `found` differs from `expected` by more than `bound`, relative to the largest
/// magnitude.
fn compare(
    operation: &'static str,
    bound: f32,
    expected: &[f32],
    found: &[f32],
) -> Result<(), Disagreement> {
    let level = expected.iter().fold(f32::MIN_POSITIVE, |level, x| level.max(x.abs()));
    let difference = |(a, b): (&f32, &f32)| {
        let difference = (a - b).abs() / level;
        if difference.is_nan() { f32::INFINITY } else { difference }
    };
    let error = expected.iter().zip(found).map(difference).fold(0.0, f32::max);
    if error <= bound { Ok(()) } else { Err(Disagreement { operation, error, bound }) }
}

fn check_convolution<K: Kernels>(kernels: K, case: &Case) -> Result<(), Disagreement> {
    let Case { operation, shape, .. } = *case;
    let matrix = codes(shape.taps * shape.inputs * shape.outputs, 1);
    let values = fractions(matrix.len(), 2);
    // Powers of two, so that the weights are short fractions too.
    let scale: Vec<f32> = (0..shape.outputs).map(|n| [0.25, 0.125][n % 2]).collect();
    let zero_point: Vec<f32> = (0..shape.outputs).map(|n| (120 + n % 16) as f32).collect();
    let weights = match case.weights {
        Format::F32 => Values::of(&values),
        Format::U8 => {
            Values::U8 { codes: &matrix, scale: &scale[..1], zero_point: &zero_point[..1] }
        }
        Format::U8PerColumn => {
            Values::U8 { codes: &matrix, scale: &scale, zero_point: &zero_point }
        }
    };
    let filter = Filter::new(shape.outputs, weights);
    let plan = match case.quantization {
        Quantization::None => kernels.plan(shape),
        Quantization::Int16 => kernels.plan_int16(shape),
        Quantization::Int8 => kernels.plan_int8(shape),
    };
    let bound = match (plan.quantization, shape.taps == 1 && filter.is_quantized()) {
        (Quantization::None, _) if kernels.precision() == Precision::Bf16 && plan.is_fast() => {
            bound::BF16_TRANSFORMED
        }
        // Bytes represent the input of their case exactly.
        (Quantization::None | Quantization::Int8, _) => bound::PRODUCTS,
        (Quantization::Int16, true) => bound::INT16_PRODUCTS,
        (Quantization::Int16, false) => bound::INT16_WEIGHTS,
    };
    let expected = convolve(Portable, &Portable.plan(shape), &filter, case);
    compare(operation, bound, &expected, &convolve(kernels, &plan, &filter, case))
}

/// The output of a case, with every part of an epilogue.
fn convolve<K: Kernels>(kernels: K, plan: &Plan, filter: &Filter<'_>, case: &Case) -> Vec<f32> {
    let Case { shape, stride, rows, .. } = *case;
    let mut packed = vec![K::Element::zeroed(); plan.packed_len()];
    for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
        kernels.pack(filter, plan, panel, packed);
    }
    // One signal for all sets, which read different numbers of rows beyond the last output.
    let mut signal = fractions((plan.input_rows(rows) - 1) * stride + shape.inputs, 3);
    if case.quantization == Quantization::Int8 {
        // Bytes have two codes fewer than there are fractions, and every row contains the lowest
        // and the highest.
        let [lowest, highest] = [-126.0, 127.0].map(|code| code / 64.0);
        signal.iter_mut().for_each(|x| *x = x.clamp(lowest, highest));
        for row in signal.chunks_exact_mut(stride) {
            (row[0], row[1]) = (lowest, highest);
        }
    }
    let mut input = vec![K::Element::zeroed(); signal.len()];
    kernels.activate(&signal, 1, &Activation::None, &mut input);
    let mut output = fractions(rows * shape.outputs, 4);
    let residual = fractions(rows * shape.outputs, 5);
    let bias = fractions(shape.outputs, 6);
    let epilogue =
        Epilogue { bias: &bias, residual: Some(&residual), scale: 0.75, accumulate: true };
    let operands = Operands { plan, packed: &packed, input: &input, stride, epilogue };
    kernels.convolve(&operands, &mut output, &mut Vec::new());
    output
}

fn check_activations<K: Kernels>(kernels: K) -> Result<(), Disagreement> {
    // More than a vector of any set, and not a multiple of one.
    const CHANNELS: usize = 37;
    let signal = fractions(8 * CHANNELS, 7);
    let (scale, shift) = (&*fractions(CHANNELS, 8), &*fractions(CHANNELS, 9));
    let alpha: Vec<f32> = fractions(CHANNELS, 10).iter().map(|x| x + 3.0).collect();
    let reciprocal: Vec<f32> = alpha.iter().map(|x| x.recip()).collect();
    let (alpha, reciprocal) = (&*alpha, &*reciprocal);
    let activations = [
        ("a copy", Activation::None),
        ("leaky ReLU", Activation::LeakyRelu { slope: 0.1 }),
        ("GELU", Activation::Gelu),
        ("affine leaky ReLU", Activation::AffineLeakyRelu { scale, shift, slope: 0.2 }),
        ("Snake", Activation::AffineSnake { scale, shift, alpha, reciprocal }),
    ];
    for (operation, activation) in activations {
        let mut expected = vec![0.0; signal.len()];
        Portable.activate(&signal, CHANNELS, &activation, &mut expected);
        let mut activated = vec![K::Element::zeroed(); signal.len()];
        kernels.activate(&signal, CHANNELS, &activation, &mut activated);
        let found: Vec<f32> = activated.into_iter().map(Into::into).collect();
        compare(operation, bound::activation(kernels.precision()), &expected, &found)?;
    }
    Ok(())
}

fn check_recurrence(kernels: impl Elementwise) -> Result<(), Disagreement> {
    const STATES: usize = 32;
    let weights = fractions(STATES * 4 * STATES, 11);
    // Not exact in one bfloat16 term, so that the second is used too.
    let weights: Vec<f32> = weights.iter().map(|x| x * 1.01).collect();
    let filter = Filter::new(4 * STATES, Values::of(&weights));
    let matrix = RecurrentMatrix::new(&filter, STATES, 4 * STATES);
    let row = fractions(STATES, 12);
    let expected = recurrent_product(Portable, &matrix, &row);
    let found = recurrent_product(kernels, &matrix, &row);
    compare("a recurrent product", bound::PRODUCTS, &expected, &found)?;
    let gates = expected;
    let (expected, found) = (lstm_step(Portable, &gates), lstm_step(kernels, &gates));
    compare("an LSTM step", bound::ELEMENTWISE, &expected, &found)
}

fn recurrent_product(kernels: impl Elementwise, matrix: &RecurrentMatrix, row: &[f32]) -> Vec<f32> {
    let mut products = vec![0.0; 4 * row.len()];
    kernels.multiply_recurrent(matrix, row, &mut products);
    products
}

/// The cell and the state after one step.
fn lstm_step(kernels: impl Elementwise, gates: &[f32]) -> Vec<f32> {
    let states = gates.len() / 4;
    let (mut cell, mut state) = (fractions(states, 13), vec![0.0; states]);
    kernels.lstm_step(gates, &mut cell, &mut state);
    cell.extend(state);
    cell
}

/// Checks the operations on whole rows.
fn check_rows(kernels: impl Elementwise) -> Result<(), Disagreement> {
    const WIDTH: usize = 64;
    let rows = fractions(6 * WIDTH, 14);
    compare(
        "the sums of channels",
        bound::PRODUCTS,
        &channel_sums(Portable, &rows),
        &channel_sums(kernels, &rows),
    )?;
    let in_place = |operation: &dyn Fn(&mut [f32])| {
        let mut rows = rows.clone();
        operation(&mut rows);
        rows
    };
    let expected = in_place(&|rows| Portable.softmax(rows, WIDTH));
    let found = in_place(&|rows| kernels.softmax(rows, WIDTH));
    compare("softmax", bound::ELEMENTWISE, &expected, &found)?;
    let expected = in_place(&|rows| Portable.polar_to_complex(rows));
    let found = in_place(&|rows| kernels.polar_to_complex(rows));
    compare("polar to complex", bound::ELEMENTWISE, &expected, &found)?;
    let (expected, found) = (filtered_source(Portable, &rows), filtered_source(kernels, &rows));
    compare("a filtered source", bound::ELEMENTWISE, &expected, &found)?;
    let pairs = rows.as_chunks::<WIDTH>().0;
    let pairs = [[&pairs[0][..], &pairs[1]], [&pairs[2], &pairs[3]]];
    let expected = in_place(&|rows| Portable.add_products_of_rows(&pairs, &mut rows[..WIDTH]));
    let found = in_place(&|rows| kernels.add_products_of_rows(&pairs, &mut rows[..WIDTH]));
    compare("products of rows", bound::PRODUCTS, &expected, &found)?;
    let [weight, bias] = pairs[0];
    let expected = in_place(&|rows| Portable.normalize(&mut rows[..WIDTH], weight, bias, 1e-5));
    let found = in_place(&|rows| kernels.normalize(&mut rows[..WIDTH], weight, bias, 1e-5));
    compare("a normalization", bound::PRODUCTS, &expected, &found)?;
    let expected = in_place(&|rows| Portable.pulses(weight, &[7.5; WIDTH], &mut rows[..WIDTH]));
    let found = in_place(&|rows| kernels.pulses(weight, &[7.5; WIDTH], &mut rows[..WIDTH]));
    compare("pulses", bound::ELEMENTWISE, &expected, &found)
}

/// The real and the imaginary parts of a filtered source.
fn filtered_source(kernels: impl Elementwise, rows: &[f32]) -> Vec<f32> {
    let (mut real, mut imaginary) = (rows[..16].to_vec(), rows[16..32].to_vec());
    let noise = [&rows[32..48], &rows[48..64]];
    kernels.filter_source(&rows[64..64 + 5 * 16], noise, &mut real, &mut imaginary);
    [real, imaginary].concat()
}

/// The sums and the sums of squares of four rows.
fn channel_sums(kernels: impl Elementwise, rows: &[f32]) -> Vec<f32> {
    // More than are summed in one pass, and not a multiple of a vector.
    const CHANNELS: usize = 77;
    let (mut sums, mut squares) = (vec![0.0; CHANNELS], vec![0.0; CHANNELS]);
    kernels.accumulate_sums(&rows[..4 * CHANNELS], &mut sums, &mut squares);
    sums.into_iter().chain(squares).map(|x| x as f32).collect()
}

#[cfg(test)]
pub(crate) mod faulty;

#[cfg(test)]
mod tests {
    use super::faulty::{Faulty, Operation};
    use super::*;

    #[test]
    fn every_set_of_this_processor_passes() {
        run(Portable).unwrap();
        #[cfg(target_arch = "x86_64")]
        {
            use super::super::{Avx2, Avx512, Int16};
            Avx2::detect().map_or(Ok(()), run).unwrap();
            Avx512::detect().map_or(Ok(()), run).unwrap();
            Int16::<Avx2>::detect().map_or(Ok(()), run).unwrap();
            Int16::<Avx512>::detect().map_or(Ok(()), run).unwrap();
        }
        #[cfg(target_arch = "aarch64")]
        {
            use super::super::{Neon, NeonBf16};
            Neon::detect().map_or(Ok(()), run).unwrap();
            NeonBf16::detect().map_or(Ok(()), run).unwrap();
        }
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn amx_passes_on_real_or_emulated_tiles() {
        super::super::emulation::amx().map_or(Ok(()), run).unwrap();
    }

    #[test]
    fn a_set_that_is_wrong_in_any_operation_is_refused() {
        let mut passed = Vec::new();
        for operation in Operation::ALL {
            match run(Faulty(operation)) {
                Ok(()) => passed.push(operation),
                Err(Disagreement { error, bound, .. }) => assert!(error > bound),
            }
        }
        assert!(passed.is_empty(), "{passed:?}");
    }

    #[test]
    fn the_operation_and_the_deviation_are_named() {
        let found = run(Faulty(Operation::Softmax)).unwrap_err().to_string();
        assert!(found.starts_with("softmax is off by "), "{found}");
        assert!(found.ends_with("e-6 is allowed"), "{found}");
    }

    #[test]
    fn what_is_no_number_disagrees() {
        let found = compare("a test", 1.0, &[1.0, f32::NAN], &[1.0, 0.0]).unwrap_err();
        assert_eq!(found.error, f32::INFINITY);
        assert!(compare("a test", 0.1, &[10.0, 0.0], &[10.0, 0.9]).is_ok());
        assert!(compare("a test", 0.1, &[10.0, 0.0], &[10.0, 1.1]).is_err());
    }
}
