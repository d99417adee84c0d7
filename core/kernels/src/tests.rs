//! Compares every set of kernels of this processor with the specification.

use std::io::Write;

use half::f16;
use proptest::prelude::*;
use proptest::sample::select;
use speech_tests::properties;

use super::filter::{Filter, Values};
use super::*;

/// Evaluates an expression with each set of kernels.
macro_rules! each_set {
    ($set:ident => $body:expr) => {{
        let $set = Portable;
        $body;
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($set) = Avx2::detect() {
                $body;
            }
            if let Some($set) = Avx512::detect() {
                $body;
            }
            if let Some($set) = Avx512::without_vnni() {
                $body;
            }
        }
        #[cfg(target_arch = "aarch64")]
        {
            if let Some($set) = Neon::detect() {
                $body;
            }
        }
    }};
}

/// As `each_set`, and with sets that have fewer integer-product instructions than the processor.
macro_rules! each_integer_matrix_set {
    ($set:ident => $body:expr) => {{
        each_set!($set => $body);
        #[cfg(target_arch = "aarch64")]
        for products in [byte_products::ByteProducts::without_matrices(), None] {
            if let Some($set) = Neon::with(products) {
                $body;
            }
        }
    }};
}

/// Evaluates an expression with each set that has 16-bit integer convolutions.
#[cfg(target_arch = "x86_64")]
macro_rules! each_int16_set {
    ($set:ident => $body:expr) => {{
        if let Some($set) = Int16::<Avx2>::detect() {
            $body;
        }
        if let Some($set) = Int16::<Avx512>::detect() {
            $body;
        }
    }};
}

/// The plan of a set for a product with quantized weights.
fn integer_plan(set: impl Kernels, quantization: Quantization, shape: Shape) -> Plan {
    if quantization == Quantization::Int8 { set.plan_int8(shape) } else { set.plan_int16(shape) }
}

/// A single case under Miri, which is slow and checks memory, not values.
fn config(cases: u32) -> ProptestConfig {
    let cases = if cfg!(miri) { 1 } else { properties::cases(cases) };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Pseudorandom values from -1 to 1 (xorshift, Marsaglia 2003).
fn noise(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

#[derive(Clone, Debug)]
struct Case {
    shape: Shape,
    rows: usize,
    stride: usize,
    residual: bool,
    accumulate: bool,
    scale: f32,
}

/// A case and its operands.
struct Data {
    case: Case,
    weights: Vec<[u8; 4]>,
    input: Vec<f32>,
    bias: Vec<f32>,
    residual: Vec<f32>,
    before: Vec<f32>,
}

impl Data {
    fn new(case: Case) -> Self {
        let Case { shape, rows, stride, .. } = case;
        let weights = noise(shape.taps * shape.inputs * shape.outputs, 1);
        // More than any set reads beyond the last row.
        let input_rows = rows + 28 * shape.dilation + shape.halo();
        Self {
            weights: weights.iter().map(|weight| weight.to_le_bytes()).collect(),
            input: noise((input_rows - 1) * stride + shape.inputs, 2),
            bias: noise(shape.outputs, 3),
            residual: noise(rows * shape.outputs, 4),
            before: noise(rows * shape.outputs, 5),
            case,
        }
    }

    fn filter(&self) -> Filter<'_> {
        Filter::new(self.case.shape.outputs, Values::F32(&self.weights))
    }

    /// The convolution, in calls of `blocks` blocks each.
    fn convolve<K: Kernels<Element = f32>>(&self, set: K, blocks: usize) -> Vec<f32> {
        let plan = set.plan(self.case.shape);
        let packed = pack(set, &plan, &self.filter());
        self.convolve_packed(set, &plan, &packed, blocks)
    }

    /// The convolution with a given plan and packed weights.
    fn convolve_packed<K: Kernels<Element = f32>>(
        &self,
        set: K,
        plan: &Plan,
        packed: &[f32],
        blocks: usize,
    ) -> Vec<f32> {
        let Case { shape, stride, .. } = self.case;
        let (mut output, mut scratch) = (self.before.clone(), Vec::new());
        let rows = blocks.saturating_mul(plan.block).min(self.case.rows);
        for (call, output) in output.chunks_mut(rows * shape.outputs).enumerate() {
            let rows = call * rows..call * rows + output.len() / shape.outputs;
            let residual = &self.residual[rows.start * shape.outputs..rows.end * shape.outputs];
            let epilogue = Epilogue {
                bias: &self.bias,
                residual: self.case.residual.then_some(residual),
                scale: self.case.scale,
                accumulate: self.case.accumulate,
            };
            let last = (rows.start + plan.input_rows(rows.len()) - 1) * stride + shape.inputs;
            let input = &self.input[rows.start * stride..last];
            let operands = Operands { plan, packed, input, stride, epilogue };
            set.convolve(&operands, output, &mut scratch);
        }
        output
    }

    /// The convolution in double precision.
    fn exact(&self) -> Vec<f64> {
        let Case { shape, stride, scale, .. } = self.case;
        let mut output = Vec::new();
        for row in 0..self.case.rows {
            let mut sums = vec![0.0; shape.outputs];
            for tap in 0..shape.taps {
                for input in 0..shape.inputs {
                    let x = f64::from(self.input[(row + tap * shape.dilation) * stride + input]);
                    let weights = &self.weights[(tap * shape.inputs + input) * shape.outputs..];
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum += x * f64::from(f32::from_le_bytes(*weight));
                    }
                }
            }
            for (output_channel, sum) in sums.into_iter().enumerate() {
                let at = row * shape.outputs + output_channel;
                let residual = if self.case.residual { f64::from(self.residual[at]) } else { 0.0 };
                let before = if self.case.accumulate { f64::from(self.before[at]) } else { 0.0 };
                let value = sum + f64::from(self.bias[output_channel]) + residual;
                output.push(before + f64::from(scale) * value);
            }
        }
        output
    }
}

fn pack<K: Kernels<Element = f32>>(set: K, plan: &Plan, filter: &Filter<'_>) -> Vec<f32> {
    let mut packed = vec![f32::NAN; plan.packed_len()];
    for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
        set.pack(filter, plan, panel, packed);
    }
    packed
}

/// The signal-to-noise ratio, in decibels.
fn decibels(exact: &[f64], values: &[f32]) -> f64 {
    assert_eq!(exact.len(), values.len());
    let errors = exact.iter().zip(values).map(|(exact, x)| (exact - f64::from(*x)).powi(2));
    10.0 * (exact.iter().map(|x| x * x).sum::<f64>() / errors.sum::<f64>().max(1e-300)).log10()
}

/// The largest difference between two elements.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, |max, x| if x.is_nan() { f32::INFINITY } else { max.max(x) })
}

fn cases() -> impl Strategy<Value = Case> {
    let many = if cfg!(miri) { 1..=1_usize } else { 1..=5 };
    let rows = if cfg!(miri) { 1..10_usize } else { 1..700 };
    let inputs = (select(vec![1_usize, 3, 7, 11]), many.clone(), 1..70_usize, 1..=2_usize);
    (
        inputs,
        many,
        select(vec![1_usize, 3, 5]),
        rows,
        any::<(bool, bool)>(),
        select(vec![1.0_f32, 0.333]),
    )
        .prop_map(
            |(
                (taps, wide, any, overlap),
                outputs,
                dilation,
                rows,
                (residual, accumulate),
                scale,
            )| {
                let inputs = if taps == 1 { any } else { 32 * wide };
                let dilation = if taps == 1 { 1 } else { dilation };
                let stride = if taps == 1 { inputs.div_ceil(overlap) } else { inputs };
                let shape = Shape { taps, inputs, outputs: 32 * outputs, dilation };
                Case { shape, rows, stride, residual, accumulate, scale }
            },
        )
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn convolutions_are_those_of_the_specification(case in cases()) {
        let data = Data::new(case);
        let expected = data.convolve(Scalar, usize::MAX);
        // The standard deviation of the sums of products of elements of about 0.6.
        let size = ((data.case.shape.taps * data.case.shape.inputs) as f32).sqrt();
        each_set!(set => {
            let error = distance(&expected, &data.convolve(set, usize::MAX));
            prop_assert!(error < 1e-5 * (1.0 + size), "{}: {error} of {size}", set.name());
        });
    }

    #[test]
    fn calls_at_multiples_of_a_block_give_what_one_call_gives(case in cases(), blocks in 1..4_usize) {
        let data = Data::new(Case { rows: case.rows * if cfg!(miri) { 1 } else { 3 }, ..case });
        each_set!(set => {
            let whole = data.convolve(set, usize::MAX);
            prop_assert!(whole == data.convolve(set, blocks), "{}", set.name());
        });
    }

    #[test]
    fn activations_are_those_of_the_specification(
        channels in 1..70_usize,
        rows in 0..20_usize,
        kind in 0..5_usize,
        slope in 0.0..1.5_f32,
    ) {
        let x = noise(rows * channels, 1);
        let (scale, shift) = (noise(channels, 2), noise(channels, 3));
        let alpha: Vec<f32> = noise(channels, 4).iter().map(|x| x * 3.0 + 3.1).collect();
        let reciprocal: Vec<f32> = alpha.iter().map(|x| 1.0 / x).collect();
        let (scale, shift, alpha, reciprocal) = (&*scale, &*shift, &*alpha, &*reciprocal);
        let activation = [
            Activation::None,
            Activation::LeakyRelu { slope },
            Activation::AffineLeakyRelu { scale, shift, slope },
            Activation::AffineSnake { scale, shift, alpha, reciprocal },
            Activation::Gelu,
        ][kind];
        let mut expected = vec![f32::NAN; x.len()];
        Scalar.activate(&x, channels, &activation, &mut expected);
        each_set!(set => {
            let mut activated = vec![f32::NAN; x.len()];
            set.activate(&x, channels, &activation, &mut activated);
            let error = distance(&expected, &activated);
            prop_assert!(error < 2e-6, "{}: {error}", set.name());
        });
    }

    #[test]
    fn integer_products_are_near_exact_ones(
        inputs in 1..400_usize,
        outputs in 1..=3_usize,
        rows in 1..if cfg!(miri) { 4 } else { 300_usize },
        overlap in 1..=2_usize,
        each in any::<bool>(),
        accumulate in any::<bool>(),
    ) {
        let shape = Shape { taps: 1, inputs, outputs: 32 * outputs, dilation: 1 };
        let stride = inputs.div_ceil(overlap);
        let case = Case { shape, rows, stride, residual: !accumulate, accumulate, scale: 0.5 };
        let mut data = Data::new(case);
        let codes: Vec<u8> =
            noise(inputs * shape.outputs, 6).iter().map(|x| (128.0 + 127.0 * x) as u8).collect();
        let scale: Vec<f32> = noise(shape.outputs, 7).iter().map(|x| x / 50.0).collect();
        let zeros: Vec<f32> = noise(shape.outputs, 8).iter().map(|x| (128.0 + 127.0 * x).round()).collect();
        let one = if each { shape.outputs } else { 1 };
        let values = Values::U8 { codes: &codes, scale: &scale[..one], zero_point: &zeros[..one] };
        let filter = Filter::new(shape.outputs, values);
        let mut row = vec![0.0; shape.outputs];
        data.weights.clear();
        for input in 0..inputs {
            filter.decode(input, 0, &mut row);
            data.weights.extend(row.iter().map(|weight| weight.to_le_bytes()));
        }
        let exact = data.exact();
        for (quantization, least) in [(Quantization::Int16, 85.0), (Quantization::Int8, 40.0)] {
            let mut found: Vec<Vec<f32>> = Vec::new();
            each_integer_matrix_set!(set => {
                let plan = integer_plan(set, quantization, shape);
                let packed = pack(set, &plan, &filter);
                let products = data.convolve_packed(set, &plan, &packed, usize::MAX);
                let decibels = decibels(&exact, &products);
                prop_assert!(decibels > least, "{}: {decibels} dB", set.name());
                if plan.quantization == quantization {
                    prop_assert!(products == data.convolve_packed(set, &plan, &packed, 1), "{}", set.name());
                    found.push(products);
                }
            });
            // Integer sums do not depend on the order of addition.
            prop_assert!(found.windows(2).all(|sets| sets[0] == sets[1]));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn int16_convolutions_are_near_exact_ones(case in cases(), level in -30..30_i32) {
        let mut data = Data::new(case);
        data.input.iter_mut().for_each(|x| *x *= (level as f32).exp2());
        let exact = data.exact();
        // Tiles differ between vector widths, so results are compared within one width.
        let mut found: Vec<(usize, Vec<f32>)> = Vec::new();
        each_int16_set!(set => {
            let whole = data.convolve(set, usize::MAX);
            let decibels = decibels(&exact, &whole);
            prop_assert!(decibels > 60.0, "{}: {decibels} dB", set.name());
            prop_assert!(whole == data.convolve(set, 1), "{}", set.name());
            found.push((set.plan(data.case.shape).panel_len, whole));
        });
        for pair in found.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            prop_assert!(pair[0].1 == pair[1].1);
        }
    }

    #[cfg(target_arch = "aarch64")]
    #[test]
    fn bf16_convolutions_are_near_exact_ones(case in cases(), level in -30..30_i32) {
        let Some(set) = NeonBf16::detect() else { return Ok(()) };
        let mut data = Data::new(case);
        data.input.iter_mut().for_each(|x| *x *= (level as f32).exp2());
        let whole = data.convolve(set, usize::MAX);
        let decibels = decibels(&data.exact(), &whole);
        prop_assert!(decibels > 44.0, "{decibels} dB");
        prop_assert!(whole == data.convolve(set, 1));
    }

    #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
    #[test]
    fn avx_vnni_computes_what_avx2_does(case in cases(), rows in 1..20_usize) {
        // Every product of a pair raises an exception where the instruction is emulated.
        let shape = Shape { inputs: case.shape.inputs.min(64), outputs: 32, ..case.shape };
        let stride = if shape.taps == 1 { case.stride.min(shape.inputs) } else { shape.inputs };
        let data = Data::new(Case { shape, rows, stride, ..case });
        if let (Some(fused), Some(plain)) = (emulation::avx_vnni(), Int16::<Avx2>::detect()) {
            prop_assert!(data.convolve(fused, usize::MAX) == data.convolve(plain, usize::MAX));
        }
    }

    #[test]
    fn recurrent_products_are_those_of_the_specification(
        rows in 1..40_usize,
        panels in 1..4_usize,
        quantized in any::<bool>(),
    ) {
        let columns = 128 * panels;
        let weights = noise(rows * columns, 1);
        let codes: Vec<u8> = weights.iter().map(|x| (128.0 + 127.0 * x) as u8).collect();
        let scale: Vec<f32> = noise(columns, 2).iter().map(|x| x / 100.0).collect();
        let zero_point = vec![120.0; columns];
        let values = if quantized {
            Values::U8 { codes: &codes, scale: &scale, zero_point: &zero_point }
        } else {
            Values::of(&weights)
        };
        let filter = Filter::new(columns, values);
        let matrix = RecurrentMatrix::new(&filter, rows, columns);
        let state = noise(rows, 3);
        let mut expected = vec![f32::NAN; columns];
        Scalar.multiply_recurrent(&matrix, &state, &mut expected);
        let mut exact = vec![0.0; columns];
        let mut row = vec![0.0; columns];
        for (i, x) in state.iter().enumerate() {
            filter.decode(i, 0, &mut row);
            exact.iter_mut().zip(&row).for_each(|(sum, weight)| *sum += x * weight);
        }
        let error = distance(&exact, &expected);
        prop_assert!(error < if quantized { 1e-5 } else { 2e-4 }, "{error} from the weights");
        each_set!(set => {
            let mut products = vec![f32::NAN; columns];
            set.multiply_recurrent(&matrix, &state, &mut products);
            let error = distance(&expected, &products);
            prop_assert!(error < 1e-5, "{}: {error}", set.name());
        });
    }

    #[test]
    fn steps_and_softmax_are_those_of_the_specification(states in 1..5_usize, size in 0.1..40.0_f32) {
        let states = 16 * states;
        let gates: Vec<f32> = noise(4 * states, 1).iter().map(|x| size * x).collect();
        let before = noise(states, 2);
        let (mut expected, mut state) = (before.clone(), vec![f32::NAN; states]);
        Scalar.lstm_step(&gates, &mut expected, &mut state);
        expected.extend(state);
        let mut shares = gates.clone();
        shares[2 * states - 5..2 * states].fill(f32::NEG_INFINITY);
        let mut softmax = shares.clone();
        Scalar.softmax(&mut softmax, 2 * states);
        each_set!(set => {
            let (mut found, mut state) = (before.clone(), vec![f32::NAN; states]);
            set.lstm_step(&gates, &mut found, &mut state);
            found.extend(state);
            let error = distance(&expected, &found);
            prop_assert!(error < 2e-6, "{}: {error}", set.name());
            let mut found = shares.clone();
            set.softmax(&mut found, 2 * states);
            let error = distance(&softmax, &found);
            prop_assert!(error < 2e-6, "{}: {error}", set.name());
        });
    }

    #[test]
    fn sums_are_those_of_the_specification(channels in 1..70_usize, rows in 0..200_usize) {
        let x = noise(rows * channels, 1);
        let mut expected = [vec![1.0; channels], vec![2.0; channels]];
        let [sums, squares] = &mut expected;
        Scalar.accumulate_sums(&x, sums, squares);
        each_set!(set => {
            let mut found = [vec![1.0; channels], vec![2.0; channels]];
            let [sums, squares] = &mut found;
            set.accumulate_sums(&x, sums, squares);
            for (found, expected) in found.iter().zip(&expected) {
                for (x, expected) in found.iter().zip(expected) {
                    prop_assert!((x - expected).abs() < 1e-6 * (1.0 + rows as f64), "{}: {x} {expected}", set.name());
                }
            }
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "checks values rather than memory, and is slow")]
fn convolutions_are_accurate() {
    let mut failures = Vec::new();
    let (wide, rows) = (128, 60);
    for taps in [1, 3, 7, 11] {
        let shape = Shape { taps, inputs: wide, outputs: 32, dilation: 1 };
        let case =
            Case { shape, rows, stride: wide, residual: false, accumulate: false, scale: 1.0 };
        let data = Data::new(case);
        let exact = data.exact();
        each_set!(set => {
            let decibels = decibels(&exact, &data.convolve(set, usize::MAX));
            if decibels < 110.0 {
                failures.push(format!("{} with {taps} taps: {decibels:.1} dB", set.name()));
            }
        });
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The largest possible sums of either sign, and rows of zeros and of subnormal values.
#[test]
fn integer_sums_do_not_overflow() {
    let shape = Shape { taps: 1, inputs: 300, outputs: 32, dilation: 1 };
    for (code, zero) in [(255, 0.0), (0, 255.0)] {
        let codes = vec![code; shape.inputs * shape.outputs];
        let values = Values::U8 { codes: &codes, scale: &[1.0], zero_point: &[zero] };
        let filter = Filter::new(shape.outputs, values);
        let input: Vec<f32> =
            [1e30_f32, -1e30, 0.0, 1e-42].iter().flat_map(|x| vec![*x; shape.inputs]).collect();
        let bias = vec![0.0; shape.outputs];
        let epilogue = Epilogue { bias: &bias, residual: None, scale: 1.0, accumulate: false };
        each_integer_matrix_set!(set => {
            for quantization in [Quantization::Int16, Quantization::Int8] {
                let plan = integer_plan(set, quantization, shape);
                let packed = pack(set, &plan, &filter);
                let mut output = vec![f32::NAN; 4 * shape.outputs];
                let operands =
                    Operands { plan: &plan, packed: &packed, input: &input, stride: shape.inputs, epilogue };
                set.convolve(&operands, &mut output, &mut Vec::new());
                let sum = (f32::from(code) - zero) * 300.0 * 1e30;
                for (row, expected) in output.chunks_exact(shape.outputs).zip([sum, -sum, 0.0, 0.0]) {
                    let near = |y: &f32| (y - expected).abs() <= 1e-5 * expected.abs() + 1e-30;
                    assert!(row.iter().all(near), "{}: {row:?}, not {expected}", set.name());
                }
            }
        });
    }
}

/// The largest sums in the domain of a fast convolution: input and weights that are equal in all
/// channels.
#[cfg(target_arch = "x86_64")]
#[test]
#[cfg_attr(miri, ignore = "checks values rather than memory, and is slow")]
fn int16_convolutions_do_not_overflow() {
    for (taps, weight) in [(1, 3e-3), (3, 1.0), (7, -0.5), (11, 1e-3)] {
        let shape = Shape { taps, inputs: 512, outputs: 32, dilation: 1 };
        let mut data = Data::new(Case {
            shape,
            rows: 100,
            stride: shape.inputs,
            residual: false,
            accumulate: false,
            scale: 1.0,
        });
        data.weights.fill(f32::to_le_bytes(weight));
        for level in [1e-20_f32, 1.0, 1e20] {
            data.input.fill(level);
            let exact = data.exact();
            each_int16_set!(set => {
                let decibels = decibels(&exact, &data.convolve(set, usize::MAX));
                assert!(decibels > 60.0, "{}, {taps} taps: {decibels} dB", set.name());
            });
        }
    }
}

/// Three-tap weights in 8 bits: noise, and the largest possible sums.
#[cfg(target_arch = "x86_64")]
#[test]
#[cfg_attr(miri, ignore = "checks values rather than memory, and is slow")]
fn int16_convolutions_take_codes_as_they_are() {
    let shape = Shape { taps: 3, inputs: 512, outputs: 32, dilation: 2 };
    let noisy: Vec<u8> = noise(3 * 512 * 64, 1).iter().map(|x| (128.0 + 127.0 * x) as u8).collect();
    let column =
        |first: f32, step: f32| -> Vec<f32> { (0..64).map(|n| first + step * n as f32).collect() };
    let (scale, zero_point) = (column(0.5, 0.25), column(100.0, 1.0));
    let largest = vec![255; noisy.len()];
    let forms = [
        (Values::U8 { codes: &noisy, scale: &scale, zero_point: &zero_point }, false),
        (Values::U8 { codes: &noisy, scale: &[0.5], zero_point: &[128.0] }, false),
        (Values::U8 { codes: &largest, scale: &[0.5], zero_point: &[0.0] }, true),
    ];
    for (number, (form, alike)) in forms.into_iter().enumerate() {
        let mut data = Data::new(Case {
            shape,
            rows: 100,
            stride: shape.inputs,
            residual: true,
            accumulate: false,
            scale: 1.0,
        });
        let filter = Filter::new(64, form).columns_from(32);
        let mut row = vec![0.0; shape.outputs];
        data.weights.clear();
        for input in 0..shape.taps * shape.inputs {
            filter.decode(input, 0, &mut row);
            data.weights.extend(row.iter().map(|weight| weight.to_le_bytes()));
        }
        if alike {
            data.input.fill(1e3);
        }
        let exact = data.exact();
        each_int16_set!(set => {
            let plan = set.plan(shape);
            let found = data.convolve_packed(set, &plan, &pack(set, &plan, &filter), usize::MAX);
            let decibels = decibels(&exact, &found);
            assert!(decibels > 68.0, "{}, form {number}: {decibels} dB", set.name());
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "checks values rather than memory, and is slow")]
fn every_weight_format_is_packed() {
    let codes: Vec<u8> = (0..11 * 32 * 64).map(|n| (n * 89 % 256) as u8).collect();
    let column =
        |first: f32, step: f32| -> Vec<f32> { (0..64).map(|n| first + step * n as f32).collect() };
    let (scale, zero_point) = (column(0.5, 0.25), column(100.0, 1.0));
    let value = |n: usize, scale: f32, zero: f32| (f32::from(codes[n]) - zero) * scale;
    let single = |n: usize| value(n, 0.5, 128.0);
    let floats: Vec<[u8; 4]> = (0..codes.len()).map(|n| single(n).to_le_bytes()).collect();
    let halves: Vec<[u8; 2]> =
        (0..codes.len()).map(|n| f16::from_f32(single(n)).to_le_bytes()).collect();
    let each: Vec<[u8; 4]> = (0..codes.len())
        .map(|n| value(n, scale[n % 64], zero_point[n % 64]).to_le_bytes())
        .collect();
    let words: Vec<[u8; 2]> =
        codes.iter().map(|code| (i16::from(*code) - 128).to_le_bytes()).collect();
    let halves_of_one = vec![0.5; 64];
    let forms = [
        (Values::U8 { codes: &codes, scale: &[0.5], zero_point: &[128.0] }, &floats),
        (Values::F16(&halves), &floats),
        (Values::I16 { codes: &words, scale: &halves_of_one }, &floats),
        (Values::U8 { codes: &codes, scale: &scale, zero_point: &zero_point }, &each),
    ];
    let mut failures = Vec::new();
    for taps in [1, 3, 7, 11] {
        let shape = Shape { taps, inputs: 32, outputs: 32, dilation: 1 };
        for (form, plain) in &forms {
            let plain = Filter::new(64, Values::F32(plain)).columns_from(32);
            let filter = Filter::new(64, *form).columns_from(32);
            each_set!(set => {
                let plan = set.plan(shape);
                if pack(set, &plan, &plain) != pack(set, &plan, &filter) {
                    failures.push(format!("{}, {taps} taps: {form:?}", set.name()).split_at(40).0.to_owned());
                }
            });
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn snake_is_accurate_far_from_zero() {
    let alpha = [1.0; 16];
    let (scale, shift) = ([1.0; 16], [0.0; 16]);
    let activation =
        Activation::AffineSnake { scale: &scale, shift: &shift, alpha: &alpha, reciprocal: &alpha };
    let mut x = noise(16 * if cfg!(miri) { 4 } else { 20_000 }, 1);
    for (n, x) in x.iter_mut().enumerate() {
        *x *= [1.0, 100.0, 10_000.0][n % 3];
    }
    each_set!(set => {
        // For large x the sum rounds coarsely; the bound allows for that, so that the sine itself
        // is tested.
        let mut activated = vec![f32::NAN; x.len()];
        set.activate(&x, 16, &activation, &mut activated);
        for (x, y) in x.iter().zip(&activated) {
            let exact = f64::from(*x) + f64::from(*x).sin().powi(2);
            let error = (f64::from(*y) - exact).abs();
            assert!(error < 3e-6 + f64::from(x.abs()) * 6e-8, "{} of {x}: {error:e}", set.name());
        }
    });
}

#[test]
fn polar_numbers_are_accurate() {
    let mut rows = noise(32 * if cfg!(miri) { 2 } else { 5_000 }, 1);
    for (n, x) in rows.iter_mut().enumerate() {
        *x *= if n % 32 < 16 { 12.0 } else { [3.0, 30.0, 1_000.0][n % 3] };
    }
    each_set!(set => {
        let mut polar = rows.clone();
        set.polar_to_complex(&mut polar);
        for (row, polar) in rows.chunks_exact(32).zip(polar.chunks_exact(32)) {
            for n in 0..16 {
                let (log, phase) = (f64::from(row[n]), f64::from(row[16 + n]));
                let (sine, cosine) = phase.sin().sin_cos();
                for (x, exact) in [(polar[n], cosine), (polar[16 + n], sine)] {
                    let error = (f64::from(x) / log.exp() - exact).abs();
                    assert!(error < 1e-6, "{} of {log} {phase}: {error:e}", set.name());
                }
            }
        }
    });
}

#[test]
fn filtered_sources_are_accurate() {
    const COUNT: usize = 16 * if cfg!(miri) { 1 } else { 500 };
    let mut parts = noise(5 * COUNT, 1);
    for (n, x) in parts.iter_mut().enumerate() {
        *x *= [9.0, 3.0, 9.0, 9.0, 100.0][n / COUNT];
    }
    let [real, imaginary, x, y] = [2, 3, 4, 5].map(|seed| noise(COUNT, seed));
    let (mut expected_x, mut expected_y) = (x.clone(), y.clone());
    Scalar.filter_source(&parts, [&real, &imaginary], &mut expected_x, &mut expected_y);
    each_set!(set => {
        let (mut x, mut y) = (x.clone(), y.clone());
        set.filter_source(&parts, [&real, &imaginary], &mut x, &mut y);
        for (found, expected) in [(&x, &expected_x), (&y, &expected_y)] {
            for (n, (x, exact)) in found.iter().zip(expected).enumerate() {
                let gains = [0, 2, 3].map(|part| parts[part * COUNT + n].min(7.0).exp());
                let error = (x - exact).abs() / gains.iter().sum::<f32>();
                assert!(error < 4e-6, "{} at {n}: {error:e}", set.name());
            }
        }
    });
}

#[test]
fn rows_are_multiplied_and_normalized() {
    const COUNT: usize = 48;
    let rows = [1, 2, 3, 4, 5].map(|seed| noise(COUNT, seed));
    let [a, b, c, d, sums] = &rows;
    let pairs = [[&a[..], b], [c, d]];
    let (mut products, mut normalized) = (sums.clone(), a.clone());
    Scalar.add_products_of_rows(&pairs, &mut products);
    Scalar.normalize(&mut normalized, b, c, 1e-5);
    each_set!(set => {
        let (mut found, mut row) = (sums.clone(), a.clone());
        set.add_products_of_rows(&pairs, &mut found);
        set.normalize(&mut row, b, c, 1e-5);
        for (x, exact) in found.iter().chain(&row).zip(products.iter().chain(&normalized)) {
            assert!((x - exact).abs() < 4e-6, "{}: {x}, not {exact}", set.name());
        }
    });
}

#[test]
fn pulses_are_accurate() {
    const COUNT: usize = 16 * if cfg!(miri) { 1 } else { 1_000 };
    let mut turns = noise(COUNT, 1);
    turns.iter_mut().for_each(|x| *x = (*x + 1.0) / 2.0);
    turns[..6].copy_from_slice(&[0.0, 1e-9, 1e-5, 3e-4, 0.999_999, 0.5]);
    for harmonics in [0.5, 1.5, 50.5, 275.5] {
        let harmonics = [harmonics; COUNT];
        let mut expected = vec![0.0; COUNT];
        Scalar.pulses(&turns, &harmonics, &mut expected);
        each_set!(set => {
            let mut found = vec![0.0; COUNT];
            set.pulses(&turns, &harmonics, &mut found);
            for ((x, exact), turns) in found.iter().zip(&expected).zip(&turns) {
                let error = (x - exact).abs() / harmonics[0];
                assert!(error < 1e-5, "{} of {turns}: {x}, not {exact}", set.name());
            }
        });
    }
}

/// The noise is that of rounding the input, and that of rounding the weights unless they are codes.
#[cfg(target_arch = "aarch64")]
#[test]
fn bf16_convolutions_are_as_accurate_as_their_factors() {
    let Some(set) = NeonBf16::detect() else { return };
    let mut failures = Vec::new();
    for (taps, inputs, quantized, least) in [
        (1, 131, false, 53.0),
        (1, 131, true, 56.0),
        (3, 512, false, 53.0),
        (3, 512, true, 56.0),
        (7, 128, false, 49.0),
        (11, 256, true, 49.0),
    ] {
        let shape = Shape { taps, inputs, outputs: 32, dilation: 1 };
        let case = Case {
            shape,
            rows: 61,
            stride: inputs,
            residual: false,
            accumulate: false,
            scale: 1.0,
        };
        let mut data = Data::new(case);
        let codes: Vec<u8> =
            data.weights.iter().map(|x| (f32::from_le_bytes(*x) * 127.0 + 128.0) as u8).collect();
        let values = Values::U8 { codes: &codes, scale: &[0.01], zero_point: &[120.0] };
        let mut filter = data.filter();
        if quantized {
            filter = Filter::new(shape.outputs, values);
            let value = |code: &u8| ((f32::from(*code) - 120.0) * 0.01).to_le_bytes();
            data.weights = codes.iter().map(value).collect();
        }
        let plan = set.plan(shape);
        let packed = pack(set, &plan, &filter);
        let decibels = decibels(&data.exact(), &data.convolve_packed(set, &plan, &packed, 1));
        if decibels < least {
            failures.push(format!("{taps} taps: {decibels:.1} dB"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Checks which sets run here: other tests skip those that the processor lacks. `REQUIRE_KERNELS`,
/// a list such as `avx2,avx512`, names sets that must not be skipped.
#[test]
#[cfg_attr(miri, ignore = "instructions are emulated with signals")]
fn the_kernels_that_must_run_do() {
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        expect(unused_mut, reason = "there are no others")
    )]
    let mut sets = vec![("portable", true)];
    #[cfg(target_arch = "x86_64")]
    sets.extend([
        ("avx2", Avx2::detect().is_some()),
        ("avx512", Avx512::detect().is_some()),
        ("avx512-vnni", Int16::<Avx512>::detect().is_some()),
    ]);
    // With the processor's own instructions, or emulated ones.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    sets.extend([
        ("avx-vnni", emulation::avx_vnni().is_some()),
        ("amx", emulation::amx().is_some()),
    ]);
    #[cfg(target_arch = "aarch64")]
    sets.extend([
        ("neon", Neon::detect().is_some()),
        ("neon-dotprod", std::arch::is_aarch64_feature_detected!("dotprod")),
        ("neon-i8mm", std::arch::is_aarch64_feature_detected!("i8mm")),
        ("neon-bf16", NeonBf16::detect().is_some()),
    ]);
    let (run, skipped): (Vec<_>, Vec<_>) = sets.into_iter().partition(|(_, runs)| *runs);
    let names =
        |sets: Vec<(&'static str, bool)>| -> Vec<_> { sets.into_iter().map(|it| it.0).collect() };
    let (run, skipped) = (names(run), names(skipped));
    // Written directly: captured output of a passing test is not shown.
    writeln!(std::io::stderr(), "kernels that are tested: {run:?}; skipped: {skipped:?}").unwrap();
    let required = std::env::var("REQUIRE_KERNELS").unwrap_or_default();
    let missing: Vec<_> =
        required.split(',').filter(|name| !name.is_empty() && !run.contains(name)).collect();
    assert!(missing.is_empty(), "REQUIRE_KERNELS names {missing:?}");
}
