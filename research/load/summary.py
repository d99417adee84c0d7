"""From the answers that clients had to the numbers of the table."""

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
    """What one request was answered with. Times are seconds of one clock."""

    asked: float
    ended: float
    first_audio: float | None
    """When the first sound was there; none if the service was overloaded."""
    sound_bytes: int


@dataclass(frozen=True)
class Window:
    """The time that counts: all clients are at work, and none has stopped."""

    begins: float
    ends: float

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.ends - self.begins

    def has(self, answer: Answer) -> bool:
        """Whether the answer was complete in this time."""
        return self.begins <= answer.ended < self.ends


@dataclass(frozen=True)
class Speed:
    """How fast a number of clients was answered."""

    answered: int
    overloaded: int
    requests_per_s: float
    sound_per_s: float
    """Seconds of sound for each second."""
    first_audio_ms: dict[str, float]
    """By percentile, such as `p50`; `p100` is the longest."""

    @classmethod
    def of(cls, answers: Iterable[Answer], window: Window) -> Speed:
        """Of the answers that were complete in the window."""
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
    """The smallest of the values that at least `percent` of a hundred of them do not exceed."""
    rank = math.ceil(len(values) * percent / 100)
    return sorted(values)[max(rank, 1) - 1]
