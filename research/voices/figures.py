"""What is measured of a recipe, over sentences that `speech` speaks by it.

mos        Distill-MOS of each sentence, as the library gives it
dnsmos     DNSMOS, mean over the sentences; 0 for the part `screen`
wrong, of  words (English) or consonants (Hindi) that Whisper misheard, and how many there were; both 0 for
           `screen`, which Whisper does not listen to
pitch      10th, 50th and 90th percentile of the voiced frames, in Hz
gain_db    what brings the sentences in a row to TARGET_LUFS; peak_dbfs: the highest sample after that
rate       letters a second, silence cut off: how fast a voice speaks beside others on the same sentences
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
    """What was measured of one recipe in one language on one part of the sentences."""

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
        """Error rate: of words in English, of consonants in Hindi; not a number where nothing listened."""
        return self.wrong / self.of if self.of else math.nan


def similarity(a: Figures, b: Figures) -> float:
    """How alike two voices are: cosine of their speaker embeddings."""
    return float(np.dot(a.embedding, b.embedding))
