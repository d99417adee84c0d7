import json
import re

import onnx
from compare.browser import renamed, tokenizer
from onnx import TensorProto, helper


def test_a_graph_has_the_names_of_kokoro_js_and_computes_the_same() -> None:
    tokens = helper.make_tensor_value_info("tokens", TensorProto.INT64, [1, "n"])
    speed = helper.make_tensor_value_info("speed", TensorProto.FLOAT, [1])
    audio = helper.make_tensor_value_info("audio", TensorProto.FLOAT, [1, "n"])
    cast = helper.make_node("Cast", ["tokens"], ["floats"], to=TensorProto.FLOAT)
    times = helper.make_node("Mul", ["floats", "speed"], ["audio"])
    model = renamed(helper.make_model(helper.make_graph([cast, times], "g", [tokens, speed], [audio])))
    onnx.checker.check_model(model)
    assert [value.name for value in model.graph.input] == ["input_ids", "speed"]
    assert [value.name for value in model.graph.output] == ["waveform"]
    assert [list(node.input) for node in model.graph.node] == [["input_ids"], ["floats", "speed"]]


def test_a_tokenizer_drops_what_it_does_not_know() -> None:
    described = tokenizer({"$": 0, "]": 1, "-": 2, "a": 3, "ˈ": 4})
    pattern = described["normalizer"]["pattern"]["Regex"]  # type: ignore[index]
    assert re.sub(pattern, "", "a-b]ˈc$") == "a-]ˈ"
    assert json.loads(json.dumps(described))["model"]["vocab"] == {"$": 0, "]": 1, "-": 2, "a": 3, "ˈ": 4}
