from __future__ import annotations

import onnx
from compare.inputs import METADATA, lexicon, with_metadata
from onnx import TensorProto, helper


def test_metadata_is_all_that_is_added():
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "graph", ports[:1], ports[1:])
    before = helper.make_model(graph).SerializeToString()
    after = with_metadata(before)
    assert after.startswith(before)
    model = onnx.load_model_from_string(after)
    assert {entry.key: entry.value for entry in model.metadata_props} == METADATA
    assert model.graph == onnx.load_model_from_string(before).graph


def test_the_first_reading_of_a_word_is_in_the_lexicon():
    def sentence(*words):
        return {"words": [{"source": source, "phonemes": phonemes} for source, phonemes in words]}

    inspected = [
        {"sentences": [sentence(("The", "ðə"), ("hall", "hˈɔl")), sentence(("the", "ði"))]},
        {"sentences": [sentence(("Hall", "hˈɔl"), ("answer", "ˈænsəɹ"))]},
    ]
    assert lexicon(inspected) == "the ð ə\nhall h ˈ ɔ l\nanswer ˈ æ n s ə ɹ\n"
