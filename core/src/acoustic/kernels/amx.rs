//! The kernels for Intel AMX: convolutions as sums of products of bfloat16 matrices, accumulated in 32-bit floats.
//!
//! A convolution is computed as it is written, tap by tap: the products are so cheap that no transform pays. Weights that
//! are stored as codes lose nothing: a code less its zero point is a whole number below 256 in magnitude, which bfloat16
//! holds, and the scale is applied to the sum. Everything else is rounded to bfloat16, to nearest even.

mod finish;
mod packing;
mod processor;
mod rounding;
mod tiles;

use std::sync::OnceLock;

use bytemuck::Zeroable;
use half::bf16;

use self::finish::Block;
use self::packing::{Panel, depth};
use self::tiles::{Rows, SIDE, Sums, Tiles};
use super::super::Precision;
use super::filter::{Filter, Values};
use super::{Activation, Avx512, Epilogue, Kernels, Plan, Recurrent, Scalar, Shape};

/// The kernels for processors with AMX and AVX-512.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amx {
    /// What is no convolution is done in 32-bit floats.
    floats: Avx512,
}

/// Numbers that are activated before they are rounded: they stay in the first cache.
const FLOATS: usize = 2048;

/// Bytes of a layer's packed weights up to which they stay in the second cache (2 MB where there is AMX) beside the rows.
const CACHED: usize = 1 << 20;

impl Amx {
    /// The kernels, if the processor has what they need, the system allows it, and they compute what they should: all
    /// three are looked at once for the process.
    ///
    /// On Linux the process asks for the tile registers here, which it cannot give back: from then on the system refuses
    /// alternate signal stacks that are too small for them.
    pub(crate) fn detect() -> Option<Self> {
        static DETECTED: OnceLock<Option<Amx>> = OnceLock::new();
        *DETECTED.get_or_init(|| {
            let amx = Self::on_tiles(processor::grants_tiles)?;
            if !amx.agrees_with_scalar() {
                log::warn!("this processor's AMX computes wrong sums, and is not used");
                return None;
            }
            Some(amx)
        })
    }

    /// The kernels on a processor without tiles, which a handler of illegal instructions stands in for.
    #[cfg(test)]
    pub(super) fn emulated() -> Option<Self> {
        Self::on_tiles(|| true)
    }

    /// The kernels, if the processor has the rest of what they need and there are tiles.
    fn on_tiles(tiles: impl Fn() -> bool) -> Option<Self> {
        let vectors = is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bf16");
        let floats = Avx512::detect().filter(|_| vectors)?;
        tiles().then_some(Self { floats })
    }

    fn finish(self, block: &Block, sums: &Sums, output: &mut [f32], epilogue: &Epilogue<'_>) {
        // SAFETY: `self` is the proof that the processor has the instructions.
        unsafe { block.finish(sums, output, epilogue) }
    }

    /// Whether a small convolution gives what it should.
    fn agrees_with_scalar(self) -> bool {
        const SHAPE: Shape = Shape { taps: 3, inputs: 64, outputs: 64, dilation: 2 };
        const ROWS: usize = 40;
        let mut state = 1_u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let codes: Vec<u8> =
            (0..SHAPE.taps * SHAPE.inputs * SHAPE.outputs).map(|_| byte()).collect();
        let values = Values::U8 { codes: &codes, scale: &[0.125], zero_point: &[120.0] };
        let filter = Filter::new(SHAPE.outputs, values);
        let rows = self.plan(SHAPE).input_rows(ROWS) * SHAPE.inputs;
        let signal: Vec<f32> = (0..rows).map(|_| f32::from(byte()) - 128.0).collect();
        // Signal and codes are whole numbers and the scale is a power of two: the sums are exact, in any order.
        outputs(self, SHAPE, &filter, &signal, ROWS)
            == outputs(Scalar, SHAPE, &filter, &signal, ROWS)
    }
}

/// The sums of a convolution, of a signal that is not activated.
fn outputs<K: Kernels>(
    kernels: K,
    shape: Shape,
    filter: &Filter<'_>,
    signal: &[f32],
    rows: usize,
) -> Vec<f32> {
    let plan = kernels.plan(shape);
    let mut packed = vec![K::Element::zeroed(); plan.packed_len()];
    for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
        kernels.pack(filter, &plan, panel, packed);
    }
    let mut input = vec![K::Element::zeroed(); signal.len()];
    kernels.activate(signal, shape.inputs, &Activation::None, &mut input);
    let mut output = vec![0.0; rows * shape.outputs];
    let bias = vec![0.0; shape.outputs];
    let epilogue = Epilogue { bias: &bias, residual: None, scale: 1.0, accumulate: false };
    kernels.convolve(&plan, &packed, &input, shape.inputs, &mut output, &epilogue, &mut Vec::new());
    output
}

impl Kernels for Amx {
    type Floats = Avx512;
    type Element = bf16;

    fn name(self) -> &'static str {
        "amx"
    }

    fn floats(self) -> Avx512 {
        self.floats
    }

    fn precision(self) -> Precision {
        Precision::Bf16
    }

    fn plan(self, shape: Shape) -> Plan {
        // One part for each SIDE outputs.
        let panels = shape.outputs / SIDE;
        let panel_len = Panel::len(&shape);
        let cached = panels * panel_len * size_of::<bf16>() <= CACHED;
        let block = if cached { 256 } else { 512 };
        Plan { shape, panels, panel_len, block, group: SIDE, rounded: false }
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [bf16]) {
        // SAFETY: `self` is the proof that the processor has the instructions.
        unsafe { packing::pack(filter, &plan.shape, panel * SIDE, packed) }
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [bf16],
    ) {
        let together = (FLOATS / channels).max(1) * channels;
        let mut floats = vec![0.0; together];
        for (rows, activated) in rows.chunks(together).zip(activated.chunks_mut(together)) {
            let floats = &mut floats[..rows.len()];
            self.floats.activate(rows, channels, activation, floats);
            // SAFETY: `self` is the proof that the processor has the instructions.
            unsafe { rounding::round(floats, activated) }
        }
    }

    fn convolve(
        self,
        plan: &Plan,
        packed: &[bf16],
        input: &[bf16],
        stride: usize,
        output: &mut [f32],
        epilogue: &Epilogue<'_>,
        _: &mut Vec<f32>,
    ) {
        let Shape { taps, inputs, outputs, dilation } = plan.shape;
        assert!(packed.len() == plan.packed_len() && output.len().is_multiple_of(outputs));
        let depth = depth(&plan.shape);
        let padded = (depth > inputs).then(|| padded(input, stride, inputs, depth));
        let (values, stride) = padded.as_deref().map_or((input, stride), |rows| (rows, depth));
        let tiles = Tiles::new(self);
        // While the tiles make the sums of one block, those of the block before it are finished.
        let mut sums = [Sums::ZERO; 2];
        let [mut next, mut done] = sums.each_mut();
        let mut before = None;
        for (panel, packed) in packed.chunks_exact(plan.panel_len).enumerate() {
            let Panel { scales, weights } = Panel::new(packed);
            for row in (0..output.len() / outputs).step_by(SIDE) {
                let rows = SIDE.min(output.len() / outputs - row);
                let block = Block { row, rows, column: panel * SIDE, outputs, scales };
                block.approach(output, epilogue);
                let values = &values[row * stride..];
                tiles.multiply(Rows { values, stride, taps, depth, dilation }, weights, next);
                if let Some(before) = before.replace(block) {
                    self.finish(&before, done, output, epilogue);
                }
                std::mem::swap(&mut next, &mut done);
            }
        }
        if let Some(last) = before {
            self.finish(&last, done, output, epilogue);
        }
    }

    fn add_moments(self, rows: &[f32], sums: &mut [f64], squares: &mut [f64]) {
        self.floats.add_moments(rows, sums, squares);
    }

    fn multiply_recurrent(self, matrix: &Recurrent, row: &[f32], products: &mut [f32]) {
        self.floats.multiply_recurrent(matrix, row, products);
    }

    fn step(self, gates: &[f32], cell: &mut [f32], state: &mut [f32]) {
        self.floats.step(gates, cell, state);
    }

    fn softmax(self, rows: &mut [f32], width: usize) {
        self.floats.softmax(rows, width);
    }

    fn polar(self, rows: &mut [f32]) {
        self.floats.polar(rows);
    }
}

/// Rows of `inputs` numbers, each filled up with zeros.
fn padded(rows: &[bf16], stride: usize, inputs: usize, depth: usize) -> Vec<bf16> {
    let count = (rows.len() + stride - inputs) / stride;
    let mut padded = vec![bf16::ZERO; count * depth];
    for (t, row) in padded.chunks_exact_mut(depth).enumerate() {
        row[..inputs].copy_from_slice(&rows[t * stride..][..inputs]);
    }
    padded
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
