"""A watched program, recorded until enough is recorded."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from soak import __main__ as command_line
from soak.errors import SoakError
from soak.history import read
from soak.program import Program

PROGRAM = """
import os, sys, threading, time
print("pid", os.getpid(), flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(STATUS)), daemon=True).start()
while True:
    print("probe 2.5\\nother 1.0", flush=True)
    time.sleep(0.02)
"""


def command(status: int = 0) -> list[str]:
    return [sys.executable, "-c", PROGRAM.replace("STATUS", str(status))]


def test_what_it_holds_and_does_is_told() -> None:
    program = Program(command())
    try:
        operations = 0
        while operations < 10:
            done, latency_ms = program.done()
            operations += done
            assert done == 0 or latency_ms == 2.5 or done == 1
        resident_mb, descriptors, threads = program.held()
        assert 1 < resident_mb < 100 and descriptors >= 3 and threads == 2
        program.end()
    finally:
        program.kill()


def test_a_failure_is_told() -> None:
    program = Program(command(status=3))
    with pytest.raises(SoakError, match="status 3"):
        program.end()
    with pytest.raises(SoakError, match="did not start"):
        Program([sys.executable, "-c", "print('nothing')"])


def test_a_run_goes_on_where_the_last_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "INTERVAL_S", 0.05)
    monkeypatch.setattr(command_line, "SHORTEST_RUN_S", 0.5)
    drawn: list[int] = []

    def run(minutes: str) -> int:
        arguments = ["x", "--minutes", minutes, "--out", str(tmp_path), "--", *command()]
        return command_line.main(arguments, lambda name, samples, path: drawn.append(len(samples)))

    for minutes in ("0.001", "0.0015", "1e-9"):
        assert run(minutes) == 0
    samples = read(tmp_path / "x.csv")
    assert {sample.run for sample in samples} == {1}
    assert [sample.minutes for sample in samples] == sorted(sample.minutes for sample in samples)
    assert run("0.02") == 0
    assert {sample.run for sample in read(tmp_path / "x.csv")} == {1, 2}
    assert drawn == [*[len(samples)] * 3, len(read(tmp_path / "x.csv"))]
