"""Helpers shared by the tests, apart from fixtures."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import libspeech

#: A text that the fake model speaks instantly.
TEXT = "First this, of 25 words. Then that! And it ends here."

#: One sentence that takes a real voice seconds to speak.
LONG_SENTENCE = ("it was a bright cold day in April and the clocks were striking " * 15).strip() + "."

#: Sentences that take a real voice seconds to speak.
LONG = "It was a bright cold day in April, and the clocks were striking thirteen. " * 13

#: Words that no test program may print.
CRASHES = re.compile(r"fatal|panic|abort|segmentation|deadlock|exception ignored", re.IGNORECASE)

PROLOGUE = f"""\
import asyncio, atexit, json, os, signal, sys, threading, time
last = []
atexit.register(lambda: [each() for each in last])
import libspeech
signal.signal(signal.SIGINT, signal.default_int_handler)
FAKE_MODEL = os.environ["SPEECH_FAKE_MODEL"]
TEXT = {TEXT!r}
LONG_SENTENCE = {LONG_SENTENCE!r}
LONG = {LONG!r}
"""


def variable(name: str) -> Path:
    """The file or folder in an environment variable; the test fails if it is missing."""
    value = os.environ.get(name)
    assert value, f"{name} is not set: `cargo xtask test` sets it"
    path = Path(value).resolve()
    assert path.exists(), f"{name} names {path}, which is not there"
    return path


def cases(table: str) -> list[dict[str, Any]]:
    """The rows of a table that the tests of every language use."""
    tables = json.loads(variable("SPEECH_CASES").read_text(encoding="utf-8"))
    rows: list[dict[str, Any]] = tables[table]
    assert rows
    return rows


def texts(table: str) -> list[str]:
    """The texts of a table that the tests of every language use."""
    tables = json.loads(variable("SPEECH_CASES").read_text(encoding="utf-8"))
    rows: list[str] = tables[table]
    assert rows
    return rows


def joined(stream: libspeech.ChunkStream) -> bytes:
    """All samples of a stream, joined."""
    with stream:
        return b"".join(chunk.pcm for chunk in stream)


def until(condition: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Wait until a condition holds, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"after {seconds} s: {what}"
        time.sleep(0.005)


def clean(run: subprocess.CompletedProcess[str], status: int = 0) -> str:
    """The output of a program that must exit with this status, without a crash."""
    report = f"status {run.returncode}\n{run.stdout[-2000:]}\n{run.stderr[-4000:]}"
    assert run.returncode == status, report
    assert not CRASHES.search(run.stderr), report
    return run.stdout


def interrupt(process: subprocess.Popen[str]) -> None:
    """Send the signal of Ctrl-C to a program."""
    process.send_signal(signal.SIGINT)


@contextmanager
def running_reference(text: str) -> Iterator[Callable[[], bool]]:
    """Speak a text with a separate engine, and report whether it is still running.

    While it runs, no other engine can have finished a text of the same length.
    """
    with libspeech.Engine(threads=2) as engine, engine.stream(text) as stream:

        def speak() -> None:
            with suppress(libspeech.CancelledError):
                list(stream)

        thread = threading.Thread(target=speak)
        thread.start()
        yield thread.is_alive
        stream.close()
        thread.join()
