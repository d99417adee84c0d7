"""Predicted listening scores of recordings.

Distill-MOS (Stahl and Gamper 2025, https://arxiv.org/abs/2502.05356) predicts the mean opinion score of a listening
test, 1 to 5, without a reference. It processes 7.68 s at a time, and pads shorter recordings with silence. DNSMOS
(Reddy et al. 2022) was made for noise suppression: a second, rougher opinion.
"""

from __future__ import annotations

import contextlib
import io

import distillmos
import numpy as np
import torch
import torchaudio
from numpy.typing import NDArray
from speechmos import dnsmos

SAMPLE_RATE = 16_000
_DNSMOS_SAMPLES = int(9.02 * SAMPLE_RATE)


class Opinion:
    """Both predictors, on one thread. Samples are within -1 and 1."""

    def __init__(self) -> None:
        torch.set_num_threads(1)
        with contextlib.redirect_stdout(io.StringIO()):  # the package prints where its weights are
            self._distilled = distillmos.ConvTransformerSQAModel()
        self._distilled.eval()

    def distill_mos(self, samples: NDArray[np.float32], rate: int) -> float:
        """Distill-MOS of an unmodified recording, including its silence. It is resampled like in the package's own
        program, by torchaudio with its defaults: a longer filter gives 0.1 to 0.2 more."""
        wave = torchaudio.functional.resample(torch.from_numpy(samples)[None], rate, SAMPLE_RATE)
        with torch.no_grad():
            return float(self._distilled(wave)[0, 0])

    def dnsmos(self, samples: NDArray[np.float32]) -> float:
        """DNSMOS, overall quality, of samples at SAMPLE_RATE; recordings under 9 s are repeated, as in the published
        program."""
        repeated = np.resize(samples, max(len(samples), _DNSMOS_SAMPLES))
        return float(dnsmos.run(np.clip(repeated, -1, 1), SAMPLE_RATE)["ovrl_mos"])
