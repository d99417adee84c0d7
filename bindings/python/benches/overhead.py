"""Measures the Python API's overhead over the core's own time.

Run it on an otherwise idle machine: ``python overhead.py --repeat 20``.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from libspeech import Engine

SHORT = "Good morning."
LONG = (
    "The old lighthouse keeper climbed the spiral stairs every evening, and lit the lamp before "
    "the ships came home. Nobody had asked him to. He had done it for forty years, in all "
    "weathers, and never once had he been late."
)
TEXTS = {"short": SHORT, "long": LONG}


class Call(NamedTuple):
    """The time of one call, in seconds, and the core's own time for the same work."""

    wall: float
    core: float


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bundle", metavar="DIR")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=10, metavar="N", help="calls of each kind")
    options = parser.parse_args()
    with Engine(options.bundle, options.threads) as engine:
        engine.warm_up()
        print(f"{engine.threads} threads, {engine.kernels}, {engine.precision}")
        for line in measured(engine, options.repeat):
            print(line)


def measured(engine: Engine, repeat: int) -> list[str]:
    """Take all measurements, interleaved in rounds, and summarize them."""
    kinds: dict[str, Callable[[str], Call]] = {
        "synthesize": lambda text: synthesize(engine, text),
        "asynthesize": lambda text: asyncio.run(asynthesize(engine, text)),
    }
    calls: dict[tuple[str, str], list[Call]] = {(kind, name): [] for kind in kinds for name in TEXTS}
    firsts: list[Call] = []
    for _ in range(repeat):
        for (kind, name), taken in calls.items():
            taken.append(kinds[kind](TEXTS[name]))
        firsts.append(first_chunk(engine, SHORT))
    lines = [f"{kind}, {name} text: {summary(taken)}" for (kind, name), taken in calls.items()]
    lines.append(f"stream, to the first chunk of the short text: {summary(firsts)}")
    all_calls = [call for taken in calls.values() for call in taken]
    lines.append(f"all calls: {share(all_calls):+.3%} of the core's time")
    return lines


def synthesize(engine: Engine, text: str) -> Call:
    """Times one blocking call."""
    start = time.perf_counter()
    audio = engine.synthesize(text)
    return Call(time.perf_counter() - start, audio.elapsed)


async def asynthesize(engine: Engine, text: str) -> Call:
    """Times one awaited call, in a running loop."""
    start = time.perf_counter()
    audio = await engine.asynthesize(text)
    return Call(time.perf_counter() - start, audio.elapsed)


def first_chunk(engine: Engine, text: str) -> Call:
    """Times the first chunk of a sentence, and then the core for that sentence."""
    start = time.perf_counter()
    with engine.stream(text) as stream:
        next(stream)
        wall = time.perf_counter() - start
    return Call(wall, engine.synthesize(text).elapsed)


def summary(calls: list[Call]) -> str:
    """The core's time, and the overhead: median, 95th percentile and share."""
    core = statistics.median(call.core for call in calls)
    added = sorted(call.wall - call.core for call in calls)
    high = added[min(len(added) - 1, round(0.95 * len(added)))]
    median = statistics.median(added)
    return (
        f"core {core * 1e3:.1f} ms; added {median * 1e6:.0f} µs (median),"
        f" {high * 1e6:.0f} µs (95 %), {median / core:+.3%}"
    )


def share(calls: list[Call]) -> float:
    """The overhead of all calls, as a share of the core's time."""
    return sum(call.wall for call in calls) / sum(call.core for call in calls) - 1


if __name__ == "__main__":
    main()
