"""Computes the table's numbers from the clients' responses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .errors import LoadError

SAMPLE_RATE = 22_050
BYTES_PER_SECOND = 2 * SAMPLE_RATE

PERCENTILES = (50, 95, 99, 100)


@dataclass(frozen=True)
class Answer:
    """The outcome of one request. Times are seconds of one clock."""

    asked: float
    ended: float
    first_audio: float | None
    """The time of the first audio; none if the service was overloaded."""
    sound_bytes: int


@dataclass(frozen=True)
class Window:
    """The measurement window: all clients are active, and none has stopped."""

    begins: float
    ends: float

    @property
    def seconds(self) -> float:
        """The length of the window."""
        return self.ends - self.begins

    def has(self, answer: Answer) -> bool:
        """Whether the response was completed in the window."""
        return self.begins <= answer.ended < self.ends


@dataclass(frozen=True)
class Speed:
    """The speed at which a number of clients was served."""

    answered: int
    overloaded: int
    requests_per_s: float
    sound_per_s: float
    """Seconds of audio per second."""
    first_audio_ms: dict[str, float]
    """By percentile, such as `p50`; `p100` is the longest."""

    @classmethod
    def of(cls, answers: Iterable[Answer], window: Window) -> Speed:
        """Computed from the responses completed in the window."""
        counted = [answer for answer in answers if window.has(answer)]
        waits = [(a.first_audio - a.asked) * 1e3 for a in counted if a.first_audio is not None]
        if not waits:
            raise LoadError("nothing was spoken in the time that counts: give more --seconds")
        sound = sum(answer.sound_bytes for answer in counted) / BYTES_PER_SECOND
        return cls(
            answered=len(waits),
            overloaded=len(counted) - len(waits),
            requests_per_s=len(waits) / window.seconds,
            sound_per_s=sound / window.seconds,
            first_audio_ms={f"p{percent}": percentile(waits, percent) for percent in PERCENTILES},
        )


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that is not exceeded by at least `percent` percent of the values."""
    rank = math.ceil(len(values) * percent / 100)
    return sorted(values)[max(rank, 1) - 1]
