"""Plots a process's resources over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path

from matplotlib.figure import Figure

from .history import Sample

PANELS: tuple[tuple[str, Callable[[Sample], float]], ...] = (
    ("anonymous memory, MB", lambda sample: sample.resident_mb),
    ("descriptors", lambda sample: sample.descriptors),
    ("threads", lambda sample: sample.threads),
    ('"Yes.", ms', lambda sample: sample.latency_ms),
)


def draw(name: str, samples: Sequence[Sample], path: Path) -> None:
    """Writes the plot; each run has its own color."""
    figure = Figure(figsize=(9, 8), layout="constrained")
    axes = figure.subplots(len(PANELS), 1, sharex=True)
    figure.suptitle(name)
    for axis, (title, value) in zip(axes, PANELS, strict=True):
        for run in sorted({sample.run for sample in samples}):
            # Some pairs of samples have no completed probe between them.
            of_run = [sample for sample in samples if sample.run == run and not isnan(value(sample))]
            axis.plot([sample.minutes for sample in of_run], [value(sample) for sample in of_run], linewidth=1)
        axis.set_ylabel(title)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    axes[-1].set_xlabel("minutes")
    figure.savefig(path, dpi=100)
