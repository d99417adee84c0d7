"""Small graphs for the tests, and running them."""

from __future__ import annotations

import numpy as np
import onnx
from bundle.graph import Graph
from bundle.loader import open_model
from onnx import helper, numpy_helper

RNG = np.random.default_rng(1)
FLOAT, INT64, INT32 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.INT32


def model(nodes, inputs, outputs, constants, opset=20, contrib=False):
    """An ONNX model. `inputs` and `outputs`: name to shape, or to (element type, shape); float by default."""
    graph = helper.make_graph(
        nodes,
        "test",
        [_port(*item) for item in inputs.items()],
        [_port(*item) for item in outputs.items()],
        [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()],
    )
    opsets = [helper.make_opsetid("", opset)] + ([helper.make_opsetid("com.microsoft", 1)] if contrib else [])
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), name=f"{op}.{outputs.split()[0]}", **attributes)


def graph(*args, **kwargs):
    return Graph.from_model(model(*args, **kwargs))


def run(model_or_graph, **feeds):
    proto = model_or_graph.to_model() if isinstance(model_or_graph, Graph) else model_or_graph
    return open_model(proto.SerializeToString()).run(None, feeds)


def ops(g):
    """The number of nodes of each operator."""
    counts = {}
    for n in g.nodes:
        counts[n.op] = counts.get(n.op, 0) + 1
    return counts


def same_result(args, g, tolerance=2e-6, **feeds):
    """Asserts that the edited graph computes the same as the original model."""
    g.drop_unused()
    for found, expected in zip(run(g, **feeds), run(model(*args), **feeds)):
        scale = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def _port(name, shape):
    element_type, shape = shape if isinstance(shape, tuple) else (FLOAT, shape)
    return helper.make_tensor_value_info(name, element_type, shape)
