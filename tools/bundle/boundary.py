"""The tensors between a model's text side and its vocoder, exposed as outputs of an export, channels last.

| output | shape | |
|---|---|---|
| `text` | [T, 512] | features of the text, spread over the T frames |
| `pitch` | [2 T] | fundamental frequency in Hz |
| `energy` | [2 T] | |
| `source` | [120 T + 1, 22] | the harmonic source's short-time spectrum: 11 magnitudes, 11 phases |
"""

from __future__ import annotations

import numpy as np

from .graph import FLOAT, Graph, Port
from .layers import convolution_node
from .vocoder import convolution

SHAPES: dict[str, list[int | str]] = {
    "text": ["frames", 512],
    "pitch": ["halves"],
    "energy": ["halves"],
    "source": ["steps", 22],
}
_READERS = {
    "text": "decoder.text",
    "pitch": "decoder.pitch",
    "energy": "decoder.energy",
    "source": "generator.noise.0.conv",
}


def decoder_inputs(graph: Graph) -> dict[str, str]:
    """The tensors [1, channels, time] that enter the decoder, by the names of their outputs."""
    return {name: convolution_node(graph, convolution(reader)).inputs[0] for name, reader in _READERS.items()}


def expose_decoder_inputs(graph: Graph) -> None:
    """Adds the outputs."""
    for name, tensor in decoder_inputs(graph).items():
        expose(graph, tensor, name, SHAPES[name])


def expose(graph: Graph, tensor: str, name: str, shape: list[int | str]) -> None:
    """Adds a tensor [1, channels, time] as an output [time, channels], or [time] if it has one channel."""
    if len(shape) > 1:
        tensor = graph.add_op("Transpose", [tensor], f"{name}.rows", perm=[0, 2, 1])
    expose_rows(graph, tensor, name, shape)


def expose_rows(graph: Graph, tensor: str, name: str, shape: list[int | str]) -> None:
    """Adds a tensor whose last axes are its channels as an output of this shape."""
    sizes = graph.constant(f"{name}.sizes", np.array([-1, *shape[1:]], np.int64))
    graph.add_op("Reshape", [tensor, sizes], name)
    graph.outputs.append(Port(name, FLOAT, shape))
