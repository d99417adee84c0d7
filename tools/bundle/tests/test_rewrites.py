"""Rewrites of single patterns, each on a small graph of the form it looks for, and on graphs that look alike and must stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
from bundle.rewrites.arithmetic import divisions_to_multiplications, squares_to_multiplications
from bundle.rewrites.normalization import fuse_instance_normalization
from bundle.rewrites.stft import fourier_basis, stft_to_convolution
from bundle.rewrites.style import merge_style_layers
from bundle.weights import Weight
from graphs import RNG, graph, model, node, normal, ops, run, same_result

# Arithmetic


@pytest.mark.parametrize(("exponent", "count"), [(2.0, 1), (3.0, 0), (0.5, 0)])
def test_squares(exponent, count):
    args = ([node("Pow", "x e", "y")], {"x": [4]}, {"y": [4]}, {"e": np.float32(exponent)})
    g = graph(*args)
    assert squares_to_multiplications(g) == count
    same_result(args, g, x=np.abs(normal(4)))


def test_divisions_by_a_constant():
    constants = {"c": np.float32(3), "zero": np.float32(0), "many": normal(4), "one": np.float32(1)}
    nodes = [
        node("Div", "x c", "y"),
        node("Div", "x zero", "infinite"),
        node("Div", "x many", "several"),
        node("Div", "one x", "reciprocal"),
    ]
    args = (nodes, {"x": [4]}, {"y": [4], "several": [4], "reciprocal": [4], "infinite": [4]}, constants)
    g = graph(*args)
    assert divisions_to_multiplications(g) == 1 and ops(g) == {"Mul": 1, "Div": 3}
    g.outputs.pop()
    same_result((*args[:2], {k: [4] for k in ("y", "several", "reciprocal")}, constants), g, x=normal(4))


def test_divisions_of_whole_numbers_stay():
    from graphs import INT64

    args = ([node("Div", "x c", "y")], {"x": (INT64, [1])}, {"y": (INT64, [1])}, {"c": np.int64(3)})
    assert divisions_to_multiplications(graph(*args)) == 0


# STFT


def stft_graph(comparison="Greater", index=(1, 0), threshold=0.0):
    """As in the export: magnitude, and phase = atan(im / re), plus or minus pi where re < 0."""
    constants = {
        "hop": np.int64(5), "window": np.hanning(21)[:20].astype(np.float32), "length": np.int64(20),
        "one": np.int64(index[0]), "none": np.int64(index[1]), "zero": np.float32(threshold), "pi": np.float32(np.pi),
    }  # fmt: skip
    nodes = [
        node("STFT", "x hop window length", "s", onesided=1),
        node("Transpose", "s", "t", perm=[0, 2, 1, 3]),
        node("Gather", "t one", "im", axis=3),
        node("Gather", "t none", "re", axis=3),
        node("Div", "im re", "ratio"),
        node("Atan", "ratio", "angle"),
        node(comparison, "im zero", "up"),
        node("Less", "re zero", "left"),
        node("Add", "angle pi", "plus"),
        node("Sub", "angle pi", "minus"),
        node("Where", "up plus minus", "turned"),
        node("Where", "left turned angle", "phase"),
    ]
    outputs = {"re": [1, 11, "f"], "im": [1, 11, "f"], "phase": [1, 11, "f"]}
    return nodes, {"x": [1, "n"]}, outputs, constants


def test_stft_as_a_convolution_gives_the_spectrum_and_the_angle():
    args = stft_graph()
    g = graph(*args)
    assert stft_to_convolution(g) == 1
    g.drop_unused()
    assert "STFT" not in ops(g)
    x = normal(1, 400)
    re, im, phase = run(g, x=x)
    expected = run(model(*args), x=x)
    np.testing.assert_allclose(re, expected[0], atol=3e-5)
    np.testing.assert_allclose(im, expected[1], atol=3e-5)
    np.testing.assert_array_equal(im[:, [0, -1]], 0)
    angle = np.arctan2(im, re)
    np.testing.assert_allclose(phase, angle, atol=1e-5)
    assert (phase[:, [0, -1]][re[:, [0, -1]] < 0] > 3.14).all() and (re[:, [0, -1]] < 0).any()


@pytest.mark.parametrize(
    "other",
    [{"comparison": "GreaterOrEqual"}, {"threshold": 0.5}, {"index": (1, 1)}],
    ids=["sign rule", "threshold", "parts"],
)
def test_an_stft_whose_sign_rule_is_not_the_known_one_stays(other):
    g = graph(*stft_graph(**other))
    assert stft_to_convolution(g) == 0 and ops(g)["STFT"] == 1


def test_the_fourier_basis_has_exact_zeros():
    basis = fourier_basis(np.hanning(21)[:20])
    assert basis.shape == (22, 20) and not basis[11].any() and not basis[21].any() and basis[0].any()


# Instance normalization


def adaptive_normalization(axis=2, same_style=True, keepdims=1):
    constants = {
        "axis": np.array([axis]), "eps": np.float32(1e-5), "one": np.float32(1), "half": np.array([4, 4]),
    }  # fmt: skip
    nodes = [
        node("Split", "style half", "g b", axis=1),
        node("Split", "style half", "g2 b2", axis=1),
        node("Add", "g one", "gamma"),
        node("ReduceMean", "x axis", "mean", keepdims=keepdims),
        node("Sub", "x mean", "d"),
        node("Mul", "d d", "dd"),
        node("ReduceMean", "dd axis", "var", keepdims=keepdims),
        node("Add", "var eps", "v"),
        node("Sqrt", "v", "root"),
        node("Div", "d root", "normal"),
        node("Mul", "gamma normal", "scaled"),
        node("Add", "scaled b" if same_style else "scaled other", "y"),
    ]
    inputs = {"x": [1, 4, 30], "style": [1, 8, 1]} | ({} if same_style else {"other": [1, 4, 30]})
    return nodes, inputs, {"y": [1, 4, 30]}, constants


def test_instance_normalization_spelled_out():
    args = adaptive_normalization()
    g = graph(*args)
    assert fuse_instance_normalization(g) == 1
    same_result(args, g, x=normal(1, 4, 30) + 3, style=normal(1, 8, 1))
    assert ops(g) == {"Split": 1, "Add": 1, "Squeeze": 2, "InstanceNormalization": 1}


@pytest.mark.parametrize("other", [{"axis": 1}, {"same_style": False}], ids=["over channels", "residual sum"])
def test_other_normalizations_stay(other):
    assert fuse_instance_normalization(graph(*adaptive_normalization(**other))) == 0


@pytest.mark.parametrize(("scale", "count"), [(1, 1), (2, 0)])
def test_instance_normalization_with_its_operator(scale, count):
    constants = {"ones": np.full(4, scale, np.float32), "zeros": np.zeros(4, np.float32), "half": np.array([4, 4])}
    nodes = [
        node("Split", "style half", "g b", axis=1),
        node("InstanceNormalization", "x ones zeros", "normal", epsilon=1e-3),
        node("Mul", "normal g", "scaled"),
        node("Add", "b scaled", "y"),
    ]
    args = (nodes, {"x": [1, 4, 30], "style": [1, 8, 1]}, {"y": [1, 4, 30]}, constants)
    g = graph(*args)
    assert fuse_instance_normalization(g) == count
    same_result(args, g, x=normal(1, 4, 30), style=normal(1, 8, 1))


# Style layers


def style_layers(gemm=False, uneven=False):
    sizes = [3, 5]
    constants = {"axis": np.array([2]), "axes": np.array([0, 2]), "one": np.float32(1), "factors": normal(3)}
    nodes = []
    for i, n in enumerate(sizes):
        constants |= {f"w{i}": normal(6, 2 * n), f"b{i}": normal(2 * n)}
        constants[f"half{i}"] = np.array([n + uneven, n - uneven])
        if gemm:
            constants[f"w{i}"] = constants[f"w{i}"].T
            nodes += [node("Gemm", f"s w{i} b{i}", f"a{i}", transB=1)]
        else:
            nodes += [node("MatMul", f"s w{i}", f"m{i}"), node("Add", f"b{i} m{i}", f"a{i}")]
        nodes += [node("Unsqueeze", f"a{i} axis", f"u{i}"), node("Split", f"u{i} half{i}", f"g{i} beta{i}", axis=1)]
    nodes += [
        node("Add", "g0 one", "plus"),
        node("Squeeze", "plus axes", "flat"),
        node("Mul", "flat factors", "gamma0"),
    ]
    nodes += [node("Squeeze", "beta0 axes", "beta0.flat")]
    outputs = {"gamma0": [3], "beta0.flat": [3], "g1": [1, 5, 1], "beta1": [1, 5, 1]}
    return nodes, {"s": [1, 6]}, outputs, constants


@pytest.mark.parametrize("gemm", [False, True])
def test_style_layers_become_one(gemm):
    args = style_layers(gemm)
    g = graph(*args)
    assert merge_style_layers(g) == 2
    same_result(args, g, s=normal(1, 6))
    assert ops(g) == {"Gemm": 1, "Reshape": 1, "Split": 1, "Unsqueeze": 2}


def test_merged_style_layers_keep_one_byte():
    args = style_layers()
    g = graph(*args)
    for i in (0, 1):
        codes = RNG.integers(0, 256, g.weights[f"w{i}"].shape).astype(np.uint8)
        scale = RNG.uniform(0.01, 0.02, codes.shape[1]).astype(np.float32)
        g.weights[f"w{i}"] = Weight.quantized(codes, scale, codes[0], axis=1)
        args[3][f"w{i}"] = g.weights[f"w{i}"].value()
    assert merge_style_layers(g) == 2
    same_result(args, g, s=normal(1, 6))
    assert [w.quantization is not None for w in g.weights.values() if len(w.shape) == 2] == [True]


def test_a_layer_alone_and_one_in_uneven_parts_stay():
    nodes, inputs, _outputs, constants = style_layers()
    alone = [n for n in nodes if not n.output[0].endswith("1")]
    assert merge_style_layers(graph(alone, inputs, {"gamma0": [3], "beta0.flat": [3]}, constants)) == 0
    uneven = style_layers(uneven=True)
    assert (
        merge_style_layers(
            graph([n for n in uneven[0] if "0" not in n.output[0][1:]], {"s": [1, 6]}, {"g1": None}, uneven[3])
        )
        == 0
    )
