"""``python -m libspeech fetch`` gets the voices for users who have not installed them, from wheels only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from libspeech import Engine
from support import variable

pytestmark = pytest.mark.voices

SPEAK = "import libspeech, sys; sys.stdout.buffer.write(libspeech.Engine(threads=1).synthesize('Hello.').pcm)"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with only libspeech."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    wheels = str(variable("SPEECH_WHEELS"))
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--find-links", wheels, "libspeech-sdk"]
    subprocess.run([str(python), *install], check=True, env=environment(home), timeout=300)
    return python


def environment(cache: Path, wheels: Path | None = None) -> dict[str, str]:
    """An environment isolated from this machine, except for the wheels and a cache."""
    found = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)} if wheels else {"PIP_NO_INDEX": "1"}
    return {
        **{name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ},
        **found,
        "HOME": str(cache / "home"),
        "SPEECH_CACHE": str(cache / "cache"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def run(python: Path, settings: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([str(python), *arguments], capture_output=True, env=settings, cwd=python.parent, timeout=300)


def first_words(python: Path, settings: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Speak with the voices found by default."""
    return run(python, settings, "-c", SPEAK)


@pytest.fixture(scope="module")
def fetched(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A folder with a cache that had no voices before the fetch, and the output of the fetch."""
    folder = tmp_path_factory.mktemp("fetched")
    settings = environment(folder, variable("SPEECH_WHEELS"))
    before = first_words(bare, settings)
    assert before.returncode == 1
    assert b"libspeech fetch" in before.stderr
    done = run(bare, settings, "-m", "libspeech", "fetch")
    assert done.returncode == 0, done.stderr.decode()
    return folder, done.stdout


def test_the_voices_are_fetched_once_and_found(bare: Path, fetched: tuple[Path, bytes], voices_engine: Engine) -> None:
    folder, printed = fetched
    bundle = Path(json.loads((folder / "cache" / "current.json").read_text())["bundle"])
    assert (bundle / "bundle.json").is_file()
    assert folder in bundle.parents
    assert str(bundle) in printed.decode()
    assert first_words(bare, environment(folder)).stdout == voices_engine.synthesize("Hello.").pcm
    # No temporary file is left, and existing voices are not fetched again.
    assert list(bundle.parent.iterdir()) == [bundle]
    again = run(bare, environment(folder), "-m", "libspeech", "fetch")
    assert (again.returncode, again.stdout) == (0, printed)


def test_the_other_program_finds_them_too(fetched: tuple[Path, bytes], voices_engine: Engine) -> None:
    command = [str(variable("SPEECH_PROGRAM")), "say", "Hello.", "--format", "pcm"]
    spoken = subprocess.run(command, capture_output=True, env=environment(fetched[0]), timeout=60)
    assert spoken.stdout == voices_engine.synthesize("Hello.").pcm


def test_a_wheel_that_was_altered_is_refused(bare: Path, tmp_path: Path) -> None:
    (wheel,) = variable("SPEECH_WHEELS").glob("libspeech_sdk_voices-*.whl")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    shutil.copy(wheel, wheels)
    with (wheels / wheel.name).open("r+b") as file:
        file.seek(wheel.stat().st_size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    refused = run(bare, environment(tmp_path, wheels), "-m", "libspeech", "fetch")
    assert refused.returncode == 1
    assert b"hash" in refused.stderr.lower()
    assert b"Traceback" not in refused.stderr
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_no_wheel_at_all(bare: Path, tmp_path: Path) -> None:
    refused = run(bare, environment(tmp_path), "-m", "libspeech", "fetch")
    assert refused.returncode == 1
    assert b"pip could not bring the voices" in refused.stderr
    assert b"Traceback" not in refused.stderr
    assert refused.stdout == b""


def test_voices_that_are_installed_are_not_fetched(tmp_path: Path) -> None:
    settings = environment(tmp_path)
    fetched = run(Path(sys.executable), settings, "-m", "libspeech", "fetch")
    assert fetched.returncode == 0, fetched.stderr.decode()
    assert b"installed" in fetched.stdout
    assert not (tmp_path / "cache").exists()


def test_numpy_is_not_needed(bare: Path, tmp_path: Path) -> None:
    settings = {**environment(tmp_path), "SPEECH_BUNDLE": str(variable("SPEECH_FAKE_MODEL"))}
    program = (
        "import libspeech, sys\n"
        "audio = libspeech.Engine().synthesize('Hello.')\n"
        "floats = libspeech.Engine().synthesize('Hello.', encoding='float32').samples\n"
        "assert audio.samples.tobytes() == audio.pcm != b''\n"
        "assert [sample / 32768 for sample in audio.samples] == list(floats)\n"
        "for samples in (audio.samples, floats):\n    print(type(samples).__name__, samples.format, samples.readonly)\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = run(bare, settings, "-c", program)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == ["memoryview h True", "memoryview f True"]
