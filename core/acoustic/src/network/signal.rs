//! Signals between layers, their statistics, and the memory pool behind them.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;
use speech_base::error::{Error, Result};
use speech_base::system::Memory;

use super::layers::Statistics;

/// A signal over time: a row-major matrix with one row per time step and one column per channel.
#[derive(Debug)]
pub(crate) struct Signal {
    pub(crate) values: Buffer<f32>,
    pub(crate) channels: usize,
}

impl Signal {
    pub(crate) fn time_steps(&self) -> usize {
        self.values.len() / self.channels.max(1)
    }

    /// The channels at a time step.
    pub(crate) fn frame(&self, t: usize) -> &[f32] {
        &self.values[t * self.channels..(t + 1) * self.channels]
    }

    /// Keeps these ranges of time steps, which are in order, and drops the rest.
    pub(crate) fn keep(&mut self, ranges: &[Range<usize>]) {
        let mut kept = 0;
        for range in ranges {
            let rows = range.start * self.channels..range.end * self.channels;
            let count = rows.len();
            self.values.copy_within(rows, kept);
            kept += count;
        }
        self.values.len = kept;
    }
}

/// The sums of each channel over time, from which mean and variance follow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChannelSums {
    time_steps: usize,
    pub(crate) sums: Vec<f64>,
    pub(crate) squares: Vec<f64>,
}

impl ChannelSums {
    pub(crate) fn new(channels: usize) -> Self {
        Self { time_steps: 0, sums: vec![0.0; channels], squares: vec![0.0; channels] }
    }

    /// Counts time steps that a kernel has added to the sums.
    pub(crate) fn count(&mut self, time_steps: usize) {
        self.time_steps += time_steps;
    }

    /// The sums of a signal from those of its parts. They are added in order, so that the result is
    /// reproducible.
    pub(crate) fn of_parts(channels: usize, parts: &[Self]) -> Self {
        let mut whole = Self::new(channels);
        parts.iter().for_each(|part| whole.add(part, 1.0));
        whole
    }

    /// Adds the sums of another signal, `times` times.
    pub(crate) fn add(&mut self, other: &Self, times: f64) {
        self.time_steps += (times * other.time_steps as f64).round() as usize;
        let add = |sums: &mut [f64], more: &[f64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += times * more);
        };
        add(&mut self.sums, &other.sums);
        add(&mut self.squares, &other.squares);
    }

    /// The mean and the variance of each channel.
    pub(crate) fn statistics(&self) -> Statistics {
        let count = self.time_steps.max(1) as f64;
        let mean: Vec<_> = self.sums.iter().map(|sum| sum / count).collect();
        let variance = mean
            .iter()
            .zip(&self.squares)
            .map(|(mean, square)| (square / count - mean * mean).max(0.0))
            .collect();
        Statistics { mean, variance }
    }
}

/// Elements in page-aligned anonymous memory of the system. It uses huge pages where the system has
/// them: without them, TLB misses take a third of the time.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    /// None while the capacity is zero.
    memory: Option<Memory>,
    len: usize,
    element: PhantomData<T>,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self { memory: None, len: 0, element: PhantomData }
    }
}

impl<T: Pod> Buffer<T> {
    /// The number of elements that fit.
    fn capacity(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.len() / size_of::<T>())
    }

    /// Sets the length. The content is arbitrary.
    ///
    /// # Errors
    ///
    /// `internal` if the system has no memory for it.
    fn resize(&mut self, len: usize) -> Result<()> {
        if self.capacity() < len {
            // Release the old memory before mapping the new, to lower the peak.
            self.memory = None;
            let memory = Memory::allocate(len * size_of::<T>());
            self.memory = Some(memory.ok_or_else(|| {
                Error::internal("the system has no memory left to compute speech")
            })?);
        }
        self.len = len;
        Ok(())
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

/// A pool of memory for buffers of any element type, kept from utterance to utterance.
#[derive(Debug, Default)]
pub(crate) struct BufferPool {
    free: Mutex<Vec<Memory>>,
}

/// The most free memory, in bytes, that is kept after an utterance and when more memory is needed.
/// During an utterance all of it is kept: the system fills new memory with zeros, which takes time.
/// On systems without memory mapping, such as WebAssembly, kept memory fragments the heap: larger
/// buffers do not fit between the kept ones.
const MAX_FREE_BYTES: usize = if cfg!(any(unix, windows)) { 64 << 20 } else { 4 << 20 };

/// Memory larger than a request by more than this factor is left for larger buffers. On systems
/// that never unmap, growing the heap is worse than waste.
const MAX_OVERSIZE: usize = if cfg!(any(unix, windows)) { 4 } else { 8 };

/// Memory of up to this many bytes serves buffers of any length.
const SMALL_BYTES: usize = 1 << 20;

impl BufferPool {
    /// A buffer of this length with arbitrary content.
    ///
    /// # Errors
    ///
    /// `internal` if the system has no memory for it.
    pub(crate) fn take<T: Pod>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len * size_of::<T>();
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // Best fit: the smallest that is large enough, else the largest, which then grows.
        let rank = |capacity: usize| match capacity {
            _ if capacity < bytes => Some((1, usize::MAX - capacity)),
            _ if capacity <= SMALL_BYTES.max(MAX_OVERSIZE * bytes) => Some((0, capacity)),
            _ => None,
        };
        let ranks =
            free.iter().enumerate().filter_map(|(i, memory)| Some((rank(memory.len())?, i)));
        let memory = ranks.min().map(|(_, best)| free.swap_remove(best));
        if memory.as_ref().is_none_or(|memory| memory.len() < bytes) {
            limit(&mut free);
        }
        drop(free);
        let mut buffer = Buffer { memory, len: 0, element: PhantomData };
        buffer.resize(len)?;
        Ok(buffer)
    }

    /// Returns the memory of a buffer to the pool.
    pub(crate) fn recycle<T>(&self, buffer: Buffer<T>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(buffer.memory);
    }

    /// Frees the memory over the limit kept from utterance to utterance.
    pub(crate) fn trim(&self) {
        limit(&mut self.free.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Frees all unused memory.
    pub(crate) fn clear(&self) {
        let free = std::mem::take(&mut *self.free.lock().unwrap_or_else(PoisonError::into_inner));
        // Without the lock: unmapping takes a while, and an utterance may be waiting.
        drop(free);
    }
}

/// Frees the largest blocks until no more than [`MAX_FREE_BYTES`] are left.
fn limit(free: &mut Vec<Memory>) {
    while free.iter().map(|memory| memory.len()).sum::<usize>() > MAX_FREE_BYTES {
        let largest = (0..free.len()).max_by_key(|i| free[*i].len());
        largest.map(|largest| free.swap_remove(largest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_parts_are_those_of_the_whole() {
        let part = |time_steps, sum, square| ChannelSums {
            time_steps,
            sums: vec![sum],
            squares: vec![square],
        };
        let whole = ChannelSums::of_parts(1, &[part(1, 2.0, 4.0), part(3, 6.0, 20.0)]);
        assert_eq!(whole, part(4, 8.0, 24.0));
        let Statistics { mean, variance } = whole.statistics();
        assert_eq!((mean, variance), (vec![2.0], vec![2.0]));
    }

    #[test]
    fn kept_time_steps_stay_in_order() {
        let values = BufferPool::default().take(10).unwrap();
        let mut signal = Signal { values, channels: 2 };
        signal.values.copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|x| x as f32));
        signal.keep(&[0..1, 2..4]);
        assert_eq!(*signal.values, [0.0, 1.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!((signal.time_steps(), signal.frame(2)), (3, &[6.0, 7.0][..]));
    }

    #[test]
    fn memory_that_there_is_not_is_an_error() {
        let buffers = BufferPool::default();
        // More than fits any address space.
        let error = buffers.take::<u8>(usize::MAX / 4 * 3).unwrap_err();
        assert_eq!(error.kind(), speech_base::error::ErrorKind::Internal);
        assert!(error.message().contains("memory"), "{error}");
        assert_eq!(buffers.take::<u8>(10).unwrap().len(), 10);
    }

    #[test]
    fn memory_is_reused_and_huge_buffers_are_not_kept() {
        let buffers = BufferPool::default();
        let (small, large) = (buffers.take::<f32>(10).unwrap(), buffers.take::<f32>(1000).unwrap());
        let at = (small.as_ptr(), large.as_ptr());
        buffers.recycle(small);
        buffers.recycle(large);
        let (large, small) = (buffers.take::<f32>(500).unwrap(), buffers.take::<f32>(10).unwrap());
        assert_eq!(at, (small.as_ptr(), large.as_ptr()));
        assert_eq!((small.len(), large.len()), (10, 500));
        assert!(large.as_ptr().addr().is_multiple_of(4096));
        buffers.recycle(large);
        assert_eq!(buffers.take::<u16>(2000).unwrap().as_ptr().addr(), at.1.addr());
        let huge = buffers.take::<f32>(MAX_FREE_BYTES / 4 + 1).unwrap();
        let at = huge.as_ptr();
        buffers.recycle(huge);
        let huge = buffers.take::<f32>(MAX_FREE_BYTES / 4).unwrap();
        assert_eq!(huge.as_ptr(), at, "kept within an utterance");
        buffers.recycle(huge);
        buffers.trim();
        assert!(buffers.free.lock().unwrap().iter().all(|memory| memory.len() < MAX_FREE_BYTES));
    }

    #[test]
    fn nothing_free_is_left_after_clearing() {
        let buffers = BufferPool::default();
        let (mut taken, free) =
            (buffers.take::<f32>(1000).unwrap(), buffers.take::<f32>(1000).unwrap());
        buffers.recycle(free);
        buffers.clear();
        assert!(buffers.free.lock().unwrap().is_empty());
        taken.fill(1.0);
        buffers.recycle(taken);
        assert_eq!(buffers.free.lock().unwrap().len(), 1);
    }

    #[test]
    fn oversized_memory_is_left_for_larger_buffers() {
        let buffers = BufferPool::default();
        let large = buffers.take::<u8>(2 * SMALL_BYTES).unwrap();
        let at = large.as_ptr();
        buffers.recycle(large);
        let small = buffers.take::<u8>(10).unwrap();
        assert_eq!(buffers.take::<u8>(SMALL_BYTES).unwrap().as_ptr(), at);
        assert_eq!(small.len(), 10);
    }
}
