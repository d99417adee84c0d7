"""The layout of linear layers, constant normalizations and LSTMs, and which models are refused, on small graphs."""

from __future__ import annotations

import numpy as np
import pytest
from bundle import layers, layout
from bundle.errors import BundleError
from bundle.layers import Embedding, LayerNorm, Linear, Lstm, embedding_operands, linear_operands
from bundle.layout import (
    compare_layer_norm,
    compare_linear,
    compare_lstm,
    layer_norm_tensors,
    linear_tensors,
    lstm_tensors,
)
from bundle.weights import Weight
from graphs import RNG, graph, node, normal
from test_vocoder import expanded

ATTENTION = Linear("attention", ("layer/query", "layer/key"), 6, 4, times=2)
FFN = Linear("ffn", ("layer/ffn",), 4, 8)
NORM = LayerNorm("norm", "layer/norm", 8, 1e-12, times=2)
LSTM = Lstm("lstm", "text/lstm", 5)
STATES = 3


@pytest.fixture(autouse=True)
def few_states(monkeypatch):
    for module in (layers, layout):
        monkeypatch.setattr(module, "LSTM_STATES", STATES)


def named(name, op, inputs, outputs, **attributes):
    made = node(op, inputs, outputs, **attributes)
    made.name = name
    return made


def one_byte(g, name, axis):
    shape = g.weights[name].shape
    n = 1 if axis is None else shape[axis]
    codes = RNG.integers(0, 256, shape).astype(np.uint8)
    scale, zero = RNG.uniform(0.01, 0.1, n).astype(np.float32), RNG.integers(1, 255, n).astype(np.uint8)
    g.weights[name] = Weight.quantized(codes, scale, zero, axis)


# Linear layers


def linear_graph(other_weight=False):
    constants = {f"{m}.w": normal(6, 4) for m in ("query", "key")} | {f"{m}.b": normal(4) for m in ("query", "key")}
    constants |= {
        "other.w": normal(6, 4),
        "copy.w": constants["key.w"].copy(),
        "ffn.w": normal(4, 8),
        "ffn.b": normal(8),
    }
    nodes = []
    for run in ("", "_1"):
        for m in ("query", "key"):
            weight = "other" if other_weight and run else "copy" if m == "key" and run else m
            path = f"/encoder/layer/{m}{run}"
            nodes.append(named(f"{path}/MatMul", "MatMul", f"x {weight}.w", f"{m}{run}.m"))
            nodes.append(named(f"{path}/Add", "Add", f"{m}.b {m}{run}.m", f"{m}{run}.y"))
    nodes.append(named("/encoder/layer/ffn/MatMul", "MatMul", "query.y ffn.w", "ffn.m"))
    nodes.append(named("FastGelu", "FastGelu", "ffn.m ffn.b", "/encoder/layer/activation/Mul_3"))
    nodes[-1].domain = "com.microsoft"
    outputs = {"query_1.y": None, "key.y": None, "key_1.y": None, "/encoder/layer/activation/Mul_3": None}
    return graph(nodes, {"x": [1, "n", 6]}, outputs, constants, contrib=True)


def test_linear_layers_are_beside_each_other():
    g = linear_graph()
    tensors = linear_tensors(g, ATTENTION)
    value = {name: weight.value() for name, weight in g.weights.items()}
    np.testing.assert_array_equal(tensors["attention.weight"], np.hstack([value["query.w"], value["key.w"]])[None])
    np.testing.assert_array_equal(tensors["attention.bias"], np.concatenate([value["query.b"], value["key.b"]]))
    compare_linear(tensors, g, ATTENTION)


def test_the_bias_may_be_in_the_activation():
    g = linear_graph()
    tensors = linear_tensors(g, FFN)
    np.testing.assert_array_equal(tensors["ffn.bias"], g.weights["ffn.b"].value())
    compare_linear(tensors, g, FFN)


@pytest.mark.parametrize(
    ("axes", "kept"), [((None, None), True), ((None, 1), True), ((1, 1), True), ((0, None), False)]
)
def test_linear_layers_keep_one_byte_where_the_scales_vary_along_the_outputs(axes, kept):
    g = linear_graph()
    for name, axis in zip(("query.w", "key.w"), axes):
        one_byte(g, name, axis)
    g.weights["copy.w"] = g.weights["key.w"]
    tensors = linear_tensors(g, ATTENTION)
    assert (tensors["attention.weight"].dtype == np.uint8) == kept
    if kept:
        assert tensors["attention.weight.scale"].shape == tensors["attention.weight.zero_point"].shape == (1, 1, 8)
    compare_linear(expanded(tensors), g, ATTENTION)


def test_one_linear_layer_keeps_its_one_scale():
    g = linear_graph()
    one_byte(g, "ffn.w", None)
    tensors = linear_tensors(g, FFN)
    assert tensors["ffn.weight"].dtype == np.uint8 and tensors["ffn.weight.scale"].shape == (1, 1, 1)
    compare_linear(expanded(tensors), g, FFN)


@pytest.mark.parametrize("name", ["attention.weight", "attention.bias"])
@pytest.mark.parametrize("index", [0, -1])
def test_another_number_in_a_linear_layer_is_noticed(name, index):
    g = linear_graph()
    tensors = linear_tensors(g, ATTENTION)
    tensors[name] = tensors[name].copy()
    tensors[name][..., index] += 1
    with pytest.raises(BundleError, match=f"{name} is not the weight"):
        compare_linear(tensors, g, ATTENTION)


def test_a_layer_that_has_other_weights_when_it_runs_again_is_refused():
    with pytest.raises(BundleError, match="layer/query has other weights when it runs again"):
        linear_tensors(linear_graph(other_weight=True), ATTENTION)


def test_a_layer_that_runs_more_often_or_has_another_size_is_refused():
    with pytest.raises(BundleError, match="layer/query is 2 times in the model; 3 is expected"):
        linear_operands(linear_graph(), Linear("attention", ("layer/query",), 6, 4, times=3))
    with pytest.raises(BundleError, match=r"layer/query has a weight of the shape \(6, 4\)"):
        linear_operands(linear_graph(), Linear("attention", ("layer/query",), 6, 5, times=2))


# Normalizations


def norm_graph(epsilon=1e-12, axis=-1):
    nodes = [
        named("/layer/norm/LayerNormalization", "LayerNormalization", "x g b", "y", axis=axis, epsilon=epsilon),
        named("Skip", "SkipLayerNormalization", "x y g b", "/layer/norm_1/LayerNormalization_output", epsilon=1e-12),
    ]
    nodes[1].domain = "com.microsoft"
    outputs = {"/layer/norm_1/LayerNormalization_output": None}
    return graph(nodes, {"x": [1, "n", 8]}, outputs, {"g": normal(8), "b": normal(8)}, contrib=True)


def test_a_normalization_with_its_operator_and_fused_with_a_sum():
    g = norm_graph()
    tensors = layer_norm_tensors(g, NORM)
    np.testing.assert_array_equal(tensors["norm.weight"], g.weights["g"].value())
    np.testing.assert_array_equal(tensors["norm.bias"], g.weights["b"].value())
    compare_layer_norm(tensors, g, NORM)
    for name in tensors:
        with pytest.raises(BundleError, match=f"{name} is not the weight"):
            compare_layer_norm(tensors | {name: tensors[name] + 1}, g, NORM)


@pytest.mark.parametrize(
    ("other", "message"), [({"epsilon": 1e-5}, "the epsilon 9.99"), ({"axis": 1}, "not over the channels")]
)
def test_another_normalization_is_refused(other, message):
    with pytest.raises(BundleError, match=f"the normalization layer/norm .*{message}"):
        layer_norm_tensors(norm_graph(**other), NORM)


# LSTMs


def lstm_graph(state="zeros", inputs="x w r b", **other):
    gates = 4 * STATES
    constants = {
        "w": normal(2, gates, 5), "r": normal(2, gates, STATES), "b": normal(2, 2 * gates),
        "shape": np.array([2, 1, STATES]), "zeros": np.zeros((2, 1, STATES), np.float32), "p": normal(2, 3 * STATES),
        "ones": np.ones((2, 1, STATES), np.float32), "lengths": np.array([4], np.int32),
    }  # fmt: skip
    attributes = {"direction": "bidirectional", "hidden_size": STATES, **other}
    nodes = [node("ConstantOfShape", "shape", "made")] if state == "made" else []
    names = inputs.split() + ["", state, state] if len(inputs.split()) == 4 else inputs.split()
    lstm = named("/text/lstm/LSTM", "LSTM", "x", "y", **{k: v for k, v in attributes.items() if v is not None})
    del lstm.input[:]
    lstm.input.extend(names)
    return graph([*nodes, lstm], {"x": [4, 1, 5]}, {"y": None}, constants)


@pytest.mark.parametrize("state", ["zeros", "made", ""])
def test_the_directions_of_an_lstm(state):
    g = lstm_graph(state)
    tensors = lstm_tensors(g, LSTM)
    w, r, b = (g.weights[name].value() for name in "wrb")
    for d in (0, 1):
        np.testing.assert_array_equal(tensors[f"lstm.input.{d}.weight"], w[d].T[None])
        np.testing.assert_array_equal(tensors[f"lstm.recurrent.{d}.weight"], r[d].T)
        np.testing.assert_array_equal(tensors[f"lstm.input.{d}.bias"], b[d][: 4 * STATES] + b[d][4 * STATES :])
    compare_lstm(tensors, g, LSTM)


@pytest.mark.parametrize("axis", [None, 0])
def test_each_direction_of_an_lstm_keeps_its_scale(axis):
    g = lstm_graph()
    for name in ("w", "r"):
        one_byte(g, name, axis)
    tensors = lstm_tensors(g, LSTM)
    assert {name: t.shape for name, t in tensors.items() if name.endswith("1.weight.scale")} == {
        "lstm.input.1.weight.scale": (1, 1, 1), "lstm.recurrent.1.weight.scale": (1, 1),
    }  # fmt: skip
    compare_lstm(expanded(tensors), g, LSTM)


@pytest.mark.parametrize("part", ["input.0.weight", "input.1.bias", "recurrent.1.weight"])
def test_another_number_in_an_lstm_is_noticed(part):
    g = lstm_graph()
    tensors = lstm_tensors(g, LSTM)
    changed = tensors[f"lstm.{part}"].copy()
    changed.flat[-1] += 1
    with pytest.raises(BundleError, match=f"lstm.{part} is not the weight"):
        compare_lstm(tensors | {f"lstm.{part}": changed}, g, LSTM)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"direction": "forward"}, "the LSTM text/lstm has .*forward"),
        ({"direction": None}, "the LSTM text/lstm has .*forward"),
        ({"hidden_size": 4}, "'hidden_size': 4"),
        ({"input_forget": 1}, "'input_forget': 1"),
        ({"layout": 1}, "'layout': 1"),
        ({"clip": 3.0}, "clip"),
        ({"activations": ["Relu", "Tanh", "Tanh"] * 2}, "activations"),
        ({"state": "ones"}, "another state than zeros"),
        ({"inputs": "x w r b lengths"}, "has lengths"),
        ({"inputs": "x r r b"}, "the LSTM text/lstm has weights of the shapes"),
        ({"inputs": "x w x b"}, "the weights of text/lstm are not constants"),
    ],
    ids=str,
)
def test_another_lstm_is_refused(other, message):
    with pytest.raises(BundleError, match=message):
        lstm_tensors(lstm_graph(**other), LSTM)


def test_an_embedding_must_be_a_table_of_the_expected_size():
    table = Embedding("table", "words", 5, 4)
    nodes = [named("/words/Gather", "Gather", "w tokens", "y", axis=0)]
    g = graph(nodes, {"tokens": (7, [1, "n"])}, {"y": None}, {"w": normal(5, 4)})
    weight, indices = embedding_operands(g, table)
    assert weight is g.weights["w"] and indices == "tokens"
    with pytest.raises(BundleError, match="the embedding words is not a constant table of 6 rows"):
        embedding_operands(g, Embedding("table", "words", 6, 4))
