"""The file of measurements, which the next run continues."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """A process's resources at one time."""

    run: int
    """The number of the run, from 1 on; each resumed soak adds a run with a new process."""
    minutes: float
    """Minutes since the beginning, over all runs."""
    resident_mb: float
    """The resident set in units of 10**6 bytes, without file mappings."""
    descriptors: int
    threads: int
    operations: int
    """Operations since the previous sample."""
    latency_ms: float
    """The median time of "Yes." since the previous sample; NaN if it was not spoken."""


def read(path: Path) -> list[Sample]:
    """The samples of all runs so far; empty if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [_sample(row) for row in csv.DictReader(file)]


def append(path: Path, sample: Sample) -> None:
    """Appends a sample to the file at once, so that it survives a crash."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Sample)])
        if is_new:
            writer.writeheader()
        writer.writerow(asdict(sample))


def last(samples: Sequence[Sample]) -> tuple[int, float]:
    """The number of the last run and the total minutes; zeros if there was none."""
    return (samples[-1].run, samples[-1].minutes) if samples else (0, 0.0)


def _sample(row: dict[str, str]) -> Sample:
    return Sample(
        run=int(row["run"]),
        minutes=float(row["minutes"]),
        resident_mb=float(row["resident_mb"]),
        descriptors=int(row["descriptors"]),
        threads=int(row["threads"]),
        operations=int(row["operations"]),
        latency_ms=float(row["latency_ms"]),
    )
