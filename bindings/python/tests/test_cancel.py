"""Ctrl-C: whatever runs, the program has the control back at once."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import Start
from support import clean, interrupt, variable

#: Far more than an interruption takes on a busy machine, and less than what it interrupts takes on an idle one.
SOON = 8.0

BEGINNINGS = {
    "synthesize": "engine.synthesize(LONG_SENTENCE)",
    "a stream": "next(engine.stream(LONG_SENTENCE))",
    "a loop over a stream": "[chunk for chunk in engine.stream(LONG)]",
    "asyncio": "asyncio.run(engine.asynthesize(LONG_SENTENCE))",
    "a stream in asyncio": """
async def main():
    async with engine.stream(LONG_SENTENCE) as stream:
        async for chunk in stream:
            pass
asyncio.run(main())
""",
}


def ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    line = process.stdout.readline()
    if line != "ready\n":
        pytest.fail(f"{line!r}\n{process.communicate()[1]}")


def ended(process: subprocess.Popen[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    since = time.monotonic()
    output, errors = process.communicate(timeout=60)
    run = subprocess.CompletedProcess(process.args, process.returncode, output, errors)
    return run, time.monotonic() - since


@pytest.mark.voices
@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_program_that_is_interrupted_ends(start: Start, name: str) -> None:
    process = start(f"engine = libspeech.Engine(threads=1)\nprint('ready', flush=True)\n{BEGINNINGS[name]}")
    ready(process)
    time.sleep(0.4)
    interrupt(process)
    run, seconds = ended(process)
    clean(run, -signal.SIGINT)
    assert run.stderr.rstrip().endswith("KeyboardInterrupt")
    assert seconds < SOON


@pytest.mark.voices
def test_a_program_that_goes_on_after_it(start: Start) -> None:
    process = start(
        """
        engine = libspeech.Engine(threads=1)
        stream = engine.stream(LONG_SENTENCE)
        for begin in (lambda: engine.synthesize(LONG_SENTENCE), lambda: next(stream), engine.warm_up):
            print("ready", flush=True)
            try:
                while True:
                    begin()
            except KeyboardInterrupt:
                since = time.monotonic()
            engine.synthesize("Hello.")
            print(time.monotonic() - since, flush=True)
        """
    )
    assert process.stdout
    for _ in range(3):
        ready(process)
        time.sleep(0.4)
        interrupt(process)
        assert float(process.stdout.readline()) < SOON
    clean(ended(process)[0])


def test_an_engine_that_loads(start: Start, tmp_path: Path) -> None:
    # Its SHA-256 takes a second or more; on the disk it takes nothing.
    slow_bundle(tmp_path, 2 << 30)
    process = start(
        """
        print("ready", flush=True)
        try:
            libspeech.Engine(sys.argv[1])
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """,
        str(tmp_path),
    )
    ready(process)
    time.sleep(0.3)
    interrupt(process)
    assert process.stdout
    assert process.stdout.readline() == "interrupted\n"
    run, _ = ended(process)
    clean(run)


def slow_bundle(folder: Path, size: int) -> None:
    """A bundle of the fake model whose prosody is a file of zeros."""
    for file in variable("SPEECH_FAKE_MODEL").iterdir():
        shutil.copy(file, folder)
    with (folder / "prosody.safetensors").open("wb") as prosody:
        prosody.truncate(size)
    manifest = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    manifest["files"]["prosody.safetensors"]["size"] = size
    zeros = "0" * 64
    sealed = json.dumps({**manifest, "manifest_sha256": zeros}).encode()
    digest = hashlib.sha256(sealed).hexdigest().encode()
    (folder / "bundle.json").write_bytes(sealed.replace(zeros.encode(), digest))


def test_engines_that_load_again_and_again(start: Start) -> None:
    process = start(
        """
        print("ready", flush=True)
        while True:
            libspeech.Engine(FAKE_MODEL)
        """
    )
    ready(process)
    time.sleep(0.3)
    interrupt(process)
    run, seconds = ended(process)
    clean(run, -signal.SIGINT)
    assert seconds < SOON


def test_other_signals_are_handled_meanwhile(start: Start) -> None:
    process = start(
        """
        signal.signal(signal.SIGALRM, lambda *_: print("handled", flush=True))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        engine = libspeech.Engine(FAKE_MODEL, threads=1)
        print("ready", flush=True)
        since = time.monotonic()
        while time.monotonic() - since < 0.5:
            engine.synthesize(LONG)
        """
    )
    run, _ = ended(process)
    assert "handled" in clean(run)


@pytest.mark.voices
def test_a_handler_that_raises_cancels(start: Start) -> None:
    process = start(
        """
        class TooLate(Exception): pass
        def raise_it(*_): raise TooLate
        signal.signal(signal.SIGALRM, raise_it)
        engine = libspeech.Engine(threads=1)
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        try:
            engine.synthesize(LONG_SENTENCE)
        except TooLate:
            since = time.monotonic()
        engine.synthesize("Hello.")
        print(time.monotonic() - since)
        """
    )
    run, _ = ended(process)
    assert float(clean(run)) < SOON
