"""vocoder.safetensors: the weights of the decoder and generator, laid out as the library reads them.

| tensor | shape |
|---|---|
| `<convolution>.weight` | [taps, inputs, outputs]; depthwise: [taps, channels] |
| `<convolution>.bias` | [outputs]; zeros where the export has none |
| `<norm>.weight`, `.bias` | [128, 2, channels], [2, channels]: style to scale (one plus, in the bias), then to offset |
| `<block>.alpha<k>.<i>` | [channels] |

Channels are padded with zeros to a multiple of 32, except the 22 inputs of the noise branch and single channels. Taps are
in the order of the export, also those of transposed convolutions. A weight that came as one byte stays so: U8 with
`<name>.scale` and `<name>.zero_point` of its rank, which vary along the outputs or not at all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError
from .graph import Graph
from .layers import (
    CONVOLUTIONS,
    NORMS,
    SNAKES,
    STYLE_HALF,
    Convolution,
    Norm,
    convolution_node,
    norm_layer,
    snake_alpha,
)
from .store import stored
from .weights import Array, Weight, concatenated

LAYOUT_VERSION = 1
_MULTIPLE = 32
_SOURCE_CHANNELS = 22

Tensors = dict[str, Array]


def vocoder_tensors(graph: Graph) -> Tensors:
    """The tensors of vocoder.safetensors, from an export in float32 that is not rewritten."""
    tensors: Tensors = {}
    for layer in CONVOLUTIONS:
        tensors |= _convolution(graph, layer)
    for norm in NORMS:
        tensors |= _norm(graph, norm)
    for snake in SNAKES:
        alpha = _floats(graph, snake_alpha(graph, snake)).reshape(-1)
        if len(alpha) != snake.convolution.inputs:
            raise BundleError(f"{snake.name} has {len(alpha)} channels; {snake.convolution.inputs} are expected")
        tensors[snake.name] = alpha
    return tensors


def compare_with_export(tensors: dict[str, NDArray[np.float32]], graph: Graph) -> None:
    """Raises BundleError unless the expanded tensors, laid out as in the export, are exactly its weights."""
    for layer in CONVOLUTIONS:
        node = convolution_node(graph, layer)
        weight = _unpadded(tensors, f"{layer.name}.weight", _true_shape(layer))
        back = weight.T[:, None] if layer.depthwise else np.transpose(weight, np.argsort(_layout(layer)))
        _require_equal(f"{layer.name}.weight", back, _floats(graph, node.inputs[1]))
        bias = _floats(graph, node.inputs[2]) if len(node.inputs) > 2 else np.zeros(layer.outputs, np.float32)
        _require_equal(f"{layer.name}.bias", _unpadded(tensors, f"{layer.name}.bias", (layer.outputs,)), bias)
    for norm in NORMS:
        style = norm_layer(graph, norm)
        shape = (STYLE_HALF, 2, norm.channels)
        weight = _unpadded(tensors, f"{norm.name}.weight", shape).reshape(STYLE_HALF, -1)
        _require_equal(f"{norm.name}.weight", weight, style.weight.value())
        bias = _unpadded(tensors, f"{norm.name}.bias", shape[1:])
        expected = style.bias.value().reshape(shape[1:]) + np.array([[1], [0]], np.float32)
        _require_equal(f"{norm.name}.bias", bias, expected)
    for snake in SNAKES:
        _require_equal(snake.name, tensors[snake.name], _floats(graph, snake_alpha(graph, snake)).reshape(-1))


def padded_channels(channels: int) -> int:
    """How many channels the library computes with."""
    if channels in (1, _SOURCE_CHANNELS):
        return channels
    return -(-channels // _MULTIPLE) * _MULTIPLE


def _padded_outputs(layer: Convolution) -> int:
    return _MULTIPLE if layer.outputs == _SOURCE_CHANNELS else padded_channels(layer.outputs)


def _layout(layer: Convolution) -> list[int]:
    """The permutation from [outputs, inputs, taps], or [inputs, outputs, taps] if transposed, to [taps, inputs, outputs]."""
    return [2, 0, 1] if layer.transposed else [2, 1, 0]


def _true_shape(layer: Convolution) -> tuple[int, ...]:
    return (layer.taps, layer.outputs) if layer.depthwise else (layer.taps, layer.inputs, layer.outputs)


def _convolution(graph: Graph, layer: Convolution) -> Tensors:
    node = convolution_node(graph, layer)
    weight = graph.weights[node.inputs[1]]
    if layer.depthwise:
        weight = Weight(np.ascontiguousarray(weight.value()[:, 0].T), half=weight.half)
    else:
        weight = weight.transposed(_layout(layer)).padded(1, padded_channels(layer.inputs))
    outputs = _padded_outputs(layer)
    weight = _varying_along_last(weight.padded(len(weight.shape) - 1, outputs))
    bias = np.zeros(outputs, np.float32)
    if len(node.inputs) > 2:
        bias[: layer.outputs] = _floats(graph, node.inputs[2])
    return stored(f"{layer.name}.weight", weight) | {f"{layer.name}.bias": bias}


def _norm(graph: Graph, norm: Norm) -> Tensors:
    layer = norm_layer(graph, norm)
    width = padded_channels(norm.channels)
    halves = [slice(0, norm.channels), slice(norm.channels, None)]
    weight = concatenated([layer.weight.columns(span).padded(1, width) for span in halves], axis=1)
    bias = np.zeros((2, width), np.float32)
    bias[:, : norm.channels] = layer.bias.value().reshape(2, -1)
    bias[0, : norm.channels] += np.float32(1)
    tensors = stored(f"{norm.name}.weight", _varying_along_last(weight))
    folded = {name: array.reshape(len(array), 2, width) for name, array in tensors.items()}
    return folded | {f"{norm.name}.bias": bias}


def _varying_along_last(weight: Weight) -> Weight:
    """Float32 if the scale varies along another axis than the last."""
    q = weight.quantization
    return weight if q is None or q.axis in (None, len(weight.shape) - 1) else Weight(weight.value())


def _floats(graph: Graph, name: str) -> NDArray[np.float32]:
    return graph.weights[name].value().astype(np.float32)


def _unpadded(tensors: dict[str, NDArray[np.float32]], name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The part of a tensor that has this shape; the rest must be zero."""
    tensor = tensors[name]
    part = tensor[tuple(slice(0, n) for n in shape)]
    if part.shape != shape or np.count_nonzero(tensor) != np.count_nonzero(part):
        raise BundleError(f"the check failed: the padding of {name} is not zero, or its shape is {tensor.shape}")
    return part


def _require_equal(name: str, found: Array, expected: Array) -> None:
    if not np.array_equal(found, expected):
        raise BundleError(f"the check failed: {name} is not the weight of the model that it was made from")
