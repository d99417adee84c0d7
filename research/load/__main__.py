"""The command line: `python -m load --program PATH --out DIR`, with PYTHONPATH set to the directories `tools` and `research`."""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from compare.machine import describe

from .errors import LoadError
from .level import measure
from .live import measure_live
from .table import markdown
from .texts import read


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        result = asyncio.run(_measure(options))
    except LoadError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    _write(result, options.out)
    return 0


async def _measure(options: argparse.Namespace) -> dict[str, Any]:
    levels = []
    for clients in options.clients:
        print(f"{clients} at once", file=sys.stderr, flush=True)
        levels.append(await measure(options.program, options.bundle, read(), clients, options.seconds, options.idle))
    live = []
    for callers in options.live:
        print(f"{callers} callers", file=sys.stderr, flush=True)
        live.append(
            await measure_live(options.program, options.bundle, read(), callers, options.seconds, options.live_idle)
        )
    return {
        "machine": describe(),
        "version": subprocess.check_output([options.program, "--version"], text=True).strip(),
        "seconds": options.seconds,
        "idle": options.idle,
        "levels": levels,
        "live": live,
    }


def _write(result: dict[str, Any], out: Path) -> None:
    table = markdown(result)
    out.mkdir(parents=True, exist_ok=True)
    (out / "load.json").write_text(f"{json.dumps(result, indent=1)}\n", encoding="utf-8")
    (out / "load.md").write_text(table, encoding="utf-8")
    print(table)


def _numbers(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",") if part]
    if any(not 1 <= number <= 256 for number in numbers):
        raise ValueError
    return numbers


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1 <= seconds <= 600:
        raise ValueError
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m load", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="speech-http, built with --release")
    parser.add_argument("--bundle", type=Path, help="the voice bundle (default: the program's default)")
    parser.add_argument("--out", type=Path, required=True, help="directory of load.json and load.md")
    parser.add_argument("--clients", type=_numbers, default=[1, 8, 64], help="concurrent clients (default: 1,8,64)")
    parser.add_argument("--live", type=_numbers, default=[16], help="concurrent live callers (default: 16)")
    parser.add_argument("--live-idle", type=int, default=0, help="number of idle live sessions (default: 0)")
    parser.add_argument("--seconds", type=_seconds, default=60.0, help="duration of each measurement (default: 60)")
    parser.add_argument("--idle", type=int, default=0, help="number of idle connections (default: 0)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
