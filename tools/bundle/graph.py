"""An editable ONNX graph: nodes with their attributes as a dictionary, constants as `Weight`.

The order of the nodes does not matter while editing; `sort` restores a valid one. Everything is deterministic: the same
edits to the same graph give the same graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .errors import BundleError
from .weights import Array, Weight

FLOAT = onnx.TensorProto.FLOAT
FLOAT16 = onnx.TensorProto.FLOAT16
INT64 = onnx.TensorProto.INT64


@dataclass(eq=False)
class Node:
    """One operator of the graph."""

    op: str
    inputs: list[str]
    outputs: list[str]
    name: str
    domain: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass
class Port:
    """An input or output of the whole graph: its element type and its shape (a string names a dimension)."""

    name: str
    element_type: int
    shape: list[int | str]


class Graph:
    """A graph being edited."""

    def __init__(self, opsets: dict[str, int], ir_version: int) -> None:
        self.opsets = opsets
        self.ir_version = ir_version
        self.inputs: list[Port] = []
        self.outputs: list[Port] = []
        self.weights: dict[str, Weight] = {}
        self._nodes: list[Node] = []
        self._producer: dict[str, Node] | None = None
        self._consumers: dict[str, list[Node]] = {}

    @classmethod
    def from_model(cls, model: onnx.ModelProto) -> Graph:
        opsets = {o.domain: o.version for o in model.opset_import}
        if opsets.get("", 0) < 13:
            raise BundleError(f"the model uses ONNX opset {opsets.get('', 0)}; 13 or newer is needed")
        graph = cls(opsets, model.ir_version)
        source = model.graph
        graph.weights = {t.name: _weight(numpy_helper.to_array(t)) for t in source.initializer}
        graph.inputs = [_port(v) for v in source.input if v.name not in graph.weights]
        graph.outputs = [_port(v) for v in source.output]
        for proto in source.node:
            attributes = {a.name: helper.get_attribute_value(a) for a in proto.attribute}
            graph.add(Node(proto.op_type, list(proto.input), list(proto.output), proto.name, proto.domain, attributes))
        return graph

    @property
    def nodes(self) -> list[Node]:
        """A snapshot of the nodes, safe to iterate over while editing."""
        return list(self._nodes)

    def of_type(self, *ops: str) -> list[Node]:
        return [n for n in self._nodes if n.op in ops]

    def add(self, node: Node) -> str:
        """Adds a node and returns its first output."""
        self._nodes.append(node)
        self._producer = None
        return node.outputs[0]

    def add_op(self, op: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        """Adds a node with one output, which names it, and returns that output."""
        return self.add(Node(op, inputs, [output], output, domain, attributes))

    def remove(self, nodes: Iterable[Node]) -> None:
        gone = {id(n) for n in nodes}
        self._nodes = [n for n in self._nodes if id(n) not in gone]
        self._producer = None

    def touch(self) -> None:
        """Must be called after inputs or outputs of a node were changed in place."""
        self._producer = None

    def constant(self, name: str, value: Array | Weight) -> str:
        """Adds a constant and returns its name; an existing constant with that name must be equal."""
        weight = value if isinstance(value, Weight) else Weight(np.asarray(value))
        known = self.weights.get(name)
        if known is not None and not np.array_equal(known.value(), weight.value()):
            raise ValueError(f"two different constants named {name}")
        self.weights[name] = weight
        return name

    def value(self, name: str) -> Array | None:
        """The value of a constant, or None if `name` is not one."""
        weight = self.weights.get(name)
        return None if weight is None else weight.value()

    def scalar(self, name: str) -> float | None:
        """The value of a constant with one element, or None."""
        weight = self.weights.get(name)
        if weight is None or weight.size != 1 or weight.dtype.kind not in "fiu":
            return None
        return float(weight.value().reshape(-1)[0])

    def producer(self, tensor: str, *ops: str) -> Node | None:
        """The node that computes `tensor`, if it is one of `ops` (any, if none is given)."""
        self._index()
        node = self._producer.get(tensor)  # type: ignore[union-attr]
        return node if node is not None and (not ops or node.op in ops) else None

    def consumers(self, tensor: str) -> list[Node]:
        self._index()
        return self._consumers.get(tensor, [])

    def only_consumer(self, tensor: str, *ops: str) -> Node | None:
        """The only reader of `tensor`, if it has exactly one, which is one of `ops`, and the tensor is not an
        output."""
        found = self.consumers(tensor)
        if len(found) != 1 or self.is_output(tensor):
            return None
        return found[0] if not ops or found[0].op in ops else None

    def is_output(self, tensor: str) -> bool:
        return any(o.name == tensor for o in self.outputs)

    def replace_uses(self, old: str, new: str) -> None:
        """Makes every reader of `old` read `new` instead. Outputs of the graph keep their name."""
        for node in self.consumers(old):
            node.inputs = [new if i == old else i for i in node.inputs]
        if self.is_output(old):
            self.remove([n for n in [self.producer(old)] if n is not None])
            self.add_op("Identity", [new], old)
        self.touch()

    def drop_unused(self) -> None:
        """Removes nodes and constants that no output depends on."""
        live = {o.name for o in self.outputs}
        stack = [n for o in self.outputs if (n := self.producer(o.name)) is not None]
        kept: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in kept:
                continue
            kept.add(id(node))
            for name in node.inputs:
                live.add(name)
                source = self.producer(name)
                if source is not None:
                    stack.append(source)
        self._nodes = [n for n in self._nodes if id(n) in kept]
        self.weights = {k: v for k, v in self.weights.items() if k in live}
        self._producer = None

    def sort(self) -> None:
        """Sorts the nodes so that each comes after its inputs, as close as possible to the present order."""
        ordered: list[Node] = []
        state: dict[int, bool] = {}
        for root in self._nodes:
            stack: list[tuple[Node, bool]] = [(root, False)]
            while stack:
                node, ready = stack.pop()
                if ready:
                    state[id(node)] = True
                    ordered.append(node)
                elif id(node) not in state:
                    state[id(node)] = False
                    stack.append((node, True))
                    sources = [s for i in node.inputs if (s := self.producer(i)) is not None and id(s) not in state]
                    stack.extend((s, False) for s in reversed(sources))
        self._nodes = ordered

    def to_model(self) -> onnx.ModelProto:
        """The graph as ONNX, with the values of all constants."""
        self.drop_unused()
        self.sort()
        constants = {name: np.asarray(weight.value(), order="C") for name, weight in sorted(self.weights.items())}
        graph = helper.make_graph(
            [_node_proto(n) for n in self._nodes],
            "speech",
            [helper.make_tensor_value_info(p.name, p.element_type, p.shape) for p in self.inputs],
            [helper.make_tensor_value_info(p.name, p.element_type, p.shape) for p in self.outputs],
            [numpy_helper.from_array(value, name) for name, value in constants.items()],
        )
        used = {n.domain for n in self._nodes} | {""}
        opsets = [helper.make_opsetid(d, v) for d, v in sorted(self.opsets.items()) if d in used]
        return helper.make_model(graph, opset_imports=opsets, ir_version=self.ir_version, producer_name="libspeech")

    def _index(self) -> None:
        if self._producer is not None:
            return
        self._producer = {}
        self._consumers = {}
        for node in self._nodes:
            for output in node.outputs:
                if output:
                    self._producer[output] = node
            for name in dict.fromkeys(node.inputs):
                if name:
                    self._consumers.setdefault(name, []).append(node)


def other_input(node: Node, tensor: str) -> str | None:
    """The other operand of a binary operator, or None if `tensor` is not exactly one of the two."""
    if len(node.inputs) != 2 or node.inputs.count(tensor) != 1:
        return None
    return node.inputs[1 - node.inputs.index(tensor)]


def _node_proto(node: Node) -> onnx.NodeProto:
    """The node as ONNX, named after its first output."""
    attributes = dict(sorted(node.attributes.items()))
    return helper.make_node(node.op, node.inputs, node.outputs, node.outputs[0], domain=node.domain, **attributes)


def _weight(array: Array) -> Weight:
    if array.dtype == np.float16:
        return Weight(array.astype(np.float32), half=True)
    return Weight(array)


def _port(info: onnx.ValueInfoProto) -> Port:
    tensor = info.type.tensor_type
    shape = [d.dim_value if d.HasField("dim_value") else d.dim_param for d in tensor.shape.dim]
    return Port(info.name, tensor.elem_type, shape)
