"""The file of samples."""

from __future__ import annotations

import math
from pathlib import Path

from soak.history import Sample, append, last, read


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    assert read(path) == [] and last([]) == (0, 0.0)
    first, second = Sample(1, 0.1, 99.5, 7, 3, 12, 150.0), Sample(2, 0.2, 98.0, 7, 3, 0, math.nan)
    append(path, first)
    append(path, second)
    found = read(path)
    assert found[0] == first and math.isnan(found[1].latency_ms)
    assert last(found) == (2, 0.2)
