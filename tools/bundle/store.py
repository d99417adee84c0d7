"""Serializes the files of a bundle.

Tensors are in safetensors files, with three additions that the format allows: the header is padded so that the data
start at a multiple of 64 bytes; tensors whose size is a multiple of 64 come first; and each of the rest is followed by
a U8 tensor `padding.<number>` up to the next multiple, because the format permits no holes. So every tensor starts at a
multiple of 64. Quantized weights are U8 with the companions `<name>.scale` and `<name>.zero_point`. Large float tensors
are I16 with the companion `<name>.scale`, one per index of the last axis: 90 dB of precision.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError
from .sources import sha256
from .weights import Array, Weight

PROSODY_WEIGHTS = "prosody.safetensors"
VOCODER_WEIGHTS = "vocoder.safetensors"
SMALL_PROSODY_WEIGHTS = "small_prosody.safetensors"
SMALL_DECODER_WEIGHTS = "small_decoder.safetensors"
VOICES = "voices.safetensors"
MANIFEST = "bundle.json"

LARGEST_CODE = 32767
"""The 16-bit magnitude of the largest float."""

_ALIGNMENT = 64
_PADDING = "padding."
_NAMES = {
    np.dtype(np.int64): "I64",
    np.dtype(np.float32): "F32",
    np.dtype(np.float16): "F16",
    np.dtype(np.int16): "I16",
    np.dtype(np.uint8): "U8",
}


def stored(name: str, weight: Weight) -> dict[str, Array]:
    """A weight in its smallest storage form, with its companions."""
    q = weight.quantization
    if q is not None:
        return {name: q.codes, f"{name}.scale": q.scale, f"{name}.zero_point": q.zero_point}
    value = weight.value()
    return {name: value.astype(np.float16) if weight.half else value}


def stored_in_16_bits(name: str, array: NDArray[np.float32]) -> dict[str, Array]:
    """Floats as integers, `value = code * scale`, with their companion."""
    largest = np.abs(array).max(axis=tuple(range(array.ndim - 1)))
    scale = (np.where(largest > 0, largest, 1) / LARGEST_CODE).astype(np.float32)
    return {name: np.rint(array / scale.astype(np.float64)).astype(np.int16), f"{name}.scale": scale}


def safetensors_bytes(tensors: dict[str, Array], metadata: dict[str, str] | None = None) -> bytes:
    """A safetensors file. The same tensors give the same bytes, in any order."""
    header: dict[str, dict] = {} if metadata is None else {"__metadata__": dict(sorted(metadata.items()))}
    start = 0
    arrays = _aligned(tensors)
    for name, array in arrays.items():
        end = start + array.nbytes
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [start, end]}
        start = end
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    little_endian = (a.astype(a.dtype.newbyteorder("<"), order="C") for a in arrays.values())
    return b"".join([struct.pack("<Q", len(text)), text, *(a.tobytes() for a in little_endian)])


def _aligned(tensors: dict[str, Array]) -> dict[str, Array]:
    """The tensors in file order, with padding between them."""
    names = sorted(tensors, key=lambda n: (tensors[n].nbytes % _ALIGNMENT != 0, n))
    arrays: dict[str, Array] = {}
    for name in names:
        arrays[name] = tensors[name]
        missing = -tensors[name].nbytes % _ALIGNMENT
        if missing:
            arrays[f"{_PADDING}{len(arrays):04}"] = np.zeros(missing, np.uint8)
    return arrays


def is_padding(name: str) -> bool:
    """Whether a tensor only pads for alignment."""
    return name.startswith(_PADDING)


def json_bytes(value: object) -> bytes:
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    return text.encode() + b"\n"


def sealed(description: dict[str, object]) -> bytes:
    """The JSON of a manifest with its own SHA-256: that of its bytes with zeros in place of the digits."""
    zeros = "0" * 64
    data = json_bytes({**description, "manifest_sha256": zeros})
    return data.replace(zeros.encode(), sha256(data).encode())


def read_bundle(directory: Path) -> tuple[dict, dict[str, bytes]]:
    """The manifest of a bundle without its own SHA-256, and the files that it lists."""
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        files = {name: (directory / name).read_bytes() for name in manifest["files"]}
    except OSError as error:
        raise BundleError(f"cannot read the bundle {directory}: {error.strerror}") from error
    del manifest["manifest_sha256"]
    return manifest, files


def write_bundle(out: Path, manifest: Mapping[str, object], files: Mapping[str, bytes]) -> None:
    """Writes these files and a manifest that lists them to a directory, which must be empty or absent."""
    listed = {name: {"size": len(data), "sha256": sha256(data)} for name, data in files.items()}
    out.mkdir(parents=True, exist_ok=True)
    for name, data in {**files, MANIFEST: sealed({**manifest, "files": listed})}.items():
        (out / name).write_bytes(data)
