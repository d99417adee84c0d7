"""Measures how steady the machine is: times a fixed workload repeatedly, and the load of other programs.

The workload is single-threaded floating point, and fits into the L2 cache of most processors.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SLICES, TRANSFORMS = 7, 12
_SIGNAL = np.random.default_rng(0).standard_normal((64, 2048)).astype(np.float32)


def calibrate() -> float:
    """The milliseconds of the fixed workload: the median of some slices."""
    slices = []
    for _ in range(SLICES):
        start = time.perf_counter()
        for _ in range(TRANSFORMS):
            np.fft.irfft(np.fft.rfft(_SIGNAL))
        slices.append((time.perf_counter() - start) * 1e3)
    return statistics.median(slices)


@dataclass(frozen=True)
class ProcessorTimes:
    """Seconds since the system started, over all processors: busy with processes, and stolen by the hypervisor."""

    busy: float
    stolen: float

    @classmethod
    def now(cls) -> ProcessorTimes | None:
        """The times now; `None` where the system does not report them (Linux does)."""
        try:
            first = Path("/proc/stat").read_text(encoding="utf-8").splitlines()[0]
        except OSError:
            return None
        user, nice, system, _idle, _iowait, irq, softirq, steal = (int(x) for x in first.split()[1:9])
        tick = os.sysconf("SC_CLK_TCK")
        return cls((user + nice + system + irq + softirq) / tick, steal / tick)


def other_load(
    before: ProcessorTimes | None, after: ProcessorTimes | None, own_s: float, wall_s: float
) -> float | None:
    """The average number of processors stolen or busy with anything but a child process that took `own_s`."""
    if before is None or after is None:
        return None
    total = after.busy - before.busy + after.stolen - before.stolen
    return max(0.0, (total - own_s) / wall_s)
