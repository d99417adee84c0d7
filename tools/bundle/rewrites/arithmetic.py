"""Cheaper operators for the same arithmetic."""

from __future__ import annotations

import numpy as np

from ..graph import Graph


def squares_to_multiplications(graph: Graph) -> int:
    """x ** 2 as x * x."""
    count = 0
    for node in graph.of_type("Pow"):
        if graph.scalar(node.inputs[1]) == 2.0:
            node.op = "Mul"
            node.inputs = [node.inputs[0], node.inputs[0]]
            count += 1
    graph.touch()
    return count


def divisions_to_multiplications(graph: Graph) -> int:
    """x / constant as x * (1 / constant), for float constants of one element."""
    count = 0
    for node in graph.of_type("Div"):
        divisor = graph.weights.get(node.inputs[1])
        if divisor is None or divisor.size != 1 or divisor.dtype != np.float32 or node.inputs[0] in graph.weights:
            continue
        value = divisor.value().astype(np.float64)
        if not np.isfinite(value).all() or not value.all():
            continue
        reciprocal = (1.0 / value).astype(np.float32)
        node.op = "Mul"
        node.inputs = [node.inputs[0], graph.constant(f"{node.outputs[0]}.reciprocal", reciprocal)]
        count += 1
    graph.touch()
    return count
