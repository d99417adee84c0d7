//! Compares with the scalar specification: on the processor's tiles if it has them, otherwise on
//! emulated ones.

use bytemuck::Zeroable;
use half::f16;
use proptest::prelude::*;
use speech_tests::properties;

use super::super::filter::Values;
use super::super::{Scalar, emulation, self_check};
use super::*;

/// The parameters of one tested convolution.
#[derive(Clone, Debug)]
struct Case {
    shape: Shape,
    stride: usize,
    rows: usize,
    format: Format,
    residual: bool,
    accumulate: bool,
    scale: f32,
    seed: u32,
}

/// The storage format of the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    F32,
    F16,
    U8,
    U8PerColumn,
}

/// Owns the weights that a filter borrows.
struct Weights {
    format: Format,
    words: Vec<[u8; 4]>,
    halves: Vec<[u8; 2]>,
    codes: Vec<u8>,
    scale: Vec<f32>,
    zero_point: Vec<f32>,
}

impl Weights {
    /// Random weights. With `rounded`, weights that are not quantized are rounded to bfloat16, so
    /// that the kernels represent them exactly.
    fn new(shape: Shape, format: Format, rounded: bool, seed: u32) -> Self {
        let values = normal(seed, shape.taps * shape.inputs * shape.outputs);
        let keep = |x: &f32| if rounded { bf16::from_f32(*x).to_f32() } else { *x };
        let columns = if format == Format::U8PerColumn { shape.outputs } else { 1 };
        let byte = |x: &f32| (x * 40.0 + 128.0).clamp(0.0, 255.0) as u8;
        Self {
            format,
            words: values.iter().map(|x| keep(x).to_le_bytes()).collect(),
            halves: values.iter().map(|x| f16::from_f32(keep(x)).to_le_bytes()).collect(),
            codes: values.iter().map(byte).collect(),
            scale: (0..columns).map(|column| 0.02 + 0.001 * column as f32).collect(),
            zero_point: (0..columns).map(|column| (120 + column % 20) as f32).collect(),
        }
    }

    fn filter(&self, shape: Shape) -> Filter<'_> {
        let values = match self.format {
            Format::F32 => Values::F32(&self.words),
            Format::F16 => Values::F16(&self.halves),
            Format::U8 | Format::U8PerColumn => {
                Values::U8 { codes: &self.codes, scale: &self.scale, zero_point: &self.zero_point }
            }
        };
        Filter::new(shape.outputs, values)
    }
}

/// Normally distributed values (Box and Muller 1958).
fn normal(seed: u32, count: usize) -> Vec<f32> {
    let mut state = u64::from(seed) + 1;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 + 1.0) / f64::from(1_u32 << 31)
    };
    let number =
        |_| ((-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()) as f32;
    (0..count).map(number).collect()
}

fn pack<K: Kernels>(kernels: K, plan: &Plan, filter: &Filter<'_>) -> Vec<K::Element> {
    let mut packed = vec![K::Element::zeroed(); plan.packed_len()];
    for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
        kernels.pack(filter, plan, panel, packed);
    }
    packed
}

/// Convolves a case's signal in calls of `part` rows each.
fn convolve<K: Kernels>(kernels: K, case: &Case, part: usize, input: &[K::Element]) -> Vec<f32> {
    let Case { shape, stride, rows, .. } = *case;
    let plan = kernels.plan(shape);
    let weights = Weights::new(shape, case.format, true, case.seed);
    let packed = pack(kernels, &plan, &weights.filter(shape));
    let bias = normal(case.seed ^ 1, shape.outputs);
    let residual = normal(case.seed ^ 2, rows * shape.outputs);
    let mut output = normal(case.seed ^ 3, rows * shape.outputs);
    for (index, output) in output.chunks_mut(part * shape.outputs).enumerate() {
        let residual = case.residual.then(|| &residual[index * part * shape.outputs..]);
        let epilogue =
            Epilogue { bias: &bias, residual, scale: case.scale, accumulate: case.accumulate };
        let (first, count) = (index * part, plan.input_rows(output.len() / shape.outputs));
        let input = &input[first * stride..][..(count - 1) * stride + shape.inputs];
        let operands = Operands { plan: &plan, packed: &packed, input, stride, epilogue };
        kernels.convolve(&operands, output, &mut Vec::new());
    }
    output
}

/// A random bfloat16 signal for a case, long enough for whole groups.
fn signal(amx: Amx, case: &Case) -> Vec<bf16> {
    let rows = amx.plan(case.shape).input_rows(case.rows);
    let values = normal(case.seed ^ 4, rows * case.stride + case.shape.inputs);
    values.into_iter().map(bf16::from_f32).collect()
}

fn cases() -> impl Strategy<Value = Case> {
    let shape = (
        prop::sample::select(vec![1, 3, 7, 11]),
        1..=3_usize,
        1..=3_usize,
        prop::sample::select(vec![1, 3, 5]),
    )
        .prop_map(|(taps, inputs, outputs, dilation)| Shape {
            taps,
            inputs: 32 * inputs,
            outputs: 32 * outputs,
            dilation,
        });
    // With one tap: rows of any length, which may overlap.
    let overlapping = (1..=100_usize, 1..=2_usize)
        .prop_flat_map(|(inputs, outputs)| (Just(inputs), Just(outputs), 1..=inputs + 10));
    let overlapping = overlapping.prop_map(|(inputs, outputs, stride)| {
        (Shape { taps: 1, inputs, outputs: 32 * outputs, dilation: 1 }, stride)
    });
    let shapes = prop_oneof![3 => shape.prop_map(|shape| (shape, shape.inputs)), 1 => overlapping];
    let format =
        prop::sample::select(vec![Format::F32, Format::F16, Format::U8, Format::U8PerColumn]);
    let epilogue = (any::<bool>(), any::<bool>(), prop::sample::select(vec![1.0, 0.5, 1.0 / 3.0]));
    (shapes, 1..=100_usize, format, epilogue, any::<u32>()).prop_map(
        |((shape, stride), rows, format, (residual, accumulate, scale), seed)| Case {
            shape,
            stride,
            rows,
            format,
            residual,
            accumulate,
            scale,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(properties::cases(100)))]

    /// The scalar specification on the same rounded signal and weights: only the order of addition
    /// differs.
    #[test]
    fn convolutions_are_the_specifications(case in cases()) {
        let Some(amx) = emulation::amx() else { return Ok(()) };
        let rounded = signal(amx, &case);
        let floats: Vec<f32> = rounded.iter().map(|x| x.to_f32()).collect();
        let got = convolve(amx, &case, case.rows, &rounded);
        let wanted = convolve(Scalar, &case, case.rows, &floats);
        let level = wanted.iter().fold(1.0_f32, |level, y| level.max(y.abs()));
        for (index, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            prop_assert!((got - wanted).abs() <= 2e-6 * level, "{index}: {got} not {wanted}, of {level}");
        }
    }

    #[test]
    fn parts_give_what_the_whole_gives(case in cases(), groups in 1..=3_usize) {
        let Some(amx) = emulation::amx() else { return Ok(()) };
        let rounded = signal(amx, &case);
        let whole = convolve(amx, &case, case.rows, &rounded);
        let parts = convolve(amx, &case, groups * SIDE, &rounded);
        prop_assert!(whole.iter().map(|y| y.to_bits()).eq(parts.iter().map(|y| y.to_bits())));
    }

    #[test]
    fn activations_are_the_specifications(
        channels in 1..=70_usize,
        rows in 1..=3_usize,
        kind in 0..4,
        level in prop::sample::select(vec![0.1_f32, 1.0, 30.0]),
        seed: u32,
    ) {
        let Some(amx) = emulation::amx() else { return Ok(()) };
        let signal: Vec<f32> = normal(seed, rows * channels).iter().map(|x| level * x).collect();
        let [scale, shift] = [1, 2].map(|salt| normal(seed ^ salt, channels));
        let alpha: Vec<f32> = normal(seed ^ 3, channels).iter().map(|x| 0.1 + x.abs()).collect();
        let reciprocal: Vec<f32> = alpha.iter().map(|alpha| alpha.recip()).collect();
        let activation = match kind {
            0 => Activation::None,
            1 => Activation::LeakyRelu { slope: 0.1 },
            2 => Activation::AffineLeakyRelu { scale: &scale, shift: &shift, slope: 0.2 },
            _ => Activation::AffineSnake {
                scale: &scale,
                shift: &shift,
                alpha: &alpha,
                reciprocal: &reciprocal,
            },
        };
        let mut got = vec![bf16::ZERO; signal.len()];
        amx.activate(&signal, channels, &activation, &mut got);
        let mut wanted = vec![0.0; signal.len()];
        Scalar.activate(&signal, channels, &activation, &mut wanted);
        for (got, wanted) in got.iter().zip(&wanted) {
            let error = (got.to_f32() - wanted).abs();
            // Half a unit in the last place of bfloat16, and the error of the sine of a large
            // angle.
            prop_assert!(error <= wanted.abs() / 256.0 + 1e-4, "{kind}: {got} not {wanted}");
        }
    }
}

#[test]
fn values_are_rounded_to_nearest_even() {
    let Some(amx) = emulation::amx() else { return };
    let unit = 1.0 / 128.0;
    let below = f32::from_bits((1.0 + unit / 2.0_f32).to_bits() - 1);
    let above = f32::from_bits((1.0 + unit / 2.0_f32).to_bits() + 1);
    let cases = [
        (1.0 + unit / 2.0, 1.0),
        (1.0 + 1.5 * unit, 1.0 + 2.0 * unit),
        (below, 1.0),
        (above, 1.0 + unit),
        (-(1.0 + 1.5 * unit), -(1.0 + 2.0 * unit)),
        (2.0 - unit / 4.0, 2.0),
        (0.0, 0.0),
        (f32::INFINITY, f32::INFINITY),
    ];
    let signal = cases.map(|(x, _)| x);
    let mut rounded = [bf16::ZERO; 8];
    amx.activate(&signal, 8, &Activation::None, &mut rounded);
    assert_eq!(rounded.map(bf16::to_f32), cases.map(|(_, wanted)| wanted));
}

#[test]
fn the_self_check_passes_and_leaves_no_tile_in_use() {
    let Some(amx) = emulation::amx() else { return };
    self_check::run(amx).unwrap();
    assert!(speech_emulation::tiles_are_released());
}

#[test]
fn a_thread_has_its_tiles_once_at_a_time() {
    let Some(amx) = emulation::amx() else { return };
    let first = Tiles::new(amx.tiles);
    assert!(std::panic::catch_unwind(|| drop(Tiles::new(amx.tiles))).is_err());
    std::thread::scope(|scope| scope.spawn(|| drop(Tiles::new(amx.tiles))).join()).unwrap();
    drop(first);
    drop(Tiles::new(amx.tiles));
}

/// The signal-to-noise ratio of a layer, in decibels, against double-precision sums of unrounded
/// values.
fn accuracy(amx: Amx, shape: Shape, format: Format) -> f64 {
    const ROWS: usize = 32;
    let weights = Weights::new(shape, format, false, 1);
    let filter = weights.filter(shape);
    let signal = normal(2, (ROWS + shape.halo()) * shape.inputs);
    let mut input = vec![bf16::ZERO; signal.len()];
    amx.activate(&signal, shape.inputs, &Activation::None, &mut input);
    let plan = amx.plan(shape);
    let packed = pack(amx, &plan, &filter);
    let mut got = vec![0.0; ROWS * shape.outputs];
    let bias = vec![0.0; shape.outputs];
    let epilogue = Epilogue::plain(&bias);
    let operands =
        Operands { plan: &plan, packed: &packed, input: &input, stride: shape.inputs, epilogue };
    amx.convolve(&operands, &mut got, &mut Vec::new());
    let mut matrix = vec![0.0; shape.taps * shape.inputs * shape.outputs];
    filter.decode(0, 0, &mut matrix);
    let (mut power, mut noise) = (0.0, 0.0);
    for (index, got) in got.iter().enumerate() {
        let (t, output) = (index / shape.outputs, index % shape.outputs);
        let product = |row: usize| {
            let (tap, input) = (row / shape.inputs, row % shape.inputs);
            let x = signal[(t + tap * shape.dilation) * shape.inputs + input];
            f64::from(x) * f64::from(matrix[row * shape.outputs + output])
        };
        let wanted: f64 = (0..shape.taps * shape.inputs).map(product).sum();
        power += wanted * wanted;
        noise += (f64::from(*got) - wanted).powi(2);
    }
    10.0 * (power / noise).log10()
}

#[test]
fn a_layer_is_as_accurate_as_its_input() {
    let Some(amx) = emulation::amx() else { return };
    let shape = |taps, inputs| Shape { taps, inputs, outputs: 32, dilation: 3 };
    let found: Vec<_> = [
        (shape(3, 128), Format::F32, 52.0),
        (shape(7, 128), Format::F32, 52.0),
        (shape(11, 256), Format::F32, 52.0),
        (shape(11, 256), Format::U8, 55.0),
    ]
    .map(|(shape, format, least)| (accuracy(amx, shape, format), least, shape, format))
    .into();
    assert!(found.iter().all(|(decibels, least, ..)| decibels >= least), "{found:#?}");
}
