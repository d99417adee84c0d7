"""The spectral difference between two signals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_WINDOW, _HOP = 1024, 256
_FLOOR = 1e-4
"""Bins more than 80 dB below the reference's loudest bin count as -80 dB."""

Signal = NDArray[np.float32]


def average_spectrum_distance(reference: Signal, signal: Signal) -> float:
    """The root mean square difference in dB of the time-averaged log spectra; the signals may differ in tempo."""
    a, b = (_magnitudes(s, max(len(s), _WINDOW)).mean(axis=0) for s in (reference, signal))
    floor = max(float(a.max()) * _FLOOR, 1e-9)
    difference = 20 * np.log10(np.maximum(a, floor) / np.maximum(b, floor))
    return float(np.sqrt((difference**2).mean()))


def _magnitudes(signal: Signal, length: int) -> NDArray[np.float64]:
    padded = np.pad(signal[:length], (0, max(0, length - len(signal)))).astype(np.float64)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP]
    return np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), axis=1))
