"""Writes the network's weights in the format documented in `core/text/src/languages/en_us/phonemize/oov/weights.rs`."""

import struct
from pathlib import Path

import numpy as np

from .model import BLOCK, Shape
from .ngrams import Ngrams

MAGIC = b"LSPG2P\x03\x00"
# The share of a window table column's largest number at which values are clipped: few are larger.
CUT_OFF = 0.6


def tensors(shape: Shape) -> list[str]:
    """The names of the tensors in file order."""
    windows = [name for i in range(len(shape.windows)) for name in (f"window{i}", f"window{i}.in")]
    blocks = [f"{block}.{name}" for block in range(shape.blocks) for name in BLOCK]
    return ["letter", "style", *windows, *blocks, "norm", "out", "out.bias"]


def is_vector(name: str, value: np.ndarray) -> bool:
    return value.ndim == 1 or name.endswith("distance")


def is_table(name: str) -> bool:
    return name.startswith("window") and not name.endswith(".in")


def quantized_table(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A scale per column, and the numbers in four bits, from -7 to 7."""
    scales = np.maximum(np.abs(table).max(0), 1e-12).astype("<f4") * np.float32(CUT_OFF / 7)
    return scales, np.clip(np.round(table / scales), -7, 7).astype(np.int8)


def packed(numbers: np.ndarray) -> np.ndarray:
    """Two columns per byte, the first in the low half, each with 8 added."""
    halves = (numbers + 8).astype(np.uint8)
    return halves[:, 0::2] | halves[:, 1::2] << 4


def quantized(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A scale per column, and the numbers in eight bits."""
    scales = np.maximum(np.abs(matrix).max(0), 1e-12).astype("<f4") / np.float32(127)
    return scales, np.round(matrix / scales).astype(np.int8)


def rounded(parameters: dict) -> dict:
    """The parameters after quantization, as the library sees them."""
    found = {}
    for name, value in parameters.items():
        value = np.asarray(value, np.float32)
        if not is_vector(name, value):
            scales, numbers = quantized_table(value) if is_table(name) else quantized(value)
            value = numbers.astype(np.float32) * scales
        found[name] = value
    return found


def write(path: Path, parameters: dict, shape: Shape, labels: list[str], ngrams: Ngrams):
    sizes = shape.labels, shape.width, shape.heads, shape.inner, shape.blocks, shape.reach
    parts = [MAGIC, struct.pack("<8H", *sizes, len(shape.windows), shape.window_width)]
    for before, after, size in shape.windows:
        parts.append(struct.pack("<3H", before, after, size.bit_length() - 1))
    for label in labels:
        text = label.encode()
        parts += [bytes([len(text)]), text]
    for name in tensors(shape):
        value = np.asarray(parameters[name], np.float32)
        if is_vector(name, value):
            parts.append(value.astype("<f4").tobytes())
        elif is_table(name):
            scales, numbers = quantized_table(value)
            parts += [scales.tobytes(), packed(numbers).tobytes()]
        else:
            parts += [part.tobytes() for part in quantized(value)]
    parts += [struct.pack("<H", len(ngrams.buckets)), ngrams.bytes()]
    path.write_bytes(b"".join(parts))
