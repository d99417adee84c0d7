"""The layer types that the library runs, and how to find them in an export.

An exporter writes a module's path into the names of its nodes. A layer found by name must also have the shape, the
strides and the constants that the library assumes. A module that runs several times has a number after its name
(`query`, `query_1`), and must have the same weights each time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from onnx import numpy_helper

from .errors import BundleError
from .graph import Graph, Node, other_input
from .style import StyleLayer, style_layer
from .weights import Weight

STYLE_HALF = 128
"""A style vector has two halves: the first is for the decoder and generator, the second for the layers before them."""

LSTM_STATES = 256
EPSILON = 1e-5
"""Of all normalizations except BERT's."""


@dataclass(frozen=True)
class Convolution:
    """A convolution: its name in the bundle, its module in the export, and its expected parameters."""

    name: str
    module: str
    inputs: int
    outputs: int
    taps: int
    stride: int = 1
    dilation: int = 1
    transposed: bool = False
    depthwise: bool = False

    @property
    def padding(self) -> int:
        """The zeros on either side (for a transposed convolution: the samples cut off), so that lengths differ by the
        stride."""
        return (self.dilation * (self.taps - 1) + 2 - self.stride) // 2


@dataclass(frozen=True)
class Norm:
    """An adaptive normalization: its scale and its offset come from a half of the style vector."""

    name: str
    module: str
    channels: int
    half: int = 0


@dataclass(frozen=True)
class Snake:
    """x + sin(alpha x)^2 / alpha with one alpha per channel, before a convolution."""

    name: str
    convolution: Convolution


@dataclass(frozen=True)
class Linear:
    """Linear layers with the same input, stored side by side in the bundle; `outputs` of each, which run `times`
    times."""

    name: str
    modules: tuple[str, ...]
    inputs: int
    outputs: int
    times: int = 1


@dataclass(frozen=True)
class LayerNorm:
    """A normalization over the channels, with a constant scale and offset."""

    name: str
    module: str
    channels: int
    epsilon: float = EPSILON
    times: int = 1


@dataclass(frozen=True)
class Lstm:
    """A bidirectional LSTM of 256 states in each direction."""

    name: str
    module: str
    inputs: int


@dataclass(frozen=True)
class Embedding:
    """A table from which rows are looked up."""

    name: str
    module: str
    rows: int
    columns: int


@dataclass(frozen=True)
class LstmWeights:
    """In ONNX's form: [2, 1024, inputs], [2, 1024, 256] and [2, 2048]; the gates are input, output, forget, cell."""

    input: Weight
    recurrent: Weight
    bias: Weight


def nodes_of(graph: Graph, module: str, *ops: str) -> list[Node]:
    """The operators of a module, in all its runs. (Operators made by an optimizer are named only in their outputs.)"""
    path = re.compile(rf"(?:^|/){re.escape(module)}(?:_\d+)?/")
    return [n for n in graph.of_type(*ops) if path.search(n.name) or path.search(n.outputs[0])]


def convolution_node(graph: Graph, layer: Convolution) -> Node:
    """The node of a convolution, checked against the expected parameters."""
    op = "ConvTranspose" if layer.transposed else "Conv"
    node = _only(layer.module, nodes_of(graph, layer.module, op))
    weight = graph.weights.get(node.inputs[1])
    if weight is None or any(i not in graph.weights for i in node.inputs[2:]):
        raise BundleError(f"the weight or the bias of {layer.module} is not a constant")
    first, second = (layer.inputs, layer.outputs) if layer.transposed else (layer.outputs, layer.inputs)
    shape = (first, 1 if layer.depthwise else second, layer.taps)
    found = (weight.shape, *(node.attributes.get(k, d) for k, d in _CONVOLUTION_DEFAULTS.items()))
    wanted = (
        shape,
        [layer.stride],
        [layer.dilation],
        [layer.padding] * 2,
        layer.inputs if layer.depthwise else 1,
        [1] if layer.depthwise else [0],
    )
    if found != wanted:
        raise BundleError(f"the convolution {layer.module} has {found}; {wanted} is expected")
    return node


_CONVOLUTION_DEFAULTS: dict[str, object] = {
    "strides": [1], "dilations": [1], "pads": [0, 0], "group": 1, "output_padding": [0],
}  # fmt: skip


def norm_layer(graph: Graph, norm: Norm) -> StyleLayer:
    """The layer that computes the scale and the offset of a normalization from the style vector."""
    layer = style_layer(graph, _only(f"{norm.module}/fc", nodes_of(graph, f"{norm.module}/fc", "MatMul", "Gemm")))
    if layer is None or layer.weight.shape != (STYLE_HALF, 2 * norm.channels):
        raise BundleError(f"the style layer {norm.module}/fc is not as expected")
    if not _is_style_half(graph, layer.source, norm.half):
        raise BundleError(f"the style layer {norm.module}/fc does not read half {norm.half} of the style vector")
    plus_one = graph.only_consumer(layer.halves[0], "Add")
    if plus_one is None or not any(graph.scalar(i) == 1.0 for i in plus_one.inputs):
        raise BundleError(f"the scale of {norm.module} is not one plus the first half of its style layer")
    return layer


def _is_style_half(graph: Graph, tensor: str, half: int) -> bool:
    node = graph.producer(tensor)
    if node is None or node.inputs[0] != "style":
        return False
    if node.op == "Split":
        sizes = graph.value(node.inputs[1]) if len(node.inputs) > 1 else None
        equal = sizes is None or sizes.tolist() == [STYLE_HALF] * 2
        return equal and node.attributes.get("axis", 0) in (1, -1) and node.outputs.index(tensor) == half
    if node.op != "Slice":
        return False
    start, end, axis, step = (graph.scalar(i) for i in (node.inputs + [""] * 4)[1:5])
    reaches = end is not None and (end == STYLE_HALF if half == 0 else end >= 2 * STYLE_HALF)
    return start == half * STYLE_HALF and reaches and axis in (1, -1) and step in (1, None)


def normalized_tensor(graph: Graph, norm: Norm) -> str:
    """The input of an adaptive normalization over time."""
    normalized = _normalized(graph, norm)
    node = graph.producer(normalized, "InstanceNormalization")
    source = node.inputs[0] if node is not None else _spelled_out_source(graph, normalized)
    if source is None:
        raise BundleError(f"the normalization {norm.module} was not found in the model")
    return source


def check_time_norm(graph: Graph, norm: Norm) -> None:
    """Checks the epsilon of an adaptive normalization over time."""
    node = graph.producer(_normalized(graph, norm), "InstanceNormalization", "Div")
    if node is not None and node.op == "InstanceNormalization":
        _check_identity(graph, norm, node)
        _check_epsilon(norm.module, node, EPSILON)
        return
    root = graph.producer(node.inputs[1], "Sqrt") if node else None
    total = graph.producer(root.inputs[0], "Add") if root else None
    epsilons = [e for i in total.inputs if (e := graph.scalar(i)) is not None] if total else []
    if len(epsilons) != 1 or not _is_close(epsilons[0], EPSILON):
        raise BundleError(f"the normalization {norm.module} has the epsilon {epsilons}; {EPSILON} is expected")


def _normalized(graph: Graph, norm: Norm) -> str:
    """The tensor multiplied by the scale of an adaptive normalization."""
    plus_one = graph.only_consumer(norm_layer(graph, norm).halves[0], "Add")
    product = graph.only_consumer(plus_one.outputs[0], "Mul") if plus_one else None
    normalized = other_input(product, plus_one.outputs[0]) if product and plus_one else None
    if normalized is None:
        raise BundleError(f"the normalization {norm.module} was not found in the model")
    return normalized


def _spelled_out_source(graph: Graph, normalized: str) -> str | None:
    """x in (x - mean) / sqrt(mean((x - mean) ** 2) + epsilon), with means over the last of three axes."""
    ratio = graph.producer(normalized, "Div")
    difference = graph.producer(ratio.inputs[0], "Sub") if ratio else None
    mean = graph.producer(difference.inputs[1], "ReduceMean") if difference else None
    if difference is None or mean is None or mean.inputs[0] != difference.inputs[0]:
        return None
    axes = mean.attributes.get("axes")
    if axes is None and len(mean.inputs) > 1:
        value = graph.value(mean.inputs[1])
        axes = None if value is None else value.reshape(-1).tolist()
    return difference.inputs[0] if axes in ([2], [-1]) else None


def check_channel_norm(graph: Graph, norm: Norm) -> None:
    """Checks that the normalization before the scale and the offset of `norm` is over the channels, and nothing
    else."""
    node = _only(norm.module, nodes_of(graph, norm.module, "LayerNormalization"))
    _check_identity(graph, norm, node)
    _check_epsilon(norm.module, node, EPSILON)


def snake_alpha(graph: Graph, snake: Snake) -> str:
    """The name of the constant alpha."""
    frontier = [convolution_node(graph, snake.convolution)]
    for _ in range(4):
        frontier = [s for n in frontier for i in n.inputs if (s := graph.producer(i)) is not None]
        for sine in (n for n in frontier if n.op == "Sin"):
            product = graph.producer(sine.inputs[0], "Mul")
            alphas = [i for i in product.inputs if i in graph.weights] if product else []
            if len(alphas) == 1:
                return alphas[0]
    raise BundleError(f"no Snake activation was found in front of {snake.convolution.module}")


def linear_operands(graph: Graph, layer: Linear) -> list[tuple[Weight, Weight]]:
    """The weight [inputs, outputs] and the bias of each of the layers."""
    found = []
    for module in layer.modules:
        runs = [_linear(graph, module, node) for node in nodes_of(graph, module, "MatMul")]
        weight, bias = _same_each_time(graph, module, runs, layer.times)
        if weight.shape != (layer.inputs, layer.outputs) or bias.shape != (layer.outputs,):
            raise BundleError(f"the linear layer {module} has a weight of the shape {weight.shape}")
        found.append((weight, bias))
    return found


def _linear(graph: Graph, module: str, product: Node) -> list[str]:
    """The names of the weight and of the bias, which may be part of the activation after it."""
    bias = graph.only_consumer(product.outputs[0], "Add", "FastGelu")
    names = [product.inputs[1], (other_input(bias, product.outputs[0]) or "") if bias else ""]
    if any(name not in graph.weights for name in names):
        raise BundleError(f"the weight or the bias of {module} is not a constant")
    return names


def layer_norm_operands(graph: Graph, norm: LayerNorm) -> tuple[Weight, Weight]:
    """The scale and the offset."""
    runs = []
    for node in nodes_of(graph, norm.module, "LayerNormalization", "SkipLayerNormalization"):
        names = node.inputs[1:3] if node.op == "LayerNormalization" else node.inputs[2:4]
        extra = node.inputs[4:] if node.op == "SkipLayerNormalization" else []
        if any(name not in graph.weights for name in names) or len(names) < 2 or any(extra):
            raise BundleError(f"the normalization {norm.module} is not as expected")
        _check_epsilon(norm.module, node, norm.epsilon)
        runs.append(names)
    scale, offset = _same_each_time(graph, norm.module, runs, norm.times)
    if scale.shape != (norm.channels,) or offset.shape != (norm.channels,):
        raise BundleError(f"the normalization {norm.module} has {scale.shape} channels; {norm.channels} are expected")
    return scale, offset


def _check_epsilon(module: str, node: Node, expected: float) -> None:
    epsilon = float(node.attributes.get("epsilon", EPSILON))
    if not _is_close(epsilon, expected):
        raise BundleError(f"the normalization {module} has the epsilon {epsilon}; {expected} is expected")
    if node.attributes.get("axis", -1) not in (-1, 2):
        raise BundleError(f"the normalization {module} is not over the channels")


def lstm_weights(graph: Graph, layer: Lstm) -> LstmWeights:
    """The weights of a bidirectional LSTM that starts from zeros."""
    node = _only(layer.module, nodes_of(graph, layer.module, "LSTM"))
    attributes = {key: node.attributes.get(key, default) for key, default in _LSTM_DEFAULTS.items()}
    wanted = {**_LSTM_DEFAULTS, "direction": b"bidirectional", "hidden_size": LSTM_STATES}
    unknown = node.attributes.keys() - wanted.keys()
    if attributes != wanted or unknown:
        raise BundleError(f"the LSTM {layer.module} has {attributes} {sorted(unknown)}; {wanted} is expected")
    inputs = node.inputs + [""] * (8 - len(node.inputs))
    if any(name not in graph.weights for name in inputs[1:4]):
        raise BundleError(f"the weights of {layer.module} are not constants")
    if inputs[4] or inputs[7] or not all(_is_zeros(graph, state) for state in inputs[5:7]):
        raise BundleError(f"the LSTM {layer.module} has lengths, peepholes, or another state than zeros to start from")
    weights = LstmWeights(*(graph.weights[name] for name in inputs[1:4]))
    gates = 4 * LSTM_STATES
    shapes = (weights.input.shape, weights.recurrent.shape, weights.bias.shape)
    if shapes != ((2, gates, layer.inputs), (2, gates, LSTM_STATES), (2, 2 * gates)):
        raise BundleError(f"the LSTM {layer.module} has weights of the shapes {shapes}")
    return weights


_LSTM_DEFAULTS: dict[str, object] = {"direction": b"forward", "hidden_size": 0, "input_forget": 0, "layout": 0}


def embedding_operands(graph: Graph, table: Embedding) -> tuple[Weight, str]:
    """The table, and the tensor of row indices."""
    node = _only(table.module, nodes_of(graph, table.module, "Gather"))
    weight = graph.weights.get(node.inputs[0])
    if weight is None or weight.shape != (table.rows, table.columns) or node.attributes.get("axis", 0) != 0:
        raise BundleError(f"the embedding {table.module} is not a constant table of {table.rows} rows")
    return weight, node.inputs[1]


def _is_zeros(graph: Graph, tensor: str) -> bool:
    """Whether an optional input is missing or all zeros."""
    value = graph.value(tensor)
    node = graph.producer(tensor, "ConstantOfShape", "Expand")
    if node is not None and node.op == "Expand":
        return _is_zeros(graph, node.inputs[0])
    if node is not None:
        fill = node.attributes.get("value")
        return fill is None or not np.any(numpy_helper.to_array(fill))
    return tensor == "" or (value is not None and not np.any(value))


def _check_identity(graph: Graph, norm: Norm, node: Node) -> None:
    """Checks that an adaptive normalization's own operator has scale 1 and offset 0."""
    scale, offset = graph.value(node.inputs[1]), graph.value(node.inputs[2])
    if scale is None or offset is None or not np.all(scale == 1) or np.any(offset):
        raise BundleError(f"the normalization {norm.module} has a scale or an offset of its own")


def _same_each_time(graph: Graph, module: str, runs: list[list[str]], times: int) -> list[Weight]:
    """The weights of a module that must run `times` times, always with the same weights."""
    if len(runs) != times:
        raise BundleError(f"the layer {module} is {len(runs)} times in the model; {times} is expected")
    first = [graph.weights[name] for name in runs[0]]
    for run in runs[1:]:
        for name, weight in zip(run, first):
            if graph.weights[name] is not weight and not np.array_equal(graph.weights[name].value(), weight.value()):
                raise BundleError(f"the layer {module} has other weights when it runs again")
    return first


def _is_close(value: float, expected: float) -> bool:
    """Equal to the precision of float16."""
    return abs(value - expected) <= 0.01 * expected


def _only(module: str, nodes: list[Node]) -> Node:
    if len(nodes) != 1:
        raise BundleError(f"the layer {module} is {len(nodes)} times in the model; once is expected")
    return nodes[0]
