"""The protocol between the comparison and the process of another engine, and the measuring inside that process.

The process reads one line with a JSON object, the job, from standard input:

    {"task": "measure", "threads": 1, "runs": 2, "texts": [{"name": "short", "text": "..."}], "options": {...}}

and writes one, the report, to standard output. There are three tasks.

measure  speaks each text once untimed and then `runs` times; the median counts. The report has the fields that
         `speech bench --json` has, so that the program of this repository is one more engine:

         {"versions": {"onnxruntime": "1.28.0"}, "load_ms": 700.0, "peak_rss_mb": 400.0,
          "texts": [{"name": "short", "text": "...", "audio_s": 1.3, "wall_s": 0.7, "rtf": 0.54, "first_audio_ms": 700.0}]}

serve    is for several processes at once: each speaks the first text once, writes the line `ready`, and when it is given
         another line speaks it `runs` times. The report has `sound_s`, and `start` and `end` on a clock that all
         processes of the machine share.

record   writes what it speaks to `NAME.wav` in the directory that is the job's `to`.
"""

from __future__ import annotations

import importlib.metadata
import json
import statistics
import sys
import time
import wave
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.floating]

Heard = Callable[[Samples], None]
"""Called with each piece of audio, within -1 and 1, as soon as a player could have it."""


class Voice(Protocol):
    """A loaded engine."""

    rate: int
    """Samples per second."""

    def speak(self, text: str, heard: Heard) -> None:
        """Speaks the text through the engine's own streaming interface."""


def serve(load: Callable[[dict[str, Any]], Voice], packages: Iterable[str]) -> None:
    """Does the job on standard input with the engine made by `load`. The report includes the versions of `packages`."""
    job = json.loads(sys.stdin.readline())
    start = time.perf_counter()
    voice = load(job)
    load_ms = (time.perf_counter() - start) * 1e3
    figures = {"measure": _measure_all, "serve": _serve, "record": _record}[job["task"]](voice, job)
    versions = {name: importlib.metadata.version(name) for name in packages}
    json.dump({"versions": versions, "load_ms": load_ms, **figures, "peak_rss_mb": _peak_rss_mb()}, sys.stdout)


def write_wav(path: Path, samples: Samples, rate: int) -> None:
    """16 bits, one channel."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.rint(np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


def _measure_all(voice: Voice, job: dict[str, Any]) -> dict[str, Any]:
    return {"texts": [_measure(voice, entry, job["runs"]) for entry in job["texts"]]}


def _measure(voice: Voice, entry: dict[str, str], runs: int) -> dict[str, Any]:
    timed = [_speak(voice, entry["text"]) for _ in range(1 + runs)][1:]
    wall = statistics.median(wall for wall, _, _ in timed)
    audio = statistics.median(samples for _, _, samples in timed) / voice.rate
    first = statistics.median(first for _, first, _ in timed)
    return {**entry, "audio_s": audio, "wall_s": wall, "rtf": wall / audio, "first_audio_ms": first * 1e3}


def _serve(voice: Voice, job: dict[str, Any]) -> dict[str, Any]:
    text = job["texts"][0]["text"]
    _speak(voice, text)
    print("ready", flush=True)
    sys.stdin.readline()
    start = time.monotonic()
    samples = sum(_speak(voice, text)[2] for _ in range(job["runs"]))
    return {"sound_s": samples / voice.rate, "start": start, "end": time.monotonic()}


def _record(voice: Voice, job: dict[str, Any]) -> dict[str, Any]:
    for entry in job["texts"]:
        pieces: list[Samples] = []
        voice.speak(entry["text"], pieces.append)
        write_wav(Path(job["to"]) / f"{entry['name']}.wav", np.concatenate(pieces), voice.rate)
    return {}


def _speak(voice: Voice, text: str) -> tuple[float, float, int]:
    """The seconds to the last and to the first sample, and the number of samples."""
    pieces: list[tuple[float, int]] = []
    start = time.perf_counter()
    voice.speak(text, lambda samples: pieces.append((time.perf_counter() - start, len(samples))))
    wall = time.perf_counter() - start
    return wall, pieces[0][0], sum(samples for _, samples in pieces)


def _peak_rss_mb() -> float | None:
    """The peak resident set size, where the system records it (Linux)."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    kib = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kib) * 1024 / 1e6
