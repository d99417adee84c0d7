"""A voice bundle with a candidate recipe for one voice, and its recordings."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from bundle.sources import Sources, sha256
from bundle.store import VOICES, is_padding, safetensors_bytes, stored_in_16_bits
from bundle.voices import blended_table
from numpy.typing import NDArray
from safetensors.numpy import load_file

from .altered import write_altered
from .recipes import ingredients, parse_recipe

RATE = 22_050
_VOICE = "aria"
GAIN_DB = -3.0
"""The gain of every candidate during measurement, so that loud ones are not clipped."""


class Studio:
    """Speaks with the program `speech` and stores every recording, so that no sentence is spoken twice.

    A recording is identified by recipe, language, text, and the voice bundle and program that made it.
    """

    def __init__(self, speech: Path, bundle: Path, downloads: Path, work: Path) -> None:
        self._speech, self._bundle, self._work = speech, bundle, work
        self._sources = Sources.verified(downloads)
        manifest = json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))
        weights = {name: file["sha256"] for name, file in manifest["files"].items() if name != VOICES}
        self._made_by = [weights, _sha256_of(speech)]

    def record(self, recipe: str, language: str, texts: list[str]) -> list[Path]:
        """The recordings of the texts, 16-bit FLAC at RATE."""
        paths = [self._path(recipe, language, text) for text in texts]
        missing = [(text, path) for text, path in zip(texts, paths, strict=True) if not path.exists()]
        if missing:
            self._work.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._work, prefix="bundle-") as folder:
                self._write_bundle(recipe, language, Path(folder))
                for text, path in missing:
                    _keep(path, self._speak(text, language, Path(folder)))
        return paths

    def style_names(self) -> list[str]:
        """The published style vectors."""
        return self._sources.style_names()

    def key(self, recipe: str, language: str, texts: list[str]) -> str:
        """The identity of a recipe, texts, the weights and the program together."""
        whole = [parse_recipe(recipe), language, texts, self._made_by]
        return sha256(json.dumps(whole, sort_keys=True).encode())[:24]

    def _path(self, recipe: str, language: str, text: str) -> Path:
        key = self.key(recipe, language, [text])
        return self._work / "recordings" / key[:2] / f"{key[2:]}.flac"

    def _write_bundle(self, recipe: str, language: str, folder: Path) -> None:
        """The bundle with the recipe's tables for one voice in one language; the weights are those of the original."""
        parsed = parse_recipe(recipe)
        table = blended_table(parsed, self._sources.style_tables(ingredients(parsed)))
        tensors = {name: tensor for name, tensor in load_file(self._bundle / VOICES).items() if not is_padding(name)}
        tensors |= stored_in_16_bits(f"{_VOICE}/{language}", table)
        write_altered(self._bundle, folder, {VOICES: safetensors_bytes(tensors)}, _set_gains)

    def _speak(self, text: str, language: str, bundle: Path) -> NDArray[np.int16]:
        command = [self._speech, "say", "--format", "pcm", "--threads", "1", "--bundle", bundle]
        command += ["--voice", _VOICE, "--language", language]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"{text!r} could not be spoken: {done.stderr.decode()}")
        return np.frombuffer(done.stdout, "<i2")


def read(path: Path) -> NDArray[np.float32]:
    """The samples of a recording, within -1 and 1."""
    samples, rate = soundfile.read(path, dtype="float32")
    if rate != RATE:
        raise ValueError(f"{path} is at {rate} Hz")
    return samples


def _keep(path: Path, samples: NDArray[np.int16]) -> None:
    """Renames the file, so that an interrupted run leaves no partial recording."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.partial")
    soundfile.write(partial, samples, RATE, format="FLAC", subtype="PCM_16")
    partial.replace(path)


def _set_gains(manifest: dict[str, Any]) -> None:
    for voice in manifest["voices"]:
        for recipe in voice["recipes"].values():
            recipe["gain_db"] = GAIN_DB


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
