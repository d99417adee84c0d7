"""Scores the recordings of each configuration with Distill-MOS, a predictor of listening scores from 1 to 5.

It runs in the environment of `research/voices`, and treats recordings as that does: each as the engine returned it.
"""

from __future__ import annotations

import math
import statistics
import wave
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .configurations import CONFIGURATIONS, JUDGED
from .errors import CompareError
from .machine import usable_processors


def judge(recordings: Path) -> dict[str, Any]:
    """The scores of every recorded configuration, by name."""
    names = [c.name for c in CONFIGURATIONS if (recordings / c.name).is_dir()]
    paths = [recordings / name / f"{entry['name']}.wav" for name in names for entry in JUDGED]
    if missing := [path for path in paths if not path.exists()]:
        raise CompareError(f"there is no recording {missing[0]}: run the comparison again")
    with ProcessPoolExecutor(usable_processors()) as pool:
        scores = list(pool.map(_score, paths))
    return {
        name: summary(scores[start : start + len(JUDGED)])
        for name, start in zip(names, range(0, len(scores), len(JUDGED)), strict=True)
    }


def summary(scores: Sequence[float]) -> dict[str, Any]:
    """The mean of the scores and its standard error over the texts."""
    error = statistics.stdev(scores) / math.sqrt(len(scores))
    return {"mean": statistics.mean(scores), "standard_error": error, "scores": list(scores)}


def read_wav(path: Path) -> tuple[NDArray[np.float32], int]:
    """The samples within -1 and 1, and the sample rate."""
    with wave.open(str(path), "rb") as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return samples.astype(np.float32) / 32768, file.getframerate()


def _score(path: Path) -> float:
    return round(_opinion().distill_mos(*read_wav(path)), 3)


@cache
def _opinion() -> Any:
    """Loaded once per process, and only here: the rest of this module needs no PyTorch."""
    from voices.opinion import Opinion

    return Opinion()
