//! Products of matrices: the sums of a few rows, two vectors wide, in registers.

use std::ops::Range;

use super::lanes::{Lanes, Vector};

/// A product of the rows of one matrix and a panel of the other.
#[derive(Clone, Copy)]
pub(super) struct Product {
    /// The first row.
    pub(super) rows: *const f32,
    /// From one row to the next.
    pub(super) stride: usize,
    /// Numbers of a row, and rows of the panel.
    pub(super) depth: usize,
    /// Rows of two vectors, one after another.
    pub(super) panel: *const f32,
    /// What will be read next, and how many numbers of it are brought near meanwhile.
    pub(super) next: *const f32,
    pub(super) ahead: usize,
}

/// Where sums come from and go to.
pub(super) trait Sums<L: Lanes>: Copy {
    /// Brings near what a row will be added to.
    fn approach(self, lanes: L, row: usize);

    /// # Safety
    ///
    /// There are such a row and, in it, such a column.
    unsafe fn begin(self, lanes: L, row: usize, column: usize) -> L::Vector;

    /// # Safety
    ///
    /// There are such a row and, in it, such a column.
    unsafe fn end(self, lanes: L, row: usize, column: usize, sum: L::Vector);
}

/// Computes this many rows, in parts of about the same number that a microkernel takes.
///
/// # Safety
///
/// `product` names that many rows and a panel that can be read, `sums` that many rows.
#[inline(always)]
pub(super) unsafe fn multiply<L: Lanes, S: Sums<L>>(
    lanes: L,
    product: Product,
    count: usize,
    sums: impl Fn(Range<usize>) -> S,
) {
    let parts = count.div_ceil(L::ROWS);
    // Each part asks for its share of what comes next, some of it in each step.
    let step = product.ahead.div_ceil((parts * product.depth).max(1));
    let mut first = 0;
    for part in 0..parts {
        let next = count * (part + 1) / parts;
        // SAFETY: the caller's, for rows from the first on.
        unsafe {
            let rows = product.rows.add(first * product.stride);
            let near = product.next.wrapping_add(part * product.depth * step);
            dispatch(
                lanes,
                Product { rows, next: near, ..product },
                step,
                next - first,
                sums(first..next),
            );
        }
        first = next;
    }
}

/// Calls the microkernel for a number of rows.
///
/// # Safety
///
/// As for [`multiply`]; `count` is at most [`Lanes::ROWS`].
#[inline(always)]
unsafe fn dispatch<L: Lanes, S: Sums<L>>(
    lanes: L,
    product: Product,
    step: usize,
    count: usize,
    sums: S,
) {
    macro_rules! by_count {
        ($($rows:literal)*) => {
            match count {
                // SAFETY: the caller's.
                $($rows if $rows <= L::ROWS => unsafe { microkernel::<L, S, $rows>(lanes, product, step, sums) },)*
                _ => unreachable!("more rows than a microkernel takes"),
            }
        };
    }
    by_count!(1 2 3 4 5 6 7 8 9 10 11 12);
}

/// # Safety
///
/// As for [`multiply`], for `ROWS` rows.
#[inline(always)]
unsafe fn microkernel<L: Lanes, S: Sums<L>, const ROWS: usize>(
    lanes: L,
    product: Product,
    step: usize,
    sums: S,
) {
    let Product { rows, stride, depth, mut panel, mut next, .. } = product;
    let mut acc = [[lanes.splat(0.0); 2]; ROWS];
    // SAFETY: the caller's: `ROWS` rows of `depth` numbers, as many rows of the panel, and `ROWS` rows of sums.
    unsafe {
        for (row, acc) in acc.iter_mut().enumerate() {
            sums.approach(lanes, row);
            *acc = [sums.begin(lanes, row, 0), sums.begin(lanes, row, L::WIDTH)];
        }
        for c in 0..depth {
            let weights = [lanes.load(panel), lanes.load(panel.add(L::WIDTH))];
            for (row, acc) in acc.iter_mut().enumerate() {
                let x = lanes.splat(*rows.add(row * stride + c));
                acc[0] = x.mul_add(weights[0], acc[0]);
                acc[1] = x.mul_add(weights[1], acc[1]);
            }
            panel = panel.add(2 * L::WIDTH);
            lanes.prefetch(next);
            next = next.wrapping_add(step);
        }
        for (row, acc) in acc.iter().enumerate() {
            sums.end(lanes, row, 0, acc[0]);
            sums.end(lanes, row, L::WIDTH, acc[1]);
        }
    }
}
