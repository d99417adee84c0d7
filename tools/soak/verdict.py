"""Judges whether a process's resource use grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from statistics import median

from .history import Sample

WARM_UP = 0.3
"""The share of a run in which caches fill: allocators keep memory for the longest text so far."""

ALLOWED_MB = 8.0
"""The increase of the median that does not count as a leak: allocators keep what a rare text needed."""

ALLOWED_PART = 0.03
"""The same increase, relative to the process's memory."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one run: its resources in the first and the last third after the warm-up."""

    run: int
    minutes: float
    operations: int
    resident_mb: tuple[float, float]
    """Medians."""
    descriptors: tuple[int, int]
    """The minima: descriptors open between two operations."""
    threads: tuple[int, int]
    """The maximum of the first third and the minimum of the last: pools start and end threads on demand."""
    latency_ms: tuple[float, float]
    """Medians. They are reported but not judged, because other programs run on the machine."""

    def faults(self) -> list[str]:
        """A description of each resource that grew."""
        faults = []
        first, last = self.resident_mb
        if last - first > max(ALLOWED_MB, ALLOWED_PART * first):
            faults.append(f"memory grew from {first:.1f} to {last:.1f} MB")
        for name, (before, after) in (("descriptors", self.descriptors), ("threads", self.threads)):
            if after > before:
                faults.append(f"{name} grew from {before} to {after}")
        return faults


def judge(samples: Sequence[Sample]) -> Verdict | None:
    """Judges one run; None if it has too few samples."""
    settled = samples[int(len(samples) * WARM_UP) :]
    third = len(settled) // 3
    if third < 2:
        return None
    ends = settled[:third], settled[-third:]

    def both(value):  # type: ignore[no-untyped-def]
        return tuple(value(end) for end in ends)

    return Verdict(
        run=samples[0].run,
        minutes=samples[-1].minutes - samples[0].minutes,
        operations=sum(sample.operations for sample in samples),
        resident_mb=both(lambda end: median(sample.resident_mb for sample in end)),
        descriptors=both(lambda end: min(sample.descriptors for sample in end)),
        threads=(max(sample.threads for sample in ends[0]), min(sample.threads for sample in ends[1])),
        latency_ms=both(lambda end: _median([s.latency_ms for s in end if not isnan(s.latency_ms)])),
    )


def _median(values: Sequence[float]) -> float:
    return median(values) if values else float("nan")
