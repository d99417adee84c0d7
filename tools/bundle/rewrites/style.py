"""The 73 small layers that read the style vector, as one layer per half of that vector.

Each layer gives the scale and the offset of a normalization. Their weights are put side by side, one Gemm computes them
all, and a Split hands the parts out. What is done to a part before it is used (plus one, times a constant) moves into the
weights as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node, other_input
from ..weights import Weight, concatenated


@dataclass
class _Part:
    """Half of a layer's outputs: one number per channel."""

    weight: Weight
    bias: NDArray[np.float64]
    bias_changed: bool
    output: str
    flat: bool = False
    """Whether `output` has the shape [channels]; otherwise [1, channels, 1]."""


@dataclass
class StyleLayer:
    source: str
    weight: Weight
    bias: Weight
    nodes: list[Node]
    halves: list[str] = field(default_factory=list)


def merge_style_layers(graph: Graph) -> int:
    """Merges the layers of each source when there are at least two; returns how many layers were merged."""
    layers: dict[str, list[StyleLayer]] = {}
    for node in graph.of_type("MatMul", "Gemm"):
        layer = style_layer(graph, node)
        if layer is not None:
            layers.setdefault(layer.source, []).append(layer)
    groups = [group for group in layers.values() if len(group) > 1]
    for index, group in enumerate(groups):
        _merge(graph, group, f"libspeech.style{index}")
    return sum(len(group) for group in groups)


def style_layer(graph: Graph, node: Node) -> StyleLayer | None:
    """source -> MatMul, Add (or Gemm) -> Unsqueeze (a third axis) -> Split into two halves."""
    layer = _gemm(graph, node) if node.op == "Gemm" else _matmul(graph, node)
    if layer is None:
        return None
    unsqueeze = graph.only_consumer(layer.nodes[-1].outputs[0], "Unsqueeze")
    if unsqueeze is None or graph.scalar(unsqueeze.inputs[1]) not in (2, -1):
        return None
    split = graph.only_consumer(unsqueeze.outputs[0], "Split")
    if split is None or split.attributes.get("axis", 0) != 1 or len(split.outputs) != 2:
        return None
    sizes = graph.value(split.inputs[1]) if len(split.inputs) > 1 else None
    if sizes is not None and sizes[0] != sizes[1]:
        return None
    layer.nodes += [unsqueeze, split]
    layer.halves = list(split.outputs)
    return layer


def _matmul(graph: Graph, node: Node) -> StyleLayer | None:
    weight = graph.weights.get(node.inputs[1])
    add = graph.only_consumer(node.outputs[0], "Add")
    bias = graph.weights.get(other_input(add, node.outputs[0]) or "") if add else None
    if weight is None or bias is None or len(weight.shape) != 2 or bias.shape != weight.shape[1:]:
        return None
    return StyleLayer(node.inputs[0], weight, bias, [node, add])  # type: ignore[list-item]


def _gemm(graph: Graph, node: Node) -> StyleLayer | None:
    weight = graph.weights.get(node.inputs[1])
    bias = graph.weights.get(node.inputs[2]) if len(node.inputs) > 2 else None
    plain = all(node.attributes.get(k, d) == d for k, d in (("alpha", 1.0), ("beta", 1.0), ("transA", 0)))
    if weight is None or bias is None or not plain or len(weight.shape) != 2:
        return None
    if node.attributes.get("transB", 0):
        weight = weight.transposed([1, 0])
    return StyleLayer(node.inputs[0], weight, bias, [node]) if bias.shape == weight.shape[1:] else None


def _merge(graph: Graph, group: list[StyleLayer], name: str) -> None:
    parts = [part for layer in group for part in _parts(graph, layer)]
    graph.remove([n for layer in group for n in layer.nodes])
    weight = graph.constant(f"{name}.weight", concatenated([p.weight for p in parts], axis=1))
    bias = graph.constant(f"{name}.bias", _merged_bias(group, parts))
    sizes = graph.constant(f"{name}.sizes", np.array([len(p.bias) for p in parts], np.int64))
    everything = graph.add_op("Gemm", [group[0].source, weight, bias], f"{name}.gemm")
    flat = graph.constant("libspeech.flat", np.array([-1], np.int64))
    everything = graph.add_op("Reshape", [everything, flat], f"{name}.flat")
    axes = graph.constant("libspeech.axes02", np.array([0, 2], np.int64))
    outputs = [p.output if p.flat else f"{p.output}.flat" for p in parts]
    graph.add(Node("Split", [everything, sizes], outputs, f"{name}.split", attributes={"axis": 0}))
    for part, output in zip(parts, outputs):
        if not part.flat:
            graph.add_op("Unsqueeze", [output, axes], part.output)


def _merged_bias(group: list[StyleLayer], parts: list[_Part]) -> Weight:
    half = all(layer.bias.half for layer in group) and not any(p.bias_changed for p in parts)
    return Weight(np.concatenate([p.bias for p in parts]).astype(np.float32), half=half)


def _parts(graph: Graph, layer: StyleLayer) -> list[_Part]:
    channels = layer.weight.shape[1] // 2
    bias = layer.bias.value().astype(np.float64)
    parts = []
    for index, output in enumerate(layer.halves):
        span = slice(index * channels, (index + 1) * channels)
        part = _Part(layer.weight.columns(span), bias[span], False, output)
        while _absorb(graph, part):
            pass
        parts.append(part)
    return parts


def _absorb(graph: Graph, part: _Part) -> bool:
    """Moves the only reader of the part into its weights, if it adds or multiplies a constant or drops the axes of 1."""
    node = graph.only_consumer(part.output, "Add", "Mul", "Squeeze")
    if node is None:
        return False
    if node.op == "Squeeze":
        axes = graph.value(node.inputs[1]) if len(node.inputs) > 1 else None
        if part.flat or axes is None or sorted(axes.reshape(-1).tolist()) != [0, 2]:
            return False
        part.flat = True
    else:
        constant = graph.value(other_input(node, part.output) or "")
        if constant is None or constant.size not in (1, len(part.bias)) or constant.ndim > (1 if part.flat else 0):
            return False
        if not _absorb_arithmetic(part, node.op, constant.astype(np.float64).reshape(-1)):
            return False
    graph.remove([node])
    part.output = node.outputs[0]
    return True


def _absorb_arithmetic(part: _Part, op: str, constant: NDArray[np.float64]) -> bool:
    if op == "Add":
        part.bias = part.bias + constant
    elif part.weight.can_be_scaled(axis=1):
        factors = np.broadcast_to(constant, part.bias.shape)
        part.weight = part.weight.scaled(factors, axis=1)
        part.bias = part.bias * factors
    else:
        return False
    part.bias_changed = True
    return True
