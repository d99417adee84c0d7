//! bfloat16 matrix products with `bfmmla` (Armv8.6), which multiplies two rows of four elements by
//! four rows of two, and adds the four sums of four products to a tile of two rows and two columns.
//!
//! In assembly, because Rust's intrinsics for it are unstable.

use std::arch::aarch64::{
    float32x4_t, uint16x4_t, uint16x4x4_t, vdupq_n_f32, vld1q_f32, vreinterpretq_f32_f64,
    vreinterpretq_f64_f32, vst4_u16, vzip1q_f64, vzip2q_f64,
};
use std::arch::asm;
use std::ops::Range;

use half::bf16;

use super::gemm::Accumulators;
use super::neon::Neon;
use super::simd::Simd;

/// The number of columns in a panel.
pub(super) const COLUMNS: usize = 8;

/// The number of elements of a row multiplied in one step.
pub(super) const DEPTH: usize = 4;

/// Rows are read in multiples of this number.
pub(super) const ROWS: usize = 4;

/// The most rows whose sums stay in registers.
const MAX_ROWS: usize = 12;

/// Rounded rows: for every [`DEPTH`] elements, those of all rows, row after row.
#[derive(Clone, Copy)]
pub(super) struct RoundedRows {
    pub(super) first: *mut bf16,
    /// The number of rows that fit.
    rows: usize,
    /// The groups of [`DEPTH`] elements in a row.
    steps: usize,
}

impl RoundedRows {
    /// The number of rows that are read for the products of `rows` rows and `halo` more.
    fn room(rows: usize, halo: usize) -> usize {
        rows.next_multiple_of(ROWS) + halo
    }

    /// The number of elements for this many rows.
    pub(super) fn len(rows: usize, halo: usize, depth: usize) -> usize {
        Self::room(rows, halo) * depth.next_multiple_of(DEPTH)
    }

    pub(super) fn new(first: *mut bf16, rows: usize, halo: usize, depth: usize) -> Self {
        Self { first, rows: Self::room(rows, halo), steps: depth.div_ceil(DEPTH) }
    }

    #[inline(always)]
    pub(super) fn at(self, row: usize, step: usize) -> *mut bf16 {
        self.first.wrapping_add((step * self.rows + row) * DEPTH)
    }
}

/// The taps of a convolution: output row `t` is a sum over rows `t + k dilation`.
#[derive(Clone, Copy)]
pub(super) struct Taps {
    pub(super) count: usize,
    pub(super) dilation: usize,
}

impl Taps {
    /// A matrix product.
    pub(super) const ONE: Self = Self { count: 1, dilation: 1 };
}

/// The addresses that a micro-kernel reads, in two nested loops.
#[derive(Clone, Copy)]
struct Walk {
    rows: *const bf16,
    /// The bytes from one address to the next, and the number of addresses.
    hop: usize,
    places: usize,
    /// The bytes from the end of a round to the start of the next, and the number of rounds.
    next: usize,
    rounds: usize,
}

impl Walk {
    /// Taps are the inner loop: neighboring taps read mostly the same rows, which are then in the
    /// L1 cache.
    #[inline(always)]
    fn new(rows: RoundedRows, first: usize, taps: Taps) -> Self {
        let bytes = DEPTH * size_of::<bf16>();
        let (row, step) = (taps.dilation * bytes, rows.rows * bytes);
        let (hop, places, rounds) =
            if taps.count == 1 { (step, rows.steps, 1) } else { (row, taps.count, rows.steps) };
        let next = step.wrapping_sub(hop * places);
        Self { rows: rows.at(first, 0), hop, places, next, rounds }
    }
}

/// Rounds to bfloat16, to nearest even.
#[target_feature(enable = "neon,bf16")]
#[inline]
pub(super) fn round(values: float32x4_t) -> uint16x4_t {
    let rounded;
    // SAFETY: the function has the feature that the instruction needs; the instruction touches no
    // memory.
    unsafe {
        asm!(
            "bfcvtn {rounded:v}.4h, {values:v}.4s",
            rounded = lateout(vreg) rounded,
            values = in(vreg) values,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    rounded
}

/// Packs [`DEPTH`] rows of a panel: the elements of each column become contiguous.
#[target_feature(enable = "neon,bf16")]
#[inline]
pub(super) fn pack_step(rows: [&[f32; COLUMNS]; DEPTH], packed: &mut [bf16; COLUMNS * DEPTH]) {
    for column in [0, COLUMNS / 2] {
        // SAFETY: half a row is a vector, and that many elements of `DEPTH` rows are half of
        // `packed`.
        unsafe {
            let rounded = |row: usize| round(vld1q_f32(rows[row].as_ptr().add(column)));
            let interleaved = uint16x4x4_t(rounded(0), rounded(1), rounded(2), rounded(3));
            vst4_u16(packed.as_mut_ptr().add(column * DEPTH).cast(), interleaved);
        }
    }
}

/// Convolves `count` rows with a panel.
///
/// # Safety
///
/// `rows` holds `count` rounded rows and those that the taps need beyond them. `panel` is valid for
/// reads of [`COLUMNS`] columns for each step of a row and each tap. `sums(range)` has the rows of
/// that range.
#[target_feature(enable = "neon,bf16")]
#[inline]
pub(super) unsafe fn multiply<A: Accumulators<Neon>>(
    neon: Neon,
    rows: RoundedRows,
    taps: Taps,
    count: usize,
    panel: *const bf16,
    sums: impl Fn(Range<usize>) -> A,
) {
    for first in (0..count).step_by(MAX_ROWS) {
        let part = first..count.min(first + MAX_ROWS);
        let (walk, count, sums) = (Walk::new(rows, first, taps), part.len(), sums(part));
        // SAFETY: rows, panel and sums are valid (this function's safety contract); there is room
        // for a multiple of `ROWS` rows.
        unsafe {
            match count.div_ceil(ROWS) {
                1 => store(neon, multiply_4(walk, panel), count, sums),
                2 => store(neon, multiply_8(walk, panel), count, sums),
                _ => store(neon, multiply_12(walk, panel), count, sums),
            }
        }
    }
}

/// # Safety
///
/// `sums` has `count` rows, at most as many as the tiles.
#[target_feature(enable = "neon,bf16")]
#[inline]
unsafe fn store<const PAIRS: usize, A: Accumulators<Neon>>(
    neon: Neon,
    tiles: [[float32x4_t; COLUMNS / 2]; PAIRS],
    count: usize,
    sums: A,
) {
    for row in 0..count {
        let tiles = &tiles[row / 2];
        for half in 0..2 {
            let left = vreinterpretq_f64_f32(tiles[2 * half]);
            let right = vreinterpretq_f64_f32(tiles[2 * half + 1]);
            let row_of_tiles =
                if row % 2 == 0 { vzip1q_f64(left, right) } else { vzip2q_f64(left, right) };
            let products = neon.floats(vreinterpretq_f32_f64(row_of_tiles));
            // SAFETY: `sums` has the row (this function's safety contract), and a row has two
            // vectors.
            unsafe { sums.store(neon, row, half * Neon::WIDTH, products) }
        }
    }
}

/// Multiplies all rows with the column pairs in `b0` and `b1`.
macro_rules! multiply_tiles {
    ($name:ident, $pairs:literal, [$($load:literal)*], [$($index:literal $x:ident $a:ident $b:ident $c:ident $d:ident,)*]) => {
        /// # Safety
        ///
        /// At every address of the walk this many pairs of rows are readable, and from `panel` on
        /// as many steps of a panel.
        #[target_feature(enable = "neon,bf16")]
        #[inline]
        unsafe fn $name(
            walk: Walk,
            panel: *const bf16,
        ) -> [[float32x4_t; COLUMNS / 2]; $pairs] {
            let mut tiles = [[vdupq_n_f32(0.0); COLUMNS / 2]; $pairs];
            let Walk { rows, hop, places, next, rounds } = walk;
            assert!(places > 0 && rounds > 0);
            // SAFETY: rows and panel are valid (this function's safety contract), and the function
            // has the features of the instructions.
            unsafe {
                asm!(
                    "2:",
                    "mov {place}, {places}",
                    "3:",
                    "ldp {b0:q}, {b1:q}, [{panel}], #32",
                    $($load,)*
                    $(
                        concat!("bfmmla {", stringify!($a), ":v}.4s, {", stringify!($x), ":v}.8h, {b0:v}.8h"),
                        concat!("bfmmla {", stringify!($b), ":v}.4s, {", stringify!($x), ":v}.8h, {b1:v}.8h"),
                    )*
                    "ldp {b0:q}, {b1:q}, [{panel}], #32",
                    "add {rows}, {rows}, {hop}",
                    "subs {place}, {place}, #1",
                    $(
                        concat!("bfmmla {", stringify!($c), ":v}.4s, {", stringify!($x), ":v}.8h, {b0:v}.8h"),
                        concat!("bfmmla {", stringify!($d), ":v}.4s, {", stringify!($x), ":v}.8h, {b1:v}.8h"),
                    )*
                    "b.ne 3b",
                    "add {rows}, {rows}, {next}",
                    "subs {rounds}, {rounds}, #1",
                    "b.ne 2b",
                    rows = inout(reg) rows => _,
                    hop = in(reg) hop,
                    places = in(reg) places,
                    place = out(reg) _,
                    next = in(reg) next,
                    rounds = inout(reg) rounds => _,
                    panel = inout(reg) panel => _,
                    b0 = out(vreg) _,
                    b1 = out(vreg) _,
                    $(
                        $x = out(vreg) _,
                        $a = inout(vreg) tiles[$index][0],
                        $b = inout(vreg) tiles[$index][1],
                        $c = inout(vreg) tiles[$index][2],
                        $d = inout(vreg) tiles[$index][3],
                    )*
                    options(readonly, nostack),
                );
            }
            tiles
        }
    };
}

multiply_tiles!(
    multiply_4, 2,
    ["ldp {x0:q}, {x1:q}, [{rows}]"],
    [0 x0 a0 c0 d0 e0, 1 x1 a1 c1 d1 e1,]
);
multiply_tiles!(
    multiply_8, 4,
    ["ldp {x0:q}, {x1:q}, [{rows}]" "ldp {x2:q}, {x3:q}, [{rows}, #32]"],
    [0 x0 a0 c0 d0 e0, 1 x1 a1 c1 d1 e1, 2 x2 a2 c2 d2 e2, 3 x3 a3 c3 d3 e3,]
);
multiply_tiles!(
    multiply_12, 6,
    ["ldp {x0:q}, {x1:q}, [{rows}]" "ldp {x2:q}, {x3:q}, [{rows}, #32]" "ldp {x4:q}, {x5:q}, [{rows}, #64]"],
    [
        0 x0 a0 c0 d0 e0, 1 x1 a1 c1 d1 e1, 2 x2 a2 c2 d2 e2,
        3 x3 a3 c3 d3 e3, 4 x4 a4 c4 d4 e4, 5 x5 a5 c5 d5 e5,
    ]
);
