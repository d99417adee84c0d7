"""Layers that are applied several times with the same weights, as a loop.

The text model (ALBERT) is one layer, twelve times. ONNX Runtime optimizes every node and packs the weights of a matrix
product for every node that reads them: written out, that takes twice as long to load, for the same result.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import onnx
from onnx import helper

from ..graph import FLOAT, Graph, Node, node_proto

_AT_LEAST = 3
_SMALL = 64


@dataclass
class _Pass:
    """One application of the layers: the nodes on the way from a tensor to another, in a fixed order."""

    source: str
    result: str
    nodes: list[Node]
    signature: list


def repetitions_to_loops(graph: Graph) -> int:
    """Rewrites a chain of equal layers; returns how many applications are in it."""
    graph.sort()
    starts = _starts(graph)
    if len(starts) < _AT_LEAST:
        return 0
    passes = [_between(graph, start, end) for start, end in pairwise(starts)]
    passes.append(_last(graph, starts[-1], passes[0]) if passes[0] is not None else None)
    if any(p is None or p.signature != passes[0].signature for p in passes):  # type: ignore[union-attr]
        return 0
    inner = {id(n) for p in passes for n in p.nodes}
    if not all(_is_closed(graph, p, inner, passes[-1].result) for p in passes):
        return 0
    _replace(graph, passes)
    return len(passes)


def _starts(graph: Graph) -> list[str]:
    """The inputs of the matrix products that read the weight which is read most often, and of those the earliest."""
    readers: dict[str, list[str]] = {}
    for node in graph.of_type("MatMul", "Gemm"):
        if node.inputs[1] in graph.weights:
            readers.setdefault(node.inputs[1], []).append(node.inputs[0])
    most = max(readers.values(), key=len, default=[])
    return most if len(set(most)) == len(most) else []


def _between(graph: Graph, source: str, result: str) -> _Pass | None:
    """The nodes that depend on `source` and that `result` depends on; None if it does not depend on `source`."""
    depends: dict[str, bool] = {source: True}
    order: list[Node] = []
    numbers: dict[str, tuple] = {source: ("carried",)}
    signature: list = []
    stack = [(result, False)]
    while stack:
        tensor, ready = stack.pop()
        node = graph.producer(tensor)
        if tensor in depends and not ready:
            continue
        if node is None:
            depends[tensor] = False
        elif not ready:
            stack.append((tensor, True))
            stack.extend((i, False) for i in reversed(node.inputs) if i)
        else:
            depends.update(dict.fromkeys(node.outputs, any(depends.get(i, False) for i in node.inputs)))
            if depends[tensor]:
                numbers.update({o: (len(order), k) for k, o in enumerate(node.outputs)})
                order.append(node)
                inputs = [numbers.get(i) or _outside(graph, i) for i in node.inputs]
                signature.append((node.op, node.domain, _comparable(node.attributes), len(node.outputs), inputs))
    return _Pass(source, result, order, signature) if depends[result] else None


def _outside(graph: Graph, tensor: str) -> tuple:
    """What stands for a tensor from outside: small constants are compared by value."""
    weight = graph.weights.get(tensor)
    if weight is not None and weight.size <= _SMALL:
        return ("constant", str(weight.dtype), weight.shape, weight.value().tobytes())
    return ("tensor", tensor)


def _comparable(attributes: dict) -> list:
    return [(k, v.SerializeToString() if isinstance(v, onnx.TensorProto) else v) for k, v in sorted(attributes.items())]


def _last(graph: Graph, source: str, pattern: _Pass) -> _Pass | None:
    """The last pass ends at a tensor that no next pass names: the one with the same way to it."""
    op = pattern.nodes[-1].op
    for node in graph.of_type(op):
        found = _between(graph, source, node.outputs[0])
        if found is not None and found.signature == pattern.signature:
            return found
    return None


def _is_closed(graph: Graph, one: _Pass, inner: set[int], result: str) -> bool:
    """Whether nothing outside reads a tensor from within, but the last result."""
    tensors = [o for n in one.nodes for o in n.outputs if o and o != result]
    return not any(graph.is_output(t) or any(id(reader) not in inner for reader in graph.consumers(t)) for t in tensors)


def _replace(graph: Graph, passes: list[_Pass]) -> None:
    first, last = passes[0], passes[-1]
    name = f"{last.result}.loop"
    renamed = {first.source: f"{name}.carried"} | {o: f"{name}.{o}" for n in first.nodes for o in n.outputs if o}
    body = [
        Node(n.op, [renamed.get(i, i) for i in n.inputs], [renamed.get(o, o) for o in n.outputs], n.name, n.domain,
             n.attributes)
        for n in first.nodes
    ]  # fmt: skip
    again = [f"{name}.condition", f"{name}.condition.out"]
    body.insert(0, Node("Identity", [again[0]], [again[1]], again[1]))
    carried, result = renamed[first.source], renamed[first.result]
    proto = helper.make_graph(
        [node_proto(n) for n in body],
        "layer",
        [
            helper.make_tensor_value_info(f"{name}.iteration", onnx.TensorProto.INT64, []),
            helper.make_tensor_value_info(again[0], onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info(carried, FLOAT, None),
        ],
        [
            helper.make_tensor_value_info(again[1], onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info(result, FLOAT, None),
        ],
    )
    inside = set(renamed.values())
    captured = dict.fromkeys(i for n in body for i in n.inputs if i and i not in inside and i != again[0])
    graph.remove([n for p in passes for n in p.nodes])
    times = graph.constant(f"{name}.times", np.array(len(passes), np.int64))
    graph.add(Node("Loop", [times, "", first.source], [last.result], name, "", {"body": proto}, list(captured)))
