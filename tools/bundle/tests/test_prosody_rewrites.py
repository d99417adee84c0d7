"""The rewrites of whole parts of the prosody graph, each on a small graph of its form and on others that must stay."""

from __future__ import annotations

import numpy as np
import pytest
from bundle.rewrites.convolution import transposed_convolutions_to_2d
from bundle.rewrites.repetition import repetitions_to_loops
from bundle.rewrites.residual import fuse_skip_normalization
from bundle.rewrites.source import increments_per_frame, sum_of_sines
from bundle.weights import Weight
from graphs import RNG, graph, node, normal, ops, same_result

# Transposed convolutions


def transposed(groups=4, channels=4):
    constants = {"w": normal(channels, channels // groups, 3), "b": normal(channels)}
    attributes = {"strides": [2], "pads": [1, 0], "output_padding": [1], "group": groups, "kernel_shape": [3]}
    nodes = [node("ConvTranspose", "x w b", "y", **attributes)]
    return nodes, {"x": [1, channels, "t"]}, {"y": [1, channels, "u"]}, constants


@pytest.mark.parametrize("kind", ["float", "one byte"])
def test_a_depthwise_transposed_convolution_gets_an_axis(kind):
    args = transposed()
    g = graph(*args)
    if kind == "one byte":
        codes = RNG.integers(0, 256, (4, 1, 3)).astype(np.uint8)
        g.weights["w"] = Weight.quantized(codes, np.float32(0.02), np.uint8(120), None)
        args[3]["w"] = g.weights["w"].value()
    assert transposed_convolutions_to_2d(g) == 1
    for length in (1, 2, 30):
        same_result(args, g, x=normal(1, 4, length))
    weight = g.weights[g.of_type("ConvTranspose")[0].inputs[1]]
    assert weight.shape == (4, 1, 1, 3) and (weight.quantization is not None) == (kind == "one byte")


def test_other_transposed_convolutions_stay():
    assert transposed_convolutions_to_2d(graph(*transposed(groups=2))) == 0
    assert transposed_convolutions_to_2d(graph(*transposed(groups=1, channels=1))) == 0
    nodes, inputs, outputs, constants = transposed()
    computed = graph(nodes, inputs | {"w": [4, 1, 3]}, outputs, {"b": constants["b"]})
    assert transposed_convolutions_to_2d(computed) == 0


# Layer normalization of sums


def residual(bias=True, constant=False, other_reader=False, foreign=False):
    constants = {"w": normal(8, 8), "bias": normal(8), "gamma": normal(8), "beta": normal(8), "c": normal(8)}
    nodes = [
        node("Relu", "x", "r"),
        node("MatMul", "r w", "m"),
        node("Add", "bias m", "biased") if bias else node("Identity", "m", "biased"),
        node("Add", "biased c" if constant else "z biased" if foreign else "r biased", "sum"),
        node("LayerNormalization", "sum gamma beta", "y", axis=-1, epsilon=1e-3),
    ] + ([node("Neg", "sum", "n")] if other_reader else [])
    inputs = {"x": [1, "n", 8]} | ({"z": [8]} if foreign else {})
    outputs = {"y": [1, "n", 8]} | ({"n": [1, "n", 8]} if other_reader else {})
    return nodes, inputs, outputs, constants


@pytest.mark.parametrize("bias", [False, True])
def test_layer_normalization_of_a_residual_sum(bias):
    args = residual(bias)
    g = graph(*args)
    assert fuse_skip_normalization(g) == 1
    same_result(args, g, x=normal(1, 5, 8))
    expected = {"Relu": 1, "MatMul": 1, "SkipLayerNormalization": 1} | ({} if bias else {"Identity": 1})
    assert ops(g) == expected


@pytest.mark.parametrize("other", [{"constant": True}, {"other_reader": True}, {"foreign": True}], ids=str)
def test_other_layer_normalizations_stay(other):
    assert fuse_skip_normalization(graph(*residual(**other))) == 0


# Repeated layers


def layers(times=4, different=None, exposed=None, skipping=False):
    """x -> relu(x w + b) + x, several times; a scale that is computed once is read by all."""
    constants = {"w": normal(6, 6) * 0.3, "b": normal(6), "b.other": normal(6), "v": normal(6, 2)}
    nodes = [node("Relu", "x", "h0"), node("Exp", "s", "scale")]
    for i in range(times):
        bias = "b.other" if i == different else "b"
        nodes += [
            node("MatMul", f"h{i} w", f"m{i}"),
            node("Add", f"m{i} {bias}", f"a{i}"),
            node("Mul", f"a{i} scale", f"c{i}"),
            node("Relu", f"c{i}", f"r{i}"),
            node("Add", f"r{i} h{i if not skipping or i != 2 else 1}", f"h{i + 1}"),
        ]
    nodes.append(node("MatMul", f"h{times} v", "y"))
    outputs = {"y": ["n", 2]} | ({exposed: ["n", 6]} if exposed else {})
    return nodes, {"x": ["n", 6], "s": [1]}, outputs, constants


@pytest.mark.parametrize("times", [3, 4, 12])
def test_equal_layers_become_a_loop(times):
    args = layers(times)
    g = graph(*args)
    assert repetitions_to_loops(g) == times
    same_result(args, g, tolerance=0, x=normal(5, 6), s=normal(1) * 0.1)
    assert ops(g) == {"Relu": 1, "Exp": 1, "Loop": 1, "MatMul": 1}
    assert set(g.weights) >= {"w", "b", "v"}


def test_the_last_layer_may_be_read_more_than_once():
    args = layers(exposed="h4")
    g = graph(*args)
    assert repetitions_to_loops(g) == 4
    same_result(args, g, tolerance=0, x=normal(5, 6), s=normal(1) * 0.1)


@pytest.mark.parametrize(
    "other",
    [
        {"times": 2},
        {"different": 0},
        {"different": 2},
        {"different": 3},
        {"exposed": "r1"},
        {"exposed": "h2"},
        {"skipping": True},
    ],
    ids=str,
)
def test_layers_that_differ_or_are_read_from_outside_stay(other):
    assert repetitions_to_loops(graph(*layers(**other))) == 0


def test_a_weight_on_unrelated_inputs_stays():
    nodes = [node("MatMul", f"x{i} w", f"y{i}") for i in range(3)]
    g = graph(nodes, {f"x{i}": [1, 4] for i in range(3)}, {f"y{i}": [1, 4] for i in range(3)}, {"w": normal(4, 4)})
    assert repetitions_to_loops(g) == 0


# Harmonic source

SAMPLES, HARMONICS = 10, 3
REPEAT = {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
LINEAR = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}


def source(repeat=REPEAT, linear=LINEAR, up=SAMPLES, bias_size=1):
    constants = {
        "up": np.array([1, 1, up], np.float32), "down": np.array([1, 1, 1 / SAMPLES], np.float32),
        "multiples": np.arange(1, HARMONICS + 1, dtype=np.float32)[None, :, None], "rate": np.float32(1 / 97),
        "axis": np.int64(1), "turn": np.float32(2 * np.pi * SAMPLES), "threshold": np.float32(10), "tenth": np.float32(0.1),
        "w": normal(HARMONICS, 1), "b": normal(bias_size), "back": np.array([1, 1, SAMPLES], np.float32),
    }  # fmt: skip
    nodes = [
        node("Resize", "f  up", "samples", **repeat),
        node("Mul", "samples multiples", "h"),
        node("Mul", "h rate", "turns"),
        node("Floor", "turns", "whole"),
        node("Sub", "turns whole", "part"),
        node("Resize", "part  down", "frames", **LINEAR),
        node("Transpose", "frames", "ft", perm=[0, 2, 1]),
        node("CumSum", "ft axis", "sum"),
        node("Mul", "sum turn", "phase"),
        node("Transpose", "phase", "pt", perm=[0, 2, 1]),
        node("Resize", "pt  back", "long", **linear),
        node("Transpose", "long", "rows", perm=[0, 2, 1]),
        node("Sin", "rows", "sin"),
        node("Mul", "sin tenth", "quiet"),
        node("Transpose", "samples", "st", perm=[0, 2, 1]),
        node("Greater", "st threshold", "voiced"),
        node("Cast", "voiced", "mask", to=1),
        node("Mul", "quiet mask", "masked"),
        node("MatMul", "masked w", "merged"),
        node("Add", "b merged", "biased"),
        node("Tanh", "biased", "y"),
    ]
    for n in nodes:
        if n.op_type == "Resize":
            del n.input[:]
            data = {"samples": ("f", "up"), "frames": ("part", "down"), "long": ("pt", "back")}[n.output[0]]
            n.input.extend([data[0], "", data[1]])
    return nodes, {"f": [1, 1, "t"]}, {"y": [1, "u", 1]}, constants


def test_the_harmonic_source_in_fewer_passes():
    args = source()
    g = graph(*args)
    assert (increments_per_frame(g), sum_of_sines(g)) == (1, 1)
    for frames in (1, 2, 57):
        pitch = RNG.uniform(0, 40, (1, 1, frames)).astype(np.float32)
        same_result(args, g, tolerance=2e-4, f=pitch)
    assert ops(g)["Resize"] == 1


def test_increments_per_frame_alone():
    args = source()
    g = graph(*args)
    assert increments_per_frame(g) == 1
    pitch = RNG.uniform(0, 40, (1, 1, 57)).astype(np.float32)
    same_result(args, g, tolerance=1e-5, f=pitch)


@pytest.mark.parametrize(
    ("other", "counts"),
    [
        ({"repeat": {**REPEAT, "coordinate_transformation_mode": "half_pixel"}}, (0, 0)),
        ({"repeat": {**REPEAT, "nearest_mode": "ceil"}}, (0, 0)),
        ({"linear": {**LINEAR, "coordinate_transformation_mode": "align_corners"}}, (1, 0)),
        ({"linear": {**LINEAR, "mode": "cubic"}}, (1, 0)),
        ({"bias_size": 4}, (1, 0)),
    ],
    ids=str,
)
def test_other_sources_stay(other, counts):
    g = graph(*source(**other))
    assert (increments_per_frame(g), sum_of_sines(g)) == counts
