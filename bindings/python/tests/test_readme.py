"""The Python programs of the repository's README and documentation, run as a new user types them."""

from __future__ import annotations

import re
import subprocess
import sys
import wave
from pathlib import Path

import pytest
from support import clean, variable


def blocks(kind: str) -> list[str]:
    pages = variable("SPEECH_PAGES").read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", pages, re.DOTALL | re.MULTILINE)


def test_how_it_is_installed() -> None:
    pages = variable("SPEECH_PAGES").read_text(encoding="utf-8")
    assert "| `cargo xtask wheel` | `pip install target/wheels/*.whl` |" in pages
    assert blocks("python")


@pytest.mark.voices
def test_every_program_works(tmp_path: Path) -> None:
    written: list[Path] = []
    printed: list[str] = []
    for place, block in enumerate(blocks("python")):
        folder = tmp_path / str(place)
        folder.mkdir()
        (folder / "program.py").write_text(block, encoding="utf-8")
        command = [sys.executable, "-W", "error", "program.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        printed.append(clean(done))
        assert done.stderr == ""
        # A comment beside `print` states the output.
        for promise in re.findall(r"\bprint\(.*\)  # (.+)$", block, re.MULTILINE):
            assert promise in printed[-1].splitlines()
        written += folder.glob("*.wav")
    assert written
    assert any(printed)
    for path in written:
        with wave.open(str(path)) as file:
            assert file.getframerate() == 22_050
            assert any(file.readframes(file.getnframes()))
