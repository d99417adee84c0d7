"""The published model of the small networks, `hibari-tts` 0.2.1 (Apache-2.0): one graph from tokens to the spectra of a voice."""

from __future__ import annotations

import onnx

from .dequantize import dequantize
from .errors import BundleError
from .graph import Graph
from .weights import Weight

PROSODY, DECODER = "pn.", "m."
"""The name prefixes of the two networks' weights."""


def published_graph(export: bytes) -> Graph:
    """The published graph in float arithmetic on its one-byte weights."""
    graph = Graph.from_model(onnx.load_model_from_string(export))
    dequantize(graph)
    return graph


def published_weights(graph: Graph, network: str) -> dict[str, Weight]:
    """The weights of one of the two networks by module name.

    The bias added to a product names its layer.
    """
    weights = {name: weight for name, weight in graph.weights.items() if name.startswith(network)}
    for node in graph.of_type("MatMul"):
        if node.inputs[1] not in graph.weights:
            continue
        addition = graph.only_consumer(node.outputs[0], "Add")
        bias = next((name for name in addition.inputs if name in graph.weights), None) if addition else None
        if bias is None:
            raise BundleError(f"the product {node.name!r} of the small model has no bias, which would name its layer")
        if bias.startswith(network):
            weights[bias.removesuffix("bias") + "weight"] = graph.weights[node.inputs[1]].transposed([1, 0])
    return {_renamed(name.removeprefix(network)): weight for name, weight in weights.items()}


def _renamed(name: str) -> str:
    name = name.replace("dur.2.", "dur.1.")
    return name.replace("self_attn.in_proj_", "qkv.").replace("self_attn.out_proj", "out")
