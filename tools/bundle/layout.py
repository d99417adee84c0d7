"""The layout of layers as tensors of a bundle, the same for both halves of the model: a product's outputs come last.

| layer | tensors |
|---|---|
| convolution | `.weight` [taps, inputs, outputs], if depthwise [taps, channels]; `.bias` [outputs], zeros where there is none |
| upsampling, a transposed convolution | `.halves.h.weight` [1, 2 inputs, stride / 2 outputs] for the halves h of its outputs, `.bias` [outputs] |
| linear layers beside each other | `.weight` [1, inputs, outputs], `.bias` [outputs] |
| adaptive normalization | `.weight` [128, 2, channels], `.bias` [2, channels]: style to scale (one plus, in the bias), then to offset |
| layer normalization | `.weight` and `.bias` [channels] |
| LSTM, in each direction `d` | `.input.d.weight` [1, inputs, 1024], `.input.d.bias` [1024], `.recurrent.d.weight` [256, 1024] |

Channels are padded with zeros to a multiple of 32 (the 50 of the durations are not), except the 22 inputs of the noise
branch and single channels. Taps are in the order of the export. The gates of an LSTM are in ONNX's order: input,
output, forget, cell. A weight that came as one byte stays so: U8 with `<name>.scale` and `<name>.zero_point` of its
rank, which vary along the outputs or not at all.

A transposed convolution with twice as many taps as its stride makes `stride` time steps of each one. The first half of
them is a product with the time step before and the one itself, the second half with the one itself and the next: a
matrix each, whose inputs are those two time steps, and whose outputs are the channels of all its time steps. The
published graph has them as floats; they are stored in 16 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError
from .graph import Graph
from .layers import (
    LSTM_STATES,
    STYLE_HALF,
    Convolution,
    LayerNorm,
    Linear,
    Lstm,
    Norm,
    convolution_node,
    layer_norm_operands,
    linear_operands,
    lstm_weights,
    norm_layer,
)
from .store import LARGEST_CODE, stored, stored_in_16_bits
from .weights import Array, Weight, concatenated

LAYOUT_VERSION = 2
"""In the metadata of the two files."""

Tensors = dict[str, Array]
Floats = dict[str, NDArray[np.float32]]

_MULTIPLE = 32
_SOURCE_CHANNELS = 22
_DIRECTIONS = (0, 1)


def padded_channels(channels: int) -> int:
    """The number of channels that the library computes with."""
    if channels in (1, _SOURCE_CHANNELS):
        return channels
    return -(-channels // _MULTIPLE) * _MULTIPLE


def floats(weight: Weight) -> NDArray[np.float32]:
    """The values in float32."""
    return weight.value().astype(np.float32)


def convolution_tensors(graph: Graph, layer: Convolution) -> Tensors:
    """A convolution."""
    node = convolution_node(graph, layer)
    weight = graph.weights[node.inputs[1]]
    if layer.depthwise:
        weight = Weight(np.ascontiguousarray(weight.value()[:, 0].T), half=weight.half)
    else:
        weight = weight.transposed(_layout(layer)).padded(1, padded_channels(layer.inputs))
    outputs = _padded_outputs(layer)
    bias = np.zeros(outputs, np.float32)
    if len(node.inputs) > 2:
        bias[: layer.outputs] = floats(graph.weights[node.inputs[2]])
    return stored_by_output(f"{layer.name}.weight", weight.padded(len(weight.shape) - 1, outputs)) | {
        f"{layer.name}.bias": bias
    }


def compare_convolution(tensors: Floats, graph: Graph, layer: Convolution) -> None:
    """Raises BundleError unless the tensors, in the export's layout, equal its weights exactly; so do the others."""
    node = convolution_node(graph, layer)
    shape = (layer.taps, layer.outputs) if layer.depthwise else (layer.taps, layer.inputs, layer.outputs)
    weight = _unpadded(tensors, f"{layer.name}.weight", shape)
    back = weight.T[:, None] if layer.depthwise else np.transpose(weight, np.argsort(_layout(layer)))
    require_equal(f"{layer.name}.weight", back, floats(graph.weights[node.inputs[1]]))
    has_bias = len(node.inputs) > 2
    bias = floats(graph.weights[node.inputs[2]]) if has_bias else np.zeros(layer.outputs, np.float32)
    require_equal(f"{layer.name}.bias", _unpadded(tensors, f"{layer.name}.bias", (layer.outputs,)), bias)


def upsampling_tensors(graph: Graph, layer: Convolution) -> Tensors:
    """A transposed convolution."""
    node = convolution_node(graph, layer)
    weight = graph.weights[node.inputs[1]].transposed(_layout(layer)).padded(1, padded_channels(layer.inputs))
    outputs = _padded_outputs(layer)
    by_tap = weight.padded(2, outputs).value()
    bias = np.zeros(outputs, np.float32)
    bias[: layer.outputs] = floats(graph.weights[node.inputs[2]])
    tensors: Tensors = {f"{layer.name}.bias": bias}
    for half, steps in enumerate(_taps_of_halves(layer.stride)):
        # [the two time steps, inputs, time steps of the half, outputs]
        matrix = np.stack([np.stack([by_tap[tap] for tap in taps], axis=1) for taps in zip(*steps)])
        matrix = matrix.reshape(1, 2 * by_tap.shape[1], len(steps) * outputs)
        name = f"{layer.name}.halves.{half}.weight"
        tensors |= {name: matrix.astype(np.float16)} if weight.half else stored_in_16_bits(name, matrix)
    return tensors


def compare_upsampling(tensors: Floats, graph: Graph, layer: Convolution) -> None:
    """Compares to the precision of 16 bits."""
    node = convolution_node(graph, layer)
    expected = np.transpose(floats(graph.weights[node.inputs[1]]), _layout(layer))
    inputs, outputs = padded_channels(layer.inputs), _padded_outputs(layer)
    for half, steps in enumerate(_taps_of_halves(layer.stride)):
        name = f"{layer.name}.halves.{half}.weight"
        found = _unpadded(tensors, name, (1, 2 * inputs, len(steps) * outputs))
        found = found.reshape(2, inputs, len(steps), outputs)
        for step, taps in enumerate(steps):
            part, original = found[:, : layer.inputs, step, : layer.outputs], expected[list(taps)]
            tolerance = 0.51 * np.abs(original).max(axis=(0, 1)) / LARGEST_CODE
            padding = np.count_nonzero(found[:, :, step]) - np.count_nonzero(part)
            if (np.abs(part - original) > tolerance).any() or padding:
                raise BundleError(_other_weight(name))
    bias = _unpadded(tensors, f"{layer.name}.bias", (layer.outputs,))
    require_equal(f"{layer.name}.bias", bias, floats(graph.weights[node.inputs[2]]))


def _taps_of_halves(stride: int) -> list[list[tuple[int, int]]]:
    """For each half, the taps of each of its time steps on the first and on the second time step of the input."""
    padding = stride // 2
    first = [(step + padding + stride, step + padding) for step in range(stride // 2)]
    second = [(step + padding, step + padding - stride) for step in range(stride // 2, stride)]
    return [first, second]


def _layout(layer: Convolution) -> list[int]:
    """The permutation from [outputs, inputs, taps], or [inputs, outputs, taps] if transposed, to [taps, inputs, outputs]."""
    return [2, 0, 1] if layer.transposed else [2, 1, 0]


def _padded_outputs(layer: Convolution) -> int:
    return _MULTIPLE if layer.outputs == _SOURCE_CHANNELS else padded_channels(layer.outputs)


def norm_tensors(graph: Graph, norm: Norm) -> Tensors:
    """The style layer of an adaptive normalization."""
    layer = norm_layer(graph, norm)
    width = padded_channels(norm.channels)
    halves = [slice(0, norm.channels), slice(norm.channels, None)]
    weight = concatenated([layer.weight.columns(span).padded(1, width) for span in halves], axis=1)
    bias = np.zeros((2, width), np.float32)
    bias[:, : norm.channels] = layer.bias.value().reshape(2, -1)
    bias[0, : norm.channels] += np.float32(1)
    tensors = stored_by_output(f"{norm.name}.weight", weight)
    folded = {name: array.reshape(len(array), 2, width) for name, array in tensors.items()}
    return folded | {f"{norm.name}.bias": bias}


def compare_norm(tensors: Floats, graph: Graph, norm: Norm) -> None:
    style = norm_layer(graph, norm)
    shape = (STYLE_HALF, 2, norm.channels)
    weight = _unpadded(tensors, f"{norm.name}.weight", shape).reshape(STYLE_HALF, -1)
    require_equal(f"{norm.name}.weight", weight, floats(style.weight))
    bias = _unpadded(tensors, f"{norm.name}.bias", shape[1:])
    expected = style.bias.value().reshape(shape[1:]) + np.array([[1], [0]], np.float32)
    require_equal(f"{norm.name}.bias", bias, expected)


def linear_tensors(graph: Graph, layer: Linear) -> Tensors:
    """Linear layers side by side, as a convolution with one tap."""
    operands = linear_operands(graph, layer)
    weight = concatenated([weight for weight, _ in operands], axis=1) if len(operands) > 1 else operands[0][0]
    bias = np.concatenate([floats(bias) for _, bias in operands])
    return stored_by_output(f"{layer.name}.weight", weight.with_axis(0)) | {f"{layer.name}.bias": bias}


def compare_linear(tensors: Floats, graph: Graph, layer: Linear) -> None:
    operands = linear_operands(graph, layer)
    for part, expected in (("weight", [w for w, _ in operands]), ("bias", [b for _, b in operands])):
        name = f"{layer.name}.{part}"
        array = tensors[name]
        if part == "weight":
            _require_shape(name, array, (1, layer.inputs, layer.outputs * len(operands)))
            array = array[0]
        for index, original in enumerate(expected):
            span = slice(index * layer.outputs, (index + 1) * layer.outputs)
            require_equal(name, array[..., span], floats(original))


def layer_norm_tensors(graph: Graph, norm: LayerNorm) -> Tensors:
    """The constant scale and offset of a normalization."""
    scale, offset = layer_norm_operands(graph, norm)
    return {f"{norm.name}.weight": floats(scale), f"{norm.name}.bias": floats(offset)}


def compare_layer_norm(tensors: Floats, graph: Graph, norm: LayerNorm) -> None:
    scale, offset = layer_norm_operands(graph, norm)
    require_equal(f"{norm.name}.weight", tensors[f"{norm.name}.weight"], floats(scale))
    require_equal(f"{norm.name}.bias", tensors[f"{norm.name}.bias"], floats(offset))


def lstm_tensors(graph: Graph, layer: Lstm) -> Tensors:
    """The two directions of an LSTM. Its two biases are stored as their sum."""
    weights = lstm_weights(graph, layer)
    tensors: Tensors = {}
    for d in _DIRECTIONS:
        by_input = weights.input.taken(0, d).transposed([1, 0]).with_axis(0)
        tensors |= stored_by_output(f"{layer.name}.input.{d}.weight", by_input)
        tensors[f"{layer.name}.input.{d}.bias"] = _added_biases(weights.bias, d)
        recurrent = weights.recurrent.taken(0, d).transposed([1, 0])
        tensors |= stored_by_output(f"{layer.name}.recurrent.{d}.weight", recurrent)
    return tensors


def compare_lstm(tensors: Floats, graph: Graph, layer: Lstm) -> None:
    weights = lstm_weights(graph, layer)
    for d in _DIRECTIONS:
        name = f"{layer.name}.input.{d}.weight"
        _require_shape(name, tensors[name], (1, layer.inputs, 4 * LSTM_STATES))
        require_equal(name, tensors[name][0].T, floats(weights.input)[d])
        name = f"{layer.name}.input.{d}.bias"
        require_equal(name, tensors[name], _added_biases(weights.bias, d))
        name = f"{layer.name}.recurrent.{d}.weight"
        require_equal(name, tensors[name].T, floats(weights.recurrent)[d])


def _added_biases(bias: Weight, direction: int) -> NDArray[np.float32]:
    by_input, recurrent = floats(bias)[direction].reshape(2, -1)
    return by_input + recurrent


def stored_by_output(name: str, weight: Weight) -> Tensors:
    """Stored in float32 if the scale varies along another axis than the last."""
    q = weight.quantization
    varies_otherwise = q is not None and q.axis not in (None, len(weight.shape) - 1)
    return stored(name, Weight(weight.value()) if varies_otherwise else weight)


def require_equal(name: str, found: Array, expected: Array) -> None:
    if not np.array_equal(found, expected):
        raise BundleError(_other_weight(name))


def _other_weight(name: str) -> str:
    return f"the check failed: {name} is not the weight of the model that it was made from"


def _require_shape(name: str, array: Array, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise BundleError(f"the check failed: {name} has the shape {array.shape}; {shape} is expected")


def _unpadded(tensors: Floats, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The part of a tensor with this shape; the rest must be zero."""
    tensor = tensors[name]
    part = tensor[tuple(slice(0, n) for n in shape)]
    if part.shape != shape or np.count_nonzero(tensor) != np.count_nonzero(part):
        raise BundleError(f"the check failed: the padding of {name} is not zero, or its shape is {tensor.shape}")
    return part
