"""Fixtures: engines, and programs in processes of their own."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import libspeech
import pytest
from support import PROLOGUE, variable

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CommandLine = Callable[..., "subprocess.CompletedProcess[bytes]"]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="session")
def fake_model() -> Path:
    """The voice bundle of the fake model: valid and fast, but not speech."""
    return variable("SPEECH_FAKE_MODEL")


@pytest.fixture(scope="session")
def engine(fake_model: Path) -> Iterator[libspeech.Engine]:
    """An engine with the fake model."""
    with libspeech.Engine(fake_model, threads=1) as engine:
        yield engine


@pytest.fixture(scope="session")
def voices_engine() -> Iterator[libspeech.Engine]:
    """An engine with the installed voices."""
    with libspeech.Engine(threads=2) as engine:
        yield engine


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a program in its own process, which is killed at the end if it still runs."""
    processes: list[subprocess.Popen[str]] = []

    def start(source: str, *arguments: str) -> subprocess.Popen[str]:
        program = tmp_path / f"program_{len(processes)}.py"
        program.write_text(PROLOGUE + textwrap.dedent(source), encoding="utf-8")
        command = [sys.executable, "-W", "ignore::DeprecationWarning", str(program), *arguments]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def run(start: Start) -> Run:
    """Run a program in its own process until it exits."""

    def run(source: str, *arguments: str, limit: float = 60) -> subprocess.CompletedProcess[str]:
        process = start(source, *arguments)
        output, errors = process.communicate(timeout=limit)
        return subprocess.CompletedProcess(source, process.returncode, output, errors)

    return run


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """Run ``python -m libspeech``, with bytes as its input and output."""

    def command_line(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "libspeech", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, timeout=120)

    return command_line
