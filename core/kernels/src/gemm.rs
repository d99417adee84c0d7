//! Matrix products (GEMM): a register-blocked micro-kernel over packed panels (Goto and van de
//! Geijn 2008).

use std::ops::Range;

use super::simd::{Simd, Vector};

/// The operands of a product: some rows of the left matrix, and one packed panel of the right
/// matrix.
#[derive(Clone, Copy)]
pub(super) struct Product {
    /// The first row.
    pub(super) rows: *const f32,
    /// The elements from one row to the next.
    pub(super) stride: usize,
    /// The inner dimension: the elements of a row, and the rows of the panel.
    pub(super) depth: usize,
    /// Contiguous rows of two vectors.
    pub(super) panel: *const f32,
    /// The address read after this product, and how many elements there are prefetched during the
    /// product.
    pub(super) next: *const f32,
    pub(super) prefetch_len: usize,
}

/// An instruction set with a matrix-product micro-kernel.
pub(super) trait Gemm: Simd {
    /// The rows of the micro-kernel: the most whose accumulators, two vectors per row, stay in
    /// registers. At most 12.
    const MICROKERNEL_ROWS: usize;

    /// The inner loop of the micro-kernel: [`add_products`].
    ///
    /// # Safety
    ///
    /// As for [`add_products`].
    #[inline(always)]
    unsafe fn add_products<const ROWS: usize>(
        self,
        product: Product,
        step: usize,
        sums: &mut [[Self::Vector; 2]; ROWS],
    ) {
        // SAFETY: this function has the same safety contract.
        unsafe { add_products(self, product, step, sums) }
    }
}

/// The columns of a packed panel: two vectors.
pub(super) const fn panel_width<S: Simd>() -> usize {
    2 * S::WIDTH
}

/// The initial values and the destination of a product's sums.
pub(super) trait Accumulators<S: Simd>: Copy {
    /// Prefetches the memory that [`Self::store`] accesses for a row.
    fn prefetch(self, simd: S, row: usize);

    /// The initial value of a vector of sums.
    ///
    /// # Safety
    ///
    /// The row exists, and contains a whole vector from the column on.
    unsafe fn load(self, simd: S, row: usize, column: usize) -> S::Vector;

    /// Receives the final value of a vector of sums.
    ///
    /// # Safety
    ///
    /// The row exists, and contains a whole vector from the column on.
    unsafe fn store(self, simd: S, row: usize, column: usize, sum: S::Vector);
}

/// Computes `count` rows of the product, in nearly equal parts that fit the micro-kernel.
///
/// # Safety
///
/// `product.rows` is valid for reads of `count` rows of `depth` elements, and `product.panel` of
/// `depth` rows of two vectors. `sums(range)` has the rows of that range.
#[inline(always)]
pub(super) unsafe fn multiply<S: Gemm, A: Accumulators<S>>(
    simd: S,
    product: Product,
    count: usize,
    sums: impl Fn(Range<usize>) -> A,
) {
    let parts = count.div_ceil(S::MICROKERNEL_ROWS);
    // The prefetches are spread evenly over all steps of all parts.
    let step = product.prefetch_len.div_ceil((parts * product.depth).max(1));
    let mut first = 0;
    for part in 0..parts {
        let end = count * (part + 1) / parts;
        // SAFETY: there are `count` rows (this function's safety contract), and `first..end` is a
        // range of them.
        unsafe {
            let rows = product.rows.add(first * product.stride);
            let next = product.next.wrapping_add(part * product.depth * step);
            dispatch(simd, Product { rows, next, ..product }, step, end - first, sums(first..end));
        }
        first = end;
    }
}

/// Calls the micro-kernel for a number of rows.
///
/// # Safety
///
/// As for [`multiply`]; `count` is at most [`Gemm::MICROKERNEL_ROWS`].
#[inline(always)]
unsafe fn dispatch<S: Gemm, A: Accumulators<S>>(
    simd: S,
    product: Product,
    step: usize,
    count: usize,
    sums: A,
) {
    macro_rules! by_count {
        ($($rows:literal)*) => {
            match count {
                // SAFETY: `product` and `sums` have `count` rows (this function's safety contract).
                $($rows if $rows <= S::MICROKERNEL_ROWS => unsafe { microkernel::<S, A, $rows>(simd, product, step, sums) },)*
                _ => unreachable!("more rows than a micro-kernel takes"),
            }
        };
    }
    by_count!(1 2 3 4 5 6 7 8 9 10 11 12);
}

/// # Safety
///
/// As for [`multiply`], for `ROWS` rows.
#[inline(always)]
unsafe fn microkernel<S: Gemm, A: Accumulators<S>, const ROWS: usize>(
    simd: S,
    product: Product,
    step: usize,
    sums: A,
) {
    let mut acc = [[simd.splat(0.0); 2]; ROWS];
    // SAFETY: the operands are valid, and `sums` has `ROWS` rows of two vectors (this function's
    // safety contract).
    unsafe {
        for (row, acc) in acc.iter_mut().enumerate() {
            sums.prefetch(simd, row);
            *acc = [sums.load(simd, row, 0), sums.load(simd, row, S::WIDTH)];
        }
        simd.add_products(product, step, &mut acc);
        for (row, acc) in acc.iter().enumerate() {
            sums.store(simd, row, 0, acc[0]);
            sums.store(simd, row, S::WIDTH, acc[1]);
        }
    }
}

/// Adds the products of `ROWS` rows. After each element of a row, prefetches the next `step`
/// elements.
///
/// # Safety
///
/// As for [`multiply`], for `ROWS` rows.
#[inline(always)]
pub(super) unsafe fn add_products<S: Simd, const ROWS: usize>(
    simd: S,
    product: Product,
    step: usize,
    sums: &mut [[S::Vector; 2]; ROWS],
) {
    let Product { rows, stride, depth, mut panel, mut next, .. } = product;
    // SAFETY: there are `ROWS` rows of `depth` elements and `depth` rows of the panel (this
    // function's safety contract). Any address may be prefetched.
    unsafe {
        for c in 0..depth {
            let weights = [simd.load(panel), simd.load(panel.add(S::WIDTH))];
            for (row, sums) in sums.iter_mut().enumerate() {
                let x = simd.splat(*rows.add(row * stride + c));
                sums[0] = x.mul_add(weights[0], sums[0]);
                sums[1] = x.mul_add(weights[1], sums[1]);
            }
            panel = panel.add(2 * S::WIDTH);
            simd.prefetch(next);
            next = next.wrapping_add(step);
        }
    }
}
