//! Fast convolution with bfloat16 products.
//!
//! The transformed elements are rounded: inputs after their transform, weights when they are
//! packed. Transforms and sums are in single precision. The noise is some 45 dB below the output.

use std::ops::Range;

use half::bf16;

use super::bf16_tiles::{COLUMNS, DEPTH, RoundedRows, Taps, multiply, pack_step, round};
use super::fast_convolution::{self, Block, Factors, PAD, load_tile, transform_weights};
use super::filter::Filter;
use super::gemm::Accumulators;
use super::neon::Neon;
use super::plan::{Plan, Shape};
use super::simd::{Simd, unrolled};
use super::winograd::{MAX_POINTS, MAX_TAPS, Transform};

pub(super) fn plan<T: Transform>(shape: Shape) -> Plan {
    let plan = fast_convolution::plan::<Neon, T>(shape);
    Plan { panel_len: T::POINTS * point_len(shape), ..plan }
}

/// The elements from one point of packed weights to the next; one single-precision element holds
/// two of bfloat16.
fn point_len(shape: Shape) -> usize {
    shape.inputs * COLUMNS / 2 + PAD
}

/// Packs a panel's transformed weights: one matrix per point.
#[target_feature(enable = "neon,bf16")]
pub(super) fn pack<T: Transform>(
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
    // On the heap: the calling thread may have a small stack.
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

/// The rounded elements of a block, by point.
#[derive(Clone, Copy)]
pub(super) struct RoundedTiles {
    first: *mut f32,
    tiles: usize,
    inputs: usize,
}

impl RoundedTiles {
    /// The number of elements for this many points.
    fn len(points: usize, tiles: usize, inputs: usize) -> usize {
        points * (RoundedRows::len(tiles, 0, inputs) / 2 + PAD)
    }

    #[inline(always)]
    fn point(self, point: usize) -> RoundedRows {
        let first = self.first.wrapping_add(Self::len(point, self.tiles, self.inputs));
        RoundedRows::new(first.cast(), self.tiles, 0, self.inputs)
    }
}

impl Factors<Neon> for RoundedTiles {
    fn point_len(shape: Shape) -> usize {
        point_len(shape)
    }

    fn lengths<T: Transform>(shape: Shape, tiles: usize) -> [usize; 3] {
        [Self::len(T::POINTS, tiles, shape.inputs), 0, 0]
    }

    fn new([first, ..]: [*mut f32; 3], shape: Shape, tiles: usize) -> Self {
        Self { first, tiles, inputs: shape.inputs }
    }

    #[inline(always)]
    unsafe fn transform<T: Transform>(self, neon: Neon, block: &Block<'_>, input: *const f32) {
        const { assert!(DEPTH == Neon::WIDTH) };
        let (inputs, stride) = (self.inputs, block.plan.shape.dilation * self.inputs);
        for tile in 0..self.tiles {
            let input = input.wrapping_add(block.first_row(tile) * inputs);
            for step in 0..inputs / DEPTH {
                // SAFETY: the tile's input rows and the scratch parts are valid (this function's
                // safety contract); a row in the scratch has `DEPTH` elements per step. The
                // function is compiled for a processor with bfloat16.
                unsafe {
                    let values = load_tile::<Neon, T>(neon, input.add(step * DEPTH), stride);
                    let values = T::input(&values);
                    unrolled!(P in [
                        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
                        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
                    ] {
                        if P < T::POINTS {
                            *self.point(P).at(tile, step).cast() = round(values[P].register());
                        }
                    });
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn multiply<A: Accumulators<Neon>>(
        self,
        neon: Neon,
        point: usize,
        panel: *const f32,
        _next: *const f32,
        sums: impl Fn(Range<usize>) -> A,
    ) {
        // SAFETY: tiles, panel and sums are valid, and the processor has bfloat16 (this function's
        // safety contract).
        unsafe { multiply(neon, self.point(point), Taps::ONE, self.tiles, panel.cast(), sums) }
    }
}
