"""A watched program: it prints its process id and then, for each operation, its name and its milliseconds."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from .errors import SoakError

PROBE = "probe"
"""The operation whose time is recorded: the same short text each time."""

END_S = 120.0
"""The time limit of an operation, far longer than any takes."""


class Program:
    """A running program. It ends when its standard input is closed."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if re.fullmatch(r"pid \d+\n", line) is None:
            self._child.kill()
            raise SoakError(f"{command[0]} did not start")
        self._watched = int(line.split()[1])
        self._lock = threading.Lock()
        self._times: list[tuple[str, float]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            name, milliseconds = line.split()
            with self._lock:
                self._times.append((name, float(milliseconds)))

    def held(self) -> tuple[float, int, int]:
        """The megabytes, descriptors and threads of the process whose id it printed."""
        if self._child.poll() is not None:
            raise SoakError(f"the program ended with status {self._child.returncode}")
        status = Path(f"/proc/{self._watched}/status").read_text(encoding="utf-8")
        found = {name: int(value) for name, value in re.findall(r"^(RssAnon|Threads):\s+(\d+)", status, re.MULTILINE)}
        return found["RssAnon"] * 1024 / 1e6, len(os.listdir(f"/proc/{self._watched}/fd")), found["Threads"]

    def done(self) -> tuple[int, float]:
        """The number of operations completed since the last call, and the median time of the probe; NaN if there was
        none."""
        with self._lock:
            times, self._times = self._times, []
        probes = [milliseconds for name, milliseconds in times if name == PROBE]
        return len(times), median(probes) if probes else float("nan")

    def end(self) -> None:
        """Waits until the program has ended."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        try:
            status = self._child.wait(END_S)
        except subprocess.TimeoutExpired as error:
            self._child.kill()
            raise SoakError("the program does not end") from error
        if status != 0:
            raise SoakError(f"the program ended with status {status}")

    def kill(self) -> None:
        """Kills the program if it is running."""
        self._child.kill()
        self._child.wait()
