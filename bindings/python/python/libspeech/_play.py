"""Plays audio with a program of the machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

#: The command of each player for a wav file; the first available one is used.
_PLAYERS: dict[str, Callable[[str], list[str]]] = {
    "afplay": lambda file: [file],
    "paplay": lambda file: [file],
    "pw-play": lambda file: [file],
    "aplay": lambda file: ["-q", file],
    "ffplay": lambda file: ["-nodisp", "-autoexit", "-loglevel", "error", file],
    "powershell": lambda file: [
        "-NoProfile",
        "-Command",
        f"(New-Object Media.SoundPlayer '{_quoted(file)}').PlaySync()",
    ],
}


def _quoted(text: str) -> str:
    return text.replace("'", "''")


def find() -> Callable[[bytes], None]:
    """The command that plays a wav file on this machine. Exits the program if there is none."""
    for name, arguments in _PLAYERS.items():
        program = shutil.which(name)
        if program is not None:
            return partial(_play, program, arguments)
    sys.exit(f"error: no player was found: install one of {', '.join(_PLAYERS)}")


def _play(program: str, arguments: Callable[[str], list[str]], wav: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "speech.wav")
        file.write_bytes(wav)
        played = subprocess.run([program, *arguments(str(file))], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    if played.returncode != 0:
        sys.exit(f"error: {program} could not play: it ended with status {played.returncode}")
