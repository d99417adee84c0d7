"""A player of sound that arrives: what a caller hears, and when there was nothing to hear."""

from __future__ import annotations

from dataclasses import dataclass

from .summary import BYTES_PER_SECOND


@dataclass
class Player:
    """Plays sound as it comes, and tells for how long it had nothing to play."""

    begun: float | None = None
    ends: float = 0.0
    gaps: float = 0.0

    def take(self, now: float, size: int) -> None:
        """So many bytes have come."""
        if self.begun is None:
            self.begun = self.ends = now
        self.gaps += max(0.0, now - self.ends)
        self.ends = max(self.ends, now) + size / BYTES_PER_SECOND
