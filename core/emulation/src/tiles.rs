//! The emulated tile registers and the operations on them.

use std::arch::x86_64::*;

const TILES: usize = 8;
const ROWS: usize = 16;
const ROW_BYTES: usize = 64;

/// A tile: rows of 32-bit floats, or of pairs of bfloat16. Elements outside its configured size are
/// zero.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Tile([[u32; ROW_BYTES / 4]; ROWS]);

impl Tile {
    const ZERO: Self = Self([[0; ROW_BYTES / 4]; ROWS]);
}

#[derive(Clone, Copy)]
struct Size {
    rows: usize,
    row_bytes: usize,
}

/// The eight tiles of one thread.
pub(super) struct Tiles {
    sizes: [Size; TILES],
    tiles: [Tile; TILES],
}

impl Tiles {
    /// The initial state: no tile has a size, so none may be used.
    pub(super) const NEW: Self =
        Self { sizes: [Size { rows: 0, row_bytes: 0 }; TILES], tiles: [Tile::ZERO; TILES] };

    /// Sets the sizes from a palette-1 configuration, and all tiles to zero.
    pub(super) fn configure(&mut self, bytes: &[u8; 64]) -> bool {
        let size = |tile: usize| {
            let row_bytes = u16::from_le_bytes([bytes[16 + 2 * tile], bytes[17 + 2 * tile]]);
            Size { rows: bytes[48 + tile].into(), row_bytes: row_bytes.into() }
        };
        let sizes: [Size; TILES] = std::array::from_fn(size);
        let fits = |size: &Size| size.rows <= ROWS && size.row_bytes <= ROW_BYTES;
        let reserved = bytes[1..16].iter().chain(&bytes[32..48]).chain(&bytes[56..]);
        let valid =
            bytes[0] == 1 && sizes.iter().all(fits) && reserved.copied().all(|byte| byte == 0);
        if valid {
            *self = Self { sizes, ..Self::NEW };
        }
        valid
    }

    /// Whether no tile has a size.
    pub(super) fn are_released(&self) -> bool {
        self.sizes.iter().all(|size| size.rows == 0)
    }

    pub(super) fn zero(&mut self, tile: u8) -> bool {
        let Some(_) = self.size(tile) else { return false };
        self.tiles[usize::from(tile)] = Tile::ZERO;
        true
    }

    /// Loads a tile from rows that begin `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// The rows, in the tile's configured size, are valid for reads.
    pub(super) unsafe fn load(&mut self, tile: u8, start: *const u8, stride: usize) -> bool {
        let Some(size) = self.size(tile) else { return false };
        let tile = &mut self.tiles[usize::from(tile)];
        *tile = Tile::ZERO;
        for (row, words) in tile.0.iter_mut().take(size.rows).enumerate() {
            let start = start.wrapping_add(row.wrapping_mul(stride));
            // SAFETY: the rows are valid for reads (this function's safety contract); a row of a
            // tile has room for any configured size.
            unsafe { start.copy_to_nonoverlapping(words.as_mut_ptr().cast(), size.row_bytes) };
        }
        true
    }

    /// Stores a tile to rows that begin `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// The rows, in the tile's configured size, are valid for writes.
    pub(super) unsafe fn store(&self, tile: u8, start: *mut u8, stride: usize) -> bool {
        let Some(size) = self.size(tile) else { return false };
        for (row, words) in self.tiles[usize::from(tile)].0.iter().take(size.rows).enumerate() {
            let start = start.wrapping_add(row.wrapping_mul(stride));
            // SAFETY: the rows are valid for writes (this function's safety contract); a row of a
            // tile is at least as long as any configured size.
            unsafe { start.copy_from_nonoverlapping(words.as_ptr().cast(), size.row_bytes) };
        }
        true
    }

    /// Adds the product of two bfloat16 tiles to a tile of sums.
    pub(super) fn add_product(&mut self, sums: u8, left: u8, right: u8) -> bool {
        let (Some(s), Some(l), Some(r)) = (self.size(sums), self.size(left), self.size(right))
        else {
            return false;
        };
        let distinct = sums != left && sums != right && left != right;
        let fit = s.rows == l.rows && s.row_bytes == r.row_bytes && l.row_bytes == 4 * r.rows;
        if !distinct || !fit {
            return false;
        }
        let [sums, left, right] = [sums, left, right].map(usize::from);
        let (left, right) = (self.tiles[left], self.tiles[right]);
        // SAFETY: `Amx`, whose kernels are emulated, exists only with AVX-512, and tests of this
        // type check for it.
        unsafe { add_product(&mut self.tiles[sums], &left, &right, s.rows, r.rows) };
        true
    }

    /// The size of a tile; `None` if the tile may not be used.
    fn size(&self, tile: u8) -> Option<Size> {
        let size = self.sizes[usize::from(tile)];
        (size.rows > 0 && size.row_bytes > 0).then_some(size)
    }
}

/// `tdpbf16ps`: for each row, sums the products of even elements and those of odd elements
/// separately, by fused multiply-adds rounded to nearest even. Adds the two sums, and adds the
/// result to the tile. Flushes subnormal inputs and results to zero.
#[target_feature(enable = "avx512f")]
fn add_product(sums: &mut Tile, left: &Tile, right: &Tile, rows: usize, pairs: usize) {
    let zero = _mm512_setzero_ps();
    let mut weights = [[zero; 2]; ROWS];
    for (weights, row) in weights.iter_mut().zip(&right.0) {
        // SAFETY: a row is 16 words.
        *weights = halves(unsafe { _mm512_loadu_si512(row.as_ptr().cast()) });
    }
    for (sums, row) in sums.0.iter_mut().zip(&left.0).take(rows) {
        let mut partial = [zero; 2];
        for (pair, weights) in row.iter().zip(&weights).take(pairs) {
            let inputs = halves(_mm512_set1_epi32(*pair as i32));
            partial[0] = flush(_mm512_fmadd_ps(inputs[0], weights[0], partial[0]));
            partial[1] = flush(_mm512_fmadd_ps(inputs[1], weights[1], partial[1]));
        }
        let sum = flush(_mm512_add_ps(partial[0], partial[1]));
        // SAFETY: a row is 16 words.
        unsafe {
            let old = flush(_mm512_loadu_ps(sums.as_ptr().cast()));
            _mm512_storeu_ps(sums.as_mut_ptr().cast(), flush(_mm512_add_ps(old, sum)));
        }
    }
}

/// Unpacks pairs of bfloat16 into their even and their odd elements.
#[target_feature(enable = "avx512f")]
#[inline]
fn halves(pairs: __m512i) -> [__m512; 2] {
    let odd = _mm512_and_si512(pairs, _mm512_set1_epi32(0xffff_0000_u32 as i32));
    [_mm512_slli_epi32::<16>(pairs), odd].map(|bits| flush(_mm512_castsi512_ps(bits)))
}

/// Flushes subnormal values to zero, with their sign.
#[target_feature(enable = "avx512f")]
#[inline]
fn flush(x: __m512) -> __m512 {
    let bits = _mm512_castps_si512(x);
    let normal = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x7f80_0000));
    let zeros = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MIN));
    _mm512_castsi512_ps(_mm512_mask_mov_epi32(zeros, normal, bits))
}

#[cfg(test)]
mod tests {
    use half::bf16;

    use super::*;

    /// Three tiles: sums of 2 rows by 3 columns, inputs of 2 rows by 2 pairs, weights of 2 pairs by
    /// 3 columns.
    const CONFIGURATION: [u8; 64] = {
        let mut bytes = [0; 64];
        bytes[0] = 1;
        (bytes[16], bytes[18], bytes[20]) = (12, 8, 12);
        (bytes[48], bytes[49], bytes[50]) = (2, 2, 2);
        bytes
    };

    fn configured() -> Tiles {
        let mut tiles = Tiles::NEW;
        assert!(tiles.configure(&CONFIGURATION));
        tiles
    }

    /// Loads a tile from contiguous rows.
    fn fill<const ROW: usize>(tiles: &mut Tiles, tile: u8, rows: &[[u8; ROW]; 2]) {
        // SAFETY: the tile is configured to two rows of this size.
        assert!(unsafe { tiles.load(tile, rows.as_ptr().cast(), ROW) });
    }

    fn floats(values: [f32; 3]) -> [u8; 12] {
        let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = values.map(f32::to_le_bytes);
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    fn halves<const COUNT: usize, const ROW: usize>(values: [f32; COUNT]) -> [u8; ROW] {
        let bytes: Vec<u8> =
            values.iter().flat_map(|value| bf16::from_f32(*value).to_le_bytes()).collect();
        bytes.try_into().expect("two bytes an element")
    }

    /// The sums after one product.
    fn product(sums: [[f32; 3]; 2], left: [[f32; 4]; 2], right: [[f32; 6]; 2]) -> [[f32; 3]; 2] {
        let mut tiles = configured();
        fill(&mut tiles, 0, &sums.map(floats));
        fill(&mut tiles, 1, &left.map(halves::<4, 8>));
        fill(&mut tiles, 2, &right.map(halves::<6, 12>));
        assert!(tiles.add_product(0, 1, 2));
        let mut stored = [[0.0_f32; 3]; 2];
        // SAFETY: the tile is configured to two rows of three floats.
        assert!(unsafe { tiles.store(0, stored.as_mut_ptr().cast(), 12) });
        stored
    }

    #[test]
    fn pairs_are_multiplied_and_added() {
        if !is_x86_feature_detected!("avx512f") {
            return;
        }
        let sums = [[100.0, 200.0, 300.0], [400.0, 500.0, 600.0]];
        let left = [[1.0, 2.0, 3.0, 4.0], [-1.0, 0.5, 0.0, 8.0]];
        let right = [[1.0, 10.0, 2.0, 20.0, 3.0, 30.0], [4.0, 40.0, 5.0, 50.0, 6.0, 60.0]];
        let wanted = [
            [100.0 + 1.0 + 20.0 + 12.0 + 160.0, 200.0 + 2.0 + 40.0 + 15.0 + 200.0, 300.0 + 321.0],
            [400.0 - 1.0 + 5.0 + 320.0, 500.0 - 2.0 + 10.0 + 400.0, 600.0 - 3.0 + 15.0 + 480.0],
        ];
        assert_eq!(product(sums, left, right), wanted);
    }

    #[test]
    fn even_and_odd_products_are_summed_separately() {
        if !is_x86_feature_detected!("avx512f") {
            return;
        }
        // In the order of the inputs, both ones would be rounded away beside 2^24; summed
        // separately, they make 2.
        let big = 16_777_216.0;
        let left = [[1.0, 1.0, 1.0, 1.0], [0.0; 4]];
        let mut right = [[0.0; 6]; 2];
        (right[0][0], right[0][1], right[1][0], right[1][1]) = (big, 1.0, 0.0, 1.0);
        assert_eq!(product([[0.0; 3]; 2], left, right)[0][0], big + 2.0);
        // The sum of both products is added to the tile, not each product by itself.
        (right[0][0], right[1][0]) = (1.0, 0.0);
        right[1][1] = 0.0;
        assert_eq!(product([[big, 0.0, 0.0], [0.0; 3]], left, right)[0][0], big + 2.0);
    }

    #[test]
    fn subnormal_values_are_zero() {
        if !is_x86_feature_detected!("avx512f") {
            return;
        }
        let (tiny, least) = (f32::MIN_POSITIVE / 2.0, f32::MIN_POSITIVE);
        let one = |value| [[value, 0.0, 0.0, 0.0], [0.0; 4]];
        let by = |value| [[value, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 6]];
        let none = [[0.0; 3]; 2];
        // A subnormal input, weight, product, and previous sum; then a product that is just normal.
        for (sum, left, right, wanted) in [
            (0.0, tiny, 1024.0, 0.0),
            (0.0, 1024.0, tiny, 0.0),
            (0.0, least, 0.5, 0.0),
            (tiny, 0.0, 0.0, 0.0),
            (0.0, least, 2.0, 2.0 * least),
        ] {
            let mut sums = none;
            sums[0][0] = sum;
            let got = product(sums, one(left), by(right))[0][0];
            assert_eq!(got.to_bits(), f32::to_bits(wanted), "{sum} + {left} x {right}");
        }
    }

    #[test]
    fn what_a_processor_refuses_is_refused() {
        let mut tiles = Tiles::NEW;
        assert!(!tiles.zero(0), "not configured");
        let changed = |at: usize, to: u8| {
            let mut bytes = CONFIGURATION;
            bytes[at] = to;
            bytes
        };
        for (at, to) in [(0, 2), (1, 1), (2, 1), (16, 65), (32, 1), (48, 17), (56, 1)] {
            assert!(!tiles.configure(&changed(at, to)), "byte {at} = {to}");
        }
        let mut tiles = configured();
        assert!(!tiles.zero(3), "without a size");
        assert!(!tiles.add_product(0, 1, 1), "one tile twice");
        assert!(!tiles.add_product(0, 2, 1), "sizes that do not fit");
    }

    #[test]
    fn what_is_past_a_tiles_size_is_neither_read_nor_written() {
        let mut tiles = configured();
        // SAFETY: the tile is configured to two rows of 8 bytes.
        assert!(unsafe { tiles.load(1, [[1_u8; 16]; 2].as_ptr().cast(), 16) });
        assert_eq!(tiles.tiles[1].0[0][2..], [0; 14]);
        assert_eq!(tiles.tiles[1].0[2..], [[0; 16]; 14]);
        let mut stored = [[9_u8; 12]; 3];
        // SAFETY: `stored` has three rows of 12 bytes, of which the tile writes two rows of 8.
        assert!(unsafe { tiles.store(1, stored.as_mut_ptr().cast(), 12) });
        let row = [1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9, 9];
        assert_eq!(stored, [row, row, [9; 12]]);
    }
}
