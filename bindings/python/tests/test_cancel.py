"""After Ctrl-C the program has control again at once, whatever was running."""

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
from support import LONG_SENTENCE, clean, interrupt, running_reference, variable

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


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    output, errors = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


@pytest.mark.voices
@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_program_that_is_interrupted_ends(start: Start, name: str) -> None:
    process = start(f"engine = libspeech.Engine(threads=1)\nprint('ready', flush=True)\n{BEGINNINGS[name]}")
    ready(process)
    with running_reference(LONG_SENTENCE) as is_running:
        time.sleep(0.4)
        interrupt(process)
        run = ended(process)
        assert is_running()
    clean(run, -signal.SIGINT)
    assert run.stderr.rstrip().endswith("KeyboardInterrupt")


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
                engine.synthesize("Hello.")
                print("spoken", flush=True)
        """
    )
    assert process.stdout
    for _ in range(3):
        ready(process)
        with running_reference(LONG_SENTENCE) as is_running:
            time.sleep(0.4)
            interrupt(process)
            assert process.stdout.readline() == "spoken\n"
            assert is_running()
    clean(ended(process))


def test_an_engine_that_loads(start: Start, tmp_path: Path) -> None:
    # Its SHA-256 takes at least 0.25 s; the sparse file takes no disk space.
    slow_bundle(tmp_path, 1 << 29)
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
    time.sleep(0.1)
    interrupt(process)
    assert process.stdout
    assert process.stdout.readline() == "interrupted\n"
    clean(ended(process))


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
    clean(ended(process), -signal.SIGINT)


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
    assert "handled" in clean(ended(process))


@pytest.mark.voices
def test_a_handler_that_raises_cancels(start: Start) -> None:
    process = start(
        """
        class TooLate(Exception): pass
        def raise_it(*_): raise TooLate
        signal.signal(signal.SIGALRM, raise_it)
        engine = libspeech.Engine(threads=1)
        print("ready", flush=True)
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        try:
            engine.synthesize(LONG_SENTENCE)
        except TooLate:
            engine.synthesize("Hello.")
        """
    )
    ready(process)
    with running_reference(LONG_SENTENCE) as is_running:
        run = ended(process)
        assert is_running()
    clean(run)
