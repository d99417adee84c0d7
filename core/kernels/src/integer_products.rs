//! [`Int16Simd::multiply_pairs`] and
//! [`Int8Simd::multiply_quads`](super::int8::Int8Simd::multiply_quads) in assembly.
//!
//! Compiled from intrinsics, the same loops have up to three register or address moves per
//! multiplication.

use std::arch::asm;
use std::arch::x86_64::{__m256i, __m512i};

use super::int16::{Int16Simd, Prefetch};

/// Adds the products of one row to its sums `$a` and `$b`: the pair, or four bytes, at `$at` times
/// those of `w0` and `w1`.
macro_rules! row_products {
    (pairs_512, $a:ident, $b:ident, $at:literal) => {
        row_products!("vpdpwssd", 512, $a, $b, $at)
    };
    (quads_512, $a:ident, $b:ident, $at:literal) => {
        row_products!("vpdpbusd", 512, $a, $b, $at)
    };
    (pairs_256, $a:ident, $b:ident, $at:literal) => {
        row_products!("vpdpwssd", 256, $a, $b, $at)
    };
    (quads_256, $a:ident, $b:ident, $at:literal) => {
        row_products!("vpdpbusd", 256, $a, $b, $at)
    };
    ($instruction:literal, 512, $a:ident, $b:ident, $at:literal) => {
        concat!(
            $instruction,
            " {",
            stringify!($a),
            "}, {w0}, dword ptr [",
            $at,
            "]{{1to16}}\n",
            $instruction,
            " {",
            stringify!($b),
            "}, {w1}, dword ptr [",
            $at,
            "]{{1to16}}",
        )
    };
    // The first factor of `vpdpbusd` is unsigned.
    ($instruction:literal, 256, $a:ident, $b:ident, $at:literal) => {
        concat!(
            "vpbroadcastd {x}, dword ptr [",
            $at,
            "]\n",
            "{{vex}} ",
            $instruction,
            " {",
            stringify!($a),
            "}, {w0}, {x}\n",
            "{{vex}} ",
            $instruction,
            " {",
            stringify!($b),
            "}, {w1}, {x}",
        )
    };
    (madd, $a:ident, $b:ident, $at:literal) => {
        concat!(
            "vpbroadcastd {x}, dword ptr [",
            $at,
            "]\n",
            "vpmaddwd {y}, {x}, {w0}\n",
            "vpaddd {",
            stringify!($a),
            "}, {",
            stringify!($a),
            "}, {y}\n",
            "vpmaddwd {x}, {x}, {w1}\n",
            "vpaddd {",
            stringify!($b),
            "}, {",
            stringify!($b),
            "}, {x}",
        )
    };
}

/// The products of one pair, or of four bytes, of every row: the rows in `[..]`, the registers of
/// their sums, and their addresses relative to those of every third row.
macro_rules! step {
    (
        $instructions:ident, $class:ident, $mov:literal, $second:literal, $sums:ident, $panel:ident, $stride:ident,
        $at:ident, [$($temporary:ident)*], [$($third:ident $index:literal)*],
        [$($row:literal $a:ident $b:ident $address:literal,)*]
    ) => {
        asm!(
            // Every operand must be named, and a few rows do not need all addresses.
            concat!("// {stride}", $(" {", stringify!($third), "}",)*),
            concat!($mov, " {w0}, [{panel}]"),
            concat!($mov, " {w1}, [{panel} + ", $second, "]"),
            $(row_products!($instructions, $a, $b, $address),)*
            $($a = inout($class) $sums[$row][0], $b = inout($class) $sums[$row][1],)*
            w0 = out($class) _,
            w1 = out($class) _,
            $($temporary = out($class) _,)*
            panel = in(reg) $panel,
            stride = in(reg) $stride,
            $($third = in(reg) $at[$index],)*
            options(readonly, nostack, preserves_flags),
        )
    };
}

/// Repeats [`step`] for `$count` rows.
macro_rules! by_count {
    ($count:ident, $loop:tt, $step:tt, [$($done:tt)*], []) => {
        unreachable!("more rows than a micro-kernel takes")
    };
    (
        $count:ident, [$set:ident, $width:expr, $steps:ident, $panel:ident, $at:ident, $next:ident], [$($step:tt)*],
        [$($done:tt)*], [$row:literal $a:ident $b:ident $address:literal, $($rest:tt)*]
    ) => {
        if $count == $row + 1 {
            for _ in 0..$steps {
                // SAFETY: the step in all rows, its row of the panel, and the instructions are
                // valid (this function's safety contract).
                unsafe { step!($($step)* [$($done)* $row $a $b $address,]) }
                $panel = $panel.wrapping_add(2 * $width);
                $at = $at.map(|row: *const i32| row.wrapping_add(1));
                $next.step($set);
            }
        } else {
            by_count!(
                $count, [$set, $width, $steps, $panel, $at, $next], [$($step)*],
                [$($done)* $row $a $b $address,], [$($rest)*]
            )
        }
    };
}

/// Defines the function for an instruction set.
macro_rules! multiply {
    (
        $name:ident, $ints:ty, $features:literal, $instructions:ident in $class:ident,
        $mov:literal, $second:literal, $temporaries:tt, [$($third:ident $index:literal)*], $rows:tt
    ) => {
        /// # Safety
        ///
        /// As for [`Int16Simd::multiply_pairs`] and
        /// [`Int8Simd::multiply_quads`](super::int8::Int8Simd::multiply_quads), on a processor with
        /// the features.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name<S: Int16Simd<Ints = $ints>, const ROWS: usize>(
            set: S,
            rows: *const i32,
            stride: usize,
            steps: usize,
            mut panel: *const i32,
            mut next: Prefetch,
        ) -> [[$ints; 2]; ROWS] {
            let mut sums = [[set.zeros(); 2]; ROWS];
            let mut at = [$($index),*].map(|index: usize| rows.wrapping_add(3 * index * stride));
            let stride = stride * size_of::<i32>();
            by_count!(
                ROWS,
                [set, S::WIDTH, steps, panel, at, next],
                [
                    $instructions, $class, $mov, $second, sums, panel, stride, at, $temporaries,
                    [$($third $index)*],
                ],
                [],
                $rows
            );
            sums
        }
    };
}

/// As [`multiply`], with 12 rows of 512 bits or 6 of 256.
macro_rules! multiply_512 {
    ($name:ident, $features:literal, $instructions:ident, $temporaries:tt) => {
        multiply!(
            $name, __m512i, $features, $instructions in zmm_reg,
            "vmovdqu64", "64", $temporaries, [p0 0 p3 1 p6 2 p9 3],
            [
                0 a0 b0 "{p0}", 1 a1 b1 "{p0} + {stride}", 2 a2 b2 "{p0} + 2*{stride}",
                3 a3 b3 "{p3}", 4 a4 b4 "{p3} + {stride}", 5 a5 b5 "{p3} + 2*{stride}",
                6 a6 b6 "{p6}", 7 a7 b7 "{p6} + {stride}", 8 a8 b8 "{p6} + 2*{stride}",
                9 a9 b9 "{p9}", 10 a10 b10 "{p9} + {stride}", 11 a11 b11 "{p9} + 2*{stride}",
            ]
        );
    };
}
macro_rules! multiply_256 {
    ($name:ident, $features:literal, $instructions:ident, $temporaries:tt) => {
        multiply!(
            $name, __m256i, $features, $instructions in ymm_reg,
            "vmovdqu", "32", $temporaries, [p0 0 p3 1],
            [
                0 a0 b0 "{p0}", 1 a1 b1 "{p0} + {stride}", 2 a2 b2 "{p0} + 2*{stride}",
                3 a3 b3 "{p3}", 4 a4 b4 "{p3} + {stride}", 5 a5 b5 "{p3} + 2*{stride}",
            ]
        );
    };
}

multiply_512!(multiply_pairs_vnni_512, "avx512f,avx512bw,avx512vnni", pairs_512, []);
multiply_512!(multiply_quads_vnni_512, "avx512f,avx512bw,avx512vnni", quads_512, []);
multiply_512!(multiply_pairs_512, "avx512f,avx512bw", madd, [x y]);
multiply_256!(multiply_pairs_vnni_256, "avx2,fma,avxvnni", pairs_256, [x]);
multiply_256!(multiply_quads_vnni_256, "avx2,fma,avxvnni", quads_256, [x]);
multiply_256!(multiply_pairs_256, "avx2,fma", madd, [x y]);
