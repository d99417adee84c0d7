"""How coarsely the weights can be stored before anyone hears it: for the compact bundle (`bundle.compact`)."""

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
"""A woman and a man, who speak for the five."""

ALONE: dict[str, Steps] = {"as it is": {}} | {name: {name: 0.9} for name in GROUPS}
"""Each group with a step so large that it may be heard, about 2.2 bits a weight: where it matters most."""

VARIANTS: dict[str, Steps] = {
    "as it is": {},
    "all 0.3": dict.fromkeys(GROUPS, 0.3),
    "all 0.4": dict.fromkeys(GROUPS, 0.4),
}


@dataclass(frozen=True)
class Measured:
    """A bundle: bytes as packed, and the figures by language and recipe."""

    packed: int
    figures: dict[tuple[str, str], Figures]


def key(steps: Steps) -> str:
    """A name for a folder."""
    return sha256(json.dumps(dict(steps), sort_keys=True).encode())[:12]


def packed_size(bundle: Path) -> int:
    """Bytes of the weights and the voices as the packages store them (`tools/xtask/recompress.py`)."""
    size = 0
    for name in (PROSODY_WEIGHTS, VOCODER_WEIGHTS, VOICES):
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FILTERED)
        size += len(compressor.compress((bundle / name).read_bytes())) + len(compressor.flush())
    return size
