//! Signals between the layers, and the memory they live in.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;
use memmap2::MmapMut;

use super::layers::Statistics;

/// Rows of one moment each, `channels` numbers in a row.
#[derive(Debug)]
pub(crate) struct Signal {
    pub(crate) values: Buffer<f32>,
    pub(crate) channels: usize,
}

impl Signal {
    pub(crate) fn rows(&self) -> usize {
        self.values.len() / self.channels.max(1)
    }

    pub(crate) fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.channels..(row + 1) * self.channels]
    }
}

/// Sums over the rows of a signal: its statistics before the division.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moments {
    rows: usize,
    pub(crate) sums: Vec<f64>,
    pub(crate) squares: Vec<f64>,
}

impl Moments {
    pub(crate) fn new(channels: usize) -> Self {
        Self { rows: 0, sums: vec![0.0; channels], squares: vec![0.0; channels] }
    }

    /// Counts the rows that a kernel adds to the sums.
    pub(crate) fn count(&mut self, rows: usize) {
        self.rows += rows;
    }

    /// The moments of a signal from those of its parts, in their order.
    pub(crate) fn of_parts(channels: usize, parts: &[Self]) -> Self {
        let mut whole = Self::new(channels);
        for part in parts {
            whole.rows += part.rows;
            add(&mut whole.sums, &part.sums);
            add(&mut whole.squares, &part.squares);
        }
        whole
    }

    pub(crate) fn statistics(&self) -> Statistics {
        let rows = self.rows.max(1) as f64;
        let mean: Vec<_> = self.sums.iter().map(|sum| sum / rows).collect();
        let variance = mean
            .iter()
            .zip(&self.squares)
            .map(|(mean, square)| (square / rows - mean * mean).max(0.0))
            .collect();
        Statistics { mean, variance }
    }
}

fn add(sums: &mut [f64], more: &[f64]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Numbers in memory of their own, straight from the system: it begins at a page, and has huge pages where the system
/// has them, without which the processor looks up addresses for a third of the time.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    /// None as long as it is empty.
    memory: Option<MmapMut>,
    len: usize,
    numbers: PhantomData<T>,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self { memory: None, len: 0, numbers: PhantomData }
    }
}

impl<T: Pod> Buffer<T> {
    /// How many numbers it has room for.
    fn capacity(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.len() / size_of::<T>())
    }

    /// Makes it this long, of any content.
    ///
    /// # Panics
    ///
    /// If the system has no memory, as any allocation.
    fn resize(&mut self, len: usize) {
        if self.capacity() < len {
            // Given back before more is asked for.
            self.memory = None;
            let memory = MmapMut::map_anon(len * size_of::<T>()).expect("there is memory");
            #[cfg(target_os = "linux")]
            // A system that cannot has small pages.
            let _ = memory.advise(memmap2::Advice::HugePage);
            self.memory = Some(memory);
        }
        self.len = len;
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let bytes = self.memory.as_deref().unwrap_or_default();
        bytemuck::cast_slice(&bytes[..self.len * size_of::<T>()])
    }
}

impl<T: Pod> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = self.memory.as_deref_mut().unwrap_or_default();
        bytemuck::cast_slice_mut(&mut bytes[..self.len * size_of::<T>()])
    }
}

/// Buffers that are used again, so that the memory of one utterance serves the next.
#[derive(Debug)]
pub(crate) struct Buffers<T> {
    free: Mutex<Vec<Buffer<T>>>,
}

impl<T> Default for Buffers<T> {
    fn default() -> Self {
        Self { free: Mutex::default() }
    }
}

/// More than this many bytes of free buffers are given back to the system.
const KEPT: usize = 96 << 20;

impl<T: Pod> Buffers<T> {
    /// A buffer of this length, of any content.
    pub(crate) fn take(&self, len: usize) -> Buffer<T> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // The smallest that is large enough, else the largest, to grow.
        let best = (0..free.len()).min_by_key(|i| {
            let capacity = free[*i].capacity();
            if capacity >= len { (0, capacity) } else { (1, usize::MAX - capacity) }
        });
        let mut buffer = best.map(|best| free.swap_remove(best)).unwrap_or_default();
        drop(free);
        buffer.resize(len);
        buffer
    }

    /// Gives a buffer back.
    pub(crate) fn give(&self, buffer: Buffer<T>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(buffer);
        let size =
            |free: &[Buffer<T>]| free.iter().map(Buffer::capacity).sum::<usize>() * size_of::<T>();
        while size(&free) > KEPT {
            let largest = (0..free.len()).max_by_key(|i| free[*i].capacity());
            largest.map(|largest| free.swap_remove(largest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_parts_are_those_of_the_whole() {
        let part = |rows, sum, square| Moments { rows, sums: vec![sum], squares: vec![square] };
        let whole = Moments::of_parts(1, &[part(1, 2.0, 4.0), part(3, 6.0, 20.0)]);
        assert_eq!(whole, part(4, 8.0, 24.0));
        let Statistics { mean, variance } = whole.statistics();
        assert_eq!((mean, variance), (vec![2.0], vec![2.0]));
    }

    #[test]
    fn buffers_come_back_and_huge_ones_do_not_stay() {
        let buffers = Buffers::<f32>::default();
        let (small, large) = (buffers.take(10), buffers.take(1000));
        let at = (small.as_ptr(), large.as_ptr());
        buffers.give(small);
        buffers.give(large);
        let (large, small) = (buffers.take(500), buffers.take(10));
        assert_eq!(at, (small.as_ptr(), large.as_ptr()));
        assert_eq!((small.len(), large.len()), (10, 500));
        assert!(large.as_ptr().addr().is_multiple_of(4096));
        buffers.give(buffers.take(KEPT / 4 + 1));
        assert!(buffers.free.lock().unwrap().is_empty());
    }
}
