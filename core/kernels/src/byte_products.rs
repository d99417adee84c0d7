//! Sums of products of signed bytes, in assembly because Rust's intrinsics for them are unstable.

use std::arch::aarch64::{
    int32x4_t, uint8x8_t, uint8x8x4_t, vdupq_n_s32, vld1_u8, vreinterpretq_s32_s64,
    vreinterpretq_s64_s32, vst4_u8, vzip1q_s64, vzip2q_s64,
};
use std::arch::{asm, is_aarch64_feature_detected};

/// The number of columns in a panel.
pub(super) const COLUMNS: usize = 8;

/// The number of inputs multiplied in one step.
pub(super) const DEPTH: usize = 8;

/// The bytes of a row read in one step: the high bytes of all inputs, then the low bytes.
pub(super) const HALVES: usize = 2 * DEPTH;

/// The most rows whose sums stay in registers.
pub(super) const MAX_ROWS: usize = 6;

/// The sums of a row: those of the high bytes in two vectors, then those of the low bytes.
type RowSums = [int32x4_t; 4];

/// The byte-product instruction in use. A value is the proof that the processor has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ByteProducts {
    /// Whether the instruction is `smmla` (FEAT_I8MM), not `sdot` (FEAT_DotProd). `smmla` adds
    /// products of eight bytes to each sum of two rows and two columns; `sdot` adds products of
    /// four bytes. To `smmla`, the high and the low bytes of a row are two rows.
    matrices: bool,
}

impl ByteProducts {
    /// The fastest instruction of this processor.
    pub(super) fn detect() -> Option<Self> {
        let matrices = is_aarch64_feature_detected!("i8mm");
        (matrices || is_aarch64_feature_detected!("dotprod")).then_some(Self { matrices })
    }

    /// `sdot`, if the processor has it.
    #[cfg(test)]
    pub(super) fn without_matrices() -> Option<Self> {
        is_aarch64_feature_detected!("dotprod").then_some(Self { matrices: false })
    }

    /// Packs the codes of a step, minus 128.
    #[inline(always)]
    pub(super) fn pack_step(
        self,
        codes: &[[u8; COLUMNS]; DEPTH],
        packed: &mut [u8; DEPTH * COLUMNS],
    ) {
        // Four rows interleaved: the bytes of a column are contiguous.
        let mut halves = [[[0; 4]; COLUMNS]; 2];
        for (half, rows) in halves.iter_mut().zip(codes.as_chunks::<4>().0) {
            // SAFETY: every processor with `ByteProducts` has NEON. A row is a vector, and four of
            // them are half of the step.
            unsafe {
                let [a, b, c, d]: [uint8x8_t; 4] = [
                    vld1_u8(rows[0].as_ptr()),
                    vld1_u8(rows[1].as_ptr()),
                    vld1_u8(rows[2].as_ptr()),
                    vld1_u8(rows[3].as_ptr()),
                ];
                vst4_u8(half.as_mut_ptr().cast(), uint8x8x4_t(a, b, c, d));
            }
        }
        let (out, _) = packed.as_chunks_mut::<4>();
        for (column, (low, high)) in halves[0].iter().zip(&halves[1]).enumerate() {
            let places = if self.matrices {
                [2 * column, 2 * column + 1]
            } else {
                [column, COLUMNS + column]
            };
            for (place, bytes) in places.into_iter().zip([low, high]) {
                out[place] = (u32::from_ne_bytes(*bytes) ^ 0x8080_8080).to_ne_bytes();
            }
        }
    }

    /// The sums of the products of `count` rows with the first `steps` steps of a panel.
    ///
    /// # Safety
    ///
    /// From `rows` on, at `steps` addresses `hop` bytes apart, [`MAX_ROWS`] rows are readable, and
    /// from `panel` on `steps` steps of a panel.
    #[inline(always)]
    pub(super) unsafe fn multiply(
        self,
        count: usize,
        rows: *const i8,
        hop: usize,
        panel: *const i8,
        steps: usize,
        sums: &mut [RowSums; MAX_ROWS],
    ) {
        assert!(steps > 0);
        // SAFETY: rows and panel are valid (this function's safety contract), and `self` is the
        // proof that the processor has the instruction.
        unsafe {
            match (self.matrices, count) {
                (true, ..=2) => multiply_matrices_2(rows, hop, panel, steps, sums),
                (true, _) => multiply_matrices_6(rows, hop, panel, steps, sums),
                (false, ..=2) => multiply_vectors_2(rows, hop, panel, steps, sums),
                (false, _) => multiply_vectors_6(rows, hop, panel, steps, sums),
            }
        }
    }
}

/// The products of a row with the first or the second half of a step of a panel.
macro_rules! row_products {
    (smmla, 0, $x:ident, $a:ident $b:ident $c:ident $d:ident) => {
        concat!(
            "smmla {", stringify!($a), ":v}.4s, {", stringify!($x), ":v}.16b, {w0:v}.16b\n",
            "smmla {", stringify!($b), ":v}.4s, {", stringify!($x), ":v}.16b, {w1:v}.16b",
        )
    };
    (smmla, 1, $x:ident, $a:ident $b:ident $c:ident $d:ident) => {
        row_products!(smmla, 0, $x, $c $d $a $b)
    };
    (sdot, 0, $x:ident, $a:ident $b:ident $c:ident $d:ident) => {
        row_products!(sdot, "0", "2", $x, $a $b $c $d)
    };
    (sdot, 1, $x:ident, $a:ident $b:ident $c:ident $d:ident) => {
        row_products!(sdot, "1", "3", $x, $a $b $c $d)
    };
    (sdot, $high:literal, $low:literal, $x:ident, $a:ident $b:ident $c:ident $d:ident) => {
        concat!(
            "sdot {", stringify!($a), ":v}.4s, {w0:v}.16b, {", stringify!($x), ":v}.4b[", $high, "]\n",
            "sdot {", stringify!($b), ":v}.4s, {w1:v}.16b, {", stringify!($x), ":v}.4b[", $high, "]\n",
            "sdot {", stringify!($c), ":v}.4s, {w0:v}.16b, {", stringify!($x), ":v}.4b[", $low, "]\n",
            "sdot {", stringify!($d), ":v}.4s, {w1:v}.16b, {", stringify!($x), ":v}.4b[", $low, "]",
        )
    };
}

/// Defines [`ByteProducts::multiply`] for an instruction and a number of rows.
macro_rules! multiply {
    (
        $name:ident, $instruction:ident, $feature:literal, $arrange:ident, [$($load:literal)*],
        [$($row:literal $x:ident $a:ident $b:ident $c:ident $d:ident,)*]
    ) => {
        /// # Safety
        ///
        /// As for [`ByteProducts::multiply`], on a processor with the feature.
        #[target_feature(enable = $feature)]
        unsafe fn $name(
            rows: *const i8,
            hop: usize,
            panel: *const i8,
            steps: usize,
            sums: &mut [RowSums; MAX_ROWS],
        ) {
            $(let [mut $a, mut $b, mut $c, mut $d] = [vdupq_n_s32(0); 4];)*
            // SAFETY: rows and panel are valid (this function's safety contract), and the function
            // has the instruction's feature.
            unsafe {
                asm!(
                    "2:",
                    "ldp {w0:q}, {w1:q}, [{panel}], #32",
                    $($load,)*
                    $(row_products!($instruction, 0, $x, $a $b $c $d),)*
                    "ldp {w0:q}, {w1:q}, [{panel}], #32",
                    "add {rows}, {rows}, {hop}",
                    "subs {steps}, {steps}, #1",
                    $(row_products!($instruction, 1, $x, $a $b $c $d),)*
                    "b.ne 2b",
                    rows = inout(reg) rows => _,
                    hop = in(reg) hop,
                    panel = inout(reg) panel => _,
                    steps = inout(reg) steps => _,
                    w0 = out(vreg) _,
                    w1 = out(vreg) _,
                    $($x = out(vreg) _,)*
                    $($a = inout(vreg) $a, $b = inout(vreg) $b, $c = inout(vreg) $c, $d = inout(vreg) $d,)*
                    options(readonly, nostack),
                );
            }
            $(sums[$row] = $arrange([$a, $b, $c, $d]);)*
        }
    };
}

/// The sums of `sdot`, which are already in order.
#[target_feature(enable = "neon")]
#[inline]
fn vectors(sums: RowSums) -> RowSums {
    sums
}

/// Reorders sums in tiles of two columns, whose first row holds the sums of the high bytes.
#[target_feature(enable = "neon")]
#[inline]
fn tiles(tiles: RowSums) -> RowSums {
    let mut sums = tiles;
    for pair in 0..2 {
        let left = vreinterpretq_s64_s32(tiles[2 * pair]);
        let right = vreinterpretq_s64_s32(tiles[2 * pair + 1]);
        sums[pair] = vreinterpretq_s32_s64(vzip1q_s64(left, right));
        sums[2 + pair] = vreinterpretq_s32_s64(vzip2q_s64(left, right));
    }
    sums
}

multiply!(
    multiply_vectors_2, sdot, "neon,dotprod", vectors,
    ["ldp {x0:q}, {x1:q}, [{rows}]"],
    [0 x0 a0 b0 c0 d0, 1 x1 a1 b1 c1 d1,]
);
multiply!(
    multiply_vectors_6, sdot, "neon,dotprod", vectors,
    ["ldp {x0:q}, {x1:q}, [{rows}]" "ldp {x2:q}, {x3:q}, [{rows}, #32]" "ldp {x4:q}, {x5:q}, [{rows}, #64]"],
    [
        0 x0 a0 b0 c0 d0, 1 x1 a1 b1 c1 d1, 2 x2 a2 b2 c2 d2,
        3 x3 a3 b3 c3 d3, 4 x4 a4 b4 c4 d4, 5 x5 a5 b5 c5 d5,
    ]
);
multiply!(
    multiply_matrices_2, smmla, "neon,i8mm", tiles,
    ["ldp {x0:q}, {x1:q}, [{rows}]"],
    [0 x0 a0 b0 c0 d0, 1 x1 a1 b1 c1 d1,]
);
multiply!(
    multiply_matrices_6, smmla, "neon,i8mm", tiles,
    ["ldp {x0:q}, {x1:q}, [{rows}]" "ldp {x2:q}, {x3:q}, [{rows}, #32]" "ldp {x4:q}, {x5:q}, [{rows}, #64]"],
    [
        0 x0 a0 b0 c0 d0, 1 x1 a1 b1 c1 d1, 2 x2 a2 b2 c2 d2,
        3 x3 a3 b3 c3 d3, 4 x4 a4 b4 c4 d4, 5 x5 a5 b5 c5 d5,
    ]
);
