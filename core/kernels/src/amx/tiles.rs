//! The tile registers of Intel AMX: eight matrices of 16 rows of 64 bytes, and their products.
//!
//! Volume 2 of Intel's Software Developer's Manual describes the instructions. They are in assembly
//! because Rust's intrinsics for them are unstable.

use std::arch::asm;
use std::cell::Cell;
use std::marker::PhantomData;

use half::bf16;

use super::processor::GrantedTiles;

/// The number of rows, and of columns, of the block computed by one product: two by two tiles.
pub(super) const SIDE: usize = 32;

/// The elements of an input row in one step of a product.
pub(super) const DEPTH: usize = 32;

/// The sums of one block: [`SIDE`] rows of [`SIDE`] columns.
#[repr(C, align(64))]
pub(super) struct BlockSums(pub(super) [f32; SIDE * SIDE]);

impl BlockSums {
    pub(super) const ZERO: Self = Self([0.0; SIDE * SIDE]);
}

/// The input rows under a convolution's taps: output row `t` reads rows `t + k dilation`.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputRows<'a> {
    pub(super) values: &'a [bf16],
    /// The elements from one row to the next.
    pub(super) stride: usize,
    pub(super) taps: usize,
    /// The elements of a row that are read; a multiple of [`DEPTH`].
    pub(super) depth: usize,
    /// The distance between two taps, in rows.
    pub(super) dilation: usize,
}

/// The memory operand of `ldtilecfg`.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// All eight tiles at full size.
static FULL_TILES: Configuration = Configuration {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

thread_local! {
    /// Whether the thread has a [`Tiles`] value.
    static IN_USE: Cell<bool> = const { Cell::new(false) };
}

/// The calling thread's configured tile registers. Dropping the value returns them to their initial
/// state, which the system need not save on thread switches.
pub(super) struct Tiles {
    /// Not `Send`: the registers belong to the thread.
    _thread: PhantomData<*const ()>,
}

impl Tiles {
    /// Configures the calling thread's tile registers.
    ///
    /// # Panics
    ///
    /// If the thread already has a [`Tiles`] value: dropping either would release the registers of
    /// both.
    pub(super) fn new(_: GrantedTiles) -> Self {
        assert!(!IN_USE.replace(true), "the tile registers of this thread are in use");
        // SAFETY: the argument is the proof that the processor has the instruction and that the
        // system lets the process use it. The operand is a valid configuration of palette 1. The
        // compiler does not use the tiles.
        unsafe {
            asm!(
                "ldtilecfg [{configuration}]",
                configuration = in(reg) &raw const FULL_TILES,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack, readonly, preserves_flags),
            );
        }
        Self { _thread: PhantomData }
    }

    /// Computes [`SIDE`] output rows for [`SIDE`] output channels.
    ///
    /// The weights are tiles in order of use: for each [`DEPTH`] inputs and each tap, two tiles of
    /// 16 outputs. A tile's row has 16 pairs of weights, those of two consecutive inputs.
    pub(super) fn multiply(&self, rows: InputRows<'_>, weights: &[bf16], sums: &mut BlockSums) {
        let InputRows { values, stride, taps, depth, dilation } = rows;
        let steps = depth / DEPTH;
        assert!(taps > 0 && steps > 0 && depth.is_multiple_of(DEPTH));
        assert!(values.len() >= (SIDE - 1 + (taps - 1) * dilation) * stride + depth);
        assert!(weights.len() == taps * depth * SIDE);
        let bytes = size_of::<bf16>() * stride;
        // Tiles 0 to 3 are sums (0 and 1 of the first 16 rows, 2 and 3 of the last), 4 and 5
        // inputs, 6 and 7 weights. Depth is the outer loop and taps the inner one: neighboring taps
        // read mostly the same input rows, which are then in the L1 cache.
        //
        // SAFETY: `self` shows that the processor has the instructions and that this thread's tiles
        // are configured at full size. The asserts above bound everything that is read; a tile's
        // row is 64 bytes, so `sums` has room for the four stored tiles. Loads and stores need no
        // alignment. No tile's value passes into or out of the block: the sums start as zeros and
        // are stored, and every tile is declared as overwritten.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:",
                "mov {lower}, {rows}",
                "lea {upper}, [{rows} + {half}]",
                "mov {tap:e}, {taps:e}",
                "3:",
                "tileloadd tmm4, [{lower} + {stride}]",
                "tileloadd tmm6, [{weights} + {line}]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{weights} + {line} + 1024]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{upper} + {stride}]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {weights}, 2048",
                "add {lower}, {hop}",
                "add {upper}, {hop}",
                "dec {tap:e}",
                "jnz 3b",
                "add {rows}, 64",
                "dec {steps:e}",
                "jnz 2b",
                "add {line:e}, {line:e}",
                "tilestored [{sums} + {line}], tmm0",
                "tilestored [{sums} + {line} + 64], tmm1",
                "tilestored [{sums} + {line} + 2048], tmm2",
                "tilestored [{sums} + {line} + 2112], tmm3",
                rows = inout(reg) values.as_ptr() => _,
                half = in(reg) bytes * (SIDE / 2),
                stride = in(reg) bytes,
                hop = in(reg) bytes * dilation,
                taps = in(reg) taps,
                steps = inout(reg) steps => _,
                weights = inout(reg) weights.as_ptr() => _,
                line = inout(reg) 64_usize => _,
                sums = in(reg) sums,
                lower = out(reg) _,
                upper = out(reg) _,
                tap = out(reg) _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        IN_USE.set(false);
        // SAFETY: `self` shows that the processor has the instruction; no tile holds a value that
        // is still needed.
        unsafe {
            asm!(
                "tilerelease",
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }
}
