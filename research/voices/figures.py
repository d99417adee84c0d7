"""The figures measured for a recipe, over sentences that `speech` speaks with it.

    mos        Distill-MOS of each sentence, as returned by the library
    dnsmos     DNSMOS, mean over the sentences; 0 for the part `screen`
    wrong, of  words (English) or consonants (Hindi) that Whisper misheard, and their total number; both 0 for
               `screen`, for which Whisper is not run
    pitch      10th, 50th and 90th percentile of the voiced frames, in Hz
    gain_db    the gain that brings the concatenated sentences to TARGET_LUFS; peak_dbfs: the highest sample after that
    rate       letters per second without silence: the speaking rate relative to other voices on the same sentences
    embedding  mean speaker embedding (speaker.py), unit length
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

TARGET_LUFS = -22.0
"""The integrated loudness of every voice. README.md says why."""


@dataclass(frozen=True)
class Figures:
    """The figures of one recipe in one language on one part of the sentences."""

    mos: list[float]
    dnsmos: float
    wrong: int
    of: int
    misheard: list[list[str]]
    pitch: list[float]
    gain_db: float
    peak_dbfs: float
    rate: float
    embedding: list[float]

    @property
    def mean(self) -> float:
        """Mean Distill-MOS."""
        return float(np.mean(self.mos))

    @property
    def standard_error(self) -> float:
        return float(np.std(self.mos, ddof=1) / len(self.mos) ** 0.5)

    @property
    def errors(self) -> float:
        """The error rate: of words in English, of consonants in Hindi; NaN if Whisper was not run."""
        return self.wrong / self.of if self.of else math.nan


def similarity(a: Figures, b: Figures) -> float:
    """The similarity of two voices: the cosine of their speaker embeddings."""
    return float(np.dot(a.embedding, b.embedding))
