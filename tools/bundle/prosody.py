"""prosody.onnx: the part of an export in front of its decoder, with the decoder's inputs as outputs, channels last.

| output | shape | |
|---|---|---|
| `durations` | int64 [n] | frames of 25 ms of each token |
| `text` | [T, 512] | features of the text, spread over the T frames |
| `pitch` | [2 T] | fundamental frequency in Hz |
| `energy` | [2 T] | |
| `source` | [120 T + 1, 22] | the harmonic source's short-time spectrum: 11 magnitudes, 11 phases |
"""

from __future__ import annotations

import numpy as np

from .graph import FLOAT, Graph, Port
from .layers import convolution, convolution_node

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
    """The tensors [1, channels, time] that enter the decoder, by the names of the outputs they become."""
    return {name: convolution_node(graph, convolution(reader)).inputs[0] for name, reader in _READERS.items()}


def cut_prosody(graph: Graph) -> None:
    """Leaves what comes before the decoder."""
    ports = [p for p in graph.outputs if p.name == "durations"]
    expose_decoder_inputs(graph)
    graph.outputs = ports + [p for p in graph.outputs if p.name in SHAPES]
    graph.drop_unused()


def expose_decoder_inputs(graph: Graph) -> None:
    """Adds the outputs."""
    for name, tensor in decoder_inputs(graph).items():
        expose(graph, tensor, name, SHAPES[name])


def expose(graph: Graph, tensor: str, name: str, shape: list[int | str]) -> None:
    """Adds a tensor [1, channels, time] as an output [time, channels], or [time] where it has one channel."""
    if len(shape) == 1:
        axes = graph.constant("libspeech.flat", np.array([-1], np.int64))
        graph.add_op("Reshape", [tensor, axes], name)
    else:
        rows = graph.add_op("Transpose", [tensor], f"{name}.rows", perm=[0, 2, 1])
        axes = graph.constant("libspeech.axis0", np.array([0], np.int64))
        graph.add_op("Squeeze", [rows, axes], name)
    graph.outputs.append(Port(name, FLOAT, shape))
