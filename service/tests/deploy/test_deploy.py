"""Checks the Dockerfile and the systemd unit, and runs the service with their commands.

`SPEECH_HTTP_PROGRAM` is the program, and `SPEECH_BUNDLE` the voices.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[2]
DOCKERFILE, UNIT = HERE / "Dockerfile", HERE / "speech-http.service"
HADOLINT = Path(sys.executable).with_name("hadolint")
MOST_EXPOSURE = 12
"""The accepted exposure in tenths: a service needs the network."""

INSTALLED = "/usr/local/bin/speech-http"
START_S = 60


@pytest.fixture
def program() -> Path:
    return Path(os.environ["SPEECH_HTTP_PROGRAM"]).absolute()


@pytest.fixture
def systemd_analyze() -> str:
    found = shutil.which("systemd-analyze")
    assert found, "systemd-analyze is missing: apt-get install systemd"
    return found


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    run(HADOLINT, "--no-color", "--failure-threshold", "style", DOCKERFILE)


def test_the_unit_is_one_that_systemd_takes(systemd_analyze: str, program: Path, tmp_path: Path) -> None:
    assert not run(systemd_analyze, "verify", "--man=no", unit_for(program, tmp_path))


def test_the_unit_gives_the_service_little(systemd_analyze: str) -> None:
    run(systemd_analyze, "security", "--no-pager", "--offline=true", f"--threshold={MOST_EXPOSURE}", UNIT)


def test_systemd_waits_longer_than_the_service_does() -> None:
    words = setting("ExecStart").split()
    grace = int(words[words.index("--grace") + 1])
    # The service waits five more seconds for the requests that it cancels.
    assert int(setting("TimeoutStopSec")) > grace + 5


def test_the_command_of_the_unit_runs_the_service(program: Path, tmp_path: Path) -> None:
    installed, *arguments = setting("ExecStart").split()
    assert installed == INSTALLED
    with serving(program, arguments, tmp_path) as check:
        check()


def test_the_command_of_the_image_runs_the_service(program: Path, tmp_path: Path) -> None:
    assert instruction("ENTRYPOINT") == ["speech-http"]
    with serving(program, instruction("CMD"), tmp_path) as check:
        check()
    with pytest.raises(AssertionError):
        check()


class Check:
    """Checks the health of a service, as the image does."""

    def __init__(self, port: str) -> None:
        self._command = [word.replace("8080", port) for word in instruction("HEALTHCHECK")]

    def __call__(self) -> None:
        run(*self._command)


@contextmanager
def serving(program: Path, arguments: Sequence[str], directory: Path) -> Iterator[Check]:
    """The healthy service in an empty folder, on another port; terminated afterwards."""
    port = free_port()
    run(program, "key", "new", "--account", "demo", "--keys", "keys", directory=directory)
    command: list[str | Path] = [program]
    command += [re.sub(r"^[\d.]+:8080$", f"127.0.0.1:{port}", word) for word in arguments]
    with (directory / "log").open("wb") as log, subprocess.Popen(command, cwd=directory, stderr=log) as child:
        try:
            yield healthy(child, Check(port))
        finally:
            child.send_signal(signal.SIGTERM)
            assert child.wait(START_S) == 0, (directory / "log").read_text(encoding="utf-8")
    assert (directory / "usage.db").exists()


def healthy(child: subprocess.Popen[bytes], check: Check) -> Check:
    """Waits until a condition is true."""
    end = time.monotonic() + START_S
    while child.poll() is None:
        try:
            check()
        except AssertionError:
            assert time.monotonic() < end, "the service did not start in time"
            time.sleep(0.2)
        else:
            return check
    raise AssertionError("the service did not start")


def run(*command: str | Path, directory: Path | None = None) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


def free_port() -> str:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def instruction(name: str) -> list[str]:
    """The words of a Dockerfile instruction that runs a command."""
    found = re.findall(rf"^{name}\b[^\[]*(\[.*\])$", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == 1, found
    words: list[str] = json.loads(found[0])
    return words


def setting(name: str) -> str:
    """The value of a setting of the unit."""
    found = re.findall(rf"^{name}=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == 1, found
    return str(found[0])


def unit_for(program: Path, directory: Path) -> Path:
    """The unit with the path of the tested program: systemd checks that it is executable."""
    copy = directory / UNIT.name
    copy.write_text(UNIT.read_text(encoding="utf-8").replace(INSTALLED, str(program)), encoding="utf-8")
    return copy
