"""Layer normalization of a sum: one operator of ONNX Runtime, which is also the faster one."""

from __future__ import annotations

from ..graph import Graph, Node, other_input

_DOMAIN = "com.microsoft"


def fuse_skip_normalization(graph: Graph) -> int:
    """LayerNormalization(a + b) as SkipLayerNormalization(a, b); then a constant added to b as its bias.

    Returns how many normalizations were changed.
    """
    changed = {id(n) for n in graph.of_type("LayerNormalization") if _fuse_sum(graph, n)}
    changed |= {id(n) for n in graph.of_type("SkipLayerNormalization") if _fuse_bias(graph, n)}
    if changed:
        graph.opsets.setdefault(_DOMAIN, 1)
    return len(changed)


def _fuse_sum(graph: Graph, node: Node) -> bool:
    total = graph.producer(node.inputs[0], "Add")
    if total is None or graph.only_consumer(total.outputs[0]) is not node or len(node.inputs) < 3:
        return False
    known = any(i in graph.weights for i in total.inputs)
    if known or len(node.outputs) > 1 or node.attributes.get("axis", -1) != -1:
        return False
    if any(graph.producer(i) is None for i in total.inputs) or not _same_shape(graph, total):
        return False
    node.op, node.domain = "SkipLayerNormalization", _DOMAIN
    node.inputs = [*total.inputs, *node.inputs[1:]]
    node.attributes = {"epsilon": node.attributes.get("epsilon", 1e-5)}
    graph.remove([total])
    return True


def _same_shape(graph: Graph, total: Node) -> bool:
    """A residual sum: one operand was computed from the other, through a matrix product."""
    return any(_depends(graph, a, b, 12) for a, b in (total.inputs, total.inputs[::-1]))


def _depends(graph: Graph, tensor: str, source: str, steps: int) -> bool:
    node = graph.producer(tensor)
    if tensor == source:
        return True
    return node is not None and steps > 0 and any(_depends(graph, i, source, steps - 1) for i in node.inputs[:2])


def _fuse_bias(graph: Graph, node: Node) -> bool:
    """The operator's fifth input is a bias of its second, and its sum is symmetric in the first two."""
    if len(node.inputs) != 4:
        return False
    for first, second in ((0, 1), (1, 0)):
        add = graph.producer(node.inputs[second], "Add")
        if add is None or graph.only_consumer(add.outputs[0]) is not node:
            continue
        bias = next((i for i in add.inputs if i in graph.weights and len(graph.weights[i].shape) == 1), None)
        if bias is None or graph.weights[bias].shape != graph.weights[node.inputs[2]].shape:
            continue
        node.inputs = [node.inputs[first], other_input(add, bias) or "", *node.inputs[2:], bias]
        graph.remove([add])
        return True
    return False
