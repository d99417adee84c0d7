"""This repository's program as one of the engines: its arguments, and checks that it followed them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .configurations import SENTENCE, TEXTS, Configuration
from .errors import CompareError, NotHere

RATE = 22_050

WITHOUT_FLAG = {"precision": "fp32", "kernels": "auto", "latency": "standard", "quality": "auto"}
"""The behavior of a build that lacks the flag."""


def bench_help(speech: Path) -> str:
    """The build's help text on its flags."""
    return subprocess.run([speech, "bench", "--help"], capture_output=True, encoding="utf-8", check=True).stdout


def arguments(configuration: Configuration, help_text: str) -> list[str]:
    """The flags of `speech bench` for the configuration.

    Raises `NotHere` if the build lacks one and would behave differently without it.
    """
    found = []
    for option, value in configuration.options.items():
        if f"--{option} " in help_text:
            found += [f"--{option}", value]
        elif WITHOUT_FLAG[option] != value:
            raise NotHere(f"not in this build: --{option}")
    return found


def require_asked(configuration: Configuration, asked: list[str], report: Mapping[str, Any]) -> None:
    """Raises `NotHere` unless the report confirms the configuration requested by the flags."""
    for option, value in configuration.options.items():
        if f"--{option}" not in asked:
            continue
        did = report.get(option)
        if did is None:
            raise CompareError(
                f"the report of `speech bench --{option} {value}` does not say which {option} it ran with"
            )
        if did != value:
            raise NotHere(f"not on this processor: asked for {option} {value}, it ran {did}")


def require_same_texts(report: Mapping[str, Any]) -> None:
    """Raises unless the program's built-in texts equal those given to the others."""
    theirs = {entry["name"]: entry["text"] for entry in TEXTS}
    if {entry["name"]: entry["text"] for entry in report["texts"]} != theirs:
        raise CompareError("`speech bench` speaks other texts than research/compare/texts.json: make them equal")


def require_same_sentence(report: Mapping[str, Any]) -> None:
    """Raises unless the sessions' text equals the one given to the other engines' sessions."""
    if report["text"] != next(entry["text"] for entry in TEXTS if entry["name"] == SENTENCE):
        raise CompareError(f"the sessions of `speech bench` speak another text than {SENTENCE}: make them equal")


def record(speech: Path, configuration: Configuration, asked: list[str], text: str) -> NDArray[np.floating]:
    """The program's audio, within -1 and 1, at RATE."""
    command = [speech, "say", "--format", "pcm", "--threads", "1", *asked]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise CompareError(f"{configuration.label} failed: {done.stderr.decode(errors='replace').strip()}")
    return np.frombuffer(done.stdout, "<i2") / 32768
