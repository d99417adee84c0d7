"""Runs the service for the measurement, with its own key and in its own folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from .errors import LoadError

START_S = 120.0
"""The time limit for loading the voices, on a slow machine."""

END_S = 60.0
"""The time limit for stopping, longer than the service gives running requests."""


@dataclass(frozen=True)
class Service:
    """A running service."""

    address: str
    key: str
    pid: int

    def peak_memory_mb(self) -> float:
        """The peak resident set size since it started."""
        return memory_mb(self._told("status"), "VmHWM")

    def memory_mb(self) -> float:
        """The current resident set size."""
        return memory_mb(self._told("status"), "VmRSS")

    def threads(self) -> int:
        """The current number of threads."""
        found = re.search(r"^Threads:\s+(\d+)$", self._told("status"), re.MULTILINE)
        if found is None:
            raise LoadError("the system does not tell how many threads a process has")
        return int(found[1])

    def processor_s(self) -> float:
        """The processor time of all its threads since it started."""
        return processor_ticks(self._told("stat")) / os.sysconf("SC_CLK_TCK")

    def _told(self, name: str) -> str:
        return Path(f"/proc/{self.pid}/{name}").read_text(encoding="utf-8")


def memory_mb(status: str, name: str) -> float:
    """A value from the text of `/proc/PID/status`."""
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise LoadError("the system does not tell how much memory a process used")
    return int(found[1]) * 1024 / 1e6


def processor_ticks(stat: str) -> int:
    """User and system time from the text of `/proc/PID/stat`."""
    # The second field is a name in parentheses, which may contain anything.
    user, system = stat.rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


@asynccontextmanager
async def running(program: Path, bundle: Path | None, more: Sequence[str] = ()) -> AsyncIterator[Service]:
    """Starts the service on the loopback address, with additional options, and stops it at the end."""
    with tempfile.TemporaryDirectory(prefix="speech-load-") as name:
        directory = Path(name)
        key = await _key(program, directory / "keys")
        options: list[str | Path] = ["--listen", "127.0.0.1:0", *more]
        # Idle connections must stay open.
        options += ["--read-timeout", "3600"]
        options += ["--keys", directory / "keys", "--usage", directory / "usage.db"]
        if bundle is not None:
            options += ["--bundle", bundle]
        with (directory / "log").open("wb") as log:
            child = await asyncio.create_subprocess_exec(
                program, "serve", *options, stdout=asyncio.subprocess.PIPE, stderr=log
            )
        try:
            yield Service(await _address(child, directory / "log"), key, child.pid)
        finally:
            await _stop(child)


async def _key(program: Path, file: Path) -> str:
    try:
        child = await asyncio.create_subprocess_exec(
            program, "key", "new", "--account", "load", "--keys", file, stdout=asyncio.subprocess.PIPE
        )
    except OSError as error:
        raise LoadError(f"{program} cannot be run: {error}") from error
    printed, _ = await child.communicate()
    if child.returncode != 0:
        raise LoadError("no key could be made")
    return printed.decode().strip()


async def _address(child: asyncio.subprocess.Process, log: Path) -> str:
    assert child.stdout is not None
    try:
        line = await asyncio.wait_for(child.stdout.readline(), START_S)
    except TimeoutError as error:
        raise LoadError("the service did not start in time") from error
    found = re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+)\n", line.decode())
    if found is None:
        raise LoadError(f"the service did not start:\n{log.read_text(encoding='utf-8')}")
    return found[1]


async def _stop(child: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(child.wait(), END_S)
    except TimeoutError:
        child.kill()
        await child.wait()
