//! The epilogue: how the sums of a convolution are written to its output.

use std::marker::PhantomData;

use super::gemm::Accumulators;
use super::simd::{Simd, Vector};

/// The function applied to each sum of a convolution: `scale (sum + bias + residual)`, added to the
/// output if `accumulate` is set.
#[derive(Clone, Copy, Debug)]
pub struct Epilogue<'a> {
    /// One element per output channel.
    pub bias: &'a [f32],
    /// A matrix of the output's size.
    pub residual: Option<&'a [f32]>,
    /// The factor of the sum.
    pub scale: f32,
    /// Whether the result is added to the output.
    pub accumulate: bool,
}

impl<'a> Epilogue<'a> {
    /// Writes the sum with the bias added.
    pub fn plain(bias: &'a [f32]) -> Self {
        Self { bias, residual: None, scale: 1.0, accumulate: false }
    }

    /// The new value of the output element `y`, with its column's bias and its residual.
    #[inline(always)]
    pub fn apply(&self, y: f32, sum: f32, bias: f32, residual: f32) -> f32 {
        let value = self.scale * (sum + bias + residual);
        if self.accumulate { y + value } else { value }
    }
}

/// Applies an [`Epilogue`] to vectors of sums and writes them. Positions are relative to an output
/// row and column.
#[derive(Clone, Copy)]
pub(super) struct EpilogueWriter<'a> {
    output: *mut f32,
    /// Null without a residual.
    residual: *const f32,
    bias: *const f32,
    outputs: usize,
    scale: f32,
    accumulate: bool,
    /// The lifetimes of the output and of the epilogue's slices, which all copies share.
    slices: PhantomData<(&'a mut [f32], Epilogue<'a>)>,
}

impl<'a> EpilogueWriter<'a> {
    #[inline(always)]
    pub(super) fn new(epilogue: &Epilogue<'a>, output: &'a mut [f32], outputs: usize) -> Self {
        Self {
            output: output.as_mut_ptr(),
            residual: epilogue.residual.map_or(std::ptr::null(), <[f32]>::as_ptr),
            bias: epilogue.bias.as_ptr(),
            outputs,
            scale: epilogue.scale,
            accumulate: epilogue.accumulate,
            slices: PhantomData,
        }
    }

    /// The same writer, relative to a later row and column.
    #[inline(always)]
    pub(super) fn offset_by(self, row: usize, column: usize) -> Self {
        let offset = row * self.outputs + column;
        Self {
            output: self.output.wrapping_add(offset),
            residual: if self.residual.is_null() {
                self.residual
            } else {
                self.residual.wrapping_add(offset)
            },
            bias: self.bias.wrapping_add(column),
            ..self
        }
    }

    /// Prefetches the memory that [`Self::write`] accesses.
    #[inline(always)]
    pub(super) fn prefetch<S: Simd>(self, simd: S, row: usize, column: usize) {
        let offset = row * self.outputs + column;
        simd.prefetch(self.output.wrapping_add(offset));
        if !self.residual.is_null() {
            simd.prefetch(self.residual.wrapping_add(offset));
        }
    }

    /// Writes a vector of outputs.
    ///
    /// # Safety
    ///
    /// The output has the row, and a whole vector from the column on.
    #[inline(always)]
    pub(super) unsafe fn write<S: Simd>(self, simd: S, row: usize, column: usize, sum: S::Vector) {
        let offset = row * self.outputs + column;
        // SAFETY: the position is in the output (this function's safety contract). The bias has as
        // many columns, and the residual is as large, as [`Operands::check`](crate::Operands)
        // asserted.
        unsafe {
            let mut value = sum + simd.load(self.bias.add(column));
            if !self.residual.is_null() {
                value = value + simd.load(self.residual.add(offset));
            }
            value = value * self.scale;
            let to = self.output.add(offset);
            if self.accumulate {
                value = simd.load(to) + value;
            }
            value.store(to);
        }
    }
}

/// Sums that start from zero and are written as output rows.
#[derive(Clone, Copy)]
pub(super) struct OutputRows<'a> {
    writer: EpilogueWriter<'a>,
}

impl<'a> OutputRows<'a> {
    /// The writer's rows and columns.
    pub(super) fn new(writer: EpilogueWriter<'a>) -> Self {
        Self { writer }
    }
}

impl<S: Simd> Accumulators<S> for OutputRows<'_> {
    #[inline(always)]
    fn prefetch(self, simd: S, row: usize) {
        self.writer.prefetch(simd, row, 0);
        self.writer.prefetch(simd, row, 2 * S::WIDTH - 1);
    }

    #[inline(always)]
    unsafe fn load(self, simd: S, _row: usize, _column: usize) -> S::Vector {
        simd.splat(0.0)
    }

    #[inline(always)]
    unsafe fn store(self, simd: S, row: usize, column: usize, sum: S::Vector) {
        // SAFETY: the position is in the output (this function's safety contract).
        unsafe { self.writer.write(simd, row, column, sum) }
    }
}
