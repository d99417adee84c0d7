"""Exports as other tools make them, derived from the published graph: other names and types, float32 or float16
arithmetic."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, numpy_helper

FLOAT, FLOAT16, INT32 = onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.INT32


def foreign(float_model: onnx.ModelProto, half: bool) -> bytes:
    """An export with `input_ids`, an integer `speed`, and a `waveform` with a batch axis; in half precision if
    requested."""
    model = onnx.ModelProto()
    model.CopyFrom(float_model)
    graph = model.graph
    _drop_output(graph, "durations")
    if half:
        _halve(graph)
    _rename_tokens(graph)
    kind = FLOAT16 if half else FLOAT
    graph.input[2].CopyFrom(helper.make_tensor_value_info("speed", INT32, [1]))
    _replace_reads(graph, "speed", "speed.cast")
    graph.node.insert(0, helper.make_node("Cast", ["speed"], ["speed.cast"], to=kind))
    graph.initializer.append(numpy_helper.from_array(np.array([0]), "batch.axis"))
    graph.node.append(helper.make_node("Unsqueeze", ["audio", "batch.axis"], ["waveform"]))
    graph.output[0].CopyFrom(helper.make_tensor_value_info("waveform", kind, [1, "n"]))
    return model.SerializeToString()


def _halve(graph: onnx.GraphProto) -> None:
    for tensor in graph.initializer:
        if tensor.data_type == FLOAT:
            with np.errstate(over="ignore"):
                half = numpy_helper.to_array(tensor).clip(-65504, 65504).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.name == "to" and attribute.i == FLOAT:
                attribute.i = FLOAT16
            if attribute.name == "value" and attribute.t.data_type == FLOAT:
                attribute.t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(attribute.t).astype(np.float16)))
    graph.input[1].type.tensor_type.elem_type = FLOAT16


def _rename_tokens(graph: onnx.GraphProto) -> None:
    graph.input[0].name = "input_ids"
    _replace_reads(graph, "tokens", "input_ids")


def _replace_reads(graph: onnx.GraphProto, old: str, new: str) -> None:
    for node in graph.node:
        for i, name in enumerate(node.input):
            if name == old:
                node.input[i] = new


def _drop_output(graph: onnx.GraphProto, name: str) -> None:
    kept = [o for o in graph.output if o.name != name]
    del graph.output[:]
    graph.output.extend(kept)
    nodes = [n for n in graph.node if name not in n.output]
    del graph.node[:]
    graph.node.extend(nodes)
