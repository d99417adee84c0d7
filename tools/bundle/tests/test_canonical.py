"""A toy with the outline of Kokoro: tokens and style in, durations by a rounded sum of sigmoids, audio out."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from bundle.canonical import canonicalize
from bundle.errors import BundleError
from graphs import FLOAT, INT32, INT64, graph, node, ops, run
from onnx import helper, numpy_helper

FLOAT16 = onnx.TensorProto.FLOAT16
FEEDS = {
    "tokens": np.array([[0, 3, 1, 0]], np.int64),
    "style": np.linspace(-1, 1, 256, dtype=np.float32)[None],
    "speed": np.array([2.0], np.float32),
}


def toy(
    tokens="tokens",
    token_type=INT64,
    speed_type=FLOAT,
    speed_shape=(1,),
    audio="audio",
    audio_rank=1,
    kind=np.float32,
    noise=False,
):
    rng = np.random.default_rng(0)
    t = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    constants = {
        "table": rng.standard_normal((5, 256)).astype(kind), "w": rng.standard_normal((256, 50)).astype(kind),
        "last": np.array([-1]), "least": kind(1), "batch": np.array([0]),
    }  # fmt: skip
    nodes = [
        node("Cast", tokens, "t64", to=INT64),
        node("Gather", "table t64", "e"),
        node("Add", "e style", "h"),
        node("MatMul", "h w", "logits"),
        node("Sigmoid", "logits", "s"),
        node("ReduceSum", "s last", "frames", keepdims=0),
        node("Cast", "speed", "speed.float", to=t),
        node("Div", "frames speed.float", "slow"),
        node("Round", "slow", "r"),
        node("Clip", "r least", "d"),
        node("Cast", "d", "d64", to=INT64),
        node("Constant", "", "four", value=numpy_helper.from_array(np.array([4.0], kind))),
        node("Mul", "frames four", "a"),
    ]
    last = "a"
    if noise:
        nodes += [node("RandomNormalLike", "a", "noise", dtype=t), node("Add", "a noise", "noisy")]
        last = "noisy"
    nodes.append(node("Squeeze", f"{last} batch", audio) if audio_rank == 1 else node("Identity", last, audio))
    inputs = {tokens: (token_type, [1, "n"]), "style": (t, [1, 256]), "speed": (speed_type, list(speed_shape))}
    return graph(nodes, inputs, {audio: (t, ["s"] if audio_rank == 1 else [1, "s"])}, constants)


def outline(g):
    return [(p.name, p.element_type, p.shape) for p in g.inputs + g.outputs]


EXPECTED = [
    ("tokens", INT64, [1, "n"]), ("style", FLOAT, [1, 256]), ("speed", FLOAT, [1]),
    ("audio", FLOAT, ["samples"]), ("durations", INT64, ["n"]),
]  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"tokens": "input_ids"},
        {"token_type": INT32},
        {"tokens": "input_ids", "token_type": INT32},
        {"speed_type": INT32},
        {"speed_shape": ()},
        {"audio": "waveform", "audio_rank": 2},
        {"audio_rank": 2},
        {"noise": True},
    ],
    ids=str,
)
def test_every_kind_of_interface_becomes_ours(other):
    g = toy(**other)
    canonicalize(g)
    assert outline(g) == EXPECTED
    audio, durations = run(g, **FEEDS)
    reference = toy()
    canonicalize(reference)
    expected = run(reference, **FEEDS)
    np.testing.assert_array_equal(audio, expected[0])
    np.testing.assert_array_equal(durations, expected[1])
    assert durations.dtype == np.int64 and durations.shape == (4,) and len(set(durations)) > 1


def test_half_precision_becomes_float_arithmetic_on_the_same_weights():
    g = toy(kind=np.float16, speed_type=FLOAT)
    counts = canonicalize(g)
    assert outline(g) == EXPECTED and counts["float16 arithmetic to float32"] > 0
    assert g.weights["table"].half and g.weights["w"].half and ops(g)["Cast"] == 1
    reference = toy()
    canonicalize(reference)
    np.testing.assert_allclose(run(g, **FEEDS)[0], run(reference, **FEEDS)[0], rtol=2e-3)


def test_noise_is_recorded():
    assert canonicalize(toy(noise=True)) == {"random noise to zero": 1}


def test_a_model_that_is_something_else_is_refused():
    nodes = [node("Relu", "x", "y")]
    with pytest.raises(BundleError, match="inputs are .*'x'"):
        canonicalize(graph(nodes, {"x": [1]}, {"y": [1]}, {}))
    g = toy()
    for n in g.of_type("Round"):
        n.op = "Floor"
    with pytest.raises(BundleError, match="duration predictor"):
        canonicalize(g)


def test_an_old_opset_is_refused():
    with pytest.raises(BundleError, match="opset 11"):
        graph([node("Relu", "x", "y")], {"x": [1]}, {"y": [1]}, {}, opset=11)
