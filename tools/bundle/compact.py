"""Copies a bundle with weights rounded to larger steps, so that it compresses better.

The weights of each output of a layer are rounded to multiples of a step, a fraction of their standard deviation. The
codes are still bytes, so the library loads such a bundle like any other; but only few of the 256 values are frequent,
which DEFLATE compresses well. A uniform step with an entropy coder is within a quarter of a bit of the optimum (Gish
and Pierce 1968, https://doi.org/10.1109/TIT.1968.1054193). `research/voices` measures the effect on the audio.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from .store import PROSODY_WEIGHTS, VOCODER_WEIGHTS, is_padding, read_bundle, safetensors_bytes, write_bundle
from .weights import Array

Steps = Mapping[str, float]
"""The step of each group of layers, in standard deviations. Other groups stay unchanged."""

GROUPS = {
    "bert": ("bert.",),
    "text": ("text.",),
    "duration": ("duration.",),
    "curves": ("curves.", "pitch.", "energy."),
    "decoder": ("decoder.",),
    "upsampling": ("generator.upsample.",),
    "noise": ("generator.noise.",),
    "generator": ("generator.blocks.",),
    "norms": (),
}
"""Groups of layers by name prefix. The adaptive normalizations of all of them form their own group."""

STEPS: Steps = dict.fromkeys(GROUPS, 0.3)
"""The steps of the published compact bundle."""

_NORMS = (".norm1", ".norm2", ".norms")
_ZERO = 128
_LARGEST = 127


def write_compact(original: Path, out: Path, steps: Steps = STEPS) -> None:
    """Writes a copy of a bundle with coarser weights to `out`, which must be empty or absent."""
    manifest, files = read_bundle(original)
    for name in (PROSODY_WEIGHTS, VOCODER_WEIGHTS):
        if name in files:
            files[name] = coarser(files[name], steps)
    manifest["model"]["steps"] = dict(steps)
    write_bundle(out, manifest, files)


def group(name: str) -> str | None:
    """The group of a tensor."""
    if any(norm in name for norm in _NORMS):
        return "norms"
    return next((group for group, beginnings in GROUPS.items() if name.startswith(beginnings)), None)


def coarser(file: bytes, steps: Steps) -> bytes:
    """A safetensors file with the weights of the named groups rounded to larger steps."""
    tensors = {name: tensor for name, tensor in load(file).items() if not is_padding(name)}
    for name in [name for name in tensors if f"{name}.scale" in tensors]:
        step = steps.get(group(name) or "")
        if step is not None:
            tensors |= _rounded(name, tensors, step)
    header = json.loads(file[8 : 8 + struct.unpack("<Q", file[:8])[0]])
    return safetensors_bytes(tensors, header.get("__metadata__"))


def _rounded(name: str, tensors: Mapping[str, Array], step: float) -> dict[str, Array]:
    """A weight in codes around 128, with one scale per output. No step is smaller than that of the stored weight."""
    old = tensors[f"{name}.scale"].astype(np.float64)
    zero = tensors.get(f"{name}.zero_point", np.zeros(1)).astype(np.float64)
    values = (tensors[name] - zero) * old
    others = tuple(range(values.ndim - 1))
    deviation = values.std(axis=others, keepdims=True)
    smallest = np.abs(values).max(axis=others, keepdims=True) / _LARGEST
    scale: NDArray[np.float64] = np.maximum(step * deviation, smallest)
    if tensors[name].dtype == np.uint8:
        scale = np.maximum(scale, old)
    scale[scale == 0] = 1
    codes = np.rint(values / scale).clip(-_LARGEST, _LARGEST) + _ZERO
    return {
        name: codes.astype(np.uint8),
        f"{name}.scale": scale.astype(np.float32),
        f"{name}.zero_point": np.full(scale.shape, _ZERO, np.uint8),
    }
