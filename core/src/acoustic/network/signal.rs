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

/// Memory that is used again, for numbers of any kind: that of one utterance serves the next.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    free: Mutex<Vec<MmapMut>>,
}

/// More than this many bytes of free memory are given back to the system.
const KEPT: usize = 160 << 20;

/// What is this many times larger than needed is left for what needs it.
const ROOMY: usize = 8;

/// Unless it is no larger than this many bytes.
const SMALL: usize = 1 << 20;

impl Buffers {
    /// A buffer of this length, of any content.
    pub(crate) fn take<T: Pod>(&self, len: usize) -> Buffer<T> {
        let bytes = len * size_of::<T>();
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // The smallest that is large enough, else the largest that is not, to grow.
        let rank = |capacity: usize| match capacity {
            _ if capacity < bytes => Some((1, usize::MAX - capacity)),
            _ if capacity <= SMALL.max(ROOMY * bytes) => Some((0, capacity)),
            _ => None,
        };
        let ranks =
            free.iter().enumerate().filter_map(|(i, memory)| Some((rank(memory.len())?, i)));
        let memory = ranks.min().map(|(_, best)| free.swap_remove(best));
        drop(free);
        let mut buffer = Buffer { memory, len: 0, numbers: PhantomData };
        buffer.resize(len);
        buffer
    }

    /// Gives a buffer back.
    pub(crate) fn give<T>(&self, buffer: Buffer<T>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(buffer.memory);
        while free.iter().map(|memory| memory.len()).sum::<usize>() > KEPT {
            let largest = (0..free.len()).max_by_key(|i| free[*i].len());
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
        let buffers = Buffers::default();
        let (small, large) = (buffers.take::<f32>(10), buffers.take::<f32>(1000));
        let at = (small.as_ptr(), large.as_ptr());
        buffers.give(small);
        buffers.give(large);
        let (large, small) = (buffers.take::<f32>(500), buffers.take::<f32>(10));
        assert_eq!(at, (small.as_ptr(), large.as_ptr()));
        assert_eq!((small.len(), large.len()), (10, 500));
        assert!(large.as_ptr().addr().is_multiple_of(4096));
        buffers.give(large);
        assert_eq!(buffers.take::<u16>(2000).as_ptr().addr(), at.1.addr());
        buffers.give(buffers.take::<f32>(KEPT / 4 + 1));
        assert!(buffers.free.lock().unwrap().is_empty());
    }

    #[test]
    fn what_is_far_too_large_is_left_for_others() {
        let buffers = Buffers::default();
        let large = buffers.take::<u8>(2 * SMALL);
        let at = large.as_ptr();
        buffers.give(large);
        let small = buffers.take::<u8>(10);
        assert_eq!(buffers.take::<u8>(SMALL).as_ptr(), at);
        assert_eq!(small.len(), 10);
    }
}
