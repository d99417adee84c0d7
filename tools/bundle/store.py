"""The files of a bundle: the graph, its weights and the style tables, as bytes.

Weights are in safetensors files. Two things are added to what that format asks for, and allowed by it: the header is
padded so that the data start at a multiple of 64 bytes, and tensors whose size is a multiple of 64 come first, so that
they all start at one (the format permits no holes). Quantized weights are U8 with the companions `<name>.scale` and
`<name>.zero_point`.
"""

from __future__ import annotations

import json
import struct

import numpy as np
import onnx
from onnx import numpy_helper

from .graph import FLOAT, Graph
from .weights import WEIGHTS_FILE, Array, Weight

EXTERNAL_FROM = 1024
"""Float constants of at least this many bytes (as float32) are stored outside the graph."""

_ALIGNMENT = 64
_NAMES = {np.dtype(np.float32): "F32", np.dtype(np.float16): "F16", np.dtype(np.uint8): "U8"}


def is_external(weight: Weight) -> bool:
    return weight.dtype == np.float32 and weight.size * 4 >= EXTERNAL_FROM


def graph_bytes(graph: Graph) -> bytes:
    """acoustic.onnx: the graph, with its large constants named but not contained."""
    return graph.to_model(_placeholder).SerializeToString(deterministic=True)


def weight_tensors(graph: Graph) -> dict[str, Array]:
    """The tensors of acoustic.safetensors."""
    tensors: dict[str, Array] = {}
    for name, weight in graph.weights.items():
        if not is_external(weight):
            continue
        q = weight.quantization
        if q is not None:
            tensors |= {name: q.codes, f"{name}.scale": q.scale, f"{name}.zero_point": q.zero_point}
        else:
            value = weight.value()
            tensors[name] = value.astype(np.float16) if weight.half else value
    return tensors


def safetensors_bytes(tensors: dict[str, Array]) -> bytes:
    """A safetensors file. The same tensors give the same bytes, in whatever order they come."""
    names = sorted(tensors, key=lambda n: (_misalignment(tensors[n]), n))
    header: dict[str, dict] = {}
    start = 0
    for name in names:
        array = tensors[name]
        end = start + array.nbytes
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [start, end]}
        start = end
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    little_endian = (tensors[n].astype(tensors[n].dtype.newbyteorder("<"), order="C") for n in names)
    return b"".join([struct.pack("<Q", len(text)), text, *(a.tobytes() for a in little_endian)])


def _misalignment(array: Array) -> tuple[int, int]:
    """Orders tensors: multiples of 64 bytes first, then by falling alignment of their elements."""
    return (1 if array.nbytes % _ALIGNMENT else 0, -array.itemsize)


def _placeholder(name: str, weight: Weight) -> onnx.TensorProto:
    if not is_external(weight):
        return numpy_helper.from_array(np.asarray(weight.value(), order="C"), name)
    tensor = onnx.TensorProto(name=name, data_type=FLOAT, dims=weight.shape)
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=WEIGHTS_FILE)
    return tensor


def json_bytes(value: object) -> bytes:
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    return text.encode() + b"\n"
