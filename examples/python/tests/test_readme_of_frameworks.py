"""The programs of the README for the frameworks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1]
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.M | re.S)


def test_there_is_one_for_each() -> None:
    assert len(PROGRAMS) == 2


@pytest.mark.parametrize("program", PROGRAMS, ids=["pipecat", "livekit"])
def test_it_runs(program: str) -> None:
    run = subprocess.run([sys.executable, "-c", program], cwd=EXAMPLES, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
