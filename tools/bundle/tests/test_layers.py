"""Finding adaptive normalizations, on small graphs of the forms found in exports, and on similar graphs."""

from __future__ import annotations

import numpy as np
import pytest
from bundle import layers
from bundle.errors import BundleError
from bundle.layers import Norm, check_channel_norm, check_time_norm, norm_layer, normalized_tensor
from graphs import graph, node, normal

CHANNELS = 4


@pytest.fixture(autouse=True)
def short_style(monkeypatch):
    monkeypatch.setattr(layers, "STYLE_HALF", 6)


def style_nodes(gemm=False, cut="Split", uneven=0):
    """The style layer of a normalization that reads the second half of the style."""
    constants = {
        "halves": np.array([6, 6]), "from": np.array([6]), "to": np.array([12]), "one": np.array([1]),
        "w": normal(6, 2 * CHANNELS), "bias": normal(2 * CHANNELS), "axis": np.array([2]),
        "parts": np.array([CHANNELS + uneven, CHANNELS - uneven]), "unit": np.float32(1),
    }  # fmt: skip
    if gemm:
        constants["w"] = constants["w"].T
    nodes = [
        node("Split", "style halves", "first s", axis=1) if cut == "Split" else node("Slice", "style from to one one", "s"),
        *([node("Gemm", "s w bias", "a", transB=1)] if gemm else [node("MatMul", "s w", "m"), node("Add", "bias m", "a")]),
        node("Unsqueeze", "a axis", "u"),
        node("Split", "u parts", "g b", axis=1),
        node("Add", "g unit", "gamma"),
    ]  # fmt: skip
    for n in nodes:
        if n.op_type in ("MatMul", "Gemm"):
            n.name = "/encoder/norm/fc/Gemm"
    return nodes, constants


def norm_graph(kind="spelled out", axis=2, epsilon=1e-5, scale=1, square="Mul", **style):
    nodes, constants = style_nodes(**style)
    constants |= {
        "time": np.array([axis]), "eps": np.float32(epsilon), "two": np.float32(2),
        "ones": np.full(CHANNELS, scale, np.float32), "zeros": np.zeros(CHANNELS, np.float32),
    }  # fmt: skip
    if kind == "spelled out":
        nodes += [
            node("ReduceMean", "x time", "mean", keepdims=1),
            node("Sub", "x mean", "d"),
            node("Mul", "d d", "dd") if square == "Mul" else node("Pow", "d two", "dd"),
            node("ReduceMean", "dd time", "var", keepdims=1),
            node("Add", "var eps", "v"),
            node("Sqrt", "v", "root"),
            node("Div", "d root", "normal"),
        ]
    else:
        nodes.append(node(kind, "x ones zeros", "normal", epsilon=epsilon))
        nodes[-1].name = f"/encoder/norm/{kind}"
    nodes += [node("Mul", "gamma normal", "scaled"), node("Add", "scaled b", "y")]
    return graph(nodes, {"x": [1, CHANNELS, 30], "style": [1, 12]}, {"y": None}, constants)


NORM = Norm("norm", "norm", CHANNELS, half=1)


@pytest.mark.parametrize("gemm", [False, True])
@pytest.mark.parametrize("cut", ["Split", "Slice"])
def test_a_style_layer_is_found(gemm, cut):
    g = norm_graph(gemm=gemm, cut=cut)
    layer = norm_layer(g, NORM)
    weight = g.weights["w"].value()
    np.testing.assert_array_equal(layer.weight.value(), weight.T if gemm else weight)
    assert layer.halves == ["g", "b"]


@pytest.mark.parametrize("cut", ["Split", "Slice"])
def test_a_style_layer_that_reads_the_other_half_is_refused(cut):
    with pytest.raises(BundleError, match="norm/fc does not read half 0 of the style"):
        norm_layer(norm_graph(cut=cut), Norm("norm", "norm", CHANNELS))


def test_a_style_layer_in_uneven_parts_is_refused():
    with pytest.raises(BundleError, match="the style layer norm/fc is not as expected"):
        norm_layer(norm_graph(uneven=1), NORM)


@pytest.mark.parametrize("form", [{}, {"square": "Pow"}, {"kind": "InstanceNormalization"}], ids=str)
def test_a_normalization_over_time_is_found(form):
    g = norm_graph(**form)
    assert normalized_tensor(g, NORM) == "x"
    check_time_norm(g, NORM)


def test_a_normalization_over_channels_is_not_one_over_time():
    with pytest.raises(BundleError, match="the normalization norm was not found"):
        normalized_tensor(norm_graph(axis=1), NORM)


@pytest.mark.parametrize("kind", ["spelled out", "InstanceNormalization"])
def test_a_normalization_over_time_with_another_epsilon_is_refused(kind):
    with pytest.raises(BundleError, match="the normalization norm has the epsilon"):
        check_time_norm(norm_graph(kind, epsilon=1e-3), NORM)


def test_a_normalization_over_time_with_a_scale_of_its_own_is_refused():
    with pytest.raises(BundleError, match="the normalization norm has a scale or an offset of its own"):
        check_time_norm(norm_graph("InstanceNormalization", scale=2), NORM)


def test_a_normalization_over_channels_is_found():
    check_channel_norm(norm_graph("LayerNormalization"), NORM)


@pytest.mark.parametrize(
    ("other", "message"), [({"scale": 2}, "a scale or an offset of its own"), ({"epsilon": 1e-3}, "the epsilon")]
)
def test_another_normalization_over_channels_is_refused(other, message):
    with pytest.raises(BundleError, match=f"the normalization norm has {message}"):
        check_channel_norm(norm_graph("LayerNormalization", **other), NORM)
