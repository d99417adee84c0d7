"""Replaces quantized operators by float operators on the same weights.

The weights keep their one-byte form (see `weights`); only the arithmetic changes. Activations are no longer rounded to
eight bits, which is the only difference to the quantized graph: it sounds better, and on most processors it is faster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .errors import BundleError
from .graph import Graph, Node, other_input
from .weights import Weight

_QUANTIZED = (
    "MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "MatMulIntegerToFloat",
    "QLinearConv", "QLinearMatMul", "QGemm", "QAttention", "MatMulNBits", "GatherBlockQuantized",
    "DequantizeLinear", "QuantizeLinear", "DynamicQuantizeLinear",
)  # fmt: skip


def dequantize(graph: Graph) -> dict[str, int]:
    """Replaces every quantized operator; returns their counts by kind. Unknown quantized operators are an error."""
    counts = {
        "DequantizeLinear": _dequantize_linear(graph),
        "MatMulInteger": _replace_each(graph, "MatMulInteger", _matmul_integer),
        "ConvInteger": _replace_each(graph, "ConvInteger", _conv_integer),
        "DynamicQuantizeLSTM": _replace_each(graph, "DynamicQuantizeLSTM", _lstm),
    }
    graph.drop_unused()
    left = graph.of_type(*_QUANTIZED)
    if left:
        raise BundleError(
            f"the quantized operator {left[0].op} (node {left[0].name!r}) is used in a way that is not supported"
        )
    return {f"dequantized {k}": n for k, n in counts.items() if n}


def _replace_each(graph: Graph, op: str, replace: Callable[[Graph, Node], None]) -> int:
    nodes = graph.of_type(op)
    for node in nodes:
        replace(graph, node)
    return len(nodes)


def _fail(node: Node, why: str) -> BundleError:
    return BundleError(f"cannot dequantize {node.op} {node.name!r}: {why}")


def _dequantize_linear(graph: Graph) -> int:
    count = 0
    for node in graph.of_type("DequantizeLinear"):
        codes = node.inputs[0]
        source = graph.producer(codes)
        if codes in graph.weights:
            graph.weights[node.outputs[0]] = _stored(graph, node, codes)
            graph.remove([node])
        elif source is not None and source.op == "Gather" and source.inputs[0] in graph.weights:
            _gather(graph, source, node)
        elif source is not None and source.op == "QuantizeLinear":
            graph.remove([node])
            graph.replace_uses(node.outputs[0], source.inputs[0])
        else:
            raise _fail(node, "its input is neither a constant, nor looked up in one, nor a quantized tensor")
        count += 1
    return count


def _stored(graph: Graph, node: Node, codes: str) -> Weight:
    """The constant `codes` with the scale and zero point of a DequantizeLinear node."""
    scale = graph.value(node.inputs[1])
    zero = graph.value(node.inputs[2]) if len(node.inputs) > 2 and node.inputs[2] else None
    array = graph.value(codes)
    if scale is None or array is None or (zero is None and len(node.inputs) > 2 and node.inputs[2]):
        raise _fail(node, "its scale or zero point is not a constant")
    if node.attributes.get("block_size"):
        raise _fail(node, "it is quantized in blocks")
    if array.dtype == np.int32:
        shape = [1] * array.ndim
        if scale.size > 1:
            shape[node.attributes.get("axis", 1)] = scale.size
        return Weight(array.astype(np.float32) * scale.astype(np.float32).reshape(shape))
    if array.dtype not in (np.int8, np.uint8):
        raise _fail(node, f"codes of type {array.dtype} are not supported")
    axis = node.attributes.get("axis", 1) % max(array.ndim, 1)
    return Weight.quantized(array, scale, zero, axis)


def _gather(graph: Graph, gather: Node, node: Node) -> None:
    """Dequantizes a quantized table from which rows are looked up."""
    table = f"{gather.inputs[0]}.float"
    weight = _stored(graph, node, gather.inputs[0])
    if weight.quantization is not None and weight.quantization.axis is not None:
        raise _fail(node, "its table has more than one scale")
    graph.weights[table] = weight
    graph.remove([gather, node])
    graph.add(Node("Gather", [table, gather.inputs[1]], node.outputs, gather.name, attributes=gather.attributes))


def _float_source(graph: Graph, node: Node) -> tuple[str, str]:
    """The float tensor whose quantized form is the node's first input, and the name of its scale."""
    source = graph.producer(node.inputs[0], "DynamicQuantizeLinear")
    if source is None or node.inputs[2:3] != source.outputs[2:3]:
        raise _fail(node, "its input does not come from DynamicQuantizeLinear")
    return source.inputs[0], source.outputs[1]


def _constant_weight(graph: Graph, node: Node, scale: str, axis: int) -> Weight:
    codes, factors = graph.value(node.inputs[1]), graph.value(scale)
    has_zero = len(node.inputs) > 3 and node.inputs[3]
    zero = graph.value(node.inputs[3]) if has_zero else None
    if codes is None or factors is None or (has_zero and zero is None):
        raise _fail(node, "its weight, scale or zero point is not a constant")
    if zero is not None and zero.size not in (1, factors.size):
        factors = np.broadcast_to(factors.reshape(-1), zero.shape)
    return Weight.quantized(codes, factors, zero, axis)


def _rescaling(graph: Graph, node: Node, integers: str, activation_scale: str) -> tuple[Node, str]:
    """Follows integers -> Cast -> Mul(activation scale * weight scale); returns that Mul and the weight scale's name."""
    cast = graph.only_consumer(integers, "Cast")
    product = graph.only_consumer(cast.outputs[0], "Mul") if cast else None
    if cast is None or product is None:
        raise _fail(node, "its result is not cast and rescaled")
    scales = graph.producer(other_input(product, cast.outputs[0]) or "", "Mul")
    weight_scale = other_input(scales, activation_scale) if scales else None
    if weight_scale is None:
        raise _fail(node, "its result is not rescaled by the two scales")
    return product, weight_scale


def _matmul_integer(graph: Graph, node: Node) -> None:
    source, activation_scale = _float_source(graph, node)
    product, weight_scale = _rescaling(graph, node, node.outputs[0], activation_scale)
    weight = _constant_weight(graph, node, weight_scale, axis=len(graph.weights[node.inputs[1]].shape) - 1)
    name = graph.constant(_float_name(node.inputs[1]), weight)
    graph.remove([node, product])
    graph.add(Node("MatMul", [source, name], product.outputs, _plain(node.name)))


def _conv_integer(graph: Graph, node: Node) -> None:
    source, activation_scale = _float_source(graph, node)
    integers, bias = node.outputs[0], None
    add = graph.only_consumer(integers, "Add")
    if add is not None:
        integers, bias = add.outputs[0], _float_bias(graph, node, other_input(add, integers) or "")
    last, weight_scale = _rescaling(graph, node, integers, activation_scale)
    if bias is None:
        bias, last = _bias_after_rescaling(graph, last)
    name = graph.constant(_float_name(node.inputs[1]), _constant_weight(graph, node, weight_scale, axis=0))
    graph.remove([node, last])
    inputs = [source, name] + ([bias] if bias else [])
    graph.add(Node("Conv", inputs, last.outputs, _plain(node.name), attributes=node.attributes))


def _bias_after_rescaling(graph: Graph, product: Node) -> tuple[str | None, Node]:
    """The float bias [1, channels, 1] that newer quantizers add to the rescaled result, and the last node."""
    add = graph.only_consumer(product.outputs[0], "Add")
    reshape = graph.producer(other_input(add, product.outputs[0]) or "", "Reshape") if add else None
    if reshape is None or reshape.inputs[0] not in graph.weights or graph.value(reshape.inputs[1]) is None:
        return None, product
    shape = graph.value(reshape.inputs[1]).tolist()  # type: ignore[union-attr]
    size = graph.weights[reshape.inputs[0]].size
    if shape[:1] + shape[2:] != [1] * (len(shape) - 1) or shape[1] not in (-1, size):
        return None, product
    return reshape.inputs[0], add  # type: ignore[return-value]


def _float_bias(graph: Graph, node: Node, integers: str) -> str:
    """The float bias b in Reshape(Cast(Floor(b / scale))), which the quantizer computes at run time."""
    tensor = integers
    for op in ("Reshape", "Cast", "Floor", "Div"):
        step = graph.producer(tensor, op)
        if step is None and op == "Floor":
            step = graph.producer(tensor, "Round")
        if step is None:
            raise _fail(node, "its bias is not made from a float bias")
        tensor = step.inputs[0]
    if tensor not in graph.weights:
        raise _fail(node, "its bias is not a constant")
    return tensor


def _lstm(graph: Graph, node: Node) -> None:
    """Replaces DynamicQuantizeLSTM, whose matrices are transposed ([directions, inputs, 4 * hidden]), one scale per
    direction.

    Its inputs: X, W, R, bias, lengths, first hidden, first cell, peepholes, W scale, W zero, R scale, R zero.
    """
    inputs = node.inputs + [""] * (12 - len(node.inputs))
    names = []
    for codes, scale, zero in ((inputs[1], inputs[8], inputs[9]), (inputs[2], inputs[10], inputs[11])):
        values = [graph.value(n) for n in (codes, scale, zero)]
        if any(v is None for v in values):
            raise _fail(node, "its weights, scales or zero points are not constants")
        if values[1].ndim > 1:
            raise _fail(node, "its weights have a scale per channel")
        weight = Weight.quantized(values[0], values[1], values[2], axis=0).transposed([0, 2, 1])
        names.append(graph.constant(_float_name(codes), weight))
    float_inputs = [inputs[0], *names, *inputs[3:8]]
    while float_inputs[-1] == "":
        float_inputs.pop()
    graph.remove([node])
    graph.add(Node("LSTM", float_inputs, node.outputs, _plain(node.name), attributes=node.attributes))


def _float_name(name: str) -> str:
    return f"{name.removesuffix('_quantized')}.float"


def _plain(name: str) -> str:
    return name.removesuffix("_quant")
