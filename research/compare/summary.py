"""Computes the table's numbers from the processes' measurements: medians, ranges, and ratios within a round.

A process is a dictionary with `round`, `configuration`, `threads`, `report` (see `drivers.protocol`), `wall_s`,
`cpu_s`, `calibration_ms` (before it and after it) and `other_load`. A process that served several sessions has
`sessions`, `sound_s` and `peak_rss_mb` instead of `threads` and `report`.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Process = dict[str, Any]


@dataclass(frozen=True)
class Spread:
    """The median, minimum and maximum of some values."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        found = list(values)
        return cls(statistics.median(found), min(found), max(found))

    @property
    def relative(self) -> float:
        """The range over the median: 0.1 is 10 %."""
        return (self.high - self.low) / self.median


def summarize(
    processes: Sequence[Process], served: Sequence[Process], ours: Sequence[str], theirs: Sequence[str], low: str
) -> dict[str, Any]:
    """All numbers of the table and the plot except the quality. `served` are the processes of several sessions. `ours`
    and `theirs` name the configurations to compare, the first of ours being the baseline; `low` is the one with early
    first audio."""
    return {
        "engines": engines(processes),
        "faster": [
            {"ours": our, "theirs": their, **row}
            for our in ours
            for their in theirs
            for row in ratios(processes, their, our, "rtf")
        ],
        "sooner": ratios(processes, ours[0], low, "first_audio_ms"),
        "sessions": sessions(served, [*ours, *theirs]),
        "noise": noise(processes, served),
    }


def engines(processes: Sequence[Process]) -> list[dict[str, Any]]:
    """One row per configuration and number of threads, in order of first appearance."""
    rows = []
    for name, threads in dict.fromkeys((p["configuration"], p["threads"]) for p in processes):
        mine = [p for p in processes if (p["configuration"], p["threads"]) == (name, threads)]
        rows.append(
            {
                "configuration": name,
                "threads": threads,
                "texts": [_text(mine, text["name"]) for text in mine[0]["report"]["texts"]],
                "load_ms": _spread(p["report"]["load_ms"] for p in mine),
                "peak_rss_mb": _spread(p["report"]["peak_rss_mb"] for p in mine),
                "threads_used": _spread(p["cpu_s"] / p["wall_s"] for p in mine),
            }
        )
    return rows


def ratios(processes: Sequence[Process], above: str, below: str, measure: str) -> list[dict[str, Any]]:
    """The ratio of a measure in two configurations: one row per number of threads and text. Ratios are taken within a
    round, so that a machine that slows down later distorts neither."""
    found: dict[tuple[int, str], list[float]] = {}
    for a in processes:
        for b in processes:
            if (a["configuration"], b["configuration"]) != (above, below):
                continue
            if (a["round"], a["threads"]) != (b["round"], b["threads"]):
                continue
            for text in a["report"]["texts"]:
                name = text["name"]
                found.setdefault((a["threads"], name), []).append(text[measure] / _entry(b, name)[measure])
    return [
        {"threads": threads, "text": text, **asdict(Spread.of(values))} for (threads, text), values in found.items()
    ]


def sessions(served: Sequence[Process], names: Sequence[str]) -> list[dict[str, Any]]:
    """One row per configuration, in the order of the names, and number of sessions: the seconds of audio that all of
    them make per second, and their total memory."""
    rows = []
    for name, count in sorted(
        {(p["configuration"], p["sessions"]) for p in served}, key=lambda pair: (names.index(pair[0]), pair[1])
    ):
        mine = [p for p in served if (p["configuration"], p["sessions"]) == (name, count)]
        rows.append(
            {
                "configuration": name,
                "sessions": count,
                "sound_a_second": _spread(p["sound_s"] / p["wall_s"] for p in mine),
                "peak_rss_mb": _spread(p["peak_rss_mb"] for p in mine),
            }
        )
    return rows


def noise(processes: Sequence[Process], served: Sequence[Process] = ()) -> dict[str, Any]:
    """How steady the machine was: the calibration workload, the other load, and the least steady engine."""
    rtf = (t["rtf"] for e in engines(processes) for t in e["texts"])
    everything = [*processes, *served]
    others = [p["other_load"] for p in everything if p["other_load"] is not None]
    return {
        "calibration_ms": _spread(ms for p in everything for ms in p["calibration_ms"]),
        "largest_range": max(Spread(**spread).relative for spread in rtf),
        "other_load": _spread(others) if others else None,
    }


def _text(processes: Sequence[Process], name: str) -> dict[str, Any]:
    entries = [_entry(p, name) for p in processes]
    measures = ("audio_s", "wall_s", "rtf", "first_audio_ms")
    return {"name": name, **{measure: _spread(e[measure] for e in entries) for measure in measures}}


def _entry(process: Process, name: str) -> dict[str, Any]:
    return next(text for text in process["report"]["texts"] if text["name"] == name)


def _spread(values: Iterable[float]) -> dict[str, float]:
    return asdict(Spread.of(values))
