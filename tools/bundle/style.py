"""The small layers that compute the scale and the offset of each normalization from the style vector."""

from __future__ import annotations

from dataclasses import dataclass, field

from .graph import Graph, Node, other_input
from .weights import Weight


@dataclass
class StyleLayer:
    """source * weight + bias; `halves` are its two results, the scale first, [1, channels, 1]."""

    source: str
    weight: Weight
    bias: Weight
    output: str
    halves: list[str] = field(default_factory=list)


def style_layer(graph: Graph, node: Node) -> StyleLayer | None:
    """source -> MatMul, Add (or Gemm) -> Unsqueeze (a third axis) -> Split into two halves."""
    layer = _gemm(graph, node) if node.op == "Gemm" else _matmul(graph, node)
    if layer is None:
        return None
    unsqueeze = graph.only_consumer(layer.output, "Unsqueeze")
    if unsqueeze is None or graph.scalar(unsqueeze.inputs[1]) not in (2, -1):
        return None
    split = graph.only_consumer(unsqueeze.outputs[0], "Split")
    if split is None or split.attributes.get("axis", 0) != 1 or len(split.outputs) != 2:
        return None
    sizes = graph.value(split.inputs[1]) if len(split.inputs) > 1 else None
    if sizes is not None and sizes[0] != sizes[1]:
        return None
    layer.halves = list(split.outputs)
    return layer


def _matmul(graph: Graph, node: Node) -> StyleLayer | None:
    weight = graph.weights.get(node.inputs[1])
    add = graph.only_consumer(node.outputs[0], "Add")
    bias = graph.weights.get(other_input(add, node.outputs[0]) or "") if add else None
    if add is None or weight is None or bias is None or len(weight.shape) != 2 or bias.shape != weight.shape[1:]:
        return None
    return StyleLayer(node.inputs[0], weight, bias, add.outputs[0])


def _gemm(graph: Graph, node: Node) -> StyleLayer | None:
    weight = graph.weights.get(node.inputs[1])
    bias = graph.weights.get(node.inputs[2]) if len(node.inputs) > 2 else None
    plain = all(node.attributes.get(k, d) == d for k, d in (("alpha", 1.0), ("beta", 1.0), ("transA", 0)))
    if weight is None or bias is None or not plain or len(weight.shape) != 2:
        return None
    if node.attributes.get("transB", 0):
        weight = weight.transposed([1, 0])
    return StyleLayer(node.inputs[0], weight, bias, node.outputs[0]) if bias.shape == weight.shape[1:] else None
