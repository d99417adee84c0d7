//! [`Gemm::add_products`](super::gemm::Gemm::add_products) for NEON, in assembly.
//!
//! An element of a row is multiplied in place, as a lane of a four-element vector. Code compiled
//! from intrinsics first copies it to all lanes of another vector, which takes as long as one of
//! the two products that use it.

use std::arch::aarch64::float32x4_t;
use std::arch::asm;

/// The elements of a row multiplied in one step.
pub(super) const DEPTH: usize = 4;

/// Multiplies a lane of every row with a row of the panel.
macro_rules! lane {
    ($lane:literal, $w:literal, [$($x:ident $a:ident $b:ident)*]) => {
        concat!($(
            "fmla {", stringify!($a), ":v}.4s, {w", $w, ":v}.4s, {", stringify!($x), ":v}.s[", $lane, "]\n",
            "fmla {", stringify!($b), ":v}.4s, {v", $w, ":v}.4s, {", stringify!($x), ":v}.s[", $lane, "]\n",
        )*)
    };
}

/// All steps of the rows in `[..]`.
macro_rules! steps {
    ($steps:ident, $panel:ident, $rows:ident, $stride:ident, $sums:ident, [$($row:literal $x:ident $a:ident $b:ident $p:ident,)*]) => {
        asm!(
            "2:",
            "ldp {w0:q}, {v0:q}, [{panel}]",
            $(concat!("ldr {", stringify!($x), ":q}, [{", stringify!($p), "}, {at}]"),)*
            "ldp {w1:q}, {v1:q}, [{panel}, #32]",
            lane!("0", "0", [$($x $a $b)*]),
            "ldp {w0:q}, {v0:q}, [{panel}, #64]",
            lane!("1", "1", [$($x $a $b)*]),
            "ldp {w1:q}, {v1:q}, [{panel}, #96]",
            lane!("2", "0", [$($x $a $b)*]),
            "add {at}, {at}, #16",
            "add {panel}, {panel}, #128",
            "subs {steps}, {steps}, #1",
            lane!("3", "1", [$($x $a $b)*]),
            "b.ne 2b",
            panel = inout(reg) $panel => _,
            steps = inout(reg) $steps => _,
            at = inout(reg) 0_usize => _,
            w0 = out(vreg) _,
            v0 = out(vreg) _,
            w1 = out(vreg) _,
            v1 = out(vreg) _,
            $(
                $p = in(reg) $rows.wrapping_add($row * $stride),
                $x = out(vreg) _,
                $a = inout(vreg) $sums[$row][0],
                $b = inout(vreg) $sums[$row][1],
            )*
            options(readonly, nostack),
        )
    };
}

/// The branch for `$count` rows.
macro_rules! by_count {
    ($count:ident, $step:tt, [$($done:tt)*], []) => {
        unreachable!("more rows than a micro-kernel takes")
    };
    (
        $count:ident, [$($step:tt)*], [$($done:tt)*],
        [$row:literal $x:ident $a:ident $b:ident $p:ident, $($rest:tt)*]
    ) => {
        if $count == $row + 1 {
            // SAFETY: the steps of all rows and of the panel are valid, and the processor has NEON
            // (this function's safety contract).
            unsafe { steps!($($step)* [$($done)* $row $x $a $b $p,]) }
        } else {
            by_count!($count, [$($step)*], [$($done)* $row $x $a $b $p,], [$($rest)*])
        }
    };
}

/// The most rows whose sums stay in registers.
pub(super) const MAX_ROWS: usize = 8;

/// Adds the products of the first `steps` times [`DEPTH`] elements of rows that are `stride`
/// elements apart.
///
/// # Safety
///
/// The processor has NEON. The rows have that many elements, and `panel` is valid for reads of as
/// many rows of two vectors.
#[inline(always)]
pub(super) unsafe fn add_products<const ROWS: usize>(
    rows: *const f32,
    stride: usize,
    steps: usize,
    panel: *const f32,
    sums: &mut [[float32x4_t; 2]; ROWS],
) {
    if steps == 0 {
        return;
    }
    by_count!(
        ROWS,
        [steps, panel, rows, stride, sums,],
        [],
        [
            0 x0 a0 b0 p0, 1 x1 a1 b1 p1, 2 x2 a2 b2 p2, 3 x3 a3 b3 p3,
            4 x4 a4 b4 p4, 5 x5 a5 b5 p5, 6 x6 a6 b6 p6, 7 x7 a7 b7 p7,
        ]
    );
}
