"""What was measured, in a file that the next run goes on with."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """What a process held at one time."""

    run: int
    """The process that it was: a resumed soak has more than one, from 1 on."""
    minutes: float
    """Since the beginning, over all runs."""
    resident_mb: float
    """Resident set in units of 10**6 bytes, without what is mapped from files."""
    descriptors: int
    threads: int
    operations: int
    """Since the sample before."""
    latency_ms: float
    """The median time of "Yes." since the sample before; NaN if it was not said."""


def read(path: Path) -> list[Sample]:
    """The samples of all runs so far, none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [_sample(row) for row in csv.DictReader(file)]


def append(path: Path, sample: Sample) -> None:
    """Adds a sample, so that it is there whatever happens next."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Sample)])
        if is_new:
            writer.writeheader()
        writer.writerow(asdict(sample))


def last(samples: Sequence[Sample]) -> tuple[int, float]:
    """The number of the last run and the minutes of all, zeros if there was none."""
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
