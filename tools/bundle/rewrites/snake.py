"""The Snake activation, x + sin(a x)^2 / a with one `a` per channel, with two multiplications less.

It stands between an adaptive instance normalization and a convolution. With z = a x it is (z + sin(z)^2) / a: the
normalization can give z at once (its scale and offset times `a`, two numbers per channel), and the convolution's weight
can take the division (one number per input channel). What is left for the long signal is a sine, a product and a sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..graph import Graph, Node, other_input
from ..weights import Array


@dataclass
class _Snake:
    normalization: Node
    sine: Node
    last: Node
    alpha: Array
    convolution: Node


def fold_snake(graph: Graph) -> int:
    """Folds each Snake between an InstanceNormalization and a convolution of its own."""
    count = 0
    for sine in graph.of_type("Sin"):
        snake = _match(graph, sine)
        if snake is not None:
            _fold(graph, snake)
            count += 1
    return count


def _match(graph: Graph, sine: Node) -> _Snake | None:
    scaled = graph.producer(sine.inputs[0], "Mul")
    square = graph.only_consumer(sine.outputs[0], "Mul")
    if scaled is None or square is None or square.inputs != [sine.outputs[0]] * 2:
        return None
    product = graph.only_consumer(square.outputs[0], "Mul")
    last = graph.only_consumer(product.outputs[0], "Add") if product else None
    if product is None or last is None:
        return None
    x = other_input(last, product.outputs[0])
    alpha = graph.value(other_input(scaled, x or "") or "")
    inverse = graph.value(other_input(product, square.outputs[0]) or "")
    if x is None or not _are_reciprocal(alpha, inverse) or set(graph.consumers(x)) != {scaled, last}:
        return None
    normalization = graph.producer(x, "InstanceNormalization")
    convolution = graph.only_consumer(last.outputs[0], "Conv")
    if normalization is None or convolution is None or not _can_fold(graph, convolution, alpha):
        return None
    return _Snake(normalization, sine, last, alpha, convolution)


def _are_reciprocal(alpha: Array | None, inverse: Array | None) -> bool:
    """Whether both are [1, channels, 1] and inverse to each other up to the small number added against division by zero."""
    if (
        alpha is None
        or inverse is None
        or alpha.shape != inverse.shape
        or alpha.ndim != 3
        or alpha.shape[1] != alpha.size
    ):
        return False
    return bool(np.all(alpha != 0) and np.allclose(alpha.astype(np.float64) * inverse, 1.0, rtol=0, atol=1e-5))


def _can_fold(graph: Graph, convolution: Node, alpha: Array) -> bool:
    weight = graph.weights.get(convolution.inputs[1])
    return (
        weight is not None
        and convolution.attributes.get("group", 1) == 1
        and weight.shape[1] == alpha.size
        and weight.can_be_scaled(axis=1)
    )


def _fold(graph: Graph, snake: _Snake) -> None:
    alpha = snake.alpha.reshape(-1)
    z = snake.normalization.outputs[0]
    factors = graph.constant(f"{z}.alpha", alpha.astype(np.float32))
    data, gamma, beta = snake.normalization.inputs
    gamma = graph.add_op("Mul", [gamma, factors], f"{z}.gamma_alpha")
    beta = graph.add_op("Mul", [beta, factors], f"{z}.beta_alpha")
    snake.normalization.inputs = [data, gamma, beta]
    square = graph.only_consumer(snake.sine.outputs[0])
    snake.sine.inputs = [z]
    snake.last.inputs = [z, square.outputs[0]]  # type: ignore[union-attr]
    weight = graph.weights[snake.convolution.inputs[1]]
    scaled = weight.scaled(1.0 / alpha.astype(np.float64), axis=1)
    name = graph.constant(f"{snake.convolution.outputs[0]}.weight_by_alpha", scaled)
    snake.convolution.inputs = [snake.convolution.inputs[0], name, *snake.convolution.inputs[2:]]
    graph.touch()
