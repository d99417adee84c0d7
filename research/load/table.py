"""The result in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compare.table import NOT_QUIET, QUIET, number

HEAD = (
    "clients",
    "requests per second",
    "first audio: median",
    "95 %",
    "99 %",
    "longest",
    "overloaded",
    "sound per second",
    "peak memory",
)


LIVE_HEAD = (
    "callers",
    "turns",
    "first audio: median",
    "95 %",
    "99 %",
    "longest",
    "nothing to play, mean",
    "refused",
    "threads",
    "peak memory",
    "idle sessions",
    "memory of these",
)


def markdown(result: Mapping[str, Any]) -> str:
    """The table, and the information needed to read it."""
    rows, live = [_row(level) for level in result["levels"]], [_live_row(level) for level in result["live"]]
    parts = [_heading(result), *(_table(head, rows) for head, rows in ((HEAD, rows), (LIVE_HEAD, live)) if rows)]
    if any(level["other_load"] > QUIET for level in (*result["levels"], *result["live"])):
        parts.append(NOT_QUIET)
    return "\n\n".join(parts) + "\n"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ("---:",) * len(head), *rows))


def _heading(result: Mapping[str, Any]) -> str:
    idle = f", beside {result['idle']} idle connections" if result["idle"] else ""
    counted = ", ".join(str(level["speed"]["answered"]) for level in result["levels"])
    answers = f", with {counted} answers{idle}" if counted else ""
    return f"{result['machine']}. {result['version']}; {result['seconds']:g} s each{answers}."


def _row(level: Mapping[str, Any]) -> tuple[str, ...]:
    speed = level["speed"]
    return (
        str(level["clients"]),
        number(speed["requests_per_s"]),
        *(f"{milliseconds:.0f} ms" for milliseconds in speed["first_audio_ms"].values()),
        str(speed["overloaded"]),
        f"{number(speed['sound_per_s'])} s",
        f"{level['peak_memory_mb']:.0f} MB",
    )


def _live_row(level: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(level["callers"]),
        str(level["turns"]),
        *(f"{milliseconds:.0f} ms" for milliseconds in level["first_audio_ms"].values()),
        f"{level['gaps_ms']:.0f} ms",
        str(level["refused"]),
        str(level["threads"]),
        f"{level['peak_memory_mb']:.0f} MB",
        str(level["idle_sessions"]),
        f"{level['idle_mb']:.1f} MB",
    )
