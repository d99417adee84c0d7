"""A batch that nothing disturbs, to compare others with; and the means to disturb them."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import libspeech
import pyarrow.parquet
from libspeech import batch
from test_readme import blocks

#: Rows that the fake model speaks in some seconds: two share a request, and one cannot be spoken.
ROWS: list[dict[str, Any]] = [
    *({"id": f"row-{number}", "text": f"Row {number} is one of many.", "voice": "leo"} for number in range(120)),
    {"id": "again", "text": "Row 0 is one of many.", "voice": "leo"},
    {"id": "empty", "text": " ", "voice": "leo"},
]


class Quiet:
    """The result of one run on this machine."""

    def __init__(self, folder: Path, bundle: Path) -> None:
        self.bundle = bundle
        self.table = folder / "rows.jsonl"
        self.table.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        with batch.speak(libspeech.Engine(bundle, threads=1), self.table, folder / "quiet") as run:
            self.sounds = {row.id: row.sound and row.sound.sha256 for row in run}
        assert run.report is not None
        self.digest = run.report.digest
        self.files = files(folder / "quiet")

    def check(self, folder: Path, digest: str) -> None:
        """Compare the folder of another run: audio, timestamps, failures and the index."""
        assert digest == self.digest
        found = files(folder)
        assert {path: found.get(path) for path in self.files} == self.files
        others = {path for path in found.keys() - self.files.keys() if path.parts[0] != "index"}
        assert {path.suffix for path in others} <= {".partial"}, others
        report, damage = batch.check(folder)
        assert (report.digest, damage) == (self.digest, [])

    def check_rows(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Compare the rows of a data frame or data set."""
        found = list(rows)
        assert {row["id"]: row["audio"] and hashlib.sha256(row["audio"]).hexdigest() for row in found} == self.sounds
        assert len(found) == len(ROWS)
        assert {row["id"]: row["sha256"] for row in found} == self.sounds
        assert [(row["id"], row["error"]) for row in found if row["error"]] == [("empty", "empty_text")]
        assert all(row["price"] == 5 for row in found)


def check_program(kind: str, folder: Path) -> None:
    """Run a program of the documentation with the real voices, and compare its folder and its column."""
    (program,) = blocks(kind)
    # Otherwise other programs of the machine starve the workers of Ray.
    env = os.environ | {"RAY_worker_niceness": "0", "RAY_ADDRESS": "local"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    assert "2 {}" in done.stdout.splitlines()
    rows = [{"id": "greeting", "text": "Good morning."}, {"id": "farewell", "text": "Good night."}]
    light = [row | {"quality": "light"} for row in rows]
    with batch.speak(libspeech.Engine(threads=1), light, folder / "quiet") as run:
        sounds = {row.id: row.sound and row.sound.path.read_bytes() for row in run}
    assert run.report is not None
    assert batch.check(folder / "spoken")[0].digest == run.report.digest
    audio = pyarrow.parquet.read_table(folder / "audio").to_pylist()
    assert len(audio) == 2
    assert {row["id"]: row["audio"] for row in audio} == sounds


def files(folder: Path) -> dict[Path, bytes]:
    """The files of a folder."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for an event on the cluster, or fail."""
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def spoken(folder: Path) -> int:
    """The number of sounds of a folder."""
    return sum(1 for _ in folder.glob("[0-9a-f][0-9a-f]/*.wav"))


def until_more(folder: Path, more: int = 10) -> None:
    """Wait for some more sounds of a batch that is not at its end."""
    start = spoken(folder)
    until(lambda: spoken(folder) >= start + more, f"{more} more sounds")
    assert spoken(folder) < len(ROWS) - 2, "the batch is at its end"


def processes(of: int, named: bytes) -> Iterator[int]:
    """The descendants of a process whose command line contains a name."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(status.parent.name))
    waiting = [of]
    while waiting:
        waiting += (found := children.get(waiting.pop(), []))
        for process in found:
            try:
                if named in Path(f"/proc/{process}/cmdline").read_bytes():
                    yield process
            except OSError:
                continue


def kill(process: int) -> None:
    """End a process at once, as a lost machine does."""
    os.kill(process, signal.SIGKILL)
