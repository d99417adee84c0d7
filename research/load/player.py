"""Simulates a player of arriving audio, and records the gaps."""

from __future__ import annotations

from dataclasses import dataclass

from .summary import BYTES_PER_SECOND


@dataclass
class Player:
    """Plays audio as it arrives, and records for how long it had nothing to play."""

    begun: float | None = None
    ends: float = 0.0
    gaps: float = 0.0

    def take(self, now: float, size: int) -> None:
        """Takes `size` bytes that arrived at `now`."""
        if self.begun is None:
            self.begun = self.ends = now
        self.gaps += max(0.0, now - self.ends)
        self.ends = max(self.ends, now) + size / BYTES_PER_SECOND
