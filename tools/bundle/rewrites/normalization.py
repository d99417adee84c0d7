"""Adaptive instance normalization: nine operators, or two around InstanceNormalization, as one InstanceNormalization.

The scale and offset come from the style vector, two halves of one tensor [1, 2 * channels, 1]. They are never constants,
which is why ONNX Runtime does not fuse this itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..graph import Graph, Node, other_input


@dataclass
class _Affine:
    """gamma * normalized + beta, found at its last node."""

    normalized: str
    gamma: str
    beta: str


def fuse_instance_normalization(graph: Graph) -> int:
    """Fuses each gamma * normalize(x) + beta whose gamma and beta are halves of one tensor."""
    count = 0
    for last in graph.of_type("Add"):
        affine = _affine(graph, last)
        if affine is None:
            continue
        source = _spelled_out(graph, affine.normalized) or _plain_operator(graph, affine.normalized)
        if source is None:
            continue
        _fuse(graph, last, affine, *source)
        count += 1
    return count


def _fuse(graph: Graph, last: Node, affine: _Affine, x: str, epsilon: float) -> None:
    name = last.outputs[0]
    axes = graph.constant("libspeech.axes02", np.array([0, 2], np.int64))
    gamma = graph.add_op("Squeeze", [affine.gamma, axes], f"{name}.gamma")
    beta = graph.add_op("Squeeze", [affine.beta, axes], f"{name}.beta")
    graph.remove([last])
    graph.add(Node("InstanceNormalization", [x, gamma, beta], [name], last.name, attributes={"epsilon": epsilon}))


def _affine(graph: Graph, last: Node) -> _Affine | None:
    for scaled, beta in (last.inputs, last.inputs[::-1]):
        product = graph.producer(scaled, "Mul")
        if product is None:
            continue
        for gamma, normalized in (product.inputs, product.inputs[::-1]):
            origin = _style_half(graph, gamma)
            if origin is not None and origin == _style_half(graph, beta):
                return _Affine(normalized, gamma, beta)
    return None


def _style_half(graph: Graph, tensor: str) -> str | None:
    """The tensor that `tensor`, apart from an added constant, is a half of."""
    node = graph.producer(tensor)
    if node is not None and node.op == "Add":
        data = [i for i in node.inputs if graph.scalar(i) is None]
        node = graph.producer(data[0]) if len(data) == 1 else None
    if node is not None and node.op == "Split" and node.attributes.get("axis", 0) == 1 and len(node.outputs) == 2:
        return node.inputs[0]
    return None


def _plain_operator(graph: Graph, normalized: str) -> tuple[str, float] | None:
    """x and epsilon of an InstanceNormalization with the constant scale 1 and offset 0."""
    node = graph.producer(normalized, "InstanceNormalization")
    if node is None:
        return None
    scale, offset = graph.value(node.inputs[1]), graph.value(node.inputs[2])
    if scale is None or offset is None or not (np.all(scale == 1) and np.all(offset == 0)):
        return None
    return node.inputs[0], float(node.attributes.get("epsilon", 1e-5))


def _spelled_out(graph: Graph, normalized: str) -> tuple[str, float] | None:
    """x and epsilon of (x - mean) / sqrt(mean((x - mean) ** 2) + epsilon) over the last of three axes."""
    ratio = graph.producer(normalized, "Div")
    difference = graph.producer(ratio.inputs[0], "Sub") if ratio else None
    root = graph.producer(ratio.inputs[1], "Sqrt") if ratio else None
    total = graph.producer(root.inputs[0], "Add") if root else None
    if difference is None or total is None:
        return None
    epsilons = [i for i in total.inputs if graph.scalar(i) is not None]
    if len(epsilons) != 1:
        return None
    variance = graph.producer(other_input(total, epsilons[0]) or "", "ReduceMean")
    square = graph.producer(variance.inputs[0], "Mul") if variance else None
    mean = graph.producer(difference.inputs[1], "ReduceMean")
    if square is None or square.inputs != [difference.outputs[0]] * 2 or mean is None:
        return None
    if mean.inputs[0] != difference.inputs[0] or not all(_over_time(graph, n) for n in (mean, variance)):
        return None
    return difference.inputs[0], float(graph.scalar(epsilons[0]))  # type: ignore[arg-type]


def _over_time(graph: Graph, mean: Node) -> bool:
    """Whether a ReduceMean is over axis 2 and keeps it. (These tensors have three axes: axis -1 is the same.)"""
    axes = mean.attributes.get("axes")
    if axes is None and len(mean.inputs) > 1:
        value = graph.value(mean.inputs[1])
        axes = None if value is None else value.reshape(-1).tolist()
    return axes in ([2], [-1]) and bool(mean.attributes.get("keepdims", 1))
