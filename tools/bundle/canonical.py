"""Converts any Kokoro v1.0 export to one interface and to float32 arithmetic, without changing its results.

The resulting graph has the inputs `tokens` int64 [1, n], `style` float [1, 256] and `speed` float [1], and the outputs
`audio` float [samples] and `durations` int64 [n], the number of frames of each token, pads included.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper

from .errors import BundleError
from .graph import FLOAT, FLOAT16, INT64, Graph, Node, Port
from .weights import Weight

BOOL, INT32, UINT8 = onnx.TensorProto.BOOL, onnx.TensorProto.INT32, onnx.TensorProto.UINT8

_TOKEN_NAMES = ("tokens", "input_ids")
_RESULT_TYPES = {
    **dict.fromkeys(("Shape", "Size", "NonZero", "ArgMax", "ArgMin"), INT64),
    **dict.fromkeys(("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Not", "IsNaN"), BOOL),
    **dict.fromkeys(("MatMulInteger", "ConvInteger"), INT32),
}
_RANDOM_LIKE = ("RandomNormalLike", "RandomUniformLike", "Bernoulli")
_RANDOM = ("RandomNormal", "RandomUniform")


def canonicalize(graph: Graph) -> dict[str, int]:
    """Applies every step; returns the changes and their counts, for the record."""
    _refuse_control_flow(graph)
    _inline_constants(graph)
    halves = _widen_halves(graph)
    noises = _silence_noise(graph)
    _name_inputs(graph)
    _drop_idle_casts(graph)
    _name_audio(graph)
    _expose_durations(graph)
    graph.drop_unused()
    counts = {"float16 arithmetic to float32": halves, "random noise to zero": noises}
    return {k: n for k, n in counts.items() if n}


def _refuse_control_flow(graph: Graph) -> None:
    for node in graph.of_type("If", "Loop", "Scan"):
        raise BundleError(
            f"the model has control flow (operator {node.op}, node {node.name!r}), which is not supported"
        )


def _inline_constants(graph: Graph) -> None:
    nodes = graph.of_type("Constant")
    for node in nodes:
        ((kind, value),) = node.attributes.items()
        if kind == "value":
            array = numpy_helper.to_array(value)
        elif kind in ("value_float", "value_floats"):
            array = np.asarray(value, np.float32)
        elif kind in ("value_int", "value_ints"):
            array = np.asarray(value, np.int64)
        else:
            raise BundleError(f"constant {node.name!r} has the unsupported attribute {kind}")
        half = array.dtype == np.float16
        graph.weights[node.outputs[0]] = Weight(array.astype(np.float32) if half else array, half=half)
    graph.remove(nodes)


def _widen_halves(graph: Graph) -> int:
    """Converts float16 arithmetic to float32; the weights are marked as float16 and stored so."""
    count = 0
    for node in graph.nodes:
        for key in ("to", "dtype"):
            if node.attributes.get(key) == FLOAT16:
                node.attributes[key] = FLOAT
                count += 1
        value = node.attributes.get("value")
        if isinstance(value, onnx.TensorProto) and value.data_type == FLOAT16:
            node.attributes["value"] = numpy_helper.from_array(numpy_helper.to_array(value).astype(np.float32))
            count += 1
    for port in graph.inputs + graph.outputs:
        if port.element_type == FLOAT16:
            port.element_type = FLOAT
            count += 1
    return count


def _silence_noise(graph: Graph) -> int:
    """Replaces random operators by zeros, so that the same text gives the same audio (the published graph has none)."""
    noisy = graph.of_type(*_RANDOM_LIKE, *_RANDOM)
    graph.remove(noisy)
    for node in noisy:
        output = node.outputs[0]
        if node.op in _RANDOM:
            shape = graph.constant(f"{output}.shape", np.asarray(node.attributes["shape"], np.int64))
        else:
            shape = graph.add_op("Shape", [node.inputs[0]], f"{output}.shape")
        graph.add_op("ConstantOfShape", [shape], output)
    return len(noisy)


def _name_inputs(graph: Graph) -> None:
    names = [p.name for p in graph.inputs]
    tokens = next((p for p in graph.inputs if p.name in _TOKEN_NAMES), None)
    style = next((p for p in graph.inputs if p.name == "style"), None)
    speed = next((p for p in graph.inputs if p.name == "speed"), None)
    if tokens is None or style is None or speed is None or len(names) != 3:
        raise BundleError(f"the model's inputs are {names}; tokens (or input_ids), style and speed are expected")
    if len(style.shape) != 2 or style.shape[1] not in (256,) and isinstance(style.shape[1], int):
        raise BundleError(f"the model's input style has the shape {style.shape}; [1, 256] is expected")
    _free_name(graph, "tokens")
    _rename_input(graph, tokens.name, "tokens", INT64, tokens.element_type)
    _adapt_speed(graph, speed)
    graph.inputs = [Port("tokens", INT64, [1, "n"]), Port("style", FLOAT, [1, 256]), Port("speed", FLOAT, [1])]


def _rename_input(graph: Graph, old: str, new: str, element_type: int, expected: int) -> None:
    if expected == element_type:
        if old != new:
            graph.replace_uses(old, new)
        return
    inner = f"{new}.as_expected"
    graph.replace_uses(old, inner)
    graph.add_op("Cast", [new], inner, to=expected)


def _adapt_speed(graph: Graph, speed: Port) -> None:
    if speed.element_type in (INT32, INT64):
        # The export casts its integer to float: with a float input those casts do nothing and are dropped later.
        if any(n.op != "Cast" or n.attributes["to"] != FLOAT for n in graph.consumers("speed")):
            raise BundleError("the model's input speed is an integer that is not cast to float")
    elif speed.element_type != FLOAT:
        _rename_input(graph, "speed", "speed", FLOAT, speed.element_type)
    if not speed.shape:
        readers = graph.consumers("speed")
        for node in readers:
            node.inputs = ["speed.scalar" if i == "speed" else i for i in node.inputs]
        graph.add_op("Squeeze", ["speed"], "speed.scalar")


def _drop_idle_casts(graph: Graph) -> None:
    """Removes casts of a tensor to its own type: they hide the patterns by which layers are found."""
    graph.sort()
    types = {p.name: p.element_type for p in graph.inputs}
    types.update({k: onnx.helper.np_dtype_to_tensor_dtype(w.dtype) for k, w in graph.weights.items()})
    idle = []
    for node in graph.nodes:
        _infer_types(node, types)
        if (
            node.op == "Cast"
            and types.get(node.inputs[0]) == node.attributes["to"]
            and not graph.is_output(node.outputs[0])
        ):
            idle.append(node)
    sources = {n.outputs[0]: n.inputs[0] for n in idle}
    graph.remove(idle)
    for node in graph.nodes:
        node.inputs = [_follow(sources, i) for i in node.inputs]
    graph.touch()


def _follow(sources: dict[str, str], tensor: str) -> str:
    while tensor in sources:
        tensor = sources[tensor]
    return tensor


def _infer_types(node: Node, types: dict[str, int]) -> None:
    """The element types of a node's outputs; implements ONNX's type rules as far as this model needs them."""
    if node.op == "Cast":
        found = [node.attributes["to"]]
    elif node.op == "DynamicQuantizeLinear":
        found = [UINT8, FLOAT, UINT8]
    elif node.op == "ConstantOfShape":
        value = node.attributes.get("value")
        found = [value.data_type if value is not None else FLOAT]
    elif node.op in _RESULT_TYPES:
        found = [_RESULT_TYPES[node.op]]
    elif node.op == "DequantizeLinear":
        found = [FLOAT]
    elif node.op == "QuantizeLinear":
        found = [types.get(node.inputs[2], UINT8) if len(node.inputs) > 2 else UINT8]
    else:
        first = 1 if node.op == "Where" else 0
        found = [types.get(node.inputs[first], 0)] * len(node.outputs) if len(node.inputs) > first else []
    types.update(zip(node.outputs, found))


def _name_audio(graph: Graph) -> None:
    audio = next((p for p in graph.outputs if p.name in ("audio", "waveform")), None) or next(
        (p for p in graph.outputs if p.element_type == FLOAT), None
    )
    if audio is None:
        raise BundleError(f"no audio output among {[p.name for p in graph.outputs]}")
    source, is_flat = audio.name, len(audio.shape) == 1
    graph.outputs = []
    if not (source == "audio" and is_flat):
        source = _free_name(graph, "audio") if source == "audio" else source
        _free_name(graph, "audio")
        flat = graph.constant("libspeech.flat", np.array([-1], np.int64))
        graph.add_op("Reshape", [source, flat], "audio")
    _free_name(graph, "durations")
    graph.outputs = [Port("audio", FLOAT, ["samples"])]


def _free_name(graph: Graph, name: str) -> str:
    """Renames a tensor whose name we need; returns its new name."""
    renamed = f"{name}.as_exported"
    node = graph.producer(name)
    if node is not None:
        graph.replace_uses(name, renamed)
        node.outputs = [renamed if o == name else o for o in node.outputs]
        graph.touch()
    return renamed


def _expose_durations(graph: Graph) -> None:
    """Exposes the durations: the duration predictor ends in round(sum(sigmoid) / speed), clipped to at least 1."""
    frames = _rounded_durations(graph)
    flat = graph.constant("libspeech.flat", np.array([-1], np.int64))
    integers = graph.add_op("Cast", [frames], "durations.integers", to=INT64)
    graph.add_op("Reshape", [integers, flat], "durations")
    graph.outputs.append(Port("durations", INT64, ["n"]))


def _rounded_durations(graph: Graph) -> str:
    for node in graph.of_type("Round"):
        if not _reaches(graph, node.inputs[0], "Sigmoid", 6):
            continue
        output = node.outputs[0]
        clip = graph.only_consumer(output, "Clip", "Max")
        return clip.outputs[0] if clip is not None else output
    raise BundleError("the duration predictor (a rounded sum of sigmoids) was not found in the model")


def _reaches(graph: Graph, tensor: str, op: str, steps: int) -> bool:
    """Whether an operator `op` is at most `steps` nodes upstream of `tensor`."""
    node = graph.producer(tensor)
    if node is None or steps == 0:
        return False
    return node.op == op or any(_reaches(graph, i, op, steps - 1) for i in node.inputs)
