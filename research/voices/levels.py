"""Loudness, pitch, and the bounds of speech."""

from __future__ import annotations

import librosa
import numpy as np
import pyloudnorm
from numpy.typing import NDArray

Samples = NDArray[np.float32]


def speech_bounds(samples: Samples, rate: int, below_db: float = 50, keep_s: float = 0.03) -> tuple[int, int]:
    """The first sample of speech and the one after the last: `keep_s` outside the 10 ms frames that are less than
    `below_db` below the loudest one."""
    size = rate // 100
    frames = samples[: len(samples) // size * size].reshape(-1, size)
    level = np.sqrt((frames**2).mean(axis=1))
    loud = np.flatnonzero(level > level.max() * 10 ** (-below_db / 20))
    keep = int(keep_s * rate)
    return max(0, int(loud[0]) * size - keep), min(len(samples), (int(loud[-1]) + 1) * size + keep)


def loudness(samples: Samples, rate: int) -> float:
    """Integrated loudness in LUFS (ITU-R BS.1770), mono."""
    return float(pyloudnorm.Meter(rate).integrated_loudness(samples.astype(np.float64)))


def peak(samples: Samples) -> float:
    """The highest sample in dBFS."""
    return float(20 * np.log10(np.abs(samples).max()))


def pitch(samples: Samples, rate: int) -> Samples:
    """The fundamental frequency of each voiced frame of 20 ms, in Hz."""
    f0, voiced, _ = librosa.pyin(samples, fmin=50, fmax=450, sr=rate, frame_length=1024, hop_length=rate // 50)
    return f0[voiced].astype(np.float32)
