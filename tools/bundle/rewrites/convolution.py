"""1-D convolutions as 2-D convolutions of height one.

ONNX Runtime has a blocked layout (NCHWc) with much faster kernels, for 2-D convolutions only. What lies between the
convolutions (activations, sums, normalizations) gets the fourth axis too, so that the axis is added and removed only at
the ends of such a region; that also lets ONNX Runtime fuse residual sums into the convolutions.
"""

from __future__ import annotations

import numpy as np

from ..graph import Graph, Node

_HEIGHT = 2
_POINTWISE = ("Add", "Sub", "Mul", "Div", "LeakyRelu", "Sin", "Cos", "Exp", "Tanh", "Sigmoid")


def convolutions_to_2d(graph: Graph) -> int:
    """Rewrites every 1-D convolution with a constant weight; returns how many."""
    graph.sort()
    lift = _Lift(graph)
    return sum(lift.visit(node) for node in graph.nodes)


class _Lift:
    """Walks the graph in order and gives the tensors of [batch, channels, time] a fourth axis where that is possible."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.axis = graph.constant("libspeech.height", np.array([_HEIGHT], np.int64))
        self.wide: dict[str, str] = {}

    def visit(self, node: Node) -> bool:
        """Rewrites the node if it can be; returns whether it was a convolution."""
        if node.op in ("Conv", "ConvTranspose"):
            return self._convolution(node)
        if node.op == "InstanceNormalization" and node.inputs[0] in self.wide:
            self._replace(node, [self.wide[node.inputs[0]], *node.inputs[1:]], node.attributes)
        elif node.op in _POINTWISE and any(i in self.wide for i in node.inputs):
            self._pointwise(node)
        elif node.op == "Concat" and node.attributes["axis"] == 1 and all(i in self.wide for i in node.inputs):
            self._replace(node, [self.wide[i] for i in node.inputs], node.attributes)
        elif node.op == "Pad" and node.inputs[0] in self.wide:
            self._pad(node)
        return False

    def _convolution(self, node: Node) -> bool:
        weight = self.graph.weights.get(node.inputs[1])
        if weight is None or len(weight.shape) != 3 or node.attributes.get("auto_pad", b"NOTSET") != b"NOTSET":
            return False
        name = self.graph.constant(f"{node.inputs[1]}.2d", weight.with_axis(_HEIGHT))
        self._replace(
            node, [self._widened(node.inputs[0]), name, *node.inputs[2:]], _attributes_2d(node, weight.shape[2])
        )
        return True

    def _pointwise(self, node: Node) -> None:
        inputs = [self._operand(i) for i in node.inputs]
        if all(i is not None for i in inputs):
            self._replace(node, inputs, node.attributes)  # type: ignore[arg-type]

    def _pad(self, node: Node) -> None:
        """Padding is given as the beginnings of all axes, then the ends."""
        pads = self.graph.value(node.inputs[1])
        if pads is None or pads.size != 6 or len(node.inputs) > 3:
            return
        wide_pads = np.insert(pads.reshape(2, 3), _HEIGHT, 0, axis=1).reshape(-1)
        name = self.graph.constant(f"{node.outputs[0]}.pads", wide_pads)
        self._replace(node, [self.wide[node.inputs[0]], name, *node.inputs[2:]], node.attributes)

    def _operand(self, tensor: str) -> str | None:
        """The operand with four axes: a tensor that has them, or a constant that broadcasts the same way."""
        if tensor in self.wide:
            return self.wide[tensor]
        weight = self.graph.weights.get(tensor)
        if weight is None:
            return None
        if len(weight.shape) == 3:
            return self.graph.constant(f"{tensor}.2d", weight.with_axis(_HEIGHT))
        return tensor if weight.size == 1 else None

    def _widened(self, tensor: str) -> str:
        if tensor not in self.wide:
            self.wide[tensor] = self.graph.add_op("Unsqueeze", [tensor, self.axis], f"{tensor}.2d")
        return self.wide[tensor]

    def _replace(self, node: Node, inputs: list[str], attributes: dict) -> None:
        output = node.outputs[0]
        wide = f"{output}.2d"
        self.graph.remove([node])
        self.graph.add(Node(node.op, inputs, [wide], node.name, node.domain, attributes))
        self.graph.add_op("Squeeze", [wide, self.axis], output)
        self.wide[output] = wide


def _attributes_2d(node: Node, kernel: int) -> dict:
    """The attributes with a first spatial axis on which the convolution does nothing."""
    old = node.attributes
    begin, end = old.get("pads", [0, 0])
    new = {
        "kernel_shape": [1, kernel],
        "strides": [1, *old.get("strides", [1])],
        "dilations": [1, *old.get("dilations", [1])],
        "pads": [0, begin, 0, end],
        "group": old.get("group", 1),
    }
    if node.op == "ConvTranspose" and "output_padding" in old:
        new["output_padding"] = [0, *old["output_padding"]]
    return new
