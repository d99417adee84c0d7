//! Fast convolution with products of bfloat16.
//!
//! What is multiplied are the transformed elements, rounded: inputs after their transform, weights when they are packed. The
//! transforms are computed in single precision, and so are the sums. The noise of an output is some 45 dB below it.

use half::bf16;

use super::super::convolution::EpilogueWriter;
use super::super::filter::Filter;
use super::super::neon::Neon;
use super::super::neon_bf16::tiles::{
    COLUMNS, DEPTH, RoundedRows, Taps, multiply, pack_step, round,
};
use super::super::simd::{Simd, unrolled};
use super::super::winograd::{MAX_POINTS, MAX_TAPS, Transform};
use super::super::{Epilogue, Plan, Shape};
use super::{
    Block, PAD, TransformedSums, TransformedTiles, load_tile, panels_per_pass, split_scratch,
    transform_weights,
};

pub(in super::super) fn plan<T: Transform>(shape: Shape) -> Plan {
    let plan = super::plan::<Neon, T>(shape);
    Plan { panel_len: T::POINTS * point_len(shape), ..plan }
}

/// Elements from one point of packed weights to the next: two of bfloat16 are in one of single precision.
fn point_len(shape: Shape) -> usize {
    shape.inputs * COLUMNS / 2 + PAD
}

/// Packs the transformed weights of a panel: a matrix for each point.
#[target_feature(enable = "neon,bf16")]
pub(in super::super) fn pack<T: Transform>(
    neon: Neon,
    filter: &Filter<'_>,
    plan: &Plan,
    panel: usize,
    packed: &mut [f32],
) {
    let inputs = plan.shape.inputs;
    let point_len = point_len(plan.shape);
    assert!(packed.len() == T::POINTS * point_len && inputs.is_multiple_of(DEPTH));
    let mut rows = [[0.0; COLUMNS]; MAX_TAPS];
    // On the heap: the calling thread may have little stack.
    let mut points = vec![[[0.0; COLUMNS]; MAX_POINTS]; DEPTH];
    for step in 0..inputs / DEPTH {
        for (input, points) in (step * DEPTH..).zip(&mut points) {
            for (tap, row) in rows[..T::TAPS].iter_mut().enumerate() {
                filter.decode_simd(neon, tap * inputs + input, panel * COLUMNS, row);
            }
            let (rows, points) = (rows.as_flattened(), points.as_flattened_mut());
            // SAFETY: there is a row of two vectors for each tap and each point.
            unsafe {
                transform_weights::<Neon, T>(
                    neon,
                    rows.as_ptr(),
                    COLUMNS,
                    points.as_mut_ptr(),
                    COLUMNS,
                );
            }
        }
        let [a, b, c, d] = &points[..] else { unreachable!("there are `DEPTH` inputs") };
        for (point, packed) in packed.chunks_exact_mut(point_len).enumerate() {
            let packed: &mut [bf16] = bytemuck::cast_slice_mut(packed);
            let (steps, _) = packed.as_chunks_mut();
            pack_step([&a[point], &b[point], &c[point], &d[point]], &mut steps[step]);
        }
    }
    for packed in packed.chunks_exact_mut(point_len) {
        packed[inputs * COLUMNS / 2..].fill(0.0);
    }
}

/// Convolves block by block. The caller has checked the lengths.
#[target_feature(enable = "neon,bf16")]
pub(in super::super) fn convolve<T: Transform>(
    neon: Neon,
    plan: &Plan,
    packed: &[f32],
    input: &[f32],
    output: &mut [f32],
    epilogue: &Epilogue<'_>,
    scratch: &mut Vec<f32>,
) {
    let Shape { inputs, outputs, .. } = plan.shape;
    assert!(inputs.is_multiple_of(DEPTH));
    let rows = output.len() / outputs;
    let writer = EpilogueWriter::new(epilogue, output, outputs);
    for start in (0..rows).step_by(plan.block) {
        let block = Block::new(plan, plan.block.min(rows - start), writer.offset_by(start, 0));
        // SAFETY: the caller checked that the input has the rows that the outputs from `start` on need, and that `packed` is
        // all panels.
        unsafe {
            let input = input.as_ptr().add(start * inputs);
            block.run_rounded::<T>(neon, packed.as_ptr(), input, scratch);
        }
    }
}

/// The rounded elements of a block, by point.
#[derive(Clone, Copy)]
struct RoundedTiles {
    first: *mut f32,
    tiles: usize,
    inputs: usize,
}

impl RoundedTiles {
    /// Elements that so many points take.
    fn len(points: usize, tiles: usize, inputs: usize) -> usize {
        points * (RoundedRows::len(tiles, 0, inputs) / 2 + PAD)
    }

    #[inline(always)]
    fn point(self, point: usize) -> RoundedRows {
        let first = self.first.wrapping_add(Self::len(point, self.tiles, self.inputs));
        RoundedRows::new(first.cast(), self.tiles, 0, self.inputs)
    }
}

impl Block<'_> {
    /// # Safety
    ///
    /// As for [`Block::run`].
    #[target_feature(enable = "neon,bf16")]
    unsafe fn run_rounded<T: Transform>(
        &self,
        neon: Neon,
        packed: *const f32,
        input: *const f32,
        scratch: &mut Vec<f32>,
    ) {
        let Shape { inputs, .. } = self.plan.shape;
        let panels_per_pass = panels_per_pass::<Neon, T>(self.plan.shape).min(self.plan.panels);
        let lengths = [
            RoundedTiles::len(T::POINTS, self.tiles, inputs),
            TransformedTiles::len(T::POINTS, self.tiles, panels_per_pass * COLUMNS),
        ];
        let [x, y] = split_scratch(scratch, lengths);
        let x = RoundedTiles { first: x, tiles: self.tiles, inputs };
        let y = TransformedTiles::new(y, self.tiles, panels_per_pass * COLUMNS);
        // SAFETY: the caller vouches for weights, input and output; `split_scratch` made room for `x` and `y`.
        unsafe {
            self.round_input::<T>(neon, input, x);
            for first in (0..self.plan.panels).step_by(panels_per_pass) {
                let panels = first..self.plan.panels.min(first + panels_per_pass);
                for point in 0..T::POINTS {
                    for panel in panels.clone() {
                        let weights =
                            panel * self.plan.panel_len + point * point_len(self.plan.shape);
                        let weights = packed.add(weights).cast();
                        let column = (panel - first) * COLUMNS;
                        multiply(neon, x.point(point), Taps::ONE, self.tiles, weights, |tiles| {
                            TransformedSums {
                                first: y.at(point, tiles.start, column),
                                stride: y.tile_stride,
                                accumulate: false,
                            }
                        });
                    }
                }
                let columns = first * COLUMNS..panels.end * COLUMNS;
                self.transform_output::<Neon, T>(neon, y, columns);
            }
        }
    }

    /// # Safety
    ///
    /// The input rows of all tiles can be read, and `x` can be written.
    #[target_feature(enable = "neon,bf16")]
    unsafe fn round_input<T: Transform>(&self, neon: Neon, input: *const f32, x: RoundedTiles) {
        let Shape { inputs, dilation, .. } = self.plan.shape;
        const { assert!(DEPTH == Neon::WIDTH) };
        for tile in 0..self.tiles {
            let input = input.wrapping_add(self.first_row(tile) * inputs);
            for step in 0..inputs / DEPTH {
                // SAFETY: the caller vouches for the input rows of the tile and for `x`, in which a row has a place of `DEPTH`
                // elements for each step.
                unsafe {
                    let input = input.add(step * DEPTH);
                    let values = load_tile::<Neon, T>(neon, input, dilation * inputs);
                    let values = T::input(&values);
                    unrolled!(P in [
                        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
                        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
                    ] {
                        if P < T::POINTS {
                            *x.point(P).at(tile, step).cast() = round(values[P].0);
                        }
                    });
                }
            }
        }
    }
}
