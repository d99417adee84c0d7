//! The vectors of AVX2 and AVX-512, which differ only in the names of their instructions.

/// Defines the vectors of `$set`, with `$floats` and `$ints` as its registers, and implements
/// [`Simd`](crate::simd::Simd), [`Gemm`](crate::gemm::Gemm), [`Int16Simd`](crate::int16::Int16Simd)
/// and [`Int8Simd`](crate::int8::Int8Simd). The calling module imports the intrinsics under generic
/// names.
macro_rules! x86_set {
    (
        $set:ident, $floats:ident, $ints:ident, width: $width:literal, rows: $rows:literal,
        pairs: $pairs:ident, fused_pairs: $fused_pairs:ident, fused_quads: $fused_quads:ident
    ) => {
        /// A vector. Can be created only through the set: each is a proof that the processor has
        /// the instructions.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Floats($floats);

        impl crate::simd::Simd for $set {
            type Vector = Floats;

            const WIDTH: usize = $width;

            #[inline(always)]
            fn splat(self, x: f32) -> Floats {
                // SAFETY: `self` is the proof that the processor has the instruction.
                Floats(unsafe { splat(x) })
            }

            #[inline(always)]
            unsafe fn load(self, from: *const f32) -> Floats {
                // SAFETY: `self` is the proof that the processor has the instruction; `from` is
                // valid for reads of a vector (this function's safety contract).
                Floats(unsafe { load(from) })
            }

            #[inline(always)]
            unsafe fn load_pairs(self, from: *const u32) -> [Floats; 2] {
                // SAFETY: `self` is the proof that the processor has the instructions; `from` is
                // valid for reads of a vector (this function's safety contract).
                unsafe {
                    let pairs = load_ints(from.cast());
                    let upper = and_ints(pairs, splat_int(-1 << 16));
                    let lower = shift_left::<16>(pairs);
                    [Floats(ints_as_floats(upper)), Floats(ints_as_floats(lower))]
                }
            }

            #[inline(always)]
            unsafe fn load_bytes(self, from: *const u8) -> Floats {
                // SAFETY: `self` is the proof that the processor has the instructions; `from` is
                // valid for reads of one byte per element (this function's safety contract).
                Floats(unsafe { convert(bytes_to_ints(load_bytes(from.cast()))) })
            }

            #[inline(always)]
            fn prefetch<T>(self, at: *const T) {
                // SAFETY: any address may be prefetched, and every x86-64 processor has the
                // instruction.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
            }
        }

        impl crate::gemm::Gemm for $set {
            const MICROKERNEL_ROWS: usize = $rows;
        }

        impl crate::int16::Int16Simd for $set {
            type Ints = $ints;

            #[inline(always)]
            fn zeros(self) -> $ints {
                // SAFETY: `self` is the proof that the processor has the instruction.
                unsafe { zeros() }
            }

            #[inline(always)]
            fn ints_to_floats(self, sums: $ints) -> Floats {
                // SAFETY: `self` is the proof that the processor has the instruction.
                Floats(unsafe { convert(sums) })
            }

            #[inline(always)]
            unsafe fn multiply_pairs<const ROWS: usize>(
                self,
                rows: *const i32,
                stride: usize,
                pairs: usize,
                panel: *const i32,
                next: crate::int16::Prefetch,
            ) -> [[$ints; 2]; ROWS] {
                if self.vnni {
                    // SAFETY: rows and panel are valid (this function's safety contract); `vnni`
                    // shows that the processor has the instruction.
                    unsafe { $fused_pairs(self, rows, stride, pairs, panel, next) }
                } else {
                    // SAFETY: rows and panel are valid (this function's safety contract); `self` is
                    // the proof that the processor has the instructions.
                    unsafe { $pairs(self, rows, stride, pairs, panel, next) }
                }
            }
        }

        impl crate::int8::Int8Simd for $set {
            fn multiplies_bytes(self) -> bool {
                self.vnni
            }

            #[inline(always)]
            unsafe fn multiply_quads<const ROWS: usize>(
                self,
                rows: *const i32,
                stride: usize,
                quads: usize,
                panel: *const i32,
                next: crate::int16::Prefetch,
            ) -> [[$ints; 2]; ROWS] {
                // SAFETY: rows, panel and the instruction are valid (this function's safety
                // contract).
                unsafe { $fused_quads(self, rows, stride, quads, panel, next) }
            }
        }

        crate::simd::operators!(
            Floats,
            // SAFETY: a vector is the proof that the processor has the instruction.
            |a: Floats, b: Floats| Floats(unsafe { add(a.0, b.0) }),
            // SAFETY: a vector is the proof that the processor has the instruction.
            |a: Floats, b: Floats| Floats(unsafe { sub(a.0, b.0) }),
            // SAFETY: a vector is the proof that the processor has the instruction.
            |a: Floats, b: Floats| Floats(unsafe { mul(a.0, b.0) }),
            // SAFETY: a vector is the proof that the processor has the instruction.
            |a: Floats, b: Floats| Floats(unsafe { div(a.0, b.0) })
        );

        impl crate::simd::Vector for Floats {
            #[inline(always)]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                // SAFETY: a vector is the proof that the processor has the instruction.
                Self(unsafe { mul_add(self.0, factor.0, term.0) })
            }

            #[inline(always)]
            fn mul_sub_from(self, factor: Self, term: Self) -> Self {
                // SAFETY: a vector is the proof that the processor has the instruction.
                Self(unsafe { mul_sub_from(self.0, factor.0, term.0) })
            }

            #[inline(always)]
            fn splat_like(self, x: f32) -> Self {
                // SAFETY: a vector is the proof that the processor has the instruction.
                Self(unsafe { splat(x) })
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: a vector is the proof that the processor has the instruction.
                Self(unsafe { max(self.0, other.0) })
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: a vector is the proof that the processor has the instruction.
                Self(unsafe { min(self.0, other.0) })
            }

            #[inline(always)]
            fn negate_where_odd(self, bits: Self) -> Self {
                // SAFETY: a vector is the proof that the processor has the instructions.
                Self(unsafe {
                    let sign = shift_left::<31>(floats_as_ints(bits.0));
                    ints_as_floats(xor_ints(floats_as_ints(self.0), sign))
                })
            }

            #[inline(always)]
            fn add_to_exponent(self, bits: Self) -> Self {
                // SAFETY: a vector is the proof that the processor has the instructions.
                Self(unsafe {
                    let exponent = shift_left::<23>(floats_as_ints(bits.0));
                    ints_as_floats(add_ints(floats_as_ints(self.0), exponent))
                })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut f32) {
                // SAFETY: a vector is the proof that the processor has the instruction; `to` is
                // valid for writes of a vector (this function's safety contract).
                unsafe { store(to, self.0) }
            }
        }
    };
}
pub(super) use x86_set;
