"""Measures how coarsely weights can be stored before the difference is audible, for the compact bundle
(`bundle.compact`)."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from bundle.compact import GROUPS, Steps
from bundle.sources import sha256
from bundle.store import PROSODY_WEIGHTS, VOCODER_WEIGHTS, VOICES

from .figures import Figures

SPEAKERS = ("aria", "jason")
"""A woman's and a man's voice, which represent the five."""

ALONE: dict[str, Steps] = {"as it is": {}} | {name: {name: 0.9} for name in GROUPS}
"""Each group with a step that may be audible, about 2.2 bits per weight, to find where precision matters most."""

VARIANTS: dict[str, Steps] = {
    "as it is": {},
    "all 0.3": dict.fromkeys(GROUPS, 0.3),
    "all 0.4": dict.fromkeys(GROUPS, 0.4),
}


@dataclass(frozen=True)
class Measured:
    """A bundle: its packed size in bytes, and the figures by language and recipe."""

    packed: int
    figures: dict[tuple[str, str], Figures]


def key(steps: Steps) -> str:
    """A name for a folder."""
    return sha256(json.dumps(dict(steps), sort_keys=True).encode())[:12]


def packed_size(bundle: Path) -> int:
    """The bytes of the weights and the voices as stored in the packages (`tools/xtask/recompress.py`)."""
    size = 0
    for name in (PROSODY_WEIGHTS, VOCODER_WEIGHTS, VOICES):
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FILTERED)
        size += len(compressor.compress((bundle / name).read_bytes())) + len(compressor.flush())
    return size
