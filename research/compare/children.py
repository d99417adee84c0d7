"""Child processes: their answers, processor time and memory."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any


class ChildFailed(Exception):
    """The process ended with an error. `crashed`: a signal ended it; the message is its last line of output."""

    def __init__(self, message: str, crashed: bool) -> None:
        super().__init__(message)
        self.crashed = crashed


@dataclass(frozen=True)
class Finished:
    """A process that succeeded."""

    report: dict[str, Any]
    wall_s: float
    cpu_s: float
    """The processor time of all its threads."""
    peak_rss_mb: float
    """The system's peak resident set size, which may include this program's from before the start."""


def run(command: Sequence[str | Path], environment: Mapping[str, str], given: str = "") -> Finished:
    """Runs a program that prints one JSON object. `environment` is added to ours; `given` is its standard input."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(given.encode())
        stdin.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, env={**os.environ, **environment})
        wall, cpu, peak = _ended(child, stderr, start)
        stdout.seek(0)
        return Finished(json.loads(stdout.read()), wall, cpu, peak)


def run_together(
    command: Sequence[str | Path], environment: Mapping[str, str], given: str, count: int
) -> list[Finished]:
    """Runs `count` processes of a program at once. Each receives one line, writes one when it is ready, and starts when
    all are ready: it then receives another line, and prints one JSON object."""
    with contextlib.ExitStack() as stack:
        started = []
        for _ in range(count):
            stderr = stack.enter_context(tempfile.TemporaryFile())
            start = time.perf_counter()
            child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, **environment},
                encoding="utf-8",
            )
            stack.callback(_kill, child)
            started.append((child, stderr, start))
        for child, _, _ in started:
            _write_line(child, given)
        for child, _, _ in started:
            child.stdout.readline()  # Empty if it failed, which is found below.
        for child, _, _ in started:
            _write_line(child, "go")
        finished = []
        for child, stderr, start in started:
            printed = child.stdout.read()
            wall, cpu, peak = _ended(child, stderr, start)
            finished.append(Finished(json.loads(printed), wall, cpu, peak))
        return finished


def _write_line(child: subprocess.Popen[str], line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        child.stdin.write(f"{line}\n")
        child.stdin.flush()


def _kill(child: subprocess.Popen[str]) -> None:
    if child.returncode is None:
        child.kill()
        child.wait()
    child.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        child.stdin.close()


def _ended(child: subprocess.Popen[Any], stderr: IO[bytes], start: float) -> tuple[float, float, float]:
    """Waits for a process started at `start`: its wall time, processor time, and peak memory in MB."""
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        stderr.seek(0)
        raise ChildFailed(_last_words(stderr.read(), child.returncode), crashed=child.returncode < 0)
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    return wall, usage.ru_utime + usage.ru_stime, peak


def _last_words(stderr: bytes, code: int) -> str:
    lines = [line.strip() for line in stderr.decode(errors="replace").splitlines() if line.strip()]
    if not lines:
        return f"exit status {code}"
    # Without the kind of the error, and the request id, which nobody looks up here.
    return re.sub(r"^error(\[\w+\])?: | \(request [0-9a-f-]+\)$", "", lines[-1])
