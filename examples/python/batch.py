"""Speaks each row of a CSV file (id, text, voice) into a wav file of its own.

Rows that fail are listed at the end, and do not stop the others.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar, cast

from libspeech import Engine, SpeechError, VoiceId

T = TypeVar("T")


def main() -> int:
    """Run the program; its exit status is 1 if a row failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="a CSV file with the columns id, text and voice")
    parser.add_argument("output", type=Path, help="the directory for the wav files")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="rows at once")
    options = parser.parse_args()
    with options.table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    options.output.mkdir(parents=True, exist_ok=True)
    failures = speak_all(rows, options.output, options.at_once)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


def speak_all(rows: list[dict[str, str]], output: Path, at_once: int) -> list[str]:
    """Speak all rows, and return a line for each failed row."""

    def speak(row: dict[str, str]) -> str | None:
        try:
            # The engine rejects other values.
            voice = cast(VoiceId, row.get("voice") or "aria")
            audio = engine.synthesize(row["text"], voice=voice)
            audio.save(output / f"{row['id']}.wav")
        except (SpeechError, OSError) as error:
            return f"{row['id']}: {error}"
        return None

    # One thread per row, and one row per core, give the highest throughput. The engine closes before the pool, so that
    # no computation continues after Ctrl-C.
    with ThreadPoolExecutor(at_once) as pool, Engine(threads=1, max_concurrency=at_once) as engine:
        results = with_progress(pool.map(speak, rows), len(rows))
        return [failure for failure in results if failure is not None]


def with_progress(results: Iterable[T], total: int) -> Iterable[T]:
    """Show a progress bar for the results, if ``tqdm`` is installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        return results
    return tqdm(results, total=total, unit="row")


if __name__ == "__main__":
    sys.exit(main())
