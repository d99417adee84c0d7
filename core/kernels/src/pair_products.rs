//! [`Int16Simd::multiply_pairs`] in assembly.
//!
//! Compiled from intrinsics, the same loops have up to three instructions that move registers or addresses for each that
//! multiplies.

use std::arch::asm;
use std::arch::x86_64::{__m256i, __m512i};

use super::int16::{Int16Simd, Prefetch};

/// The instructions that add the products of one row to its sums `$a` and `$b`: the pair at `$at` times the pairs of `w0` and
/// of `w1`.
macro_rules! row_products {
    (vnni_512, $a:ident, $b:ident, $at:literal) => {
        concat!(
            "vpdpwssd {",
            stringify!($a),
            "}, {w0}, dword ptr [",
            $at,
            "]{{1to16}}\n",
            "vpdpwssd {",
            stringify!($b),
            "}, {w1}, dword ptr [",
            $at,
            "]{{1to16}}",
        )
    };
    (vnni_256, $a:ident, $b:ident, $at:literal) => {
        concat!(
            "vpbroadcastd {x}, dword ptr [",
            $at,
            "]\n",
            "{{vex}} vpdpwssd {",
            stringify!($a),
            "}, {x}, {w0}\n",
            "{{vex}} vpdpwssd {",
            stringify!($b),
            "}, {x}, {w1}",
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

/// The products of one pair of every row: the rows in `[..]`, the registers of their sums, and their addresses from those of
/// every third row.
macro_rules! step {
    (
        $instructions:ident, $class:ident, $mov:literal, $second:literal, $sums:ident, $panel:ident, $stride:ident,
        $at:ident, [$($temporary:ident)*], [$($third:ident $index:literal)*],
        [$($row:literal $a:ident $b:ident $address:literal,)*]
    ) => {
        asm!(
            // Every operand must be named, and few rows do not need all addresses.
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

/// Repeats [`step`] for all pairs, with as many rows as `$count` says.
macro_rules! by_count {
    ($count:ident, $loop:tt, $step:tt, [$($done:tt)*], []) => {
        unreachable!("more rows than a micro-kernel takes")
    };
    (
        $count:ident, [$set:ident, $width:expr, $pairs:ident, $panel:ident, $at:ident, $next:ident], [$($step:tt)*],
        [$($done:tt)*], [$row:literal $a:ident $b:ident $address:literal, $($rest:tt)*]
    ) => {
        if $count == $row + 1 {
            for _ in 0..$pairs {
                // SAFETY: the caller vouches for the pair in all rows, for its row of the panel, and for the instructions.
                unsafe { step!($($step)* [$($done)* $row $a $b $address,]) }
                $panel = $panel.wrapping_add(2 * $width);
                $at = $at.map(|row: *const i32| row.wrapping_add(1));
                $next.step($set);
            }
        } else {
            by_count!(
                $count, [$set, $width, $pairs, $panel, $at, $next], [$($step)*],
                [$($done)* $row $a $b $address,], [$($rest)*]
            )
        }
    };
}

/// Defines the function for an instruction set.
macro_rules! multiply_pairs {
    (
        $name:ident, $ints:ty, $features:literal, $instructions:ident in $class:ident,
        $mov:literal, $second:literal, $temporaries:tt, [$($third:ident $index:literal)*], $rows:tt
    ) => {
        /// # Safety
        ///
        /// As for the method, on a processor with the features.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name<S: Int16Simd<Ints = $ints>, const ROWS: usize>(
            set: S,
            rows: *const i32,
            stride: usize,
            pairs: usize,
            mut panel: *const i32,
            mut next: Prefetch,
        ) -> [[$ints; 2]; ROWS] {
            let mut sums = [[set.zeros(); 2]; ROWS];
            let mut at = [$($index),*].map(|index: usize| rows.wrapping_add(3 * index * stride));
            let stride = stride * size_of::<i32>();
            by_count!(
                ROWS,
                [set, S::WIDTH, pairs, panel, at, next],
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

multiply_pairs!(
    multiply_pairs_vnni_512, __m512i, "avx512f,avx512bw,avx512vnni", vnni_512 in zmm_reg,
    "vmovdqu64", "64", [], [p0 0 p3 1 p6 2 p9 3],
    [
        0 a0 b0 "{p0}", 1 a1 b1 "{p0} + {stride}", 2 a2 b2 "{p0} + 2*{stride}",
        3 a3 b3 "{p3}", 4 a4 b4 "{p3} + {stride}", 5 a5 b5 "{p3} + 2*{stride}",
        6 a6 b6 "{p6}", 7 a7 b7 "{p6} + {stride}", 8 a8 b8 "{p6} + 2*{stride}",
        9 a9 b9 "{p9}", 10 a10 b10 "{p9} + {stride}", 11 a11 b11 "{p9} + 2*{stride}",
    ]
);
multiply_pairs!(
    multiply_pairs_vnni_256, __m256i, "avx2,fma,avxvnni", vnni_256 in ymm_reg,
    "vmovdqu", "32", [x], [p0 0 p3 1],
    [
        0 a0 b0 "{p0}", 1 a1 b1 "{p0} + {stride}", 2 a2 b2 "{p0} + 2*{stride}",
        3 a3 b3 "{p3}", 4 a4 b4 "{p3} + {stride}", 5 a5 b5 "{p3} + 2*{stride}",
    ]
);
multiply_pairs!(
    multiply_pairs_512, __m512i, "avx512f,avx512bw", madd in zmm_reg,
    "vmovdqu64", "64", [x y], [p0 0 p3 1 p6 2 p9 3],
    [
        0 a0 b0 "{p0}", 1 a1 b1 "{p0} + {stride}", 2 a2 b2 "{p0} + 2*{stride}",
        3 a3 b3 "{p3}", 4 a4 b4 "{p3} + {stride}", 5 a5 b5 "{p3} + 2*{stride}",
        6 a6 b6 "{p6}", 7 a7 b7 "{p6} + {stride}", 8 a8 b8 "{p6} + 2*{stride}",
        9 a9 b9 "{p9}", 10 a10 b10 "{p9} + {stride}", 11 a11 b11 "{p9} + 2*{stride}",
    ]
);
multiply_pairs!(
    multiply_pairs_256, __m256i, "avx2,fma", madd in ymm_reg,
    "vmovdqu", "32", [x y], [p0 0 p3 1],
    [
        0 a0 b0 "{p0}", 1 a1 b1 "{p0} + {stride}", 2 a2 b2 "{p0} + 2*{stride}",
        3 a3 b3 "{p3}", 4 a4 b4 "{p3} + {stride}", 5 a5 b5 "{p3} + 2*{stride}",
    ]
);
