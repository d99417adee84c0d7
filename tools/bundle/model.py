"""Turns the bytes of an export into the weights of the bundle's two halves."""

from __future__ import annotations

from dataclasses import dataclass

import onnx
from google.protobuf.message import DecodeError

from .canonical import canonicalize
from .dequantize import dequantize
from .errors import BundleError
from .graph import Graph
from .layout import Tensors
from .prosody import prosody_tensors
from .sources import sha256
from .vocoder import vocoder_tensors


@dataclass
class SpeechModel:
    """The weights of the two halves of the model, and their origin."""

    prosody: Tensors
    vocoder: Tensors
    source_sha256: str
    precision: str
    changes: dict[str, int]
    """The changes made to convert the export to float32, with their counts."""


def float_graph(export: bytes) -> tuple[Graph, dict[str, int]]:
    """The export in float32 with our inputs and outputs, otherwise unchanged; and the changes made."""
    try:
        model = onnx.load_model_from_string(export)
    except DecodeError as error:
        raise BundleError("the model is not an ONNX file") from error
    if any(t.data_location == onnx.TensorProto.EXTERNAL for t in model.graph.initializer):
        raise BundleError("the model keeps its weights in another file; join them into one ONNX file first")
    graph = Graph.from_model(model)
    counts = dequantize(graph)
    return graph, counts | canonicalize(graph)


def speech_model(export: bytes) -> SpeechModel:
    """The tensors of the bundle's two halves."""
    graph, changes = float_graph(export)
    return SpeechModel(prosody_tensors(graph), vocoder_tensors(graph), sha256(export), _precision(graph), changes)


def _precision(graph: Graph) -> str:
    """The storage type of most weights."""
    sizes = {"int8": 0, "fp16": 0, "fp32": 0}
    for weight in graph.weights.values():
        kind = "int8" if weight.quantization is not None else "fp16" if weight.half else "fp32"
        sizes[kind] += weight.size
    return max(sizes, key=lambda kind: sizes[kind])
