"""Measures the cost of rounding the published weights to one byte, without the unrounded weights.

Rounding to steps adds noise with a variance of 1/12 step. Here each code is moved one step up or down with a
probability of 1/24 each, which adds the same amount of noise again: if that costs no quality, the first rounding did
not cost much either.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
from bundle.store import PROSODY_WEIGHTS, VOCODER_WEIGHTS

from .altered import write_altered

_MOVED = 1 / 24
_SEED = 20
VARIANTS = {
    "as it is": (),
    "prosody rounded again": (PROSODY_WEIGHTS,),
    "vocoder rounded again": (VOCODER_WEIGHTS,),
    "all rounded again": (PROSODY_WEIGHTS, VOCODER_WEIGHTS),
}
"""The weight files that get the noise."""


def write_bundle(original: Path, out: Path, noisy: tuple[str, ...]) -> None:
    """A copy of a bundle with noise on the quantized weights of some files; the others are links."""
    out.mkdir(parents=True)
    write_altered(original, out, {name: with_noise((original / name).read_bytes()) for name in noisy})


def with_noise(file: bytes) -> bytes:
    """A safetensors file with the codes of its quantized weights moved at random, within a byte."""
    start = 8 + struct.unpack("<Q", file[:8])[0]
    header = json.loads(file[8:start])
    data = bytearray(file)
    random = np.random.default_rng(_SEED)
    for name, entry in sorted(header.items()):
        if f"{name}.scale" not in header:
            continue
        first, last = (start + offset for offset in entry["data_offsets"])
        codes = np.frombuffer(file[first:last], np.uint8).astype(np.int16)
        chance = random.random(len(codes))
        codes += (chance < _MOVED).astype(np.int16) - (chance > 1 - _MOVED).astype(np.int16)
        data[first:last] = np.clip(codes, 0, 255).astype(np.uint8).tobytes()
    return bytes(data)
