"""The command line: `python -m soak NAME --minutes N --out DIR -- PROGRAM ...`, with PYTHONPATH set to the directory
`tools`.

Runs the program until DIR/NAME.csv contains N minutes, including earlier runs, and draws DIR/NAME.png.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from .errors import SoakError
from .history import Sample, append, last, read
from .program import Program
from .verdict import judge

Draw = Callable[[str, Sequence[Sample], Path], None]

INTERVAL_S = 5.0
"""The time between two samples."""

SHORTEST_RUN_S = 120.0
"""A shorter run is inconclusive."""


def main(arguments: list[str] | None = None, draw: Draw | None = None) -> int:
    """Runs the command; `draw` is called with the name, the samples and the path of the picture."""
    options = _parser().parse_args(arguments)
    if draw is None:
        from .plot import draw  # Its tests need no matplotlib.
    path = options.out / f"{options.name}.csv"
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        _record(path, options.minutes, options.program)
        return _report(options.name, path, draw)
    except SoakError as error:
        print(f"error: {options.name}: {error}", file=sys.stderr)
        return 1


def _record(path: Path, minutes: float, command: list[str]) -> None:
    run, before = last(read(path))
    if before >= minutes:
        return
    program = Program(command)
    begin = time.monotonic()
    end = begin + max((minutes - before) * 60, SHORTEST_RUN_S)
    try:
        while (now := time.monotonic()) < end:
            time.sleep(min(INTERVAL_S, end - now))
            resident_mb, descriptors, threads = program.held()
            operations, latency_ms = program.done()
            since = before + (time.monotonic() - begin) / 60
            append(path, Sample(run + 1, since, resident_mb, descriptors, threads, operations, latency_ms))
        program.end()
    finally:
        program.kill()


def _report(name: str, path: Path, draw: Draw) -> int:
    samples = read(path)
    draw(name, samples, path.with_suffix(".png"))
    status = 0
    for run in sorted({sample.run for sample in samples}):
        verdict = judge([sample for sample in samples if sample.run == run])
        if verdict is None:
            continue
        pairs = (
            "{:.1f} to {:.1f} MB".format(*verdict.resident_mb),
            "{} to {} descriptors".format(*verdict.descriptors),
            "{} to {} threads".format(*verdict.threads),
            "{:.0f} to {:.0f} ms".format(*verdict.latency_ms),
        )
        print(f"{name}: {verdict.minutes:.0f} min, {verdict.operations} operations, {', '.join(pairs)}")
        for fault in verdict.faults():
            print(f"error: {name}: {fault}", file=sys.stderr)
            status = 1
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__.splitlines()[0])
    parser.add_argument("name", help="the base name of the files")
    parser.add_argument("--minutes", type=float, required=True, help="the total duration of all runs")
    parser.add_argument("--out", type=Path, required=True, help="directory of the files")
    parser.add_argument("program", nargs="+", help="the watched program, and its arguments")
    return parser


if __name__ == "__main__":
    sys.exit(main())
