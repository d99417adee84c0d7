"""The protocol between the comparison and the process of another engine, and the measuring inside that process.

The process reads one JSON object, the job, from standard input:

    {"threads": 1, "runs": 2, "texts": [{"name": "short", "text": "..."}], "options": {...}}

and writes one, the report, to standard output. It has the fields that `speech bench --json` has, so that the program of
this repository is one more engine:

    {"versions": {"onnxruntime": "1.28.0"}, "load_ms": 700.0, "peak_rss_mb": 400.0,
     "texts": [{"name": "short", "text": "...", "audio_s": 1.3, "wall_s": 0.7, "rtf": 0.54, "first_audio_ms": 700.0}]}

Each text is spoken once untimed and then `runs` times, and the median counts.
"""

from __future__ import annotations

import importlib.metadata
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

Heard = Callable[[int], None]
"""Called with the number of samples of each piece of sound when a player could have it."""


class Voice(Protocol):
    """An engine that is ready to speak."""

    rate: int
    """Samples a second."""

    def speak(self, text: str, heard: Heard) -> None:
        """Speaks the text through the engine's own streaming interface."""


def serve(load: Callable[[dict[str, Any]], Voice], packages: Iterable[str]) -> None:
    """Does the job on standard input with the engine that `load` makes. `packages` are named with their version."""
    job = json.load(sys.stdin)
    start = time.perf_counter()
    voice = load(job)
    load_ms = (time.perf_counter() - start) * 1e3
    report = {
        "versions": {name: importlib.metadata.version(name) for name in packages},
        "load_ms": load_ms,
        "texts": [_measure(voice, entry, job["runs"]) for entry in job["texts"]],
        "peak_rss_mb": _peak_rss_mb(),
    }
    json.dump(report, sys.stdout)


def _measure(voice: Voice, entry: dict[str, str], runs: int) -> dict[str, Any]:
    timed = [_speak(voice, entry["text"]) for _ in range(1 + runs)][1:]
    wall = statistics.median(wall for wall, _, _ in timed)
    audio = statistics.median(samples for _, _, samples in timed) / voice.rate
    first = statistics.median(first for _, first, _ in timed)
    return {**entry, "audio_s": audio, "wall_s": wall, "rtf": wall / audio, "first_audio_ms": first * 1e3}


def _speak(voice: Voice, text: str) -> tuple[float, float, int]:
    """Seconds to the last sample and to the first one, and the number of samples."""
    pieces: list[tuple[float, int]] = []
    start = time.perf_counter()
    voice.speak(text, lambda samples: pieces.append((time.perf_counter() - start, samples)))
    wall = time.perf_counter() - start
    return wall, pieces[0][0], sum(samples for _, samples in pieces)


def _peak_rss_mb() -> float | None:
    """The largest resident set so far, where the system keeps count (Linux)."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    kib = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kib) * 1024 / 1e6
