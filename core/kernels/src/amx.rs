//! Kernels for Intel AMX: convolutions as bfloat16 matrix products, accumulated in single
//! precision.
//!
//! A convolution is computed directly, tap by tap: the products are so cheap that fast convolution
//! does not pay. Quantized weights lose nothing: a code minus its zero point is an integer below
//! 256 in magnitude, which bfloat16 represents exactly, and the scale is applied to the sum.
//! Everything else is rounded to bfloat16, to nearest even.

mod epilogue;
mod packing;
mod processor;
mod rounding;
mod tiles;

use std::sync::atomic::{AtomicU8, Ordering};

use half::bf16;

use self::epilogue::Block;
use self::packing::{Panel, depth};
use self::processor::GrantedTiles;
use self::tiles::{BlockSums, InputRows, SIDE, Tiles};
use super::avx512::Avx512;
use super::elementwise::Activation;
use super::epilogue::Epilogue;
use super::filter::Filter;
use super::kernels::{Kernels, Operands};
use super::plan::{Plan, Precision, Quantization, Shape};

/// The kernels for processors with AMX and AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct Amx {
    tiles: GrantedTiles,
    /// Single-precision kernels for everything except convolutions.
    fp32: Avx512,
}

/// The elements activated in single precision before they are rounded; they stay in the L1 cache.
const ACTIVATION_CHUNK: usize = 2048;

/// The bytes of packed weights that stay in the L2 cache (2 MB on processors with AMX) together
/// with the input rows.
const L2_WEIGHT_BYTES: usize = 1 << 20;

impl Amx {
    /// The kernels, if the processor has the instructions and the system lets the process use them.
    /// Detected once per process.
    ///
    /// On Linux this requests the tile registers, which the process cannot return: from then on the
    /// system refuses alternate signal stacks that are too small for them.
    pub fn detect() -> Option<Self> {
        const UNKNOWN: u8 = 0;
        const ABSENT: u8 = 1;
        const PRESENT: u8 = 2;
        // No lock: a forked child would wait forever for a lock held by another thread of its
        // parent. Two threads may both detect.
        static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);
        let detected = match DETECTED.load(Ordering::Relaxed) {
            ABSENT => None,
            // SAFETY: the system granted the tiles to an earlier call.
            PRESENT => Self::with_tiles(|| Some(unsafe { GrantedTiles::assume() })),
            _ => Self::with_tiles(GrantedTiles::request),
        };
        let known = if detected.is_some() { PRESENT } else { ABSENT };
        DETECTED.store(known, Ordering::Relaxed);
        detected
    }

    /// The kernels, on any processor with the AVX-512 instructions that they need.
    ///
    /// # Safety
    ///
    /// The processor executes AMX instructions, or a SIGILL handler emulates them.
    pub unsafe fn assuming_tiles() -> Option<Self> {
        // SAFETY: AMX instructions are executed or emulated (this function's safety contract).
        Self::with_tiles(|| Some(unsafe { GrantedTiles::assume() }))
    }

    /// The kernels, if the processor has the AVX-512 instructions that they need, and tiles.
    fn with_tiles(tiles: impl Fn() -> Option<GrantedTiles>) -> Option<Self> {
        let vectors = is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bf16");
        let fp32 = Avx512::detect().filter(|_| vectors)?;
        Some(Self { tiles: tiles()?, fp32 })
    }

    fn write(self, block: &Block, sums: &BlockSums, output: &mut [f32], epilogue: &Epilogue<'_>) {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        unsafe { block.write(sums, output, epilogue) }
    }
}

impl Kernels for Amx {
    type Fp32 = Avx512;
    type Element = bf16;

    fn name(self) -> &'static str {
        "amx"
    }

    fn fp32(self) -> Avx512 {
        self.fp32
    }

    fn precision(self) -> Precision {
        Precision::Bf16
    }

    fn plan(self, shape: Shape) -> Plan {
        // A panel is SIDE output channels.
        let panels = shape.outputs / SIDE;
        let panel_len = Panel::len(&shape);
        let cached = panels * panel_len * size_of::<bf16>() <= L2_WEIGHT_BYTES;
        let block = if cached { 256 } else { 512 };
        let products = SIDE * shape.products();
        Plan {
            shape,
            panels,
            panel_len,
            block,
            group: SIDE,
            products,
            quantization: Quantization::None,
        }
    }

    fn pack(self, filter: &Filter<'_>, plan: &Plan, panel: usize, packed: &mut [bf16]) {
        // SAFETY: `self` is the proof that the processor has AVX-512 with bfloat16.
        unsafe { packing::pack(filter, &plan.shape, panel * SIDE, packed) }
    }

    fn activate(
        self,
        rows: &[f32],
        channels: usize,
        activation: &Activation<'_>,
        activated: &mut [bf16],
    ) {
        let chunk = (ACTIVATION_CHUNK / channels).max(1) * channels;
        let mut floats = vec![0.0; chunk];
        for (rows, activated) in rows.chunks(chunk).zip(activated.chunks_mut(chunk)) {
            let floats = &mut floats[..rows.len()];
            self.fp32.activate(rows, channels, activation, floats);
            // SAFETY: `self` is the proof that the processor has AVX-512 with bfloat16.
            unsafe { rounding::round(floats, activated) }
        }
    }

    fn convolve(self, operands: &Operands<'_, bf16>, output: &mut [f32], _: &mut Vec<f32>) {
        let Operands { plan, packed, input, stride, ref epilogue } = *operands;
        let Shape { taps, inputs, outputs, dilation } = plan.shape;
        assert!(packed.len() == plan.packed_len() && output.len().is_multiple_of(outputs));
        let depth = depth(&plan.shape);
        let padded = (depth > inputs).then(|| padded(input, stride, inputs, depth));
        let (values, stride) = padded.as_deref().map_or((input, stride), |rows| (rows, depth));
        let tiles = Tiles::new(self.tiles);
        // Software pipelining: while the tiles compute one block, the vector units write the
        // previous one.
        let mut sums = [BlockSums::ZERO; 2];
        let [mut computing, mut computed] = sums.each_mut();
        let mut pending = None;
        for (panel, packed) in packed.chunks_exact(plan.panel_len).enumerate() {
            let Panel { scales, weights } = Panel::new(packed);
            for row in (0..output.len() / outputs).step_by(SIDE) {
                let rows = SIDE.min(output.len() / outputs - row);
                let block = Block { row, rows, column: panel * SIDE, outputs, scales };
                block.prefetch(output, epilogue);
                let values = &values[row * stride..];
                tiles.multiply(
                    InputRows { values, stride, taps, depth, dilation },
                    weights,
                    computing,
                );
                if let Some(block) = pending.replace(block) {
                    self.write(&block, computed, output, epilogue);
                }
                std::mem::swap(&mut computing, &mut computed);
            }
        }
        if let Some(block) = pending {
            self.write(&block, computed, output, epilogue);
        }
    }
}

/// Copies rows of `inputs` elements, each zero-padded to `depth`.
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
